#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "fuzz/targets/target.h"

namespace convproof::fuzz {

const std::string_view default_registry = "inductor-forward-repaired";

// A call is drawn from an input's bytes, and nothing turns a call into bytes: files of the corpus
// are inputs as any bytes are.
std::vector<std::vector<std::uint8_t>> inputs_of_file(const std::filesystem::path& /*path*/) {
  return {};
}

}  // namespace convproof::fuzz

// Bytes are choices of the generator, so that any change of them is another well-formed call: what
// libFuzzer does to bytes is all that is needed.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned /*seed*/) {
  return LLVMFuzzerMutate(data, size, max_size);
}
