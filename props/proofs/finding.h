#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "props/proofs/subject.h"

namespace convproof::proofs {

enum class FindingKind : std::uint8_t {
  shadowed,          // earlier rows take or abort on everything the row matches
  contradiction,     // the row matches nothing at all
  raises,            // a predicate raises where it is reached: the compile aborts
  unsound,           // the row wins, and a clause of its kernel's contract does not hold
  overlap,           // two rows match: their order decides
  latent,            // as unsound, where an earlier row still wins
  unused,            // a kernel's contract holds, and no row of it matches
  redundant_clause,  // dropping the clause changes nothing
  gap,               // no row matches
  swap,              // exchanging two adjacent rows changes some selection
};

struct FindingKindInfo {
  FindingKind kind{};
  std::string_view name{};
  bool wrong = false;  // something is wrong with the table: counts for the exit status
  std::string_view meaning{};
};
inline constexpr std::array finding_kinds{
    FindingKindInfo{FindingKind::shadowed, "shadowed", true, "can never win where it stands"},
    FindingKindInfo{FindingKind::contradiction, "contradiction", true,
                    "matches nothing, wherever it stands"},
    FindingKindInfo{FindingKind::raises, "raises", true, "aborts the compile"},
    FindingKindInfo{FindingKind::unsound, "unsound", true,
                    "hands its kernel what the kernel does not compute"},
    FindingKindInfo{FindingKind::overlap, "overlap", false, "both rows match: their order decides"},
    FindingKindInfo{FindingKind::latent, "latent", false, "would be unsound if it won"},
    FindingKindInfo{FindingKind::unused, "unused", false, "the kernel could, no row of it matches"},
    FindingKindInfo{FindingKind::redundant_clause, "redundant_clause", false,
                    "implied by the other clauses"},
    FindingKindInfo{FindingKind::gap, "gap", false, "no row matches"},
    FindingKindInfo{FindingKind::swap, "swap", false,
                    "exchanging the two rows changes a selection"},
};
const FindingKindInfo& info(FindingKind kind);
std::optional<FindingKind> finding_kind_named(std::string_view name);

enum class FindingStatus : std::uint8_t { proved, witness, unknown };
std::string_view name_of(FindingStatus status);

// A row that takes part in shadowing another.
struct Blocker {
  std::string row{};
  double share = 0;                 // of the sampled convolutions that the dead row matches
  std::optional<Record> witness{};  // blocked by this row and by no other of the set
};

// The way to make a dead row live again: the smallest move up, and what then changes kernel.
struct Revival {
  std::string before{};             // the row it would have to stand before
  std::vector<std::string> from{};  // rows that lose convolutions to it
  std::optional<Record> witness{};  // one that changes row
  double share = 0;                 // of the sampled convolutions that the row matches

  bool operator==(const Revival&) const = default;
};

// One answer to one obligation, as plain data.
struct Finding {
  FindingKind kind{};
  FindingStatus status{};
  std::string row{};  // empty for `gap` and `unused`
  std::int64_t row_number = 0;
  int line = 0;  // of the row in the registry's file
  std::string kernel{};
  std::vector<Blocker> by{};  // shadowed
  std::optional<Revival> revival{};
  std::string other{};   // the other row of overlap and swap
  std::string clause{};  // id of a contract clause; `clause 3` of a row
  std::string clause_text{};
  Effect effect = Effect::not_executed;
  std::optional<Record> witness{};
  std::string detail{};                // one line in words
  std::string signature{};             // stable: registry, kind, row, clause or other row
  bool internal = false;               // a failure of the prover itself
  std::optional<std::string> known{};  // what the ledger says of it
};

// A row's account: proved dead, or a witness that was executed.
struct RowAccount {
  std::string row{};
  std::int64_t number = 0;
  std::string state{};  // `live`, `shadowed`, `contradiction`, `undecided`
  std::optional<Record> witness{};
  Effect effect = Effect::not_executed;
};

struct ProofReport {
  std::string registry{};
  std::string file{};
  std::string bounds{};
  std::uint64_t seed = 0;
  std::size_t samples = 0;
  std::size_t proved = 0;  // obligations with no witness, within the bounds
  std::size_t witness = 0;
  std::size_t unknown = 0;
  std::shared_ptr<const Subject> subject{};  // what witnesses are records of
  std::vector<Finding> findings{};
  std::vector<RowAccount> rows{};
  std::vector<std::string> vanished{};  // signatures of the ledger that no longer occur
  bool interrupted = false;
};

// 3 unknown or internal failure, else 1 wrong findings that no ledger knows, or a ledger entry that
// no longer occurs, else 0.
int exit_status(const ProofReport& report);

}  // namespace convproof::proofs
