#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "selector/rules/bounds.h"
#include "selector/rules/check.h"
#include "selector/rules/nearest_name.h"
#include "selector/rules/predicate.h"
#include "selector/rules/schema.h"
#include "selector/rules/syntax.h"

namespace convproof {
namespace {

using Json = nlohmann::ordered_json;
using Status = std::expected<void, LocatedError>;

constexpr std::size_t max_attributes = 128;
constexpr std::size_t max_named = 256;         // definitions, functions, axioms
constexpr std::int64_t max_list_length = 64;   // of an attribute
constexpr std::size_t max_record_size = 4096;  // slots

class SchemaReader {
 public:
  explicit SchemaReader(std::string_view file) : file_(file) {}

  std::expected<Schema, LocatedError> read(std::string_view text) {
    Json document;
    try {
      document = Json::parse(text);
    } catch (const Json::parse_error& error) {
      return fail_text(text, error.byte, "is no JSON");
    } catch (const Json::exception&) {
      // What the grammar admits and the library cannot hold, as a number beyond any double.
      return fail_text(text, 0, "holds a number that is out of range");
    }
    if (!document.is_object()) return fail("", document.type_name(), "must be an object");
    for (const auto& [key, value] : document.items()) {
      static constexpr std::string_view known[] = {
          "version", "name", "doc", "enums", "functions", "definitions", "axioms", "attributes"};
      if (std::ranges::find(known, key) == std::end(known)) {
        const std::string_view near = nearest_name(key, known);
        return fail(key, "",
                    "no member of a schema" +
                        (near.empty() ? "" : fmt::format(", did you mean `{}`?", near)));
      }
    }
    if (!document.contains("version") || document["version"] != 1) {
      return fail("version", document.contains("version") ? document["version"].dump() : "",
                  "must be 1");
    }
    for (auto step : {&SchemaReader::read_head, &SchemaReader::read_enumerations,
                      &SchemaReader::read_attributes, &SchemaReader::read_functions,
                      &SchemaReader::read_definitions, &SchemaReader::read_axioms}) {
      if (Status status = (this->*step)(document); !status) {
        return std::unexpected(std::move(status.error()));
      }
    }
    return std::move(schema_);
  }

 private:
  // A named body that may refer to others of its kind.
  struct Pending {
    std::string name{};
    std::string text{};
    std::string place{};
    std::string doc{};
    std::vector<std::string> parameters{};
    Syntax syntax{};
    enum class State : std::uint8_t { unvisited, open, done } state = State::unvisited;
  };

  [[nodiscard]] std::string at(std::string_view path) const {
    return path.empty() ? std::string(file_) : fmt::format("{}: {}", file_, path);
  }

  [[nodiscard]] std::unexpected<LocatedError> fail(std::string_view path, std::string value,
                                                   std::string rule) const {
    return std::unexpected(LocatedError{Error{at(path), std::move(value), std::move(rule)}});
  }

  // An error of the JSON text itself, with its line.
  [[nodiscard]] std::unexpected<LocatedError> fail_text(std::string_view text, std::size_t byte,
                                                        std::string rule) const {
    const std::size_t offset = std::min(byte == 0 ? 0 : byte - 1, text.size());
    const std::size_t newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
    const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
    const auto line =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(start), '\n') + 1;
    const std::size_t column = offset - start + 1;
    constexpr std::size_t longest = 200;
    const std::string_view shown = text.substr(start, text.find('\n', start) - start);
    LocatedError error{Error{fmt::format("{}:{}:{}", file_, line, column), "", std::move(rule)}};
    if (shown.size() <= longest) {
      error.source = std::string(shown);
      error.column = column;
      error.length = 1;
    }
    return std::unexpected(std::move(error));
  }

  // The text member `key` of an object.
  [[nodiscard]] std::expected<std::string, LocatedError> text(const Json& object,
                                                              std::string_view key,
                                                              std::string_view path,
                                                              bool required) const {
    const std::string place = path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
    const auto found = object.find(key);
    if (found == object.end()) {
      if (required) return fail(place, "", "is missing");
      return std::string();
    }
    if (!found->is_string()) return fail(place, found->type_name(), "must be a text");
    return found->get<std::string>();
  }

