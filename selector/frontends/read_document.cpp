#include <algorithm>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "selector/frontends/document.h"
#include "selector/frontends/hlo_lexer.h"
#include "selector/frontends/input_file.h"
#include "selector/frontends/read_benchdnn.h"

namespace convproof {
namespace {

std::unexpected<Error> refused(const std::string& path, std::string rule) {
  return std::unexpected(Error{path, "", std::move(rule)});
}

enum class Format : unsigned char { unknown, json, hlo, mlir, benchdnn };

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
  if (looks_like_benchdnn(text)) return Format::benchdnn;
  for (const std::string_view mlir :
       {"stablehlo.", "mhlo.", "torch.aten.", "func.func", "tensor<", "#loc", "dense<"}) {
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

std::expected<Document, Error> read_document(const std::string& path,
                                             std::span<const DocumentFormat> further) {
  for (const DocumentFormat& format : further) {
    if (path.ends_with(format.extension)) return format.read(path);
  }
  const auto content = read_input_file(path);
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
    case Format::benchdnn:
      return read_benchdnn(text, path, benchdnn_driver_of(path));
    case Format::unknown:
      break;
  }
  return refused(
      path, "is none of JSON cases, HLO text, StableHLO, MHLO or torch text, and benchdnn lists");
}

}  // namespace convproof
