// Law: any text reads as a registry, or as one clause, without a crash; every error has its place;
// and a clause that was read is printed and read again as the same.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/registry_law.h"
#include "fuzz/targets/target.h"

std::string convproof::fuzz::printed_text(const ConvOp& op) { return clause_about(op); }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace convproof::fuzz;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const RegistryTextResult result = check_registry_text(text, target_settings().fault);
  count_execution(result.clauses > 0);
  if (result.broken) broken_law(result.broken->law, text, result.broken->detail);
  return 0;
}
