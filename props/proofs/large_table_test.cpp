#include <gtest/gtest.h>

#include "props/proofs/planted_rows.h"

namespace convproof::proofs {
namespace {

TEST(LargeTable, of_two_hundred_rows_is_decided_and_every_planted_row_is_found) {
  expect_planted_rows_found(200, {});
}

}  // namespace
}  // namespace convproof::proofs
