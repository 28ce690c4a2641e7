#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/candidate_spine.h"
#include "fuzz/finding_log.h"
#include "fuzz/planted_fault.h"
#include "fuzz/spine.h"
#include "fuzz/text_law.h"
#include "oracle/check.h"
#include "selector/frontends/document.h"
#include "selector/op/aten_call.h"
#include "selector/op/conv_op.h"
#include "selector/op/error.h"

namespace convproof::fuzz {

// What a target is told through the environment, since libFuzzer owns the command line:
//   CONVPROOF_FUZZ_REGISTRY  a built-in table or a table's file; where unset, the target's own
//   CONVPROOF_FUZZ_FAULT     a planted fault, by name
//   CONVPROOF_FUZZ_KNOWN     a file of known signatures
//   CONVPROOF_FUZZ_FINDINGS  a folder for new findings; without it the first one ends the run
//   CONVPROOF_FUZZ_PLAIN     set: neither our mutator nor our counters, for comparison
struct TargetSettings {
  std::string registry{};
  const PlantedFault* fault = nullptr;
  bool plain = false;
};
const TargetSettings& target_settings();

// The spine of the settings, made at the first call; a second one runs a given kernel whatever the
// table says. Exits with 2 where the registry cannot be loaded.
Spine& target_spine();
Spine& target_spine_of_kernel(std::size_t kernel);

FindingLog& target_findings();

// Counts an execution for the closing statistics, and reports the verdict where it is a finding.
void conclude(Spine& spine, const ConvOp& op, const oracle::Verdict& verdict);

// The same for tables of candidates: a registry of policy collect_all.
CandidateSpine& target_candidates();
void conclude(CandidateSpine& spine, const AtenCall& call, const CandidateFindings& findings);

// A law that does not hold.
void broken_law(std::string_view law, const ConvOp& op, const std::string& detail);
void broken_law(std::string_view law, std::string_view text, const std::string& detail);

// Counts an execution of a target without a spine; `useful` where it got past its input's reading.
void count_execution(bool useful);

// The table that a target runs where it is not told another. Defined by op_input.cpp,
// text_input.cpp and aten_input.cpp.
extern const std::string_view default_registry;

// Each kind of target says how its input looks: the inputs that a file of the corpus holds, and a
// fresh one from a seed. Defined in op_input.cpp and text_input.cpp.
std::vector<std::vector<std::uint8_t>> inputs_of_file(const std::filesystem::path& path);

// Whether an op target's inputs declare results of their own. Defined by each target that includes
// op_input.cpp.
extern const bool declares_results;

// A fresh text of the form that a text target reads, of an operation or a call. Defined in
// text_of_operations.cpp and text_of_calls.cpp, for the mutator in text_input.cpp.
std::string fresh_text(std::uint64_t seed);

// One execution of a text target: checks TextLaw of the reader and `printed_text`, or CallLaw of
// the reader and `printed_call`, and concludes. Defined beside the fresh texts of either.
using TextReader = std::expected<Document, Error> (*)(std::string_view, const std::string&);
void check_operations(std::string_view text, TextReader read);
void check_calls(std::string_view text, TextReader read);
// Counts an execution, useful where the text held an operation, and reports the law that it broke.
void conclude(std::string_view text, const TextResult& result);

// The text form that a text target reads. Each target defines the one that its fresh texts take.
std::string printed_text(const ConvOp& op);
std::string printed_call(const AtenCall& call);

}  // namespace convproof::fuzz

// libFuzzer's own mutator, or the one of replay_main.cpp.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);
