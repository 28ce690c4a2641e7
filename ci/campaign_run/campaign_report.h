#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "selector/registry/registry.h"

namespace convproof::campaign {

// What earlier campaigns of the same folder say of a finding; see finding_state.h.
enum class FindingState : std::uint8_t { fresh, unchanged, absent, flapping };
std::string_view name_of(FindingState state);  // `new` for fresh

// One thing that is wrong with a table, a kernel, a reader or the ledger. The same thing found by
// several stages is one finding.
struct CampaignFinding {
  std::string fingerprint{};  // of content, not of names: see fingerprint.h
  std::string signature{};    // as ledgers name it
  std::string kind{};         // `unsound`, `shadowed`, `different`, `law`, `crash`, `vanished`, ...
  std::string table{};        // empty where no table takes part
  std::string row{};
  std::string kernel{};
  std::string clause{};            // of the kernel's contract, or of the row
  std::vector<std::string> by{};   // stages that found it
  std::string operation{};         // dim-label notation
  std::string reason{};            // in words
  std::string first_difference{};  // as oracle::Explanation has it; empty where none differs
  std::string replay{};            // a line for the shell; empty where there is nothing to run
  std::string saved{};             // the case's file, relative to the campaign's folder
  std::string file{};              // where the row stands
  int line = 0;
  std::string known{};  // what the ledger says of it; empty: it is not in the ledger
  FindingState state = FindingState::fresh;

  // Turns the campaign red: it is there, and no ledger knows it.
  [[nodiscard]] bool red() const { return known.empty() && state != FindingState::absent; }
  bool operator==(const CampaignFinding&) const = default;
};

struct ClauseReport {
  std::string text{};
  std::int64_t held = 0;  // of the surveyed operations that reached it
  std::int64_t failed = 0;
  std::int64_t raised = 0;

  // Both ways were taken, or the only way there is where the row's other clauses decide.
  [[nodiscard]] bool covered() const { return held > 0 && (failed > 0 || raised > 0); }
  bool operator==(const ClauseReport&) const = default;
};

struct RowReport {
  std::string id{};
  std::int64_t number = 0;  // in its list
  std::string list{};       // of rows
  bool rewrite = false;     // the list's rows change an operation or take it alone
  std::string kernel{};
  std::string action{};  // of a rewrite that changes the operation
  int line = 0;
  std::string state{};       // of the proofs: `live`, `shadowed`, `contradiction`, `undecided`
  std::int64_t matches = 0;  // surveyed operations that its clauses admit
  std::int64_t wins = 0;     // surveyed operations that it gets, or offers a candidate for
  std::vector<std::int64_t> overlaps{};  // operations that row j matches as well, by j
  std::vector<ClauseReport> clauses{};

  bool operator==(const RowReport&) const = default;
};

struct TableReport {
  std::string name{};
  std::string file{};
  Policy policy = Policy::first_match;  // or collect_all
  std::string bounds{};                 // of the proofs
  std::int64_t proved = 0;
  std::int64_t witnesses = 0;
  std::int64_t unknown = 0;
  std::int64_t surveyed = 0;  // operations whose outcome stands in `rows`
  std::int64_t unmatched = 0;
  std::vector<std::pair<std::string, std::int64_t>> corpus_classes{};     // check's class, count
  std::vector<std::pair<std::string, std::int64_t>> generated_classes{};  // of drawn operations
  std::vector<RowReport> rows{};

  bool operator==(const TableReport&) const = default;
};

// After a slice of one fuzz job.
struct CoveragePoint {
  std::int64_t executions = 0;  // of the job so far
  std::int64_t coverage = 0;    // edges
  std::int64_t features = 0;
  std::int64_t corpus = 0;  // inputs

  bool operator==(const CoveragePoint&) const = default;
};

// A fuzz target on a table.
struct FuzzJobReport {
  std::string target{};
  std::string table{};  // empty for targets of text
  std::int64_t executions = 0;
  std::int64_t checked = 0;  // a kernel ran and was compared, or refused; of a call, each candidate
  std::int64_t crashes = 0;
  std::vector<CoveragePoint> points{};

  bool operator==(const FuzzJobReport&) const = default;
};

struct CorpusReport {
  std::string target{};
  std::int64_t inputs = 0;     // before merging
  std::int64_t minimised = 0;  // after

  bool operator==(const CorpusReport&) const = default;
};

struct SkippedItem {
  std::string what{};
  std::string reason{};

  bool operator==(const SkippedItem&) const = default;
};

// What depends on the machine and the hour: everything else is the same for a seed and a budget.
struct StageTime {
  std::string stage{};
  double seconds = 0;

  bool operator==(const StageTime&) const = default;
};
struct RatePoint {
  double seconds = 0;
  std::int64_t executions = 0;  // of all jobs so far

  bool operator==(const RatePoint&) const = default;
};
struct Timings {
  std::string started{};  // UTC
  double seconds = 0;
  unsigned workers = 0;
  std::vector<StageTime> stages{};
  std::vector<RatePoint> fuzzing{};

  bool operator==(const Timings&) const = default;
};

// What one campaign came to; every printer shows this value and nothing else.
struct CampaignReport {
  std::string tool_version{};
  std::uint64_t seed = 0;
  std::string budget{};  // in words: `quick: 240000 executions`
  std::vector<TableReport> tables{};
  std::vector<FuzzJobReport> jobs{};
  std::vector<CorpusReport> corpora{};
  std::vector<CampaignFinding> findings{};  // in a fixed order, red ones first
  std::vector<SkippedItem> skipped{};
  std::vector<std::string> failures{};  // of the campaign itself
  bool interrupted = false;
  Timings timings{};

  bool operator==(const CampaignReport&) const = default;
};

struct Totals {
  std::int64_t executions = 0;
  std::int64_t checked = 0;  // convolutions: by the fuzz targets, of the corpus and drawn
  std::int64_t red = 0;
  std::int64_t known = 0;
  std::int64_t absent = 0;
};
Totals totals_of(const CampaignReport& report);

// 3 the campaign itself failed or was stopped before it found anything, 1 red findings, else 0.
int exit_status(const CampaignReport& report);

// `2 new findings`, `nothing new`, `the campaign failed`.
std::string verdict_of(const CampaignReport& report);

// Merges findings of the same fingerprint (the first stays, `by` grows), and sorts: red ones first,
// then by table, line, kind and signature.
void tidy_findings(std::vector<CampaignFinding>& findings,
                   const std::vector<std::string>& table_order);

}  // namespace convproof::campaign
