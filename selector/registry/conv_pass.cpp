#include "selector/registry/conv_pass.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace convproof {

ConvPass::ConvPass(Matcher matcher, PassStatistics& statistics, bool pglt)
    : matcher_(std::move(matcher)),
      statistics_(statistics),
      kernel_names_(matcher_.registry().kernel_names()),
      pglt_(pglt) {
  statistics_.per_kernel.resize(kernel_names_.size());
}

PassResult ConvPass::transform(ConvOp& op) {
  const Registry& registry = matcher_.registry();
  ConvOp seen = op;
  seen.is_pglt = pglt_;
  PassResult result{.selection = matcher_.select(seen)};
  if (result.selection.status == Selection::Status::gated) return result;
  op.is_pglt = pglt_;
  ++statistics_.total;
  if (result.selection.status == Selection::Status::unmatched) {
    for (const RowList& list : registry.lists) {
      if (list.enabled && !list.miss_message.empty())
        result.debug_line = list.miss_message + to_string(op);
    }
    return result;
  }
  if (result.selection.status == Selection::Status::raised) return result;

  const Row& row = registry.rows[result.selection.row];
  ++statistics_.matched;
  const auto name = std::ranges::find(kernel_names_, row.kernel);
  ++statistics_.per_kernel[static_cast<std::size_t>(name - kernel_names_.begin())];
  if (registry.suppressed) return result;
  if (auto program = lower(op, row.kernel, row.lowering)) {
    result.program = *program;
  } else {
    result.lowering_error = std::move(program.error());
  }
  return result;
}

std::vector<std::string> ConvPass::epilogue() {
  const double percentage = statistics_.total == 0
                                ? 0.0
                                : 100.0 * static_cast<double>(statistics_.matched) /
                                      static_cast<double>(statistics_.total);
  std::vector<std::string> lines{
      fmt::format("Total number of convolution operations processed: {}", statistics_.total),
      fmt::format("Number of convolution operations matched to kernels: {}", statistics_.matched),
      fmt::format("Percentage of convolution operations matched to kernels: {:.2f}", percentage)};
  for (std::size_t i = 0; i < kernel_names_.size(); ++i) {
    lines.push_back(fmt::format("Number of times kernel {} is matched: {}", kernel_names_[i],
                                statistics_.per_kernel[i]));
  }
  statistics_ = {.per_kernel = std::vector<std::uint64_t>(kernel_names_.size())};
  return lines;
}

}  // namespace convproof