  // A new name: usable, and borne by nothing else.
  [[nodiscard]] Status fresh(const std::string& name, std::string_view path) const {
    if (!is_name(name)) return fail(path, name, "is no name that an expression can use");
    if (schema_.has_name(name)) return fail(path, name, "is a name of the schema already");
    return {};
  }

  Status read_head(const Json& document) {
    auto name = text(document, "name", "", true);
    if (!name) return std::unexpected(std::move(name.error()));
    auto doc = text(document, "doc", "", false);
    if (!doc) return std::unexpected(std::move(doc.error()));
    schema_.name = std::move(*name);
    schema_.doc = std::move(*doc);
    return {};
  }

  Status read_enumerations(const Json& document) {
    if (!document.contains("enums")) return {};
    const Json& enums = document["enums"];
    if (!enums.is_object()) return fail("enums", enums.type_name(), "must be an object");
    for (const auto& [name, values] : enums.items()) {
      const std::string path = "enums." + name;
      if (!is_name(name) || name == "int" || name == "bool" || name == "list") {
        return fail(path, name, "is no name for an enumeration");
      }
      Enumeration enumeration{.name = name};
      if (!values.is_array() || values.empty() || values.size() > max_named) {
        return fail(path, values.type_name(), "must be an array of 1 to 256 texts");
      }
      for (const Json& value : values) {
        if (!value.is_string()) return fail(path, value.type_name(), "must hold texts");
        if (std::ranges::find(enumeration.values, value.get<std::string>()) !=
            enumeration.values.end()) {
          return fail(path, value.get<std::string>(), "is listed twice");
        }
        enumeration.values.push_back(value.get<std::string>());
      }
      schema_.enumerations.push_back(std::move(enumeration));
    }
    return {};
  }

  std::optional<Type> type_named(std::string_view name) const {
    constexpr std::string_view prefix = "list[";
    if (name.starts_with(prefix) && name.ends_with("]")) {
      const auto element = type_named(name.substr(prefix.size(), name.size() - prefix.size() - 1));
      if (!element || element->depth > 1) return std::nullopt;
      return element->list();
    }
    if (name == "bool") return Type::boolean();
    if (name == "int") return Type::integer();
    for (std::size_t i = 0; i < schema_.enumerations.size(); ++i) {
      if (schema_.enumerations[i].name == name) {
        return Type{ScalarType::enumeration, 0, static_cast<std::uint32_t>(i)};
      }
    }
    return std::nullopt;
  }

  // A count of 1 to max_list_length.
  [[nodiscard]] std::expected<std::uint32_t, LocatedError> list_length(
      const Json& object, std::string_view key, const std::string& path) const {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number_integer() || *found < 1 ||
        *found > max_list_length) {
      return fail(fmt::format("{}.{}", path, key), found == object.end() ? "" : found->dump(),
                  fmt::format("a list needs a length of 1 to {}", max_list_length));
    }
    return found->get<std::uint32_t>();
  }

