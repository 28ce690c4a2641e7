#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "fuzz/signature.h"
#include "selector/frontends/json_cases.h"
#include "selector/op/aten_call.h"
#include "selector/op/conv_op.h"

namespace convproof::fuzz {

struct FindingLogOptions {
  std::string known_file{};  // signatures that are known, one a line, as the ledger or we name them
  std::string folder{};      // where new findings go; empty: the first one ends the process
  std::string origin{};      // `convproof 0.1.0 fuzz_lower`: stands in each saved case
  std::string replay{};      // the arguments after the case's path that replay it
};

// What a fuzz target does with its findings: known ones are counted and the run goes on; a new one
// is written to the folder, whole or not at all, and is known from then on.
class FindingLog {
 public:
  explicit FindingLog(FindingLogOptions options);

  [[nodiscard]] bool is_known(const Signature& signature) const;

  // A finding on an operation, on a call of aten, or on a text.
  void add(const Signature& signature, const ConvOp& op, const std::string& detail);
  void add(const Signature& signature, const AtenCall& call, const std::string& detail);
  void add_text(const std::string& law, std::string_view text, const std::string& detail);

  [[nodiscard]] const std::map<std::string, std::uint64_t>& counts() const { return counts_; }

 private:
  // False where it was known already.
  bool count(const std::string& signature, bool known);
  void save_case(JsonCase found, const std::string& shown);
  void save(const std::string& signature, std::string_view extension, std::string_view content,
            const std::string& shown);

  FindingLogOptions options_;
  std::set<std::string, std::less<>> known_;
  std::map<std::string, std::uint64_t> counts_;
};

// A short name for a signature, fit for a file: its readable end and a hash of the whole.
std::string file_name_of(std::string_view signature);

}  // namespace convproof::fuzz
