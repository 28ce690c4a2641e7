#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "props/proofs/encode.h"
#include "selector/rules/outcome.h"
#include "selector/rules/reference.h"

namespace convproof::proofs {
namespace {

// An attribute with more values than this decides no list length by cases.
constexpr std::int64_t most_cases = 8;

// The attributes that an expression reads, through definitions too.
class Reads {
 public:
  explicit Reads(const Schema& schema) : schema_(schema) {}

  std::set<std::uint32_t> of(const Expression& expression) const {
    std::set<std::uint32_t> found;
    collect(expression, found);
    return found;
  }

 private:
  void collect(const Expression& expression, std::set<std::uint32_t>& found) const {
    if (expression.kind == ExpressionKind::attribute) found.insert(expression.index);
    if (expression.kind == ExpressionKind::definition) {
      collect(schema_.definitions[expression.index].body, found);
    }
    for (const Expression& operand : expression.operands) collect(operand, found);
  }

  const Schema& schema_;
};

void visit(const Expression& expression, const std::function<void(const Expression&)>& see) {
  see(expression);
  for (const Expression& operand : expression.operands) visit(operand, see);
}

std::optional<std::uint32_t> length_of_attribute(const Expression& expression) {
  if (expression.kind != ExpressionKind::builtin_call || expression.builtin != Builtin::length ||
      expression.operands[0].kind != ExpressionKind::attribute) {
    return std::nullopt;
  }
  return expression.operands[0].index;
}

// Each side of the equations that an axiom states outright.
void equations(const Expression& expression,
               const std::function<void(std::span<const Expression>)>& see) {
  if (expression.kind == ExpressionKind::logical_and) {
    for (const Expression& operand : expression.operands) equations(operand, see);
  }
  if (expression.kind == ExpressionKind::comparison &&
      std::ranges::all_of(expression.comparisons,
                          [](Comparison sign) { return sign == Comparison::equal; })) {
    see(expression.operands);
  }
}

class Shapes {
 public:
  explicit Shapes(const Schema& schema) : schema_(schema), reads_(schema) {}

  std::vector<FixedSlots> fixed() {
    std::vector<FixedSlots> shapes{{}};
    for (const std::uint32_t attribute : deciding_attributes()) {
      const Attribute& decided = schema_.attributes[attribute];
      std::vector<FixedSlots> more;
      for (const FixedSlots& shape : shapes) {
        for (std::int64_t value = decided.low; value <= decided.high; ++value) {
          more.push_back(shape);
          more.back()[decided.slot] = value;
        }
      }
      if (more.size() > most_cases * most_cases) break;
      shapes = std::move(more);
    }
    for (FixedSlots& shape : shapes) fix_lengths(shape);
    return shapes;
  }

  // Whether every record of the shape that keeps to the axioms about `order` alone has a
  // permutation there.
  bool is_permutation(std::uint32_t order, const FixedSlots& shape) const {
    const Attribute& attribute = schema_.attributes[order];
    const auto length = shape.find(attribute.slot);
    if (length == shape.end() || attribute.type != Type::integer().list()) return false;
    const auto count = static_cast<std::size_t>(length->second);
    const std::int64_t values = attribute.high - attribute.low + 1;
    std::int64_t records = 1;
    for (std::size_t i = 0; i < count; ++i) {
      records *= values;
      if (values > most_cases || records > 10'000) return false;
    }
    std::vector<std::int64_t> record = base_record(shape);
    for (std::int64_t code = 0; code < records; ++code) {
      std::int64_t rest = code;
      std::set<std::int64_t> seen;
      for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t value = attribute.low + rest % values;
        rest /= values;
        record[attribute.slot + 1 + i] = value;
        if (value >= 0 && value < static_cast<std::int64_t>(count)) seen.insert(value);
      }
      if (seen.size() != count && axioms_allow(order, shape, record)) return false;
    }
    return true;
  }

 private:
  std::vector<std::int64_t> base_record(const FixedSlots& shape) const {
    std::vector<std::int64_t> record(schema_.record_size, 0);
    for (const auto& [slot, value] : shape) record[slot] = value;
    return record;
  }

  bool is_fixed(std::uint32_t attribute, const FixedSlots& shape) const {
    return !schema_.attributes[attribute].type.is_list() &&
           shape.contains(schema_.attributes[attribute].slot);
  }

