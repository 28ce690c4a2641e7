#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

namespace convproof {

// Scratch memory for kernels: bump allocation out of blocks that are kept between calls, so that a
// warm arena never touches the heap. Release happens by scope, last in first out.
class Arena {
 public:
  // Everything taken from the arena while a Scope lives is given back when it ends.
  class Scope {
   public:
    explicit Scope(Arena& arena) : arena_(arena), block_(arena.block_), used_(arena.used_) {}
    ~Scope() {
      arena_.block_ = block_;
      arena_.used_ = used_;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Arena& arena_;
    std::size_t block_;
    std::size_t used_;
  };

  // `count` value-initialised elements; valid until the enclosing Scope ends.
  template <class T>
  std::span<T> zeroed(std::int64_t count) {
    static_assert(std::is_trivially_destructible_v<T> && std::is_trivially_copyable_v<T>);
    static_assert(alignof(T) <= alignment);
    const auto size = static_cast<std::size_t>(count);
    T* first = reinterpret_cast<T*>(take(size * sizeof(T)));
    std::uninitialized_value_construct_n(first, size);
    return {first, size};
  }

 private:
  static constexpr std::size_t alignment = 16;
  static constexpr std::size_t smallest_block = std::size_t{1} << 16;
  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size = 0;
  };

  std::byte* take(std::size_t bytes) {
    bytes = (bytes + alignment - 1) / alignment * alignment;
    while (block_ < blocks_.size() && used_ + bytes > blocks_[block_].size) {
      ++block_;
      used_ = 0;
    }
    if (block_ == blocks_.size()) {
      const std::size_t size = std::max(bytes, smallest_block << std::min<std::size_t>(block_, 8));
      blocks_.push_back({std::make_unique_for_overwrite<std::byte[]>(size), size});
      used_ = 0;
    }
    std::byte* const start = blocks_[block_].bytes.get() + used_;
    used_ += bytes;
    return start;
  }

  std::vector<Block> blocks_;
  std::size_t block_ = 0;
  std::size_t used_ = 0;
};

}  // namespace convproof
