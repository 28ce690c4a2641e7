#include "selector/frontends/json_places.h"

#include <cstddef>
#include <string_view>

namespace convproof {

JsonPlaces find_json_places(std::string_view text) {
  JsonPlaces places;
  std::size_t depth = 0;
  std::size_t array_depth = 0;  // of the array of cases while inside it, 0 outside
  bool element_next = false;    // the next value is an element of that array
  bool cases_key = false;       // the last string was `cases`, as a key of the outermost object
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') continue;
    if (element_next && c != ']') {
      places.cases.push_back(i);
      element_next = false;
    }
    switch (c) {
      case '"': {
        const std::size_t begin = i++;
        while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
        cases_key = depth == 1 && text.substr(begin, i - begin) == "\"cases";
        continue;
      }
      case '[':
      case '{':
        ++depth;
        if (depth > max_json_depth && !places.too_deep) places.too_deep = i;
        if (c == '[' && (depth == 1 || (depth == 2 && cases_key))) {
          array_depth = depth;
          element_next = true;
        }
        break;
      case ']':
      case '}':
        if (depth == array_depth) array_depth = 0;
        if (depth > 0) --depth;
        element_next = false;
        break;
      case ',':
        element_next = array_depth != 0 && depth == array_depth;
        break;
      default:
        break;
    }
    if (c != ':') cases_key = false;
  }
  return places;
}

}  // namespace convproof
