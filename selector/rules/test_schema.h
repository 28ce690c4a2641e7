#pragma once

#include <string_view>

namespace convproof {

// A small schema with every type of attribute, for the tests of this folder; it has nothing to do
// with convolutions.
inline constexpr std::string_view test_schema_text = R"json({
  "version": 1,
  "name": "test",
  "enums": {"colour": ["red", "green", "blue"]},
  "attributes": [
    {"name": "count", "type": "int", "bounds": [-100, 100]},
    {"name": "groups", "type": "int", "bounds": [1, 64]},
    {"name": "dims", "type": "int", "bounds": [0, 4]},
    {"name": "flag", "type": "bool"},
    {"name": "paint", "type": "colour"},
    {"name": "shape", "type": "list[int]", "max_length": 4, "bounds": [0, 9223372036854775807]},
    {"name": "perm", "type": "list[int]", "max_length": 4, "bounds": [-1, 4]},
    {"name": "flags", "type": "list[bool]", "max_length": 3},
    {"name": "paints", "type": "list[colour]", "max_length": 2},
    {"name": "pads", "type": "list[list[int]]", "max_length": 3, "inner_length": 2, "bounds": [-5, 5]}
  ],
  "functions": [
    {"name": "twice", "parameters": ["a"], "body": "a + a"},
    {"name": "clamp", "parameters": ["a", "low", "high"], "body": "max(low, min(a, high))"},
    {"name": "positive", "parameters": ["a"], "body": "a > 0"},
    {"name": "first", "parameters": ["a", "b"], "body": "a"},
    {"name": "triangle", "parameters": ["n"], "body": "sum(i for i in range(min(n, 5)))"}
  ],
  "definitions": {
    "area": "rows * columns",
    "rows": "shape[perm[0]]",
    "columns": {"body": "shape[perm[1]]", "doc": "the second axis"},
    "pair": "[rows, count]",
    "is_red": "paint == 'red'",
    "sized": "shape if flag else [1, 2]"
  },
  "axioms": [
    {"id": "positive-groups", "holds": "groups >= 1", "place": "groups", "rule": "must be at least 1"}
  ]
})json";

}  // namespace convproof
