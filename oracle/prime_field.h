#pragma once

#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace convproof::oracle {

// The field of integers modulo the Mersenne prime 2^61 - 1.
//
// A convolution is bilinear with coefficients 0 and 1, so it makes sense over any field. Over this
// one nothing rounds or overflows, and two programs that differ as polynomials of degree two differ
// on uniformly random elements but for a probability below 2^-59 (Schwartz-Zippel).
//
// The value is always fully reduced: equality of values is equality of elements.
class Field61 {
 public:
  static constexpr std::uint64_t modulus = (std::uint64_t{1} << 61) - 1;

  constexpr Field61() = default;  // zero

  // The residue of any integer, negative ones included.
  template <std::integral Integer>
  explicit constexpr Field61(Integer value) {
    if constexpr (std::signed_integral<Integer>) {
      const std::int64_t rest =
          static_cast<std::int64_t>(value) % static_cast<std::int64_t>(modulus);
      value_ = rest < 0 ? static_cast<std::uint64_t>(rest + static_cast<std::int64_t>(modulus))
                        : static_cast<std::uint64_t>(rest);
    } else {
      value_ = static_cast<std::uint64_t>(value) % modulus;
    }
  }

  // The representative in [0, modulus).
  [[nodiscard]] constexpr std::uint64_t value() const { return value_; }

  constexpr bool operator==(const Field61&) const = default;

  constexpr Field61& operator+=(Field61 other) {
    value_ = reduce_once(value_ + other.value_);
    return *this;
  }
  constexpr Field61& operator-=(Field61 other) {
    value_ = reduce_once(value_ + (modulus - other.value_));
    return *this;
  }
  constexpr Field61& operator*=(Field61 other) {
    const Product product = static_cast<Product>(value_) * other.value_;
    // 2^61 is 1 here, so the bits above the 61st are added to those below it.
    value_ = reduce_once((static_cast<std::uint64_t>(product) & modulus) +
                         static_cast<std::uint64_t>(product >> 61));
    return *this;
  }

  friend constexpr Field61 operator+(Field61 a, Field61 b) { return a += b; }
  friend constexpr Field61 operator-(Field61 a, Field61 b) { return a -= b; }
  friend constexpr Field61 operator*(Field61 a, Field61 b) { return a *= b; }
  friend constexpr Field61 operator-(Field61 a) { return Field61{} -= a; }

 private:
  __extension__ using Product = unsigned __int128;

  // Of a sum of two reduced values: below twice the modulus.
  static constexpr std::uint64_t reduce_once(std::uint64_t sum) {
    return sum >= modulus ? sum - modulus : sum;
  }

  std::uint64_t value_ = 0;
};

// The multiplicative inverse, by Fermat's little theorem; zero for zero.
constexpr Field61 inverse(Field61 element) {
  Field61 result(1);
  for (std::uint64_t exponent = Field61::modulus - 2; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result *= element;
    element *= element;
  }
  return result;
}

// The representative in decimal; residues of small negative integers print as those.
std::string to_string(Field61 element);
std::ostream& operator<<(std::ostream& stream, Field61 element);

}  // namespace convproof::oracle
