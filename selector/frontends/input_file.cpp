#include "selector/frontends/input_file.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace convproof {
namespace {

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

std::unexpected<Error> refused(const std::string& path, std::string rule) {
  return std::unexpected(Error{path, "", std::move(rule)});
}

}  // namespace

std::expected<std::string, Error> read_input_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return refused(path, "is a directory");
  const std::string too_large = fmt::format("must be at most {} bytes", max_file_bytes);
  // Streams have no size to ask for; the loop below bounds them.
  const auto size = std::filesystem::file_size(path, ignored);
  if (!ignored && size > max_file_bytes) return refused(path, too_large);
  errno = 0;
  const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rb"));
  if (!file) {
    return refused(path,
                   fmt::format("cannot be opened: {}", std::generic_category().message(errno)));
  }
  std::string text;
  std::array<char, 65536> block{};
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), file.get())) {
    if (text.size() + count > max_file_bytes) return refused(path, too_large);
    text.append(block.data(), count);
  }
  if (std::ferror(file.get()) != 0) {
    return refused(path, fmt::format("cannot be read: {}", std::generic_category().message(errno)));
  }
  return text;
}

}  // namespace convproof
