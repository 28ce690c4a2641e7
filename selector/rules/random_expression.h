#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "selector/rules/schema.h"

namespace convproof {

// Texts of well-typed expressions and records for tests: every construct of the language, over the
// names of any schema. `draw(n)` gives a number below n; a seeded engine or a shrinking source both
// serve, and small numbers give small texts.
class RandomExpression {
 public:
  using Draw = std::function<std::uint32_t(std::uint32_t)>;

  RandomExpression(const Schema& schema, Draw draw) : schema_(schema), draw_(std::move(draw)) {}

  // A bool, nesting at most about `depth` levels.
  std::string condition(std::uint32_t depth) {
    if (depth == 0) {
      switch (draw_(4)) {
        case 0:
          return "True";
        case 1:
          return "False";
        case 2:
          return named(Type::boolean(), "True");
        default:
          return text({integer(0), order(), integer(0)});
      }
    }
    const std::uint32_t next = depth - 1;
    switch (draw_(14)) {
      case 0:
        return text({"not ", grouped(condition(next))});
      case 1:
        return text({grouped(condition(next)), " and ", grouped(condition(next)), " and ",
                     grouped(condition(next))});
      case 2:
        return text({grouped(condition(next)), " or ", grouped(condition(next))});
      case 3:
        return choice({condition(next), condition(next), condition(next)});
      case 4:
        return text({operand(next), order(), operand(next), order(), operand(next)});
      case 5:
        return text({list(next), equality(), list(next)});
      case 6:
        return text({operand(next), membership(), list(next)});
      case 7:
        return text({list(next), membership(), "[", list(0), ", ", list(0), ", [0, 1]]"});
      case 8:
        return text({list(next), membership(), lists(next)});
      case 9:
        return enumeration_test();
      case 10:
        return quantifier(next);
      case 11:
        return text({lists(next), equality(), lists(next)});
      case 12:
        return boolean_list_test(next);
      default:
        return text({operand(next), order(), operand(next)});
    }
  }

  std::string integer(std::uint32_t depth) {
    if (depth == 0) {
      if (draw_(3) == 0) return std::to_string(draw_(5));
      if (draw_(40) == 0) return "9223372036854775807";
      return variables_.empty() || draw_(2) == 0 ? named(Type::integer(), "1")
                                                 : variables_[draw_size(variables_.size())];
    }
    const std::uint32_t next = depth - 1;
    static constexpr const char* signs[] = {" + ", " - ", " * ", " // ", " % "};
    switch (draw_(11)) {
      case 0:
        return text({"-", operand(next)});
      case 1:
        return text({"(", choice({integer(next), condition(next), integer(next)}), ")"});
      case 2:
        return text({list(next), "[", integer(next), "]"});
      case 3:
        return text({"len(", list(next), ")"});
      case 4:
        return text({"abs(", integer(next), ")"});
      case 5:
        return text({extreme(), "(", integer(next), ", ", integer(next), ")"});
      case 6:
        return text({extreme(), "(", list(next), ")"});
      case 7:
        return aggregate(next);
      case 8:
        return text({"ceil_div(", integer(next), ", ", integer(next), ")"});
      case 9:
        return call(next);
      default:
        return text({grouped(integer(next)), signs[draw_(5)], grouped(integer(next))});
    }
  }

  // A record within the bounds of each attribute, mostly small values and short lists.
  std::vector<std::int64_t> record() {
    std::vector<std::int64_t> slots(schema_.record_size, 0);
    for (const Attribute& attribute : schema_.attributes) {
      if (!attribute.type.is_list()) {
        slots[attribute.slot] = scalar_value(attribute);
        continue;
      }
      slots[attribute.slot] = draw_(attribute.max_length + 1);
      for (std::uint32_t i = 1; i < attribute.slot_count; ++i)
        slots[attribute.slot + i] = scalar_value(attribute);
    }
    return slots;
  }

 private:
  // Braces, unlike `+`, evaluate their parts in order, so that compilers draw alike.
  static std::string text(std::initializer_list<std::string_view> parts) {
    std::string all;
    for (const std::string_view part : parts) all += part;
    return all;
  }

  std::size_t draw_size(std::size_t size) { return draw_(static_cast<std::uint32_t>(size)); }

  // Parentheses, which printing drops where the grammar lets it.
  static std::string grouped(const std::string& inner) { return text({"(", inner, ")"}); }
  // An operand of a comparison; the conditional and the comparison are looser.
  std::string operand(std::uint32_t depth) { return grouped(integer(depth)); }

