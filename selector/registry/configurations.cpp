#include "selector/registry/configurations.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "selector/rules/nearest_name.h"
#include "selector/rules/substitute.h"
#include "selector/rules/type.h"

namespace convproof {
namespace {

using Node = JsonReader::Node;

std::vector<std::string> read_parameters(JsonReader& reader, const Node& node) {
  std::vector<std::string> names;
  for (const Node& name : reader.items(node, "parameters")) {
    const std::string text = JsonReader::is_text(name) ? JsonReader::as_text(name) : "";
    if (!is_name(text)) {
      reader.fail(name, JsonReader::printed(name), "must be a name");
    } else if (std::ranges::find(names, text) != names.end()) {
      reader.fail(name, text, "stands twice");
    } else {
      names.push_back(text);
    }
  }
  if (names.size() > max_candidate_parameters) {
    reader.fail(reader.member(node, "parameters"), fmt::to_string(names.size()),
                fmt::format("are more than {} parameters", max_candidate_parameters));
  }
  return names;
}

void read_entries(JsonReader& reader, const Node& node, Configurations& configurations) {
  for (const Node& entry : reader.items(node, "entries")) {
    std::vector<std::int64_t> values;
    for (const Node& value : reader.elements(entry)) {
      const auto scalar = JsonReader::as_scalar(value);
      if (!scalar) reader.fail(value, JsonReader::printed(value), "must be an integer");
      values.push_back(scalar.value_or(0));
    }
    if (values.size() != configurations.parameters.size()) {
      reader.fail(entry, JsonReader::printed(entry),
                  fmt::format("must hold {} integers", configurations.parameters.size()));
    }
    configurations.entries.push_back(std::move(values));
  }
}

void read_set(JsonReader& reader, const Node& node, const std::vector<std::string>& parameters,
              ConfigurationStep& step) {
  for (const auto& [name, value] : reader.entries(reader.member(node, "set"))) {
    const auto place = std::ranges::find(parameters, name);
    if (place == parameters.end()) {
      reader.fail(value, name, "is none of the parameters" + did_you_mean(name, parameters));
      continue;
    }
    if (!JsonReader::is_text(value)) {
      reader.fail(value, JsonReader::printed(value), "must be an expression");
    } else {
      step.set.emplace_back(static_cast<std::uint32_t>(place - parameters.begin()),
                            JsonReader::as_text(value));
    }
  }
}

// The steps carried out on one entry.
class Derivation {
 public:
  Derivation(const Configurations& configurations, const Schema& schema,
             const std::vector<Parameter>& options, std::size_t entry)
      : schema_(schema), offset_(options.size()), scope_(options) {
    for (std::size_t i = 0; i < configurations.parameters.size(); ++i) {
      scope_.push_back(
          {configurations.parameters[i], Type::integer(), configurations.entries[entry][i]});
    }
    values_.resize(scope_.size());
    tuning_.entry = static_cast<std::uint32_t>(entry);
    tuning_.kept.parameters = scope_;
  }

  std::optional<LocatedError> carry_out(const ConfigurationStep& step) {
    switch (step.kind) {
      case ConfigurationStep::Kind::unique:
        tuning_.identity = parameters();
        return std::nullopt;
      case ConfigurationStep::Kind::keep: {
        auto condition = parse_condition(step.keep, schema_, scope_, step.place);
        if (!condition) return condition.error();
        tuning_.kept.clauses.push_back({.condition = substitute(*condition, values_)});
        return std::nullopt;
      }
      case ConfigurationStep::Kind::set:
        break;
    }
    std::vector<std::optional<Expression>> next = values_;
    for (const auto& [parameter, text] : step.set) {
      auto value = parse_expression(text, schema_, scope_, step.place);
      if (!value) return value.error();
      if (value->type != Type::integer()) {
        return LocatedError{.error = {step.place, text, "must be an integer expression"}};
      }
      next[offset_ + parameter] = substitute(*value, values_);
    }
    values_ = std::move(next);
    return std::nullopt;
  }

  Tuning finish() {
    tuning_.values = parameters();
    return std::move(tuning_);
  }

 private:
  [[nodiscard]] std::vector<Expression> parameters() const {
    std::vector<Expression> all;
    for (std::size_t i = offset_; i < values_.size(); ++i)
      all.push_back(values_[i] ? *values_[i] : integer_literal(scope_[i].value));
    return all;
  }

  const Schema& schema_;
  std::size_t offset_;
  std::vector<Parameter> scope_;
  std::vector<std::optional<Expression>> values_{};  // of what a step has set
  Tuning tuning_{};
};

}  // namespace

std::vector<ConfigurationStep> read_steps(JsonReader& reader, const Node& owner,
                                          const std::vector<std::string>& parameters) {
  std::vector<ConfigurationStep> steps;
  if (!reader.has(owner, "steps")) return steps;
  for (const Node& node : reader.items(owner, "steps")) {
    reader.only_keys(node, {"set", "keep", "unique", "notes", "source", "confidence"});
    ConfigurationStep step;
    step.place = reader.place(node);
    step.confidence = reader.text_or(node, "confidence", "");
    if (reader.has(node, "set")) {
      read_set(reader, node, parameters, step);
    } else if (reader.has(node, "keep")) {
      step.kind = ConfigurationStep::Kind::keep;
      step.keep = reader.text(node, "keep");
    } else if (reader.flag_or(node, "unique", false)) {
      step.kind = ConfigurationStep::Kind::unique;
    } else {
      reader.fail(node, JsonReader::printed(node), "must have `set`, `keep` or `unique`: true");
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

std::vector<Configurations> read_configurations(JsonReader& reader, const Node& object) {
  std::vector<Configurations> all;
  for (const auto& [name, node] : reader.entries(object)) {
    reader.only_keys(node,
                     {"parameters", "entries", "steps", "doc", "notes", "source", "confidence"});
    Configurations configurations;
    configurations.name = name;
    configurations.parameters = read_parameters(reader, node);
    configurations.line = reader.line(node);
    read_entries(reader, node, configurations);
    configurations.steps = read_steps(reader, node, configurations.parameters);
    all.push_back(std::move(configurations));
  }
  return all;
}

std::optional<Clause> tuned_clause(const Clause& clause, const std::vector<std::string>& parameters,
                                   const Configurations& configurations, const Tuning& tuning) {
  std::vector<std::optional<Expression>> values;
  for (const std::string& parameter : parameters) {
    const auto place = std::ranges::find(configurations.parameters, parameter);
    if (place == configurations.parameters.end()) return std::nullopt;
    values.emplace_back(
        tuning.values[static_cast<std::size_t>(place - configurations.parameters.begin())]);
  }
  return Clause{substitute(clause.condition, values), clause.message};
}

std::expected<std::vector<Tuning>, LocatedError> tunings(
    const Configurations& configurations, const std::vector<ConfigurationStep>& row_steps,
    const Schema& schema, const std::vector<Parameter>& options) {
  std::vector<Tuning> all;
  for (std::size_t entry = 0; entry < configurations.entries.size(); ++entry) {
    Derivation derivation(configurations, schema, options, entry);
    for (const auto* steps : {&configurations.steps, &row_steps}) {
      for (const ConfigurationStep& step : *steps) {
        if (auto error = derivation.carry_out(step)) return std::unexpected(std::move(*error));
      }
    }
    all.push_back(derivation.finish());
  }
  return all;
}

}  // namespace convproof
