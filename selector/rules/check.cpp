#include "selector/rules/check.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "selector/op/dim_labels.h"
#include "selector/rules/bounds.h"
#include "selector/rules/nearest_name.h"

namespace convproof {
namespace {

constexpr std::array builtins{Builtin::minimum,  Builtin::maximum, Builtin::length,
                              Builtin::absolute, Builtin::all,     Builtin::any,
                              Builtin::sum,      Builtin::ceil_div};

using Result = std::expected<Checked, LocatedError>;

class Checker {
 public:
  Checker(const Scope& scope, std::string_view text, std::string_view place)
      : scope_(scope), text_(text), place_(place) {
    for (const std::string& name : scope.function_parameters)
      variables_.push_back({name, Type::integer(), 0});
  }

  Result check(const Syntax& syntax, const Type* expected) {
    Result result = check_kind(syntax, expected);
    if (!result) return result;
    result->expression.where = syntax.where;
    if (result->weight > max_weight) {
      return fail(syntax.where, fmt::format("expands to more than {} operations", max_weight));
    }
    if (result->height > max_height) {
      return fail(syntax.where, fmt::format("expands to more than {} levels", max_height));
    }
    return result;
  }

 private:
  struct Variable {
    std::string name;
    Type type;
    std::uint32_t length;  // of a list
  };

  [[nodiscard]] std::unexpected<LocatedError> fail(SourceRange where, std::string rule) const {
    const std::string_view phrase =
        where.column == 0 ? std::string_view() : text_.substr(where.column - 1, where.length);
    return std::unexpected(LocatedError{
        Error{fmt::format("{}:{}", place_, where.column), std::string(phrase), std::move(rule)},
        std::string(text_), where.column, where.length});
  }

  [[nodiscard]] std::string describe(const Type& type) const {
    std::string text = to_string(type);
    if (type.scalar == ScalarType::enumeration) {
      const std::size_t at = text.find("enum");
      text.replace(at, 4, scope_.schema->enumerations[type.enumeration].name);
    }
    return text;
  }

  // Whether a text literal or an empty list keeps the phrase from having a type of its own.
  static bool needs_context(const Syntax& syntax) {
    switch (syntax.kind) {
      case SyntaxKind::text:
        return true;
      case SyntaxKind::list:
        return std::ranges::all_of(syntax.operands, needs_context);
      case SyntaxKind::conditional:
        return needs_context(syntax.operands[0]) && needs_context(syntax.operands[2]);
      default:
        return false;
    }
  }

  static Checked leaf(ExpressionKind kind, Type type, std::int64_t value = 0) {
    return {.expression = {.kind = kind, .type = type, .value = value}};
  }

  static void adopt(Checked& parent, Checked child) {
    parent.weight = std::min(parent.weight + child.weight, max_weight + 1);
    parent.height = std::max(parent.height, child.height + 1);
    parent.expression.operands.push_back(std::move(child.expression));
  }

  // Checks an operand that must be of `wanted`.
  Result require(const Syntax& syntax, const Type& wanted, std::string_view who) {
    Result result = check(syntax, &wanted);
    if (result && result->expression.type != wanted) {
      return fail(syntax.where, fmt::format("{} wants {}, this is {}", who, describe(wanted),
                                            describe(result->expression.type)));
    }
    return result;
  }

