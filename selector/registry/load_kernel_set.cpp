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

#include "selector/registry/json_reader.h"
#include "selector/registry/kernel_set.h"
#include "selector/rules/program.h"

namespace convproof {
namespace {

struct ViolationName {
  Violation violation{};
  std::string_view name{};
};
constexpr std::array violation_names{
    ViolationName{Violation::asserted, "asserted"}, ViolationName{Violation::device, "device"},
    ViolationName{Violation::trace, "trace"}, ViolationName{Violation::silent, "silent"},
    ViolationName{Violation::toolchain, "toolchain"}};

struct DeviceField {
  std::string_view name{};
  std::int64_t Device::* field = nullptr;
};
constexpr std::array device_fields{
    DeviceField{"partitions", &Device::partitions},
    DeviceField{"free_elements", &Device::free_elements},
    DeviceField{"psum_banks", &Device::psum_banks},
    DeviceField{"psum_bank_bytes", &Device::psum_bank_bytes},
    DeviceField{"sbuf_bytes", &Device::sbuf_bytes},
    DeviceField{"copy_partition_multiple", &Device::copy_partition_multiple}};

struct SwitchField {
  std::string_view name{};
  bool KernelSwitches::* field = nullptr;
};
constexpr std::array switch_fields{
    SwitchField{"mend_last_tile", &KernelSwitches::mend_last_tile},
    SwitchField{"old_channel_tail", &KernelSwitches::old_channel_tail},
    SwitchField{"old_trailing_extents", &KernelSwitches::old_trailing_extents},
    SwitchField{"old_flattening_transpose", &KernelSwitches::old_flattening_transpose}};

constexpr std::string_view replication_option = "onchip_replication";

void read_device(JsonReader& reader, const JsonReader::Node& root, Device& device) {
  if (!reader.has(root, "device")) return;
  const JsonReader::Node object = reader.member(root, "device");
  reader.only_keys(object, {"partitions", "free_elements", "psum_banks", "psum_bank_bytes",
                            "sbuf_bytes", "copy_partition_multiple"});
  for (const DeviceField& field : device_fields) {
    device.*field.field = reader.integer_or(object, field.name, device.*field.field);
    if (device.*field.field < 1) {
      reader.fail(object, fmt::to_string(device.*field.field),
                  fmt::format("{} must be at least 1", field.name));
    }
  }
}

// A switch or device option by name: what the file says, then what the caller says.
void read_switches(JsonReader& reader, const JsonReader::Node& root,
                   std::span<const OptionValue> options, KernelSet& set) {
  const auto chosen = [&](const JsonReader::Node& object, std::string_view name, bool otherwise) {
    bool value = reader.flag_or(object, name, otherwise);
    for (const OptionValue& option : options) {
      if (option.name == name) value = option.value != 0;
    }
    return value;
  };
  const JsonReader::Node switches =
      reader.has(root, "switches") ? reader.member(root, "switches") : JsonReader::Node{};
  reader.only_keys(switches, {"mend_last_tile", "old_channel_tail", "old_trailing_extents",
                              "old_flattening_transpose"});
  for (const SwitchField& field : switch_fields) {
    set.switches.*field.field = chosen(switches, field.name, set.switches.*field.field);
  }
  const JsonReader::Node device_options =
      reader.has(root, "options") ? reader.member(root, "options") : JsonReader::Node{};
  reader.only_keys(device_options, {replication_option});
  set.device.onchip_replication = chosen(device_options, replication_option, false);
}

// Whether the switch that a clause is bound to is on.
bool switched_on(JsonReader& reader, const JsonReader::Node& clause, const KernelSet& set) {
  if (!reader.has(clause, "when")) return true;
  const std::string name = reader.text(clause, "when");
  if (name == replication_option) return set.device.onchip_replication;
  for (const SwitchField& field : switch_fields) {
    if (field.name == name) return set.switches.*field.field;
  }
  reader.fail(clause, name, "`when` must name a switch or device option of the kernel set");
  return false;
}

std::optional<LocatedError> read_contract(JsonReader& reader, const JsonReader::Node& kernel,
                                          const Schema& schema, const KernelSet& set,
                                          KernelInfo& info) {
  std::vector<Parameter> parameters;
  for (const std::string& name : info.parameters) parameters.push_back({name, Type::integer(), 0});
  for (const JsonReader::Node& node : reader.items(kernel, "contract")) {
    reader.only_keys(
        node, {"id", "clause", "violation", "message", "source", "confidence", "when", "notes"});
    ContractClause clause{.id = reader.text(node, "id"),
                          .message = reader.text_or(node, "message", ""),
                          .source = reader.text_or(node, "source", ""),
                          .confidence = reader.text_or(node, "confidence", "")};
    const std::string violation = reader.text(node, "violation");
    const auto named = std::ranges::find(violation_names, violation, &ViolationName::name);
    if (named == violation_names.end()) {
      reader.fail(node, violation,
                  "`violation` must be asserted, device, trace, silent or toolchain");
    } else {
      clause.violation = named->violation;
    }
    const std::string text = reader.text(node, "clause");
    const bool on = switched_on(reader, node, set);
    if (reader.error()) return std::nullopt;
    auto condition = parse_condition(text, schema, parameters, reader.place(node) + ".clause");
    if (!condition) return condition.error();
    clause.clause.condition = std::move(*condition);
    if (on) info.contract.push_back(std::move(clause));
  }
  return std::nullopt;
}

}  // namespace

std::string_view name_of(Violation violation) {
  return std::ranges::find(violation_names, violation, &ViolationName::violation)->name;
}

std::optional<std::size_t> KernelSet::find(std::string_view kernel) const {
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (kernels[i].name == kernel) return i;
  }
  return std::nullopt;
}

