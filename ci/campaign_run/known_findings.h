#pragma once

#include <expected>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "props/proofs/ledger.h"
#include "selector/op/error.h"

namespace convproof::campaign {

// What targets of text find belongs to no table; their ledger names this registry.
inline constexpr std::string_view text_registry = "text";

// The ledgers of a campaign: of each table, what is known and why it may stand.
class KnownFindings {
 public:
  // The ledgers of the table in corpus/known and fuzz/known; a ledger among `files` that names the
  // table takes their place.
  static std::expected<KnownFindings, Error> read(const std::vector<std::string>& tables,
                                                  const std::vector<std::string>& files);

  [[nodiscard]] const std::vector<proofs::KnownFinding>& of(std::string_view table) const;
  // Why the signature may stand; empty where the table's ledger does not have it.
  [[nodiscard]] std::string why(std::string_view table, std::string_view signature) const;

 private:
  std::map<std::string, std::vector<proofs::KnownFinding>, std::less<>> known_{};
};

// The parts of a ledger's signature: `neuron/unsound/conv2d-depthwise/stride`, or the longer form
// with the kernel before the site.
struct SignatureParts {
  std::string table{};
  std::string kind{};
  std::string row{};
  std::string clause{};  // the last part of what follows the row; may be empty

  bool operator==(const SignatureParts&) const = default;
};
SignatureParts parts_of(std::string_view signature);

}  // namespace convproof::campaign