  Result check_kind(const Syntax& syntax, const Type* expected) {
    switch (syntax.kind) {
      case SyntaxKind::boolean:
        return leaf(ExpressionKind::boolean_literal, Type::boolean(), syntax.value);
      case SyntaxKind::integer:
        return leaf(ExpressionKind::integer_literal, Type::integer(), syntax.value);
      case SyntaxKind::text:
        return check_text(syntax, expected);
      case SyntaxKind::list:
        return check_list(syntax, expected);
      case SyntaxKind::name:
        return check_name(syntax);
      case SyntaxKind::call:
        return check_call(syntax);
      case SyntaxKind::comprehension:
        return fail(syntax.where, "a comprehension stands alone in all, any, min, max or sum");
      case SyntaxKind::negate:
        return check_operands(syntax, ExpressionKind::negate, Type::integer(), "`-`");
      case SyntaxKind::logical_not:
        return check_operands(syntax, ExpressionKind::logical_not, Type::boolean(), "`not`");
      case SyntaxKind::logical_and:
        return check_operands(syntax, ExpressionKind::logical_and, Type::boolean(), "`and`");
      case SyntaxKind::logical_or:
        return check_operands(syntax, ExpressionKind::logical_or, Type::boolean(), "`or`");
      case SyntaxKind::add:
        return check_operands(syntax, ExpressionKind::add, Type::integer(), "`+`");
      case SyntaxKind::subtract:
        return check_operands(syntax, ExpressionKind::subtract, Type::integer(), "`-`");
      case SyntaxKind::multiply:
        return check_operands(syntax, ExpressionKind::multiply, Type::integer(), "`*`");
      case SyntaxKind::floor_divide:
        return check_operands(syntax, ExpressionKind::floor_divide, Type::integer(), "`//`");
      case SyntaxKind::modulo:
        return check_operands(syntax, ExpressionKind::modulo, Type::integer(), "`%`");
      case SyntaxKind::conditional:
        return check_conditional(syntax, expected);
      case SyntaxKind::comparison:
        return check_comparison(syntax);
      case SyntaxKind::subscript:
        return check_subscript(syntax);
    }
    return fail(syntax.where, "unknown phrase");
  }

  Result check_operands(const Syntax& syntax, ExpressionKind kind, Type type,
                        std::string_view who) {
    Checked node = leaf(kind, type);
    for (const Syntax& operand : syntax.operands) {
      Result child = require(operand, type, who);
      if (!child) return child;
      adopt(node, std::move(*child));
    }
    return node;
  }

  Result check_text(const Syntax& syntax, const Type* expected) const {
    if (expected == nullptr || expected->depth != 0 ||
        expected->scalar != ScalarType::enumeration) {
      return fail(syntax.where, "a text is compared with an enumeration only");
    }
    const Enumeration& enumeration = scope_.schema->enumerations[expected->enumeration];
    const auto found = std::ranges::find(enumeration.values, syntax.text);
    if (found == enumeration.values.end()) {
      const std::vector<std::string_view> names(enumeration.values.begin(),
                                                enumeration.values.end());
      const std::string_view near = nearest_name(syntax.text, names);
      return fail(syntax.where,
                  fmt::format("no value of {}{}", enumeration.name,
                              near.empty() ? "" : fmt::format(", did you mean \"{}\"?", near)));
    }
    Checked node = leaf(ExpressionKind::enum_literal, *expected,
                        std::distance(enumeration.values.begin(), found));
    node.expression.name = syntax.text;
    return node;
  }

  Result check_list(const Syntax& syntax, const Type* expected) {
    Type element{ScalarType::unknown, 0, 0};
    if (expected != nullptr && expected->is_list()) element = expected->element();
    // One operand with a type of its own settles that of the others. No operand is checked twice:
    // nested lists would double the work at each level.
    std::vector<std::optional<Checked>> operands(syntax.operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (needs_context(syntax.operands[i])) continue;
      Result typed = check(syntax.operands[i], nullptr);
      if (!typed) return typed;
      element = typed->expression.type;
      operands[i] = std::move(*typed);
      break;
    }
    Checked node = leaf(ExpressionKind::list_literal, element.list());
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const SourceRange where = syntax.operands[i].where;
      if (!operands[i]) {
        Result child =
            check(syntax.operands[i], element.scalar == ScalarType::unknown ? nullptr : &element);
        if (!child) return child;
        operands[i] = std::move(*child);
      }
      const Type type = operands[i]->expression.type;
      if (element.scalar == ScalarType::unknown) element = type;
      if (type != element) {
        return fail(where,
                    fmt::format("a list of {} holds no {}", describe(element), describe(type)));
      }
      if (type.depth > 1) return fail(where, "lists nest two levels at most");
      adopt(node, std::move(*operands[i]));
    }
    Expression& list = node.expression;
    list.type = element.list();
    list.max_length = static_cast<std::uint32_t>(list.operands.size());
    if (list.type.depth == 2 && !list.operands.empty()) {
      const auto length = exact_length(list.operands[0], *scope_.schema);
      const bool uniform = std::ranges::all_of(list.operands, [&](const Expression& operand) {
        return exact_length(operand, *scope_.schema) == length;
      });
      list.inner_length = uniform ? length.value_or(0) : 0;
    }
    return node;
  }

