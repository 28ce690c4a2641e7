#include "ci/aten_special_check.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "oracle/check.h"
#include "oracle/random.h"
#include "selector/frontends/aten.h"
#include "selector/kernels/inductor/inductor_kernels.h"
#include "selector/op/aten_call.h"
#include "selector/op/tensor.h"
#include "selector/registry/registry.h"

namespace convproof::ci {
namespace {

constexpr std::size_t drawn_places = 2;

}  // namespace

SpecialVerdict AtenSpecialChecker::check(const AtenSelection& selection, const Candidate& candidate,
                                         std::uint64_t seed) {
  const Registry& registry = table_.registry();
  const Row& row = registry.rows[candidate.row];
  const auto kernel = registry.kernels.find(row.kernel);
  const std::string_view leaf =
      kernel ? std::string_view(registry.kernels.kernels[*kernel].leaf) : std::string_view();
  const auto* const entry = find_inductor_kernel<double>(leaf);
  const AtenCall call = table_.asked_of(selection, candidate);
  SpecialVerdict worst;
  worst.in_gradient = entry != nullptr && (entry->produces == InductorResult::weight_gradient ||
                                           entry->produces == InductorResult::bias_gradient);
  std::int64_t elements = element_count(call.convolution.weight);
  if (worst.in_gradient) {
    const auto result = aten_output_shape(call.convolution);
    elements = result ? element_count(*result) : 0;
  }
  const std::int64_t last = std::max<std::int64_t>(elements - 1, 0);
  oracle::SplitMix64 random(seed);
  std::array<std::int64_t, drawn_places + 2> places{0, last};
  for (std::size_t i = 2; i < places.size(); ++i) places[i] = random.between(0, last);
  bool first = true;
  for (const std::int64_t place : places) {
    const oracle::AtenVerdict verdict =
        checker_.check_special(call, leaf, table_.configuration(selection, candidate), seed, place);
    if (first || verdict.differences > worst.verdict.differences) {
      worst.verdict = verdict;
      worst.place = place;
    }
    first = false;
    // Refused and skipped are the shapes' doing, whatever the data.
    if (verdict.value != oracle::CheckClass::equal &&
        verdict.value != oracle::CheckClass::different)
      break;
  }
  return worst;
}

}  // namespace convproof::ci
