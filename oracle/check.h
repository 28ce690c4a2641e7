#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/prime_field.h"
#include "selector/kernels/kernel_table.h"
#include "selector/lowering/program.h"
#include "selector/op/conv_op.h"
#include "selector/registry/matcher.h"
#include "selector/registry/registry.h"

namespace convproof::oracle {

// What one convolution came to under a registry.
enum class CheckClass : std::uint8_t {
  equal,      // a kernel ran, and computes the convolution at this shape for all data
  different,  // a kernel ran, and computes something else
  rejected,   // a row matched, and its lowering or kernel refuses the operation
  raised,     // a predicate raised: the compile aborts
  unmatched,  // no row takes it
  gated,      // the pass does not look at it
  invalid,    // it is no well-formed convolution
  skipped,    // not executed: too much work or memory, or a kernel without an executable model
};

struct CheckClassInfo {
  CheckClass value{};
  std::string_view name{};
  bool finding = false;  // something is wrong with the table or a kernel
};
inline constexpr std::array check_classes{
    CheckClassInfo{CheckClass::equal, "equal", false},
    CheckClassInfo{CheckClass::different, "different", true},
    CheckClassInfo{CheckClass::rejected, "rejected", true},
    CheckClassInfo{CheckClass::raised, "raised", true},
    CheckClassInfo{CheckClass::unmatched, "unmatched", false},
    CheckClassInfo{CheckClass::gated, "gated", false},
    CheckClassInfo{CheckClass::invalid, "invalid", false},
    CheckClassInfo{CheckClass::skipped, "skipped", false},
};
std::string_view name_of(CheckClass value);
bool is_finding(CheckClass value);

struct CheckOptions {
  std::int64_t max_work = 2'000'000'000;  // multiply-adds of the definition
  std::int64_t max_elements = 1LL << 27;  // of any tensor of the operation
  std::string kernel{};                   // run this kernel whatever the table says; empty: select
};

// The outcome of one check, as plain data. Cheap: words are made by `Checker::describe` when asked
// for.
struct Verdict {
  CheckClass value = CheckClass::invalid;
  Selection selection{};
  std::optional<std::uint32_t> row{};  // the row that took the operation, or that raised
  std::optional<KernelError> refusal{};
  std::int64_t first_difference = 0;  // storage index in the result, where different
  std::int64_t differences = 0;

  bool operator==(const Verdict&) const = default;
};

// Which row an operation is lowered by: the winner, or the first row of the explicit kernel.
struct RowChoice {
  Selection selection{};
  std::optional<std::uint32_t> row{};
};

// A verdict in words.
struct Explanation {
  std::string detail{};                // one line
  std::string first_difference{};      // `n=0 o=0 y=223 x=0`, or `element 5 of the output`
  std::vector<std::string> clauses{};  // contract clauses that do not hold, `id: text`
  std::string defect{};                // a switch of the kernel set that mends the difference
};

// Select, lower, execute, compare: the one call that the command line, the fuzzers and the laws
// share. Kernel and reference run over GF(2^61 - 1) on uniformly random elements, so that one run
// decides equality at the shape for all data, up to a probability below 2^-59.
//
// One per thread; borrows the registry. A warm checker allocates nothing.
class Checker {
 public:
  static std::expected<Checker, LocatedError> create(const Registry& registry,
                                                     CheckOptions options = {});

  Verdict check(const ConvOp& op, std::uint64_t seed);

  // Why the verdict is what it is: the error, the clause, the first differing element in logical
  // coordinates with the taps that went missing, and what explains it. Re-runs the kernel.
  Explanation describe(const ConvOp& op, const Verdict& verdict, std::uint64_t seed);

  [[nodiscard]] const Registry& registry() const { return matcher_.registry(); }

  RowChoice choose(const ConvOp& op);

  // How the row lowers the operation.
  [[nodiscard]] std::expected<Program, Error> lowered(const ConvOp& op, std::uint32_t row) const;

 private:
  explicit Checker(Matcher matcher, CheckOptions options);

  KernelResult run(const ConvOp& op, const Program& program, const KernelEntry<Field61>& kernel,
                   const KernelSwitches& switches, std::uint64_t seed);
  void compare(const ConvOp& op, Verdict& verdict);
  [[nodiscard]] std::string skipped_text(const ConvOp& op, std::uint32_t row) const;
  void describe_difference(const ConvOp& op, const Program& program,
                           const KernelEntry<Field61>& kernel, std::uint64_t seed,
                           Explanation& explanation);
  // The switch of the kernel's model under which the operation comes out equal; empty where none
  // does.
  std::string mending_switch(const ConvOp& op, const Program& program,
                             const KernelEntry<Field61>& kernel, std::uint64_t seed);

  Matcher matcher_;
  CheckOptions options_;
  // The executable model of each row's kernel; null where there is none.
  std::vector<const KernelEntry<Field61>*> models_;
  Arena scratch_;
  std::vector<Field61> image_, kernel_, result_, expected_;
};

}  // namespace convproof::oracle