  // A list of lists whose elements differ in length has no place but the right side of `in`.
  [[nodiscard]] static bool is_ragged(const Expression& list) {
    return list.type.depth == 2 && list.max_length > 0 && list.inner_length == 0;
  }

  [[nodiscard]] std::optional<Checked> find_name(std::string_view name) const {
    for (std::size_t level = variables_.size(); level-- > 0;) {
      if (variables_[level].name != name) continue;
      Checked node = leaf(ExpressionKind::variable, variables_[level].type);
      node.expression.index = static_cast<std::uint32_t>(level);
      node.expression.max_length = variables_[level].length;
      return node;
    }
    if (scope_.in_function) return std::nullopt;
    for (std::size_t i = 0; i < scope_.parameters.size(); ++i) {
      if (scope_.parameters[i].name != name) continue;
      Checked node =
          leaf(ExpressionKind::parameter, scope_.parameters[i].type, scope_.parameters[i].value);
      node.expression.index = static_cast<std::uint32_t>(i);
      return node;
    }
    const Schema& schema = *scope_.schema;
    for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
      const Attribute& attribute = schema.attributes[i];
      if (attribute.name != name) continue;
      Checked node = leaf(ExpressionKind::attribute, attribute.type);
      node.expression.index = static_cast<std::uint32_t>(i);
      node.expression.max_length = attribute.max_length;
      node.expression.inner_length = attribute.inner_length;
      return node;
    }
    for (std::size_t i = 0; i < schema.definitions.size(); ++i) {
      const Definition& definition = schema.definitions[i];
      if (definition.name != name) continue;
      Checked node = leaf(ExpressionKind::definition, definition.body.type);
      node.expression.index = static_cast<std::uint32_t>(i);
      node.expression.max_length = definition.body.max_length;
      node.expression.inner_length = definition.body.inner_length;
      node.height = definition.height + 1;
      return node;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string did_you_mean(std::string_view name, bool function) const {
    std::vector<std::string_view> names;
    if (function) {
      for (const Builtin builtin : builtins) names.push_back(name_of(builtin));
      names.insert(names.end(), {"range", "image_labels", "kernel_labels"});
      for (const Function& known : scope_.schema->functions) names.push_back(known.name);
    } else {
      for (const Variable& variable : variables_) names.push_back(variable.name);
      if (!scope_.in_function) {
        for (const Parameter& parameter : scope_.parameters) names.push_back(parameter.name);
        for (const Attribute& known : scope_.schema->attributes) names.push_back(known.name);
        for (const Definition& known : scope_.schema->definitions) names.push_back(known.name);
      }
    }
    const std::string_view near = nearest_name(name, names);
    return near.empty() ? "" : fmt::format(", did you mean `{}`?", near);
  }

  [[nodiscard]] Result check_name(const Syntax& syntax) const {
    if (auto found = find_name(syntax.text)) {
      found->expression.name = syntax.text;
      return std::move(*found);
    }
    return fail(syntax.where, fmt::format("unknown name{}", did_you_mean(syntax.text, false)));
  }

  Result check_conditional(const Syntax& syntax, const Type* expected) {
    const Syntax& yes = syntax.operands[0];
    const Syntax& no = syntax.operands[2];
    const bool from_right = needs_context(yes) && !needs_context(no);
    // The right side is checked once, before or after the left: twice would double at each level.
    std::optional<Checked> otherwise;
    if (from_right) {
      Result typed = check(no, expected);
      if (!typed) return typed;
      otherwise = std::move(*typed);
      expected = &otherwise->expression.type;
    }
    Result value = check(yes, expected);
    if (!value) return value;
    Result condition = require(syntax.operands[1], Type::boolean(), "`if`");
    if (!condition) return condition;
    const Type type = value->expression.type;
    if (!from_right) {
      Result typed = check(no, &type);
      if (!typed) return typed;
      otherwise = std::move(*typed);
    }
    if (otherwise->expression.type != type) {
      return fail(syntax.where, fmt::format("gives {} or {}: both sides must be of one type",
                                            describe(type), describe(otherwise->expression.type)));
    }
    Checked node = leaf(ExpressionKind::conditional, type);
    const Expression& a = value->expression;
    const Expression& b = otherwise->expression;
    for (const Expression* side : {&a, &b}) {
      if (is_ragged(*side)) return fail(side->where, std::string(ragged_rule));
    }
    if (type.depth == 2 && a.max_length > 0 && b.max_length > 0 &&
        a.inner_length != b.inner_length) {
      return fail(syntax.where, std::string(ragged_rule));
    }
    node.expression.max_length = std::max(a.max_length, b.max_length);
    node.expression.inner_length = std::max(a.inner_length, b.inner_length);
    adopt(node, std::move(*value));
    adopt(node, std::move(*condition));
    adopt(node, std::move(*otherwise));
    return node;
  }

  // The type that operand `i` of a comparison gets from its neighbours, where it needs one.
  static std::optional<Type> type_from_neighbours(
      const Syntax& syntax, const std::vector<std::optional<Checked>>& operands, std::size_t i) {
    const auto member = [&](std::size_t comparison) {
      return syntax.comparisons[comparison] == Comparison::in ||
             syntax.comparisons[comparison] == Comparison::not_in;
    };
    if (i + 1 < operands.size() && operands[i + 1]) {
      const Type& right = operands[i + 1]->expression.type;
      if (!member(i)) return right;
      if (right.is_list()) return right.element();
    }
    if (i > 0 && operands[i - 1]) {
      const Type& left = operands[i - 1]->expression.type;
      return member(i - 1) ? left.list() : left;
    }
    return std::nullopt;
  }

  Result check_comparison(const Syntax& syntax) {
    std::vector<std::optional<Checked>> operands(syntax.operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (needs_context(syntax.operands[i])) continue;
      Result operand = check(syntax.operands[i], nullptr);
      if (!operand) return operand;
      operands[i] = std::move(*operand);
    }
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (operands[i]) continue;
      const auto type = type_from_neighbours(syntax, operands, i);
      Result operand = check(syntax.operands[i], type ? &*type : nullptr);
      if (!operand) return operand;
      operands[i] = std::move(*operand);
    }
    Checked node = leaf(ExpressionKind::comparison, Type::boolean());
    node.expression.comparisons = syntax.comparisons;
    for (std::size_t i = 0; i < syntax.comparisons.size(); ++i) {
      const SourceRange pair{syntax.operands[i].where.column,
                             syntax.operands[i + 1].where.column +
                                 syntax.operands[i + 1].where.length -
                                 syntax.operands[i].where.column};
      if (auto wrong = mismatch(operands[i]->expression, syntax.comparisons[i],
                                operands[i + 1]->expression)) {
        return fail(pair, std::move(*wrong));
      }
    }
    for (auto& operand : operands) adopt(node, std::move(*operand));
    return node;
  }