  Status read_bounds(const Json& item, Attribute& attribute, const std::string& path) const {
    if (attribute.type.scalar == ScalarType::boolean) attribute.high = 1;
    if (attribute.type.scalar == ScalarType::enumeration) {
      attribute.high = static_cast<std::int64_t>(
                           schema_.enumerations[attribute.type.enumeration].values.size()) -
                       1;
    }
    const auto found = item.find("bounds");
    if (attribute.type.scalar != ScalarType::integer) {
      if (found != item.end()) return fail(path + ".bounds", "", "only ints have bounds");
      return {};
    }
    const auto is_int64 = [](const Json& value) {
      return value.is_number_integer() &&
             (!value.is_number_unsigned() ||
              value.get<std::uint64_t>() <=
                  static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
    };
    if (found == item.end() || !found->is_array() || found->size() != 2 || !is_int64((*found)[0]) ||
        !is_int64((*found)[1]) ||
        (*found)[0].get<std::int64_t>() > (*found)[1].get<std::int64_t>()) {
      return fail(path + ".bounds", found == item.end() ? "" : found->dump(),
                  "an int needs bounds [LOW, HIGH]");
    }
    attribute.low = (*found)[0].get<std::int64_t>();
    attribute.high = (*found)[1].get<std::int64_t>();
    return {};
  }

  std::expected<Attribute, LocatedError> read_attribute(const Json& item, const std::string& path) {
    if (!item.is_object()) return fail(path, item.type_name(), "must be an object");
    Attribute attribute;
    for (auto [key, target, required] :
         {std::tuple{"name", &attribute.name, true}, std::tuple{"doc", &attribute.doc, false},
          std::tuple{"confidence", &attribute.confidence, false}}) {
      auto value = text(item, key, path, required);
      if (!value) return std::unexpected(std::move(value.error()));
      *target = std::move(*value);
    }
    if (Status status = fresh(attribute.name, path + ".name"); !status) {
      return std::unexpected(std::move(status.error()));
    }
    auto type = text(item, "type", path, true);
    if (!type) return std::unexpected(std::move(type.error()));
    const auto known = type_named(*type);
    if (!known) {
      return fail(path + ".type", *type,
                  "must be int, bool, an enumeration of the schema, or a list of these");
    }
    attribute.type = *known;
    if (attribute.type.is_list()) {
      auto length = list_length(item, "max_length", path);
      if (!length) return std::unexpected(std::move(length.error()));
      attribute.max_length = *length;
      attribute.slot_count = 1 + *length;
    }
    if (attribute.type.depth == 2) {
      auto length = list_length(item, "inner_length", path);
      if (!length) return std::unexpected(std::move(length.error()));
      attribute.inner_length = *length;
      attribute.slot_count = 1 + attribute.max_length * *length;
    }
    if (Status status = read_bounds(item, attribute, path); !status) {
      return std::unexpected(std::move(status.error()));
    }
    return attribute;
  }

  Status read_attributes(const Json& document) {
    if (!document.contains("attributes") || !document["attributes"].is_array()) {
      return fail("attributes", "", "must be an array");
    }
    const Json& attributes = document["attributes"];
    if (attributes.size() > max_attributes) {
      return fail("attributes", fmt::to_string(attributes.size()),
                  fmt::format("a schema has at most {}", max_attributes));
    }
    for (std::size_t i = 0; i < attributes.size(); ++i) {
      auto attribute = read_attribute(attributes[i], fmt::format("attributes[{}]", i));
      if (!attribute) return std::unexpected(std::move(attribute.error()));
      attribute->slot = static_cast<std::uint32_t>(schema_.record_size);
      schema_.record_size += attribute->slot_count;
      if (schema_.record_size > max_record_size) {
        return fail(fmt::format("attributes[{}]", i), attribute->name,
                    fmt::format("a record has at most {} slots", max_record_size));
      }
      schema_.attributes.push_back(std::move(*attribute));
    }
    return {};
  }

  std::expected<Syntax, LocatedError> syntax(const std::string& text, const std::string& path) {
    return parse_syntax(text, at(path));
  }

  Status read_functions(const Json& document) {
    if (!document.contains("functions")) return {};
    const Json& functions = document["functions"];
    if (!functions.is_array() || functions.size() > max_named) {
      return fail("functions", functions.type_name(), "must be an array of at most 256 functions");
    }
    std::vector<Pending> pending;
    for (std::size_t i = 0; i < functions.size(); ++i) {
      const std::string path = fmt::format("functions[{}]", i);
      const Json& item = functions[i];
      if (!item.is_object()) return fail(path, item.type_name(), "must be an object");
      Pending function{.place = path + ".body"};
      for (auto [key, target, required] :
           {std::tuple{"name", &function.name, true}, std::tuple{"body", &function.text, true},
            std::tuple{"doc", &function.doc, false}}) {
        auto value = text(item, key, path, required);
        if (!value) return std::unexpected(std::move(value.error()));
        *target = std::move(*value);
      }
      if (Status status = fresh_among(function.name, path + ".name", pending); !status)
        return status;
      if (Status status = read_parameters(item, path, function); !status) return status;
      auto parsed = syntax(function.text, function.place);
      if (!parsed) return std::unexpected(std::move(parsed.error()));
      function.syntax = std::move(*parsed);
      pending.push_back(std::move(function));
    }
    return settle(pending, SyntaxKind::call, &SchemaReader::settle_function);
  }

  Status read_parameters(const Json& item, const std::string& path, Pending& function) const {
    const auto found = item.find("parameters");
    if (found == item.end() || !found->is_array() || found->empty() ||
        found->size() > max_arguments) {
      return fail(path + ".parameters", "",
                  fmt::format("must be an array of 1 to {} names", max_arguments));
    }
    for (const Json& name : *found) {
      if (!name.is_string() || !is_name(name.get<std::string>())) {
        return fail(path + ".parameters", name.dump(-1, ' ', true, Json::error_handler_t::replace),
                    "is no name that an expression can use");
      }
      if (std::ranges::find(function.parameters, name.get<std::string>()) !=
          function.parameters.end()) {
        return fail(path + ".parameters", name.get<std::string>(), "is given twice");
      }
      function.parameters.push_back(name.get<std::string>());
    }
    return {};
  }

  [[nodiscard]] Status fresh_among(const std::string& name, const std::string& path,
                                   const std::vector<Pending>& pending) const {
    if (std::ranges::find(pending, name, &Pending::name) != pending.end()) {
      return fail(path, name, "is a name of the schema already");
    }
    return fresh(name, path);
  }

  Status read_definitions(const Json& document) {
    if (!document.contains("definitions")) return {};
    const Json& definitions = document["definitions"];
    if (!definitions.is_object() || definitions.size() > max_named) {
      return fail("definitions", definitions.type_name(),
                  "must be an object of at most 256 definitions");
    }
    std::vector<Pending> pending;
    for (const auto& [name, item] : definitions.items()) {
      const std::string path = "definitions." + name;
      Pending definition{.name = name, .place = path};
      if (item.is_object()) {
        auto body = text(item, "body", path, true);
        if (!body) return std::unexpected(std::move(body.error()));
        auto doc = text(item, "doc", path, false);
        if (!doc) return std::unexpected(std::move(doc.error()));
        definition.text = std::move(*body);
        definition.doc = std::move(*doc);
      } else if (item.is_string()) {
        definition.text = item.get<std::string>();
      } else {
        return fail(path, item.type_name(), "must be an expression, or an object with `body`");
      }
      if (Status status = fresh_among(name, path, pending); !status) return status;
      auto parsed = syntax(definition.text, path);
      if (!parsed) return std::unexpected(std::move(parsed.error()));
      definition.syntax = std::move(*parsed);
      pending.push_back(std::move(definition));
    }
    return settle(pending, SyntaxKind::name, &SchemaReader::settle_definition);
  }

  // Checks bodies so that each comes after those it uses.
  using Settle = Status (SchemaReader::*)(Pending&);
  Status settle(std::vector<Pending>& pending, SyntaxKind reference, Settle settle_one) {
    for (Pending& item : pending) {
      if (Status status = visit(pending, item, reference, settle_one); !status) return status;
    }
    return {};
  }

  Status visit(std::vector<Pending>& pending, Pending& item, SyntaxKind reference,
               Settle settle_one) {
    if (item.state == Pending::State::done) return {};
    item.state = Pending::State::open;
    std::vector<const Syntax*> uses;
    collect(item.syntax, reference, uses);
    for (const Syntax* use : uses) {
      const auto found = std::ranges::find(pending, use->text, &Pending::name);
      if (found == pending.end()) continue;
      if (found->state == Pending::State::open) {
        return std::unexpected(
            LocatedError{Error{fmt::format("{}:{}", at(item.place), use->where.column), use->text,
                               "is defined through itself"},
                         item.text, use->where.column, use->text.size()});
      }
      if (Status status = visit(pending, *found, reference, settle_one); !status) return status;
    }
    item.state = Pending::State::done;
    return (this->*settle_one)(item);
  }

  static void collect(const Syntax& syntax, SyntaxKind reference, std::vector<const Syntax*>& out) {
    if (syntax.kind == reference) out.push_back(&syntax);
    for (const Syntax& operand : syntax.operands) collect(operand, reference, out);
  }

  Status settle_function(Pending& item) {
    const Scope scope{
        .schema = &schema_, .function_parameters = item.parameters, .in_function = true};
    auto checked = check(item.syntax, scope, item.text, at(item.place));
    if (!checked) return std::unexpected(std::move(checked.error()));
    if (checked->expression.type.is_list()) {
      return fail(item.place, item.text, "a function gives an int or a bool");
    }
    schema_.functions.push_back({.name = item.name,
                                 .parameters = item.parameters,
                                 .body = std::move(checked->expression),
                                 .doc = item.doc,
                                 .weight = checked->weight,
                                 .height = checked->height});
    return {};
  }

  Status settle_definition(Pending& item) {
    const Scope scope{.schema = &schema_};
    auto checked = check(item.syntax, scope, item.text, at(item.place));
    if (!checked) return std::unexpected(std::move(checked.error()));
    Expression& body = checked->expression;
    if (body.type.depth == 2 && body.max_length > 0 && body.inner_length == 0) {
      return fail(item.place, item.text, "the lists in a list must have one length");
    }
    Definition definition{.name = item.name,
                          .doc = item.doc,
                          .weight = checked->weight,
                          .height = checked->height,
                          .exact_length = exact_length(body, schema_)};
    if (body.type == Type::integer()) definition.bounds = bounds(body, schema_);
    definition.body = std::move(body);
    schema_.definitions.push_back(std::move(definition));
    return {};
  }

  Status read_axioms(const Json& document) {
    if (!document.contains("axioms")) return {};
    const Json& axioms = document["axioms"];
    if (!axioms.is_array() || axioms.size() > max_named) {
      return fail("axioms", axioms.type_name(), "must be an array of at most 256 axioms");
    }
    for (std::size_t i = 0; i < axioms.size(); ++i) {
      const std::string path = fmt::format("axioms[{}]", i);
      const Json& item = axioms[i];
      if (!item.is_object()) return fail(path, item.type_name(), "must be an object");
      Axiom axiom;
      std::string holds;
      for (auto [key, target, required] :
           {std::tuple{"id", &axiom.id, true}, std::tuple{"holds", &holds, true},
            std::tuple{"place", &axiom.place, true}, std::tuple{"rule", &axiom.rule, true},
            std::tuple{"confidence", &axiom.confidence, false}}) {
        auto value = text(item, key, path, required);
        if (!value) return std::unexpected(std::move(value.error()));
        *target = std::move(*value);
      }
      if (std::ranges::find(schema_.axioms, axiom.id, &Axiom::id) != schema_.axioms.end()) {
        return fail(path + ".id", axiom.id, "is given twice");
      }
      auto condition = parse_condition(holds, schema_, {}, at(path + ".holds"));
      if (!condition) return std::unexpected(std::move(condition.error()));
      axiom.holds = std::move(*condition);
      if (Status status = check_rule(axiom.rule, path + ".rule"); !status) return status;
      schema_.axioms.push_back(std::move(axiom));
    }
    return {};
  }

  // What a rule has in braces must be a name with a value.
  [[nodiscard]] Status check_rule(std::string_view rule, const std::string& path) const {
    for (std::size_t open = rule.find('{'); open != std::string_view::npos;
         open = rule.find('{', open + 1)) {
      const std::size_t close = std::min(rule.find('}', open), rule.size());
      const std::string_view name = rule.substr(open + 1, close - open - 1);
      if (!parse_expression(name, schema_, {}, path))
        return fail(path, std::string(name), "is no name of the schema");
    }
    return {};
  }

  std::string_view file_;
  Schema schema_{};
};

}  // namespace

std::expected<Schema, LocatedError> load_schema(std::string_view json_text, std::string_view file) {
  return SchemaReader(file).read(json_text);
}

}  // namespace convproof
