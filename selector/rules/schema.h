#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "selector/rules/expression.h"
#include "selector/rules/located_error.h"
#include "selector/rules/type.h"

namespace convproof {

// Both ends included.
struct Interval {
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();

  bool operator==(const Interval&) const = default;
};

struct Enumeration {
  std::string name{};
  std::vector<std::string> values{};  // a value is its index here

  bool operator==(const Enumeration&) const = default;
};

// One named fact about an operation, and where it stands in the flat record of int64 slots:
//   a scalar                            one slot (bool 0 or 1, enumeration its index)
//   a list of at most m                 1 + m slots: length, elements
//   a list of at most m lists of k      1 + m * k slots: length of the outer list, elements in
//   order
// Slots past a list's length are not read.
struct Attribute {
  std::string name{};
  Type type{};
  std::uint32_t max_length = 0;    // lists
  std::uint32_t inner_length = 0;  // lists of lists
  std::int64_t low = 0;            // bounds of each integer; what a prover may assume
  std::int64_t high = 0;
  std::uint32_t slot = 0;
  std::uint32_t slot_count = 1;
  std::string doc{};
  std::string confidence{};

  bool operator==(const Attribute&) const = default;
};

// A pure function of ints. Its body reads its parameters and earlier functions only.
struct Function {
  std::string name{};
  std::vector<std::string> parameters{};
  Expression body{};
  std::string doc{};
  std::size_t weight = 1;  // operations once every call is expanded
  std::size_t height = 1;  // nesting once every call is expanded

  bool operator==(const Function&) const = default;
};

// A named abbreviation over attributes and earlier definitions; evaluated where it is first used.
struct Definition {
  std::string name{};
  Expression body{};
  std::string doc{};
  std::size_t weight = 1;
  std::size_t height = 1;
  Interval bounds{};                            // of an int, from the bounds of the attributes
  std::optional<std::uint32_t> exact_length{};  // of a list that is never longer or shorter

  bool operator==(const Definition&) const = default;
};

// What holds for every well-formed record. An axiom may rely on the axioms before it: it is
// evaluated only where they hold, and then it does not raise.
struct Axiom {
  std::string id{};
  Expression holds{};
  std::string place{};  // the field to name when it does not hold
  std::string rule{};   // reads after `place = value: `
  std::string confidence{};

  bool operator==(const Axiom&) const = default;
};

// What predicates may speak about. Definitions stand in an order in which each uses earlier ones
// only, whatever their order in the file.
struct Schema {
  std::string name{};
  std::string doc{};
  std::vector<Enumeration> enumerations{};
  std::vector<Attribute> attributes{};
  std::vector<Function> functions{};
  std::vector<Definition> definitions{};
  std::vector<Axiom> axioms{};
  std::size_t record_size = 0;

  bool operator==(const Schema&) const = default;

  [[nodiscard]] const Attribute* find_attribute(std::string_view name) const;
  // Whether an attribute, a definition, a function or a word of the language bears the name.
  [[nodiscard]] bool has_name(std::string_view name) const;
};

// Whether a text is a name an expression can use: letters, digits and `_`, no keyword.
bool is_name(std::string_view text);

// Reads a schema from JSON. `file` is only used in error places. One error: the first cause.
std::expected<Schema, LocatedError> load_schema(std::string_view json_text, std::string_view file);

}  // namespace convproof
