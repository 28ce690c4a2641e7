#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "props/proofs/prove_table.h"
#include "props/proofs/subject.h"
#include "selector/registry/registry.h"
#include "selector/rules/located_error.h"

namespace convproof::proofs {

// What a table does with an operation.
struct Destination {
  enum class What : std::uint8_t { row, raises, none };

  What what = What::none;
  std::string row{};     // of `row` and `raises`
  std::string kernel{};  // of `row`

  bool operator==(const Destination&) const = default;
};

// Operations that the old table sends one way and the new table another.
struct Change {
  Destination from{};
  Destination to{};
  FindingStatus status = FindingStatus::witness;  // or unknown
  std::optional<Record> witness{};
  double share = 0;  // of the sampled operations
  std::string detail{};
  bool internal = false;
};

struct DiffReport {
  std::string old_registry{};
  std::string new_registry{};
  std::string bounds{};
  std::uint64_t seed = 0;
  std::size_t samples = 0;
  std::size_t proved = 0;                    // pairs of destinations between which nothing moves
  std::shared_ptr<const Subject> subject{};  // what witnesses are records of
  std::vector<Change> changes{};  // empty: proved to select alike on every well-formed operation
  bool interrupted = false;
};

// Compares what two tables select: the kernel and how it is lowered to, over the enabled lists and
// behind the gates. Rows that select the same are one destination whatever they are called; so are
// no row and a closed gate, and all raises. Schemas and policies must be equal; of tables of
// candidates see diff_candidates.h.
std::expected<DiffReport, LocatedError> diff_tables(const Registry& old_table,
                                                    const Registry& new_table,
                                                    const ProveOptions& options = {});

// 3 unknown or internal failure, else 1 changes, else 0.
int exit_status(const DiffReport& report);

}  // namespace convproof::proofs
