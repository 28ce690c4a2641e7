#pragma once

#include <cstdint>

namespace convproof {

// Cells are the record, then the constants, then the registers. d, a, b name cells (or the first
// cell of a list: its length, followed by its elements); t is the target, mostly an instruction.
enum class Opcode : std::uint16_t {
  jump,                // to t
  jump_if,             // to t where a is not 0
  jump_unless,         // to t where a is 0
  jump_equal,          // to t where a == b
  jump_not_equal,      // to t where a != b
  jump_less,           // to t where a < b
  jump_less_equal,     // to t where a <= b
  jump_in,             // to t where a is one of the d cells from b
  jump_not_in,         //
  jump_cells_equal,    // to t where d cells from a equal those from b
  jump_cells_differ,   //
  jump_lists_equal,    // to t where the lists at a and b, of d cells per element, are equal
  jump_lists_differ,   //
  jump_any,            // to t where an element of the list at a is not 0
  jump_none,           //
  move,                // d = a
  add,                 // d = a + b; these raise
  subtract,            //
  multiply,            //
  floor_divide,        //
  modulo,              //
  ceil_div,            //
  minimum,             // d = min(a, b)
  maximum,             //
  negate,              // d = -a; raises
  absolute,            // d = |a|; raises
  element,             // d = element number b of the list at a; raises
  element_at,          // the same for the number b itself
  gather,              // d = list a at (list b at number t); raises
  check_index,         // d = index b counted from 0 in a length a; raises
  load,                // d = the cell a + b * t
  pack,                // d = key of the list at a if its length is b, else -1
  range_length,        // d = max(0, b - a); raises where it exceeds t
  skip_if_computed,    // to t where bit a is set
  mark_computed,       // sets bit a
  raise,               // raises cause a
  finish_matched,      // row t
  finish_not_matched,  // clause t, or no row of the table
};

}  // namespace convproof
