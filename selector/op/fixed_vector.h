#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <span>

namespace convproof {

// A sequence of at most `Capacity` values stored in place: never allocates, copies as plain data.
// Elements past `size()` are value-initialised, so that the defaulted comparison is exact.
template <class T, std::size_t Capacity>
class FixedVector {
 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  constexpr FixedVector() = default;
  constexpr FixedVector(std::initializer_list<T> values) {
    for (const T& value : values) push_back(value);
  }
  constexpr explicit FixedVector(std::span<const T> values) {
    for (const T& value : values) push_back(value);
  }
  // `count` copies of `value`.
  static constexpr FixedVector filled(std::size_t count, const T& value) {
    FixedVector result;
    for (std::size_t i = 0; i < count; ++i) result.push_back(value);
    return result;
  }

  static constexpr std::size_t capacity() { return Capacity; }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }

  constexpr void push_back(const T& value) {
    assert(size_ < Capacity);
    values_[size_++] = value;
  }
  constexpr void pop_back() {
    assert(size_ > 0);
    values_[--size_] = T{};
  }

  constexpr T& operator[](std::size_t i) {
    assert(i < size_);
    return values_[i];
  }
  constexpr const T& operator[](std::size_t i) const {
    assert(i < size_);
    return values_[i];
  }

  constexpr T* begin() { return values_.data(); }
  constexpr T* end() { return values_.data() + size_; }
  [[nodiscard]] constexpr const T* begin() const { return values_.data(); }
  [[nodiscard]] constexpr const T* end() const { return values_.data() + size_; }
  [[nodiscard]] constexpr const T* data() const { return values_.data(); }

  constexpr operator std::span<const T>() const { return {values_.data(), size_}; }

  constexpr bool operator==(const FixedVector&) const = default;

 private:
  std::array<T, Capacity> values_{};
  std::size_t size_ = 0;
};

}  // namespace convproof
