#include "fuzz/signature.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace convproof::fuzz {

using oracle::CheckClass;

std::string to_string(const Signature& signature) {
  return fmt::format("{}/{}/{}/{}/{}", signature.registry, signature.class_name, signature.row,
                     signature.kernel, signature.site);
}

std::string ledger_signature(const Signature& signature) {
  if (signature.contract) {
    return fmt::format("{}/unsound/{}/{}", signature.registry, signature.row, signature.site);
  }
  if (signature.class_name == name_of(CheckClass::raised)) {
    return fmt::format("{}/raises/{}/{}", signature.registry, signature.row, signature.site);
  }
  if (signature.class_name == "missing")
    return fmt::format("{}/gap/{}", signature.registry, signature.site);
  return to_string(signature);
}

Signature signature_of(oracle::Checker& checker, Matcher& matcher, const ConvOp& op,
                       const oracle::Verdict& verdict, std::uint64_t seed) {
  const Registry& registry = checker.registry();
  Signature signature{.registry = registry.name,
                      .class_name = std::string(name_of(verdict.value)),
                      .site = "unexplained"};
  if (!verdict.row) return signature;
  const Row& row = registry.rows[*verdict.row];
  signature.row = row.id;
  signature.kernel = row.kernel;
  if (verdict.value == CheckClass::raised) {
    signature.site = fmt::format("clause {}", verdict.selection.clause + 1);
    return signature;
  }
  const std::size_t kernel = *registry.kernels.find(row.kernel);
  std::vector<std::size_t> broken;
  matcher.broken_clauses(kernel, op, broken);
  if (!broken.empty()) {
    signature.contract = true;
    signature.site = registry.kernels.kernels[kernel].contract[broken.front()].id;
  } else if (verdict.value == CheckClass::rejected) {
    signature.site = verdict.refusal ? std::string(verdict.refusal->rule) : "marshaller";
  } else if (const std::string defect = checker.describe(op, verdict, seed).defect;
             !defect.empty()) {
    signature.site = defect;
  }
  return signature;
}

}  // namespace convproof::fuzz
