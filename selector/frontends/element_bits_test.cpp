#include "selector/frontends/element_bits.h"

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

namespace convproof {
namespace {

TEST(ElementBits, patterns_decode_to_their_values) {
  EXPECT_EQ(decode_element(ElementType::f32, 0x40490fdb), static_cast<double>(3.14159274F));
  EXPECT_EQ(decode_element(ElementType::f64, 0xbff8000000000000), -1.5);
  EXPECT_EQ(decode_element(ElementType::bf16, 0x3f8b), 1.0859375);
  EXPECT_EQ(decode_element(ElementType::f16, 0x3c01), 1.0009765625);
  EXPECT_EQ(decode_element(ElementType::f16, 0x0001), std::ldexp(1.0, -24));  // subnormal
  EXPECT_EQ(decode_element(ElementType::f16, 0xfbff), -65504);
  EXPECT_TRUE(std::isinf(decode_element(ElementType::f16, 0x7c00)));
  EXPECT_EQ(decode_element(ElementType::f8e4m3fn, 0x7e), 448);
  EXPECT_TRUE(std::isnan(decode_element(ElementType::f8e4m3fn, 0x7f)));
  EXPECT_EQ(decode_element(ElementType::f8e5m2, 0x7b), 57344);
  EXPECT_TRUE(std::isinf(decode_element(ElementType::f8e5m2, 0x7c)));
  EXPECT_EQ(decode_element(ElementType::s8, 0xff), -1);
  EXPECT_EQ(decode_element(ElementType::u8, 0xff), 255);
  EXPECT_EQ(decode_element(ElementType::s16, 0x8000), -32768);
  EXPECT_EQ(decode_element(ElementType::s32, 0xfffffffe), -2);
  EXPECT_EQ(decode_element(ElementType::s64, 0xffffffffffffffff), -1);
}

TEST(ElementBits, every_small_float_is_its_own_rounding) {
  for (const ElementType type :
       {ElementType::bf16, ElementType::f16, ElementType::f8e4m3fn, ElementType::f8e5m2}) {
    const std::uint64_t patterns = std::uint64_t{1} << (8 * info(type).bytes);
    for (std::uint64_t bits = 0; bits < patterns; ++bits) {
      const double value = decode_element(type, bits);
      if (std::isnan(value)) continue;
      ASSERT_EQ(round_to_element(type, value), value) << bits;
    }
  }
}

TEST(ElementBits, rounding_goes_to_the_nearest_and_ties_to_even) {
  EXPECT_EQ(round_to_element(ElementType::bf16, 1.0 + 1.0 / 256), 1.0);
  EXPECT_EQ(round_to_element(ElementType::bf16, 1.0 + 3.0 / 256), 1.0 + 4.0 / 256);
  EXPECT_EQ(round_to_element(ElementType::f8e5m2, 1e9), INFINITY);
  EXPECT_TRUE(std::isnan(round_to_element(ElementType::f8e4m3fn, 1e9)));
  EXPECT_EQ(round_to_element(ElementType::f32, 0.1), static_cast<double>(0.1F));
  EXPECT_EQ(round_to_element(ElementType::f64, 0.1), 0.1);
}

}  // namespace
}  // namespace convproof
