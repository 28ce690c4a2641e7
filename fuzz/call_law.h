#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "fuzz/planted_fault.h"
#include "fuzz/text_law.h"
#include "selector/frontends/document.h"
#include "selector/op/aten_call.h"
#include "selector/op/error.h"
#include "selector/registry/aten_selector.h"
#include "selector/registry/matcher.h"
#include "selector/registry/registry.h"

namespace convproof::fuzz {

// The tables that whatever was read goes through: the general convolutions' and both of aten's.
class ReadSelection {
 public:
  // Ends the process with status 2 where a built-in table cannot be loaded.
  static ReadSelection create();

  // The op has `check_structure`; a call that is not well formed is passed over.
  void select(const ConvOp& op);
  void select(const AtenCall& call);

 private:
  ReadSelection() = default;

  std::unique_ptr<Registry> convolutions_{};
  std::unique_ptr<Registry> forward_{};
  std::unique_ptr<Registry> backward_{};
  std::unique_ptr<Matcher> matcher_{};
  std::unique_ptr<AtenSelector> forward_selector_{};
  std::unique_ptr<AtenSelector> backward_selector_{};
  AtenSelection selection_{};
};

// What holds of a frontend that reads calls of aten, for any bytes: whatever it reports has a place
// and a rule, an operation that it takes has structure and comes back from its JSON case, a call
// that it takes comes back from the form's own text, and tables select for both. A fault is planted
// between printing and reading the form.
//
// Of what a text holds, the first `most_checked` operations are looked at.
struct CallLaw {
  static constexpr std::size_t most_checked = 16;

  std::expected<Document, Error> (*read)(std::string_view, const std::string&) = nullptr;
  std::string (*print)(const AtenCall&) = nullptr;
  const PlantedFault* fault = nullptr;

  [[nodiscard]] TextResult check(std::string_view text, ReadSelection& selection) const;
};

}  // namespace convproof::fuzz
