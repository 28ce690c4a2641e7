#include "selector/rules/outcome.h"

#include <string_view>

namespace convproof {

std::string_view message_of(RaiseCause cause) {
  switch (cause) {
    case RaiseCause::index_out_of_range:
      return "list index out of range";
    case RaiseCause::division_by_zero:
      return "division or modulo by zero";
    case RaiseCause::overflow:
      return "value outside the 64-bit integers";
    case RaiseCause::empty_sequence:
      return "min or max of nothing";
    case RaiseCause::range_too_long:
      return "range longer than the bounds of the schema allow";
    case RaiseCause::assertion:
      return "assertion failed";
  }
  return "";
}

}  // namespace convproof
