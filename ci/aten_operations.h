#pragma once

#include <expected>
#include <optional>

#include "ci/commands.h"
#include "ci/operations.h"
#include "selector/frontends/document.h"
#include "selector/op/aten_call.h"
#include "selector/op/error.h"
#include "selector/registry/registry.h"

namespace convproof::ci {

// The commands for registries whose schema is one of aten's; the registry's file says which it is.
int run_aten_select(const Request& request, const Registry& registry);
int run_aten_explain(const Request& request, const Registry& registry);
int run_aten_check(const Request& request, const Registry& registry);

// Draws calls of the registry's direction.
Generator aten_generator(const Request& request, const Registry& registry);

// The environment that `--env NAME=VALUE` asks for, on top of what an input states.
class EnvironmentSettings {
 public:
  static std::expected<EnvironmentSettings, Error> read(const Request& request);

  void apply(AtenEnvironment& environment) const;

 private:
  std::optional<AtenDevice> device_{};
  std::optional<std::int64_t> shared_memory_{};
  std::vector<std::pair<bool AtenEnvironment::*, bool>> flags_{};
};

// Whether an operation is for the registry at all: a call of its direction, or what should be one
// and could not be read. A call that aten cannot express is for tables of general convolutions.
bool is_for(const FoundOp& found, const Registry& registry);

// The call of an operation under the request's environment, for a registry of its direction, or
// why there is none.
std::expected<AtenCall, Error> call_of(const FoundOp& found, const EnvironmentSettings& settings,
                                       const Registry& registry);

}  // namespace convproof::ci