  std::string order() {
    static constexpr const char* signs[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
    return signs[draw_(6)];
  }
  std::string equality() { return draw_(2) == 0 ? " == " : " != "; }
  std::string membership() { return draw_(2) == 0 ? " in " : " not in "; }
  const char* extreme() { return draw_(2) == 0 ? "min" : "max"; }

  // Value if true, condition, value if false.
  static std::string choice(const std::array<std::string, 3>& parts) {
    return text({"(", parts[0], ") if (", parts[1], ") else (", parts[2], ")"});
  }

  // Some attribute or definition of the type.
  std::string named(const Type& type, const std::string& otherwise) {
    std::vector<std::string> names;
    for (const Attribute& attribute : schema_.attributes) {
      if (attribute.type == type) names.push_back(attribute.name);
    }
    for (const Definition& definition : schema_.definitions) {
      if (definition.body.type == type) names.push_back(definition.name);
    }
    return names.empty() ? otherwise : names[draw_size(names.size())];
  }

  std::string list(std::uint32_t depth) {
    if (depth == 0) {
      switch (draw_(4)) {
        case 0:
          return text({"[", integer(0), ", ", integer(0), "]"});
        case 1:
          return "image_labels(\"f01b\")";
        default:
          return named(Type::integer().list(), "[2, 3]");
      }
    }
    const std::uint32_t next = depth - 1;
    switch (draw_(4)) {
      case 0:
        return text({"[", integer(next), ", ", integer(next), "]"});
      case 1:
        return text({"(", choice({list(next), condition(next), list(next)}), ")"});
      case 2:
        return text({lists(next), "[", integer(next), "]"});
      default:
        return list(0);
    }
  }

  std::string lists(std::uint32_t depth) {
    if (depth == 0 || draw_(3) > 0) {
      return draw_(2) == 0 ? named(Type::integer().list().list(), "[[1, 2]]")
                           : text({"[[", integer(0), ", 1], [0, ", integer(0), "]]"});
    }
    const std::uint32_t next = depth - 1;
    return text({"(", choice({lists(next), condition(next), "[[0, 1]]"}), ")"});
  }

  std::string enumeration_test() {
    for (const Attribute& attribute : schema_.attributes) {
      if (attribute.type.scalar != ScalarType::enumeration || attribute.type.is_list()) continue;
      const auto& values = schema_.enumerations[attribute.type.enumeration].values;
      const std::string quoted = text({"\"", values[draw_size(values.size())], "\""});
      if (draw_(2) == 0) return text({attribute.name, equality(), quoted});
      return text({attribute.name, membership(), "[", quoted, ", \"", values[0], "\"]"});
    }
    return "True";
  }

  std::string boolean_list_test(std::uint32_t depth) {
    const std::string name = named(Type::boolean().list(), "[True]");
    switch (draw_(3)) {
      case 0:
        return text({"all(", name, ")"});
      case 1:
        return text({"any(", name, ")"});
      default:
        return text({name, "[", integer(depth), "]"});
    }
  }

  // A source for a comprehension: a list of ints, or a range that the schema bounds.
  std::string iterable(std::uint32_t depth) {
    switch (draw_(4)) {
      case 0:
        return text({"range(", std::to_string(draw_(4)), ")"});
      case 1:
        return text({"range(len(", list(0), "))"});
      case 2:
        return text({"range(1, min(4, ", integer(0), "))"});
      default:
        return list(depth);
    }
  }

  std::string comprehension(bool of_bools, std::uint32_t depth) {
    const std::string source = iterable(depth);
    const std::string variable = text({"v", std::to_string(variables_.size())});
    variables_.push_back(variable);
    const std::string body = of_bools ? condition(depth) : integer(depth);
    variables_.pop_back();
    return text({"(", body, ") for ", variable, " in ", source});
  }

  std::string quantifier(std::uint32_t depth) {
    return text({draw_(2) == 0 ? "all" : "any", "(", comprehension(true, depth), ")"});
  }

  std::string aggregate(std::uint32_t depth) {
    const std::uint32_t which = draw_(4);
    if (which == 3) return text({"sum(", list(depth), ")"});
    static constexpr const char* names[] = {"sum", "min", "max"};
    return text({names[which], "(", comprehension(false, depth), ")"});
  }

  std::string call(std::uint32_t depth) {
    if (schema_.functions.empty()) return integer(depth);
    const Function& function = schema_.functions[draw_size(schema_.functions.size())];
    if (function.body.type != Type::integer()) return integer(depth);
    std::string call = text({function.name, "("});
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
      if (i > 0) call += ", ";
      call += integer(depth);
    }
    return call += ')';
  }

  std::int64_t scalar_value(const Attribute& attribute) {
    // Anywhere in the bounds now and then, else near the low end or zero.
    if (draw_(30) == 0) return attribute.high;
    const std::int64_t from = attribute.low < -2 ? -2 : attribute.low;
    const std::int64_t value = from + draw_(6);
    return value > attribute.high ? attribute.high : value;
  }

  const Schema& schema_;
  Draw draw_;
  std::vector<std::string> variables_{};
};

}  // namespace convproof