  // Why two operands cannot be compared, if they cannot.
  [[nodiscard]] std::optional<std::string> mismatch(const Expression& left, Comparison comparison,
                                                    const Expression& right) const {
    const auto met = [&] {
      return fmt::format("`{}` between {} and {}", name_of(comparison), describe(left.type),
                         describe(right.type));
    };
    if (is_ragged(left)) return std::string(ragged_rule);
    switch (comparison) {
      case Comparison::in:
      case Comparison::not_in:
        if (!right.type.is_list()) return met() + ": the right side must be a list";
        if (right.type.scalar != ScalarType::unknown && right.type.element() != left.type)
          return met();
        if (is_ragged(right) && right.kind != ExpressionKind::list_literal)
          return std::string(ragged_rule);
        return std::nullopt;
      case Comparison::equal:
      case Comparison::not_equal:
        if (is_ragged(right)) return std::string(ragged_rule);
        if (left.type != right.type) return met();
        return std::nullopt;
      case Comparison::less:
      case Comparison::less_equal:
      case Comparison::greater:
      case Comparison::greater_equal:
        if (left.type != Type::integer() || right.type != Type::integer()) {
          return met() + ": only ints have an order";
        }
        return std::nullopt;
    }
    return std::nullopt;
  }

  Result check_subscript(const Syntax& syntax) {
    Result list = check(syntax.operands[0], nullptr);
    if (!list) return list;
    const Type type = list->expression.type;
    if (!type.is_list()) {
      return fail(syntax.operands[0].where,
                  fmt::format("`[...]` wants a list, this is {}", describe(type)));
    }
    if (is_ragged(list->expression)) {
      return fail(syntax.operands[0].where, std::string(ragged_rule));
    }
    Result index = require(syntax.operands[1], Type::integer(), "`[...]`");
    if (!index) return index;
    Checked node = leaf(ExpressionKind::subscript,
                        type.scalar == ScalarType::unknown ? Type::integer() : type.element());
    node.expression.max_length = type.depth == 2 ? list->expression.inner_length : 0;
    adopt(node, std::move(*list));
    adopt(node, std::move(*index));
    return node;
  }

