#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "selector/op/fixed_vector.h"
#include "selector/registry/json_reader.h"
#include "selector/rules/expression.h"
#include "selector/rules/located_error.h"
#include "selector/rules/predicate.h"
#include "selector/rules/schema.h"

namespace convproof {

// The parameters of one candidate, by value.
inline constexpr std::size_t max_candidate_parameters = 8;
using CandidateParameters = FixedVector<std::int64_t, max_candidate_parameters>;

// One step from a list of configurations as written to what a kernel is really offered.
struct ConfigurationStep {
  enum class Kind : std::uint8_t {
    set,     // parameters get new values, all from the values before the step
    keep,    // a configuration for which the condition is false is dropped
    unique,  // of configurations with equal values the first is kept
  };

  Kind kind = Kind::set;
  std::vector<std::pair<std::uint32_t, std::string>> set{};  // parameter, expression as written
  std::string keep{};                                        // condition as written
  std::string place{};
  std::string confidence{};

  bool operator==(const ConfigurationStep&) const = default;
};

// The tunings of a template: tuples of integers, and what happens to them for an operation.
// Source: design sheet of Inductor's convolution lowering, sections C.1 to C.3.
struct Configurations {
  std::string name{};
  std::vector<std::string> parameters{};
  std::vector<std::vector<std::int64_t>> entries{};
  std::vector<ConfigurationStep> steps{};
  int line = 0;

  bool operator==(const Configurations&) const = default;
};

// One entry as a row offers it: when it is there at all, and its values, both over the schema
// alone.
struct Tuning {
  std::uint32_t entry = 0;
  Predicate kept{};                    // conditions of the `keep` steps, in order
  std::vector<Expression> values{};    // of the parameters, after every step
  std::vector<Expression> identity{};  // of the parameters at the `unique` step, where there is one

  bool operator==(const Tuning&) const = default;
};

// A clause of the contract of a kernel with `parameters`, for one tuning of configurations: the
// parameters replaced by what the tuning makes them. Nothing where the configurations lack one.
std::optional<Clause> tuned_clause(const Clause& clause, const std::vector<std::string>& parameters,
                                   const Configurations& configurations, const Tuning& tuning);

// Reads the `configurations` object of a registry; errors stay in the reader.
std::vector<Configurations> read_configurations(JsonReader& reader, const JsonReader::Node& object);

// Reads a list of steps over `parameters`.
std::vector<ConfigurationStep> read_steps(JsonReader& reader, const JsonReader::Node& owner,
                                          const std::vector<std::string>& parameters);

// The entries with the steps of the configurations and then those of a row carried out on
// expressions. `options` are constants that steps may read.
std::expected<std::vector<Tuning>, LocatedError> tunings(
    const Configurations& configurations, const std::vector<ConfigurationStep>& row_steps,
    const Schema& schema, const std::vector<Parameter>& options);

}  // namespace convproof