  bool axioms_allow(std::uint32_t order, const FixedSlots& shape,
                    std::span<const std::int64_t> record) const {
    for (const Axiom& axiom : schema_.axioms) {
      const auto read = reads_.of(axiom.holds);
      const bool known = std::ranges::all_of(read, [&](std::uint32_t attribute) {
        return attribute == order || is_fixed(attribute, shape);
      });
      if (!known) continue;
      const auto value = evaluate(axiom.holds, schema_, record);
      if (!value || value->number == 0) return false;
    }
    return true;
  }

  // Small scalar attributes that an axiom equates a list's length to.
  std::set<std::uint32_t> deciding_attributes() const {
    std::set<std::uint32_t> deciding;
    for (const Axiom& axiom : schema_.axioms) {
      equations(axiom.holds, [&](std::span<const Expression> sides) {
        if (std::ranges::none_of(sides, [](const Expression& side) {
              return length_of_attribute(side).has_value();
            })) {
          return;
        }
        for (const Expression& side : sides) {
          if (length_of_attribute(side)) continue;
          for (const std::uint32_t read : reads_.of(side)) {
            const Attribute& attribute = schema_.attributes[read];
            if (!attribute.type.is_list() && attribute.high - attribute.low < most_cases) {
              deciding.insert(read);
            }
          }
        }
      });
    }
    return deciding;
  }

  void fix_lengths(FixedSlots& shape) const {
    const FixedSlots decided = shape;
    const std::vector<std::int64_t> record = base_record(decided);
    for (const Axiom& axiom : schema_.axioms) {
      equations(axiom.holds, [&](std::span<const Expression> sides) {
        for (const Expression& side : sides) {
          const auto read = reads_.of(side);
          if (std::ranges::all_of(read, [&](auto index) { return is_fixed(index, decided); })) {
            const auto value = evaluate(side, schema_, record);
            if (value) fix(sides, value->number, shape);
            return;
          }
        }
      });
    }
  }

  void fix(std::span<const Expression> sides, std::int64_t length, FixedSlots& shape) const {
    for (const Expression& side : sides) {
      const auto list = length_of_attribute(side);
      if (!list) continue;
      const Attribute& attribute = schema_.attributes[*list];
      if (length >= 0 && length <= attribute.max_length) shape[attribute.slot] = length;
    }
  }

  const Schema& schema_;
  Reads reads_;
};

}  // namespace

std::vector<RecordShape> record_shapes(const Schema& schema,
                                       std::span<const Predicate> predicates) {
  // Lists and the permutations they are read through; a list with two of them keeps its own cells.
  std::map<std::uint32_t, std::set<std::uint32_t>> orders;
  const auto see = [&](const Expression& expression) {
    if (expression.kind != ExpressionKind::subscript) return;
    const Expression& list = expression.operands[0];
    const Expression& index = expression.operands[1];
    if (list.kind == ExpressionKind::attribute && index.kind == ExpressionKind::subscript &&
        index.operands[0].kind == ExpressionKind::attribute) {
      orders[list.index].insert(index.operands[0].index);
    }
  };
  for (const Definition& definition : schema.definitions) visit(definition.body, see);
  for (const Axiom& axiom : schema.axioms) visit(axiom.holds, see);
  for (const Predicate& predicate : predicates) {
    for (const Clause& clause : predicate.clauses) visit(clause.condition, see);
  }
  Shapes shapes(schema);
  std::vector<RecordShape> result;
  for (FixedSlots& fixed : shapes.fixed()) {
    RecordShape shape{.fixed = std::move(fixed)};
    for (const auto& [list, through] : orders) {
      if (through.size() != 1) continue;
      const std::uint32_t order = *through.begin();
      const auto length = shape.fixed.find(schema.attributes[list].slot);
      const auto order_length = shape.fixed.find(schema.attributes[order].slot);
      if (length == shape.fixed.end() || order_length == shape.fixed.end() ||
          length->second != order_length->second || orders.contains(order) ||
          schema.attributes[list].type.depth != 1 || !shapes.is_permutation(order, shape.fixed)) {
        continue;
      }
      shape.permuted.push_back({.values = list, .order = order});
    }
    result.push_back(std::move(shape));
  }
  return result;
}

}  // namespace convproof::proofs