  Result check_call(const Syntax& syntax) {
    const std::string_view name = syntax.text;
    if (name == "image_labels" || name == "kernel_labels") return check_labels(syntax);
    if (name == "range") {
      return fail(syntax.where, "range stands only after `in` of a comprehension");
    }
    for (const Builtin builtin : builtins) {
      if (name == name_of(builtin)) return check_builtin(syntax, builtin);
    }
    const std::vector<Function>& functions = scope_.schema->functions;
    const auto found =
        std::ranges::find_if(functions, [&](const Function& known) { return known.name == name; });
    if (found == functions.end()) {
      return fail(syntax.sign, fmt::format("unknown function{}", did_you_mean(name, true)));
    }
    if (syntax.operands.size() != found->parameters.size()) {
      return fail(syntax.where, fmt::format("{} takes {} arguments, not {}", name,
                                            found->parameters.size(), syntax.operands.size()));
    }
    Result node = check_operands(syntax, ExpressionKind::function_call, Type::integer(), name);
    if (!node) return node;
    node->expression.type = found->body.type;
    node->expression.name = syntax.text;
    node->expression.index = static_cast<std::uint32_t>(std::distance(functions.begin(), found));
    node->weight = std::min(node->weight + found->weight, max_weight + 1);
    node->height += found->height;
    return node;
  }

  [[nodiscard]] Result check_labels(const Syntax& syntax) const {
    const bool image = syntax.text == "image_labels";
    if (syntax.operands.size() != 1 || syntax.operands[0].kind != SyntaxKind::text) {
      return fail(syntax.where, fmt::format("{} takes one text, as {}", syntax.text,
                                            image ? "\"b01f\"" : "\"01io\""));
    }
    const std::string& labels = syntax.operands[0].text;
    const auto perm = parse_labels(labels, image ? LabelRole::image : LabelRole::kernel);
    if (!perm) return fail(syntax.operands[0].where, perm.error().rule);
    Checked node = leaf(ExpressionKind::labels_literal, Type::integer().list(), image ? 0 : 1);
    node.expression.name = labels;
    node.expression.max_length = static_cast<std::uint32_t>(perm->size());
    for (const std::int64_t position : *perm)
      node.expression.operands.push_back(integer_literal(position));
    return node;
  }

  Result check_builtin(const Syntax& syntax, Builtin builtin) {
    const std::string_view name = name_of(builtin);
    const std::vector<Syntax>& arguments = syntax.operands;
    const auto count = [&](std::string_view wanted) {
      return fail(syntax.where, fmt::format("{} takes {}", name, wanted));
    };
    switch (builtin) {
      case Builtin::length:
        if (arguments.size() != 1) return count("one list");
        return over_list(syntax, builtin, std::nullopt);
      case Builtin::absolute:
        if (arguments.size() != 1) return count("one int");
        return builtin_of_ints(syntax, builtin);
      case Builtin::ceil_div:
        if (arguments.size() != 2) return count("two ints");
        return builtin_of_ints(syntax, builtin);
      case Builtin::all:
      case Builtin::any:
        if (arguments.size() != 1) return count("one list of bools or comprehension");
        return over_list(syntax, builtin, Type::boolean());
      case Builtin::sum:
        if (arguments.size() != 1) return count("one list of ints or comprehension");
        return over_list(syntax, builtin, Type::integer());
      case Builtin::minimum:
      case Builtin::maximum:
        if (arguments.empty()) return count("two or more ints, or one list of ints");
        if (arguments.size() > 1) return builtin_of_ints(syntax, builtin);
        return over_list(syntax, builtin, Type::integer());
    }
    return count("nothing");
  }

  Result builtin_of_ints(const Syntax& syntax, Builtin builtin) {
    Result node =
        check_operands(syntax, ExpressionKind::builtin_call, Type::integer(), name_of(builtin));
    if (node) node->expression.builtin = builtin;
    return node;
  }