std::expected<KernelSet, LocatedError> load_kernel_set(std::string_view json_text,
                                                       const std::string& file,
                                                       const Schema& schema,
                                                       std::span<const OptionValue> options) {
  JsonReader reader(json_text, file);
  const JsonReader::Node root = reader.root();
  reader.only_keys(root, {"version", "name", "doc", "schema", "device", "switches", "options",
                          "registered", "kernels"});
  if (reader.integer(root, "version") != 1) reader.fail(root, "", "`version` must be 1");
  KernelSet set{.name = reader.text(root, "name"), .file = file};
  if (const std::string named = reader.text_or(root, "schema", schema.name); named != schema.name) {
    reader.fail(reader.member(root, "schema"), named,
                fmt::format("the registry's schema is `{}`, a kernel set must be of the same",
                            schema.name));
  }
  read_device(reader, root, set.device);
  read_switches(reader, root, options, set);
  if (reader.has(root, "registered")) {
    for (const JsonReader::Node& name : reader.items(root, "registered")) {
      if (!JsonReader::is_text(name)) {
        reader.fail(name, JsonReader::printed(name), "must be a string");
      } else {
        set.registered.push_back(JsonReader::as_text(name));
      }
    }
  }
  std::vector<Predicate> clauses;
  for (const JsonReader::Node& node : reader.items(root, "kernels")) {
    reader.only_keys(node, {"name", "leaf", "operand_count", "arguments", "functional", "doc",
                            "parameters", "contract", "notes", "source", "confidence"});
    KernelInfo info{.name = reader.text(node, "name"), .leaf = reader.text_or(node, "leaf", "")};
    if (reader.has(node, "operand_count") &&
        JsonReader::as_scalar(reader.member(node, "operand_count"))) {
      info.operand_count = reader.integer(node, "operand_count");
    }
    if (reader.has(node, "parameters")) {
      for (const JsonReader::Node& name : reader.items(node, "parameters")) {
        if (!JsonReader::is_text(name) || !is_name(JsonReader::as_text(name))) {
          reader.fail(name, JsonReader::printed(name), "must be a name");
        } else {
          info.parameters.push_back(JsonReader::as_text(name));
        }
      }
    }
    if (set.find(info.name)) reader.fail(node, info.name, "a kernel of this name stands above");
    if (auto error = read_contract(reader, node, schema, set, info))
      return std::unexpected(std::move(*error));
    set.first_clause.push_back(clauses.size());
    for (const ContractClause& clause : info.contract)
      clauses.push_back({.clauses = {clause.clause}});
    set.kernels.push_back(std::move(info));
  }
  if (reader.error()) return std::unexpected(LocatedError{.error = *reader.error()});
  auto contracts = compile_table(clauses, schema);
  if (!contracts) return std::unexpected(std::move(contracts.error()));
  set.contracts = std::move(*contracts);
  return set;
}

}  // namespace convproof
