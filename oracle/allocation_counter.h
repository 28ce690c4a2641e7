#pragma once

#include <cstdint>

namespace convproof::oracle {

// Heap allocations that the calling thread made through operator new. Only in programs that link
// allocation_counter.cpp, which replaces it.
std::int64_t allocation_count();

}  // namespace convproof::oracle
