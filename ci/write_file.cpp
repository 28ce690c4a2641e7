#include "ci/write_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <expected>
#include <string>
#include <string_view>
#include <unistd.h>

#include <fmt/format.h>

namespace convproof::ci {

std::expected<void, Error> write_file(const std::string& path, std::string_view content) {
  const std::string temporary = fmt::format("{}.{}.part", path, getpid());
  const auto failed = [&] {
    Error error{.place = path, .rule = fmt::format("cannot be written: {}", std::strerror(errno))};
    std::remove(temporary.c_str());
    return std::unexpected(std::move(error));
  };
  std::FILE* const file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) return failed();
  const bool whole = std::fwrite(content.data(), 1, content.size(), file) == content.size() &&
                     std::fflush(file) == 0;
  const bool closed = std::fclose(file) == 0;
  if (!whole || !closed || std::rename(temporary.c_str(), path.c_str()) != 0) return failed();
  return {};
}

}  // namespace convproof::ci
