#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "selector/frontends/document.h"
#include "selector/op/error.h"

namespace convproof {

// A borrowed text with its name, which turns byte offsets into places.
//
// A place costs at most one block of the text to find, so that a file of one long line with many
// operations stays linear. Columns count bytes.
class SourceText {
 public:
  SourceText(std::string_view text, std::string file);

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] SourcePlace place(std::size_t offset) const;
  [[nodiscard]] Error error(std::size_t offset, std::string value, std::string rule) const;
  // An error about one field of the operation at `offset`: the field's path moves into the value.
  [[nodiscard]] Error error(std::size_t offset, const Error& field_error) const;

 private:
  struct Block {
    std::uint32_t newlines = 0;  // before the block
    std::size_t line_start = 0;  // of the line that the block begins in
  };

  std::string_view text_;
  std::string file_;
  std::vector<Block> blocks_;
};

// `text` for a message: on one line, unprintable bytes replaced, cut where long.
std::string excerpt(std::string_view text);

// The errors of one document stop at a bound, since a file of another kind has one on every line.
void add_error(Document& document, Error error);

}  // namespace convproof
