#include "fuzz/registry_law.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "fuzz/extra_counters.h"
#include "fuzz/op_bytes.h"
#include "selector/op/dim_labels.h"
#include "selector/registry/conv_subject.h"
#include "selector/registry/registry.h"
#include "selector/rules/expression.h"
#include "selector/rules/located_error.h"
#include "selector/rules/predicate.h"
#include "selector/rules/program.h"
#include "selector/rules/reference.h"

namespace convproof::fuzz {
namespace {

constexpr std::string_view clause_name = "clause";
// The compiler reads a predicate it is given whole; a deep one takes its time.
constexpr std::size_t longest_evaluated = 400;

std::optional<BrokenLaw> without_place(const LocatedError& error, std::string_view place) {
  count_message(error.error.rule);
  if (error.error.place.starts_with(place) && !error.error.rule.empty()) return std::nullopt;
  return BrokenLaw{"errors-are-located", to_string(error)};
}

// One operation that makes most attributes differ from each other.
const std::vector<std::int64_t>& sample_record() {
  static const std::vector<std::int64_t> record = [] {
    const ConvOp op = decode_op(std::vector<std::uint8_t>{
        0, 0, 0, 0, 9, 14, 3, 1, 2, 3, 0, 0, 6, 2, 1, 1, 2, 0, 1, 0, 5, 1, 0, 3, 0, 0, 0, 1});
    std::vector<std::int64_t> filled(convolution_binding().record_size, 0);
    fill_record(op, convolution_binding(), filled);
    return filled;
  }();
  return record;
}

std::optional<BrokenLaw> broken_by_meaning(const Expression& expression, const Schema& schema,
                                           std::span<const Parameter> parameters) {
  const Predicate predicate{.parameters = {parameters.begin(), parameters.end()},
                            .clauses = {{.condition = expression}}};
  const auto program = compile_predicate(predicate, schema);
  if (!program) return std::nullopt;  // too large a table is refused
  Workspace workspace = program->make_workspace();
  const std::vector<std::int64_t>& record = sample_record();
  const PredicateOutcome compiled = program->run_row(0, record, workspace);
  const PredicateOutcome reference = evaluate(predicate, schema, record);
  if (compiled == reference) return std::nullopt;
  return BrokenLaw{"compiled-is-reference", to_string(expression)};
}

std::optional<BrokenLaw> broken_by_printing(const Expression& expression, const Schema& schema,
                                            std::span<const Parameter> parameters,
                                            const PlantedFault* fault) {
  std::string printed = to_string(expression);
  if (fault != nullptr && fault->text != nullptr) fault->text(printed);
  const auto again = parse_condition(printed, schema, parameters, clause_name);
  if (!again) {
    // Printing spells out what was abbreviated, and a text has a greatest length.
    if (printed.size() > longest_evaluated) return std::nullopt;
    return BrokenLaw{"printed-clause-reads", to_string(again.error())};
  }
  if (*again != expression) {
    return BrokenLaw{"printed-clause-is-the-same",
                     fmt::format("{} became {}", to_string(expression), to_string(*again))};
  }
  return std::nullopt;
}

void check_clause(const Expression& expression, const Schema& schema,
                  std::span<const Parameter> parameters, const PlantedFault* fault,
                  RegistryTextResult& result) {
  ++result.clauses;
  if (!result.broken) result.broken = broken_by_printing(expression, schema, parameters, fault);
  const bool short_enough = to_string(expression).size() <= longest_evaluated;
  if (!result.broken && short_enough && schema.record_size == sample_record().size()) {
    result.broken = broken_by_meaning(expression, schema, parameters);
  }
}

}  // namespace

RegistryTextResult check_registry_text(std::string_view text, const PlantedFault* fault) {
  RegistryTextResult result;
  if (!text.starts_with('{')) {
    const auto expression = parse_condition(text, convolution_schema(), {}, clause_name);
    if (!expression) {
      result.broken = without_place(expression.error(), clause_name);
    } else {
      check_clause(*expression, convolution_schema(), {}, fault, result);
    }
    return result;
  }
  const auto registry = load_registry(text, "input.json");
  if (!registry) {
    // A schema or kernel set that the registry names has its own file.
    result.broken = without_place(registry.error(), "");
    if (registry.error().error.place.empty()) {
      result.broken = BrokenLaw{"errors-are-located", to_string(registry.error())};
    }
    return result;
  }
  for (const Row& row : registry->rows) {
    for (const Clause& clause : row.predicate.clauses) {
      check_clause(clause.condition, registry->schema, row.predicate.parameters, fault, result);
    }
  }
  return result;
}

std::string clause_about(const ConvOp& op) {
  const LogicalSizes sizes = logical_sizes(op);
  const WindowDim& window = op.window[0];
  return fmt::format(
      "(C == {} or O < {}) and not any(rhs_reversal) and stride[0] * {} <= {} and padding[0] == "
      "[{}, "
      "{}] and in_perm in [image_labels('bf01'), image_labels('fb01')] and (H + {}) // {} % 3 < "
      "max(2, "
      "len(kern_shape)) and all(p[0] >= 0 for p in padding)",
      sizes.input_features, sizes.output_features, window.stride, sizes.input[0], window.pad_low,
      window.pad_high, window.lhs_dilation, window.rhs_dilation);
}

}  // namespace convproof::fuzz
