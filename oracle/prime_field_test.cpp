#include "oracle/prime_field.h"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

#include "oracle/random.h"

namespace convproof::oracle {
namespace {

TEST(PrimeField, reduces_every_integer) {
  EXPECT_EQ(Field61{}.value(), 0U);
  EXPECT_EQ(Field61(Field61::modulus).value(), 0U);
  EXPECT_EQ(Field61(-1).value(), Field61::modulus - 1);
  EXPECT_EQ(Field61(-static_cast<std::int64_t>(Field61::modulus)).value(), 0U);
  // 2^61 is 1, so 2^64 - 1 = 8 * 2^61 - 1 is 7, and -2^63 is -4.
  EXPECT_EQ(Field61(std::numeric_limits<std::uint64_t>::max()), Field61(7));
  EXPECT_EQ(Field61(std::numeric_limits<std::int64_t>::min()), Field61(-4));
}

TEST(PrimeField, arithmetic_wraps_at_the_modulus) {
  static_assert(Field61(-1) * Field61(-1) == Field61(1));
  static_assert(Field61(-1) + Field61(1) == Field61{});
  static_assert(Field61(3) - Field61(5) == Field61(-2));
  // 2^60 * 2^60 = 2^120 = 2^(120 mod 61) = 2^59.
  static_assert(Field61(std::uint64_t{1} << 60) * Field61(std::uint64_t{1} << 60) ==
                Field61(std::uint64_t{1} << 59));
}

TEST(PrimeField, multiplication_agrees_with_the_remainder) {
  __extension__ using Wide = unsigned __int128;
  SplitMix64 random(1);
  for (int round = 0; round < 1000; ++round) {
    const std::uint64_t a = random.below(Field61::modulus);
    const std::uint64_t b = random.below(Field61::modulus);
    const auto expected = static_cast<std::uint64_t>(static_cast<Wide>(a) * b % Field61::modulus);
    EXPECT_EQ((Field61(a) * Field61(b)).value(), expected) << a << " * " << b;
  }
}

TEST(PrimeField, every_element_but_zero_has_an_inverse) {
  SplitMix64 random(2);
  for (int round = 0; round < 50; ++round) {
    const Field61 element(1 + random.below(Field61::modulus - 1));
    EXPECT_EQ(element * inverse(element), Field61(1)) << element;
  }
  EXPECT_EQ(inverse(Field61{}), Field61{});
}

TEST(PrimeField, prints_the_residues_of_small_negative_integers_as_those) {
  EXPECT_EQ(to_string(Field61(12)), "12");
  EXPECT_EQ(to_string(Field61(-12)), "-12");
  EXPECT_EQ(to_string(Field61{}), "0");
}

}  // namespace
}  // namespace convproof::oracle
