#pragma once

#include "fuzz/repair_op.h"
#include "oracle/draw.h"
#include "selector/op/conv_op.h"

namespace convproof::fuzz {

struct MutateOptions {
  Budget budget = fuzz_budget;
  // Once in eight, another result is declared than the operands imply, as a broken compiler would.
  bool declared_results = false;

  bool operator==(const MutateOptions&) const = default;
};

// A neighbour of `op`: one or two attributes changed and the rest repaired. Numbers move by one, to
// a small value, or to 127, 128, 129, 511, 512 or 513 (which then stays while others shrink into
// the budget); axes and perms are exchanged, layouts taken from those of the tables; once in
// sixteen a fresh operation of the generator. Well formed but for a declared result.
ConvOp mutate_op(const ConvOp& op, oracle::Draw draw, const MutateOptions& options = {});

// Layouts, sizes, window axes and the rest, each of either parent; the rank is that of `first`.
ConvOp splice_ops(const ConvOp& first, const ConvOp& second, oracle::Draw draw,
                  const Budget& budget = fuzz_budget);

}  // namespace convproof::fuzz
