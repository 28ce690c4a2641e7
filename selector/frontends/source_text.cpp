#include "selector/frontends/source_text.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace convproof {
namespace {

constexpr std::size_t block_size = 4096;
constexpr std::size_t max_errors = 100;

}  // namespace

std::string to_string(const SourcePlace& place) {
  if (place.line == 0) return place.file;
  return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

SourceText::SourceText(std::string_view text, std::string file)
    : text_(text), file_(std::move(file)) {
  Block block;
  blocks_.reserve(text.size() / block_size + 1);
  for (std::size_t offset = 0; offset <= text.size(); ++offset) {
    if (offset % block_size == 0) blocks_.push_back(block);
    if (offset < text.size() && text[offset] == '\n') {
      ++block.newlines;
      block.line_start = offset + 1;
    }
  }
}

SourcePlace SourceText::place(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  Block block = blocks_[offset / block_size];
  for (std::size_t i = offset / block_size * block_size; i < offset; ++i) {
    if (text_[i] != '\n') continue;
    ++block.newlines;
    block.line_start = i + 1;
  }
  return {file_, static_cast<int>(block.newlines) + 1,
          static_cast<int>(offset - block.line_start) + 1};
}

Error SourceText::error(std::size_t offset, std::string value, std::string rule) const {
  return {to_string(place(offset)), std::move(value), std::move(rule)};
}

Error SourceText::error(std::size_t offset, const Error& field_error) const {
  std::string value = field_error.place;
  if (!value.empty() && !field_error.value.empty()) value += " = ";
  value += field_error.value;
  return error(offset, std::move(value), field_error.rule);
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t longest = 80;
  std::string result;
  bool space = false;
  for (const char c : text) {
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
      space = !result.empty();
      continue;
    }
    if (result.size() >= longest) return result + "...";
    if (space) result += ' ';
    space = false;
    result += c >= 0x20 && c < 0x7f ? c : '?';
  }
  return result;
}

void add_error(Document& document, Error error) {
  if (document.errors.size() > max_errors) return;
  if (document.errors.size() == max_errors) {
    error.value.clear();
    error.rule = fmt::format("more than {} errors: further ones are not listed", max_errors);
  }
  document.errors.push_back(std::move(error));
}

}  // namespace convproof
