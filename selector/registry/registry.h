#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "selector/lowering/attributes.h"
#include "selector/lowering/lowering_rule.h"
#include "selector/registry/configurations.h"
#include "selector/registry/kernel_set.h"
#include "selector/rules/located_error.h"
#include "selector/rules/predicate.h"
#include "selector/rules/schema.h"

namespace convproof {

// What the data file says about one clause beside the clause itself.
struct ClauseFacts {
  std::string confidence{};
  bool repair = false;  // added to mend the documented table
  int line = 0;

  bool operator==(const ClauseFacts&) const = default;
};

// One row: a predicate and what it selects. In a list of rewrites that is an action on the
// operation, or a kernel that takes it then and there; elsewhere a kernel, and how the convolution
// is lowered to it or with which tunings it is offered. Source: design sheet of the Neuron table,
// section E; of Inductor's lowering, sections B to D.
struct Row {
  std::string id{};              // stable name, unique in the registry
  std::int64_t number = 0;       // the source's own number
  std::string predicate_name{};  // the source's own name
  std::string kernel{};
  std::string action{};  // of a rewrite; empty elsewhere
  Predicate predicate{};
  std::vector<ClauseFacts> facts{};  // one per clause
  LoweringRule lowering{};
  Predicate append{};            // what must hold beside for a candidate
  std::string configurations{};  // empty: one candidate without parameters
  std::optional<std::uint32_t> configuration_index{};
  std::vector<Tuning> tunings{};         // one per entry of the configurations
  std::vector<std::uint32_t> results{};  // what it computes, by index in
                                         // Registry::results
  std::string confidence{};
  std::string notes{};
  int line = 0;  // in the registry file

  bool operator==(const Row&) const = default;
};

// How rows are walked.
enum class Policy : std::uint8_t {
  first_match,  // the first row that matches takes the operation
  collect_all,  // every row that matches is a candidate: any of them may run
  rewrite,      // of a list only: the first row that matches changes the operation, and the walk
                // starts again
};

// A list of rows that is walked in order; lists are walked in order too, and never concatenated:
// the second may be behind an option, and says so when it misses.
struct RowList {
  std::string name{};
  Policy policy = Policy::first_match;
  std::string when{};          // the option that turns the list on; always on where empty
  std::string miss_message{};  // the debug line's start after a miss that this list took part in
  std::size_t first = 0;       // rows [first, first + count) of the registry
  std::size_t count = 0;
  bool enabled = true;  // under the options that the registry was loaded with

  bool operator==(const RowList&) const = default;
};

struct Option {
  std::string name{};
  std::int64_t value = 0;  // as loaded
  bool flag = true;        // bool, else int
  std::string doc{};
  std::string confidence{};

  bool operator==(const Option&) const = default;
};

// Something that a candidate may compute: each that is requested needs at least one candidate.
struct ResultInfo {
  std::string name{};
  Predicate requested{};

  bool operator==(const ResultInfo&) const = default;
};

// A selection table with everything it names: schema, kernel set, options. A value; immutable once
// loaded.
struct Registry {
  std::string name{};
  std::string file{};
  std::string doc{};
  Policy policy = Policy::first_match;
  Schema schema{};
  KernelSet kernels{};
  Predicate gate{};  // what the pass looks at at all
  std::vector<Option> options{};
  bool suppressed = false;  // select and count, change nothing
  AttributeKeys keys{};
  std::vector<ResultInfo> results{};  // of collect_all
  std::vector<Configurations> configurations{};
  std::vector<RowList> lists{};
  std::vector<Row> rows{};

  [[nodiscard]] const Row* find_row(std::string_view id) const;
  // The distinct kernel names of the rows in the order of the source's numbering.
  [[nodiscard]] std::vector<std::string> kernel_names() const;
};

// Loads a registry from text. `file` names it in messages; schema and kernel set are looked up
// among the embedded files first and then beside `file`. Refused whole at the first error: file,
// line, row, clause, column, what was expected.
std::expected<Registry, LocatedError> load_registry(std::string_view json_text,
                                                    const std::string& file,
                                                    std::span<const OptionValue> options = {});

// Loads by name (`neuron`) or by path (anything with a slash or ending in .json).
std::expected<Registry, LocatedError> find_registry(const std::string& name_or_path,
                                                    std::span<const OptionValue> options = {});

// The names of the registries that are built in.
std::vector<std::string> registry_names();

}  // namespace convproof
