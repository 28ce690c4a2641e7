#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "selector/frontends/document.h"
#include "selector/frontends/hlo_lexer.h"

namespace convproof {
namespace {

constexpr std::size_t max_file_bytes = std::size_t{256} << 20;

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

std::unexpected<Error> refused(const std::string& path, std::string rule) {
  return std::unexpected(Error{path, "", std::move(rule)});
}

std::expected<std::string, Error> read_file(const std::string& path) {
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

enum class Format : unsigned char { unknown, json, hlo, mlir };

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// By the first word behind comments, which HLO and MLIR share; where that word could be either's,
// by what MLIR cannot do without.
Format format_of(std::string_view text) {
  HloLexer lexer(text);
  const char first = lexer.peek();
  if (first == '{' || first == '[') return Format::json;
  const std::string_view word = lexer.word();
  if (word == "HloModule") return Format::hlo;
  for (const std::string_view mlir : {"module", "builtin.module", "func", "func.func"}) {
    if (word == mlir) return Format::mlir;
  }
  for (const std::string_view mlir :
       {"stablehlo.", "mhlo.", "func.func", "tensor<", "#loc", "dense<"}) {
    if (contains(text, mlir)) return Format::mlir;
  }
  if (word == "ENTRY" || contains(text, "ROOT ") || contains(text, " convolution("))
    return Format::hlo;
  return Format::unknown;
}

bool is_control(char c) {
  return c >= 0 && c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v';
}

}  // namespace

std::expected<Document, Error> read_document(const std::string& path) {
  const auto content = read_file(path);
  if (!content) return std::unexpected(content.error());
  std::string_view text = *content;
  if (text.empty()) return refused(path, "is empty");
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const auto* const control = std::ranges::find_if(text, is_control);
  if (control != text.end()) {
    return refused(path, fmt::format("is not a text file: byte {:#04x} at offset {}",
                                     static_cast<unsigned>(*control), control - text.begin()));
  }
  switch (format_of(text)) {
    case Format::json:
      return read_json_cases(text, path);
    case Format::hlo:
      return read_hlo(text, path);
    case Format::mlir:
      return read_stablehlo(text, path);
    case Format::unknown:
      break;
  }
  return refused(path, "is none of JSON cases, HLO text, StableHLO text and MHLO text");
}

}  // namespace convproof
