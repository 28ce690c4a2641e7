#pragma once

#include <expected>

#include "props/proofs/diff_tables.h"
#include "props/proofs/prove_table.h"
#include "selector/registry/registry.h"
#include "selector/rules/located_error.h"

namespace convproof::proofs {

// Compares what two tables of policy collect_all offer, row by row, by the rows' ids: operations
// for which only one of them offers a row (or applies a rewrite), and, where both do, operations
// for which a tuning is offered by one of them only or with other values. Tunings are compared
// entry by entry, before duplicates are dropped. The schemas must be equal.
std::expected<DiffReport, LocatedError> diff_candidates(const Registry& old_table,
                                                        const Registry& new_table,
                                                        const ProveOptions& options);

}  // namespace convproof::proofs
