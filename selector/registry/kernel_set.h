#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "selector/kernels/device.h"
#include "selector/kernels/kernel_table.h"
#include "selector/rules/located_error.h"
#include "selector/rules/predicate.h"
#include "selector/rules/program.h"
#include "selector/rules/schema.h"

namespace convproof {

// What a kernel does where a clause of its contract does not hold.
enum class Violation : std::uint8_t {
  asserted,   // an assertion of the kernel fails
  device,     // a device limit is broken
  trace,      // the tracer fails
  silent,     // the kernel runs and computes something else
  toolchain,  // some toolchains compile it to something else: no model of values shows it
};
std::string_view name_of(Violation violation);

// One clause of a kernel's contract: what must hold for the kernel to be right.
struct ContractClause {
  std::string id{};  // short and stable: `stride-1`
  Clause clause{};
  Violation violation = Violation::silent;
  std::string message{};  // the kernel's own text, where it has one
  std::string source{};   // section of the design sheet
  std::string confidence{};

  bool operator==(const ContractClause&) const = default;
};

struct KernelInfo {
  std::string name{};  // what rows name; look-up is exact
  std::string leaf{};  // of the executable model; empty where there is none
  std::optional<std::int64_t> operand_count{};
  std::vector<std::string> parameters{};  // of a candidate, which its contract may read
  std::vector<ContractClause> contract{};

  bool operator==(const KernelInfo&) const = default;
};

// A set of kernels as data: contracts, the device they run on, and the switches of their models.
struct KernelSet {
  std::string name{};
  std::string file{};
  Device device{};
  KernelSwitches switches{};
  std::vector<std::string> registered{};  // the production registry's keys, in its order
  std::vector<KernelInfo> kernels{};
  // One compiled row per contract clause, all kernels in order; `first_clause` gives each its rows.
  // Clauses that read a candidate's parameters are compiled for parameters of 0: see tuned_clause.
  TableProgram contracts{};
  std::vector<std::size_t> first_clause{};

  [[nodiscard]] std::optional<std::size_t> find(std::string_view kernel) const;
};

// A registry option or a switch given by the caller: `--set alt_shape=false`.
struct OptionValue {
  std::string name{};
  std::int64_t value = 0;  // bool 0 or 1

  bool operator==(const OptionValue&) const = default;
};

// Reads a kernel set from its file's text. `options` may turn on device options that the file
// declares; names that neither it nor its registry declares are refused by load_registry.
std::expected<KernelSet, LocatedError> load_kernel_set(std::string_view json_text,
                                                       const std::string& file,
                                                       const Schema& schema,
                                                       std::span<const OptionValue> options);

}  // namespace convproof
