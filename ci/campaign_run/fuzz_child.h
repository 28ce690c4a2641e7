#pragma once

#include <expected>
#include <string>
#include <vector>

#include "ci/campaign_run/fuzz_stage.h"
#include "ci/campaign_run/slice_output.h"
#include "fuzz/child_process.h"
#include "selector/op/error.h"

namespace convproof::campaign {

// What all runs of a target share: its binary, its table, its options and its dictionary.
fuzz::ChildProgram program_of(const FuzzOptions& options, const FuzzJob& job);

struct FuzzChildEnd {
  fuzz::ChildEnd end{};
  SliceOutput output{};
};
std::expected<FuzzChildEnd, Error> run_fuzz_child(const fuzz::ChildProgram& program,
                                                  const FuzzOptions& options);

// Something from outside ended it: the out-of-memory killer, a kill -9. It may be run again.
bool was_killed(const fuzz::ChildEnd& end);

// Why a target that ended early is nobody's finding.
Error broken_target(const FuzzJob& job, const FuzzChildEnd& ended);

}  // namespace convproof::campaign
