#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "selector/op/dim_labels.h"
#include "selector/registries/embedded.h"
#include "selector/registry/json_reader.h"
#include "selector/registry/registry.h"
#include "selector/rules/nearest_name.h"
#include "selector/rules/type.h"

namespace convproof {
namespace {

using Node = JsonReader::Node;

struct SourceFile {
  std::string text{};
  std::string name{};  // as messages show it
};

std::expected<std::string, Error> read_file(const std::string& path) {
  std::error_code status;
  if (std::filesystem::is_directory(path, status)) {
    return std::unexpected(Error{.place = path, .rule = "is a folder, expected a file"});
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::unexpected(Error{.place = path, .rule = "cannot be opened"});
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

// A file that a registry names: embedded under `name` + `suffix`, or beside the registry's own
// file.
std::expected<SourceFile, Error> named_file(const std::string& name, std::string_view suffix,
                                            const std::string& registry_file) {
  const std::string embedded_name = name + std::string(suffix);
  if (const auto text = embedded_file(embedded_name))
    return SourceFile{std::string(*text), embedded_name};
  const std::string path = (std::filesystem::path(registry_file).parent_path() /
                            (name.ends_with(".json") ? name : embedded_name))
                               .string();
  auto text = read_file(path);
  if (text) return SourceFile{std::move(*text), path};
  return std::unexpected(text.error());
}

// Reads the rows of one registry file.
class RegistryLoader {
 public:
  RegistryLoader(std::string_view text, const std::string& file,
                 std::span<const OptionValue> options)
      : reader_(text, file), options_(options) {
    registry_.file = file;
  }

  std::expected<Registry, LocatedError> load() {
    const Node root = reader_.root();
    reader_.only_keys(root,
                      {"version", "name", "doc", "schema", "policy", "kernels", "gate", "options",
                       "suppress", "attribute_keys", "results", "configurations", "lists"});
    if (reader_.integer(root, "version") != 1) reader_.fail(root, "", "`version` must be 1");
    registry_.name = reader_.text(root, "name");
    registry_.doc = reader_.text_or(root, "doc", "");
    if (const std::string policy = reader_.text(root, "policy"); policy == "collect_all") {
      registry_.policy = Policy::collect_all;
    } else if (policy != "first_match") {
      reader_.fail(reader_.member(root, "policy"), policy, "must be first_match or collect_all");
    }
    const std::string schema_name = reader_.text(root, "schema");
    if (stopped() || !load_schema_named(root, schema_name) || !load_kernels(root)) return failure();
    read_options(root);
    if (stopped() || !read_gate(root)) return failure();
    read_keys(root);
    if (!read_results(root)) return failure();
    if (reader_.has(root, "configurations"))
      registry_.configurations =
          read_configurations(reader_, reader_.member(root, "configurations"));
    for (const Node& list : reader_.items(root, "lists")) {
      if (!read_list(list)) return failure();
    }
    if (registry_.rows.empty()) reader_.fail(root, "", "must hold at least one row");
    if (stopped()) return failure();
    return std::move(registry_);
  }

 private:
  [[nodiscard]] bool stopped() const { return error_ || reader_.error(); }
  std::unexpected<LocatedError> failure() {
    if (error_) return std::unexpected(std::move(*error_));
    return std::unexpected(LocatedError{.error = *reader_.error()});
  }

  bool load_schema_named(const Node& root, const std::string& name) {
    const auto source = named_file(name, ".schema.json", registry_.file);
    if (!source) {
      reader_.fail(reader_.member(root, "schema"), name,
                   fmt::format("is no built-in schema, and {}", to_string(source.error())));
      return false;
    }
    auto schema = load_schema(source->text, source->name);
    if (!schema) {
      error_ = std::move(schema.error());
      return false;
    }
    registry_.schema = std::move(*schema);
    return true;
  }

  // The kernel set, by name.
  bool load_kernels(const Node& root) {
    const Node node = reader_.member(root, "kernels");
    if (stopped()) return false;
    std::expected<KernelSet, LocatedError> set;
    if (JsonReader::is_text(node)) {
      const std::string name = JsonReader::as_text(node);
      const auto source = named_file(name, ".json", registry_.file);
      if (!source) {
        reader_.fail(node, name,
                     fmt::format("is no built-in kernel set, and {}", to_string(source.error())));
        return false;
      }
      set = load_kernel_set(source->text, source->name, registry_.schema, options_);
    } else {
      reader_.fail(node, JsonReader::printed(node), "must name a kernel set");
      return false;
    }
    if (!set) {
      error_ = std::move(set.error());
      return false;
    }
    registry_.kernels = std::move(*set);
    return true;
  }

  void read_options(const Node& root) {
    if (reader_.has(root, "options")) {
      for (const auto& [name, node] : reader_.entries(reader_.member(root, "options"))) {
        reader_.only_keys(node, {"default", "doc", "confidence"});
        const Node value = reader_.member(node, "default");
        const auto scalar = JsonReader::as_scalar(value);
        if (value.value != nullptr && !scalar)
          reader_.fail(value, JsonReader::printed(value), "must be a bool or an integer");
        registry_.options.push_back({.name = name,
                                     .value = scalar.value_or(0),
                                     .flag = JsonReader::is_flag(value),
                                     .doc = reader_.text_or(node, "doc", ""),
                                     .confidence = reader_.text_or(node, "confidence", "")});
      }
    }
    apply_given_options();
    if (const std::string name = reader_.text_or(root, "suppress", ""); !name.empty()) {
      const Option* option = find_option(name);
      if (option == nullptr) {
        reader_.fail(reader_.member(root, "suppress"), name, "is none of the options");
      } else {
        registry_.suppressed = option->value != 0;
      }
    }
  }

  void apply_given_options() {
    std::vector<std::string> known{"onchip_replication", "mend_last_tile", "old_channel_tail",
                                   "old_trailing_extents", "old_flattening_transpose"};
    const std::size_t kernel_options = known.size();
    for (const Option& option : registry_.options) known.push_back(option.name);
    for (const OptionValue& given : options_) {
      const auto found = std::ranges::find(known, given.name);
      if (found == known.end()) {
        const std::string near = did_you_mean(given.name, known);
        reader_.fail(Error{
            .place = "option",
            .value = given.name,
            .rule = !near.empty() ? "unknown" + near
                                  : fmt::format("unknown, known are: {}", fmt::join(known, ", "))});
      } else if (static_cast<std::size_t>(found - known.begin()) >= kernel_options) {
        Option& option =
            registry_.options[static_cast<std::size_t>(found - known.begin()) - kernel_options];
        if (option.flag && given.value != 0 && given.value != 1) {
          reader_.fail(Error{.place = option.name,
                             .value = fmt::to_string(given.value),
                             .rule = "must be true or false"});
        }
        option.value = given.value;
      }
    }
  }

  [[nodiscard]] const Option* find_option(std::string_view name) const {
    const auto found = std::ranges::find(registry_.options, name, &Option::name);
    return found == registry_.options.end() ? nullptr : &*found;
  }

  [[nodiscard]] std::vector<Parameter> option_parameters() const {
    std::vector<Parameter> parameters;
    for (const Option& option : registry_.options) {
      parameters.push_back(
          {option.name, option.flag ? Type::boolean() : Type::integer(), option.value});
    }
    return parameters;
  }

  bool read_results(const Node& root) {
    if (!reader_.has(root, "results")) return true;
    if (registry_.policy != Policy::collect_all) {
      reader_.fail(reader_.member(root, "results"), "", "only of a registry of policy collect_all");
    }
    for (const Node& node : reader_.items(root, "results")) {
      reader_.only_keys(node, {"name", "requested", "doc"});
      ResultInfo result;
      result.name = reader_.text(node, "name");
      const ClauseSource source{.text = reader_.text(node, "requested"),
                                .place = reader_.place(node) + ".requested"};
      if (stopped()) return false;
      auto requested =
          parse_predicate(std::span(&source, 1), registry_.schema, option_parameters());
      if (!requested) {
        error_ = std::move(requested.error());
        return false;
      }
      result.requested = std::move(*requested);
      registry_.results.push_back(std::move(result));
    }
    return !stopped();
  }

  bool read_gate(const Node& root) {
    if (!reader_.has(root, "gate")) return true;
    const std::string text = reader_.text(root, "gate");
    if (stopped()) return false;
    const ClauseSource source{.text = text, .place = reader_.place(reader_.member(root, "gate"))};
    auto gate = parse_predicate(std::span(&source, 1), registry_.schema, option_parameters());
    if (!gate) {
      error_ = std::move(gate.error());
      return false;
    }
    registry_.gate = std::move(*gate);
    return true;
  }

  void read_keys(const Node& root) {
    if (!reader_.has(root, "attribute_keys")) return;
    const Node keys = reader_.member(root, "attribute_keys");
    reader_.only_keys(keys, {"source_shapes", "result_shapes"});
    registry_.keys.source_shapes =
        reader_.text_or(keys, "source_shapes", registry_.keys.source_shapes);
    registry_.keys.result_shapes =
        reader_.text_or(keys, "result_shapes", registry_.keys.result_shapes);
  }

  bool read_list(const Node& node) {
    reader_.only_keys(node, {"name", "policy", "when", "miss_message", "rows"});
    RowList list{.name = reader_.text(node, "name"),
                 .policy = registry_.policy,
                 .when = reader_.text_or(node, "when", ""),
                 .miss_message = reader_.text_or(node, "miss_message", ""),
                 .first = registry_.rows.size()};
    if (!list.when.empty()) {
      const Option* option = find_option(list.when);
      if (option == nullptr) {
        reader_.fail(reader_.member(node, "when"), list.when, "is none of the options");
      } else {
        list.enabled = option->value != 0;
      }
    }
    if (reader_.has(node, "policy")) {
      if (const std::string policy = reader_.text(node, "policy"); policy != "rewrite")
        reader_.fail(reader_.member(node, "policy"), policy, "of a list must be rewrite");
      list.policy = Policy::rewrite;
      if (!registry_.lists.empty() && registry_.lists.back().policy != Policy::rewrite)
        reader_.fail(node, list.name, "rewrites must stand before the other lists");
    }
    for (const Node& row : reader_.items(node, "rows")) {
      if (!read_row(row, list.policy)) return false;
    }
    list.count = registry_.rows.size() - list.first;
    registry_.lists.push_back(std::move(list));
    return !stopped();
  }

  // Which keys a row may have: those of its list's policy.
  void check_row_keys(const Node& node, Policy policy) {
    switch (policy) {
      case Policy::first_match:
        return reader_.only_keys(
            node, {"id", "number", "predicate", "kernel", "defaults", "match", "layout",
                   "insert_transpose", "force_insert_transpose", "attrs", "notes", "confidence"});
      case Policy::collect_all:
        return reader_.only_keys(
            node, {"id", "number", "predicate", "kernel", "defaults", "match", "append",
                   "configurations", "steps", "results", "notes", "confidence"});
      case Policy::rewrite:
        return reader_.only_keys(node, {"id", "number", "predicate", "kernel", "action", "defaults",
                                        "match", "notes", "confidence"});
    }
  }

  bool read_row(const Node& node, Policy policy) {
    check_row_keys(node, policy);
    const bool rewrite = policy == Policy::rewrite;
    Row row{.id = reader_.text(node, "id"),
            .number = reader_.integer_or(node, "number",
                                         static_cast<std::int64_t>(registry_.rows.size()) + 1),
            .predicate_name = reader_.text_or(node, "predicate", ""),
            .kernel = rewrite ? reader_.text_or(node, "kernel", "") : reader_.text(node, "kernel"),
            .action = rewrite ? reader_.text_or(node, "action", "") : "",
            .confidence = reader_.text_or(node, "confidence", ""),
            .notes = reader_.text_or(node, "notes", ""),
            .line = reader_.line(node)};
    if (registry_.find_row(row.id) != nullptr)
      reader_.fail(node, row.id, "a row of this id stands above");
    if (rewrite && row.kernel.empty() == row.action.empty())
      reader_.fail(node, row.id, "a rewrite has either an `action` or a `kernel`");
    if (!stopped() && !row.kernel.empty() && !registry_.kernels.find(row.kernel))
      refuse_kernel(node, row.kernel);
    row.lowering.insert_transpose = reader_.flag_or(node, "insert_transpose", false);
    row.lowering.force_insert_transpose = reader_.flag_or(node, "force_insert_transpose", false);
    read_marshaller(node, row.lowering);
    read_layout(node, row.lowering.layout);
    if (stopped() || !read_clauses(node, "match", row, row.predicate)) return false;
    if (policy == Policy::collect_all && !read_candidate(node, row)) return false;
    registry_.rows.push_back(std::move(row));
    return true;
  }

  // What a row of candidates has beside its predicate.
  bool read_candidate(const Node& node, Row& row) {
    if (reader_.has(node, "append") && !read_clauses(node, "append", row, row.append)) return false;
    for (const Node& result : reader_.items(node, "results")) {
      const std::string name = JsonReader::is_text(result) ? JsonReader::as_text(result) : "";
      const auto found = std::ranges::find(registry_.results, name, &ResultInfo::name);
      if (found == registry_.results.end())
        reader_.fail(result, JsonReader::printed(result), "is none of the registry's `results`");
      row.results.push_back(static_cast<std::uint32_t>(found - registry_.results.begin()));
    }
    if (!reader_.has(node, "configurations")) {
      if (reader_.has(node, "steps"))
        reader_.fail(reader_.member(node, "steps"), "", "only beside `configurations`");
      const auto kernel = registry_.kernels.find(row.kernel);
      if (kernel && !registry_.kernels.kernels[*kernel].parameters.empty()) {
        reader_.fail(node, row.id,
                     fmt::format("must name `configurations`: the contract of {} reads `{}`",
                                 row.kernel, registry_.kernels.kernels[*kernel].parameters[0]));
      }
      return !stopped();
    }
    row.configurations = reader_.text(node, "configurations");
    const auto used =
        std::ranges::find(registry_.configurations, row.configurations, &Configurations::name);
    if (used == registry_.configurations.end()) {
      std::vector<std::string> known;
      for (const Configurations& each : registry_.configurations) known.push_back(each.name);
      reader_.fail(
          reader_.member(node, "configurations"), row.configurations,
          "is none of the registry's `configurations`" + did_you_mean(row.configurations, known));
      return false;
    }
    row.configuration_index = static_cast<std::uint32_t>(used - registry_.configurations.begin());
    const std::vector<ConfigurationStep> steps = read_steps(reader_, node, used->parameters);
    // What the kernel's contract reads of a candidate must be among its parameters.
    const auto kernel = registry_.kernels.find(row.kernel);
    for (const std::string& parameter :
         kernel ? registry_.kernels.kernels[*kernel].parameters : std::vector<std::string>{}) {
      if (std::ranges::find(used->parameters, parameter) == used->parameters.end()) {
        reader_.fail(reader_.member(node, "configurations"), row.configurations,
                     fmt::format("has no parameter `{}`, which the contract of {} reads", parameter,
                                 row.kernel));
      }
    }
    if (stopped()) return false;
    auto derived = tunings(*used, steps, registry_.schema, option_parameters());
    if (!derived) {
      error_ = std::move(derived.error());
      return false;
    }
    row.tunings = std::move(*derived);
    return true;
  }

  void refuse_kernel(const Node& node, const std::string& name) {
    std::vector<std::string> known;
    for (const KernelInfo& kernel : registry_.kernels.kernels) known.push_back(kernel.name);
    reader_.fail(reader_.member(node, "kernel"), name,
                 fmt::format("is no kernel of the set `{}`{}", registry_.kernels.name,
                             did_you_mean(name, known)));
  }

  void read_marshaller(const Node& node, LoweringRule& rule) {
    const std::string name = reader_.text_or(node, "attrs", "kernel_attr");
    const auto found = std::ranges::find(marshallers, name, &MarshallerInfo::name);
    if (found == marshallers.end()) {
      reader_.fail(reader_.member(node, "attrs"), name,
                   "must be kernel_attr or kernel_attr_same_hl_pad");
      return;
    }
    rule.marshaller = found->marshaller;
  }

  // `"operation"`, or labels for each tensor; a tensor that is not named keeps the operation's
  // layout.
  void read_layout(const Node& node, TargetLayout& layout) {
    if (!reader_.has(node, "layout")) return;
    const Node object = reader_.member(node, "layout");
    if (JsonReader::is_text(object)) {
      if (JsonReader::as_text(object) != "operation") {
        reader_.fail(object, JsonReader::as_text(object),
                     "must be `operation` or an object of labels");
      }
      return;
    }
    reader_.only_keys(object, {"in", "kern", "out"});
    const auto read = [&](std::string_view key, LabelRole role, std::optional<Perm>& perm) {
      if (!reader_.has(object, key)) return;
      auto labels = parse_labels(reader_.text(object, key), role);
      if (labels) {
        perm = *labels;
      } else {
        reader_.fail(reader_.member(object, key), labels.error().value, labels.error().rule);
      }
    };
    read("in", LabelRole::image, layout.in);
    read("kern", LabelRole::kernel, layout.kern);
    read("out", LabelRole::image, layout.out);
  }

  // The row's keyword arguments and the registry's options, as constants of its predicate.
  std::vector<Parameter> row_parameters(const Node& node) {
    std::vector<Parameter> parameters = option_parameters();
    if (!reader_.has(node, "defaults")) return parameters;
    for (const auto& [name, value] : reader_.entries(reader_.member(node, "defaults"))) {
      const auto scalar = JsonReader::as_scalar(value);
      if (!scalar) reader_.fail(value, JsonReader::printed(value), "must be a bool or an integer");
      if (find_option(name) != nullptr)
        reader_.fail(value, name, "is an option of the registry already");
      parameters.push_back({name, JsonReader::is_flag(value) ? Type::boolean() : Type::integer(),
                            scalar.value_or(0)});
    }
    return parameters;
  }

  // The clauses under `key`; what is said of those under `match` is kept in the row.
  bool read_clauses(const Node& node, const std::string& key, Row& row, Predicate& into) {
    std::vector<ClauseSource> sources;
    for (const Node& clause : reader_.items(node, key)) {
      ClauseFacts facts{.confidence = row.confidence, .line = reader_.line(clause)};
      // The path alone would not say which row: ids are what people search for.
      ClauseSource source{.place =
                              fmt::format("{}:{}: row {}, {}", registry_.file, reader_.line(clause),
                                          row.id, clause.path.substr(clause.path.rfind(key)))};
      if (JsonReader::is_text(clause)) {
        source.text = JsonReader::as_text(clause);
      } else if (reader_.has(clause, "assert")) {
        reader_.only_keys(clause, {"assert", "message", "confidence", "source", "repair", "notes"});
        source.text = reader_.text(clause, "assert");
        source.message = reader_.text(clause, "message");
      } else if (JsonReader::is_object(clause)) {
        reader_.only_keys(clause, {"clause", "confidence", "source", "repair", "notes"});
        source.text = reader_.text(clause, "clause");
      } else {
        reader_.fail(clause, JsonReader::printed(clause),
                     "must be a string, or an object with `clause` or `assert`");
      }
      facts.confidence = reader_.text_or(clause, "confidence", facts.confidence);
      facts.repair = reader_.flag_or(clause, "repair", false);
      sources.push_back(std::move(source));
      if (&into == &row.predicate) row.facts.push_back(std::move(facts));
    }
    std::vector<Parameter> parameters = row_parameters(node);
    if (stopped()) return false;
    auto predicate = parse_predicate(sources, registry_.schema, std::move(parameters));
    if (!predicate) {
      error_ = std::move(predicate.error());
      return false;
    }
    into = std::move(*predicate);
    return true;
  }

  JsonReader reader_;
  std::span<const OptionValue> options_;
  std::optional<LocatedError> error_;
  Registry registry_;
};

}  // namespace

const Row* Registry::find_row(std::string_view id) const {
  const auto found = std::ranges::find(rows, id, &Row::id);
  return found == rows.end() ? nullptr : &*found;
}

std::vector<std::string> Registry::kernel_names() const {
  std::vector<const Row*> ordered;
  for (const Row& row : rows) ordered.push_back(&row);
  // Rows of one number keep the order of the file; pointers into it are in that order.
  std::ranges::sort(ordered, {}, [](const Row* row) { return std::pair(row->number, row); });
  std::vector<std::string> names;
  for (const Row* row : ordered) {
    if (std::ranges::find(names, row->kernel) == names.end()) names.push_back(row->kernel);
  }
  return names;
}

std::expected<Registry, LocatedError> load_registry(std::string_view json_text,
                                                    const std::string& file,
                                                    std::span<const OptionValue> options) {
  return RegistryLoader(json_text, file, options).load();
}

std::expected<Registry, LocatedError> find_registry(const std::string& name_or_path,
                                                    std::span<const OptionValue> options) {
  if (const auto text = embedded_file(name_or_path + ".json")) {
    return load_registry(*text, name_or_path + ".json", options);
  }
  const bool path = name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".json");
  if (!path) {
    const std::vector<std::string> known = registry_names();
    return std::unexpected(LocatedError{
        .error = {.place = "registry",
                  .value = name_or_path,
                  .rule = fmt::format("unknown{}; built in are {}; a file is given by its path",
                                      did_you_mean(name_or_path, known), fmt::join(known, ", "))}});
  }
  auto text = read_file(name_or_path);
  if (!text) return std::unexpected(LocatedError{.error = text.error()});
  return load_registry(*text, name_or_path, options);
}

std::vector<std::string> registry_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_files()) {
    // Only registries hold lists of rows; schemas and kernel sets do not.
    if (file.text.find("\"lists\"") != std::string_view::npos) {
      names.emplace_back(file.name.substr(0, file.name.size() - std::string_view(".json").size()));
    }
  }
  return names;
}

}  // namespace convproof
