#pragma once

#include <expected>
#include <optional>
#include <string_view>

#include "fuzz/broken_law.h"
#include "selector/frontends/document.h"
#include "selector/op/conv_op.h"
#include "selector/op/error.h"

namespace convproof::fuzz {

// What holds of every frontend, whatever the form of the text. Messages are counted for guidance.

// An error is told with a place in the file and a rule.
std::optional<BrokenLaw> without_place(const Error& error, std::string_view file_name);
// So is every error of a document that was read, or why it was not; the last that is not.
std::optional<BrokenLaw> errors_without_place(const std::expected<Document, Error>& document,
                                              std::string_view file_name);

// A frontend may hand on an op that a pass would refuse, but never one that cannot be read.
std::optional<BrokenLaw> without_structure(const ConvOp& op);

// The op but for what no text form has a place for.
ConvOp without_pass_flags(ConvOp op);

}  // namespace convproof::fuzz
