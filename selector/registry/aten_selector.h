#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "selector/op/aten_call.h"
#include "selector/registry/aten_rewrites.h"
#include "selector/registry/aten_subject.h"
#include "selector/registry/collector.h"
#include "selector/registry/registry.h"
#include "selector/rules/located_error.h"

namespace convproof {

// What a table of Inductor makes of one call.
struct AtenSelection {
  std::vector<std::uint32_t> rewrites{};    // rows, in the order in which they were applied
  AtenCall call{};                          // after them
  std::optional<std::uint32_t> exit_row{};  // a rewrite that took the call alone
  std::vector<Candidate> candidates{};   // every one may run; of the exit row alone where it took
                                         // the call
  std::optional<RaisedRow> raised{};     // a predicate raised: the compile aborts
  std::vector<std::uint32_t> missing{};  // requested results that no candidate computes

  bool operator==(const AtenSelection&) const = default;
};

// The walk over a registry of policy collect_all whose schema is one of ATen's convolutions:
// rewrites until none matches, then the candidates. One per thread; borrows the registry.
// Source: design sheet of Inductor's convolution lowering, sections B to D.
class AtenSelector {
 public:
  // Fails where the schema is none of a call's, an action is unknown, or the table is too large.
  static std::expected<AtenSelector, LocatedError> compile(const Registry& registry);

  // The call is well formed (aten_subject.h, validate). `into` is overwritten; its memory is used
  // again.
  void select(const AtenCall& call, AtenSelection& into);
  AtenSelection select(const AtenCall& call);

  [[nodiscard]] const Registry& registry() const { return collector_.registry(); }

 private:
  AtenSelector(Collector collector, AtenBinding binding)
      : collector_(std::move(collector)), binding_(std::move(binding)) {}

  Collector collector_;
  AtenBinding binding_;
  std::vector<const AtenRewrite*> actions_{};  // by row; null where it has none
};

}  // namespace convproof