  // A builtin over one list or comprehension; `element` is what it must give, or anything.
  Result over_list(const Syntax& syntax, Builtin builtin, std::optional<Type> element) {
    const Syntax& argument = syntax.operands[0];
    const bool lazy = argument.kind == SyntaxKind::comprehension && element.has_value();
    const std::optional<Type> wanted = element ? std::optional(element->list()) : std::nullopt;
    Result child = lazy ? comprehension(argument, name_of(builtin), *element)
                        : check(argument, wanted ? &*wanted : nullptr);
    if (!child) return child;
    const Type type = child->expression.type;
    if (!type.is_list() || (wanted && type != *wanted)) {
      return fail(argument.where,
                  fmt::format("{} wants {}, this is {}", name_of(builtin),
                              wanted ? describe(*wanted) : "a list", describe(type)));
    }
    if (is_ragged(child->expression)) return fail(argument.where, std::string(ragged_rule));
    const bool truth = builtin == Builtin::all || builtin == Builtin::any;
    Checked node = leaf(ExpressionKind::builtin_call, truth ? Type::boolean() : Type::integer());
    node.expression.builtin = builtin;
    adopt(node, std::move(*child));
    return node;
  }

  // The comprehension as a node of type list[element].
  Result comprehension(const Syntax& syntax, std::string_view who, const Type& element) {
    const Syntax& source = syntax.operands[1];
    const bool is_range = source.kind == SyntaxKind::call && source.text == "range";
    Result iterable = is_range ? range(source) : check(source, nullptr);
    if (!iterable) return iterable;
    const Expression& over = iterable->expression;
    if (!over.type.is_list()) {
      return fail(source.where,
                  fmt::format("a comprehension runs over a list, this is {}", describe(over.type)));
    }
    if (is_ragged(over)) return fail(source.where, std::string(ragged_rule));
    if (over.max_length > max_iterations) {
      return fail(source.where, fmt::format("runs over more than {} values", max_iterations));
    }
    if (find_name(syntax.text)) {
      return fail(syntax.sign, "a variable needs a name that nothing else has");
    }
    variables_.push_back(
        {syntax.text,
         over.type.scalar == ScalarType::unknown ? Type::integer() : over.type.element(),
         over.inner_length});
    Result body = require(syntax.operands[0], element, who);
    variables_.pop_back();
    if (!body) return body;
    Checked node = leaf(ExpressionKind::comprehension, element.list());
    node.expression.name = syntax.text;
    node.expression.index = static_cast<std::uint32_t>(variables_.size());
    node.expression.max_length = over.max_length;
    body->weight =
        std::min(body->weight * std::max<std::size_t>(1, over.max_length), max_weight + 1);
    node.expression.where = syntax.where;
    adopt(node, std::move(*body));
    adopt(node, std::move(*iterable));
    return node;
  }

  Result range(const Syntax& syntax) {
    if (syntax.operands.empty() || syntax.operands.size() > 2) {
      return fail(syntax.where, "range takes a stop, or a start and a stop");
    }
    Result node = check_operands(syntax, ExpressionKind::range, Type::integer(), "range");
    if (!node) return node;
    Expression& expression = node->expression;
    expression.type = Type::integer().list();
    expression.where = syntax.where;
    const Interval stop = bounds(expression.operands.back(), *scope_.schema);
    const Interval start = expression.operands.size() == 2
                               ? bounds(expression.operands[0], *scope_.schema)
                               : Interval{0, 0};
    std::int64_t length = 0;
    if (__builtin_sub_overflow(stop.high, start.low, &length) || length > max_iterations) {
      return fail(syntax.where,
                  fmt::format("the schema does not bound this range to {} values", max_iterations));
    }
    expression.max_length = static_cast<std::uint32_t>(std::max<std::int64_t>(length, 0));
    return node;
  }

  static constexpr std::string_view ragged_rule =
      "the lists in a list must have one length, but on the right of `in`";

  const Scope& scope_;
  std::string_view text_;
  std::string_view place_;
  std::vector<Variable> variables_{};
};

}  // namespace

std::expected<Checked, LocatedError> check(const Syntax& syntax, const Scope& scope,
                                           std::string_view text, std::string_view place) {
  return Checker(scope, text, place).check(syntax, nullptr);
}

}  // namespace convproof
