#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "selector/lowering/program.h"
#include "selector/op/conv_op.h"
#include "selector/registry/matcher.h"

namespace convproof {

// Counters of the pass. Shared by every instance of the pass that is handed the same object, as the
// production pass keeps them per class. Source: design sheet of the Neuron table, section B.23 to
// B.28.
struct PassStatistics {
  std::uint64_t total = 0;                  // convolutions that came through the gate
  std::uint64_t matched = 0;                // of those, taken by a row
  std::vector<std::uint64_t> per_kernel{};  // in the order of Registry::kernel_names

  bool operator==(const PassStatistics&) const = default;
};

// What the pass did with one convolution.
struct PassResult {
  Selection selection{};
  std::optional<Program> program{};       // what replaces the convolution; absent where it stays
  std::optional<Error> lowering_error{};  // a row matched, but its marshaller cannot express the op
  std::string debug_line{};               // what the pass logs; empty where it logs nothing

  // The pass's own answer: the convolution was replaced.
  [[nodiscard]] bool changed() const { return program.has_value(); }
};

// The production pass over one convolution at a time: gate, count, select, lower.
// Source: design sheet of the Neuron table, section B.
class ConvPass {
 public:
  // `pglt` is the pass flag that is copied onto every op a predicate sees.
  ConvPass(Matcher matcher, PassStatistics& statistics, bool pglt = false);

  // Counts before it matches, so that a raise leaves the total counted and the match not. Sets
  // op.is_pglt unless the gate refuses the op.
  PassResult transform(ConvOp& op);

  // The pass's closing statistics, one line each, and resets the counters.
  std::vector<std::string> epilogue();

 private:
  Matcher matcher_;
  PassStatistics& statistics_;
  std::vector<std::string> kernel_names_;
  bool pglt_;
};

}  // namespace convproof
