#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace convproof {

// A file of this folder, compiled into the program.
struct EmbeddedFile {
  std::string_view name{};  // as `convolution.schema.json`
  std::string_view text{};
};

std::span<const EmbeddedFile> embedded_files();
std::optional<std::string_view> embedded_file(std::string_view name);

}  // namespace convproof
