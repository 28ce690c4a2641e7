#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "fuzz/mutate_op.h"
#include "fuzz/op_bytes.h"
#include "fuzz/steer_op.h"
#include "fuzz/targets/target.h"
#include "oracle/draw.h"
#include "selector/frontends/document.h"

namespace convproof::fuzz {

const std::string_view default_registry = "neuron-repaired";

namespace {

// Most neighbours of an operation that some row takes are taken by none: all but one in eight of
// those are moved to where a row takes them.
ConvOp steered(const ConvOp& op, oracle::Draw draw) {
  static std::optional<RowSteering> steering = RowSteering::create(target_spine().registry());
  if (!steering || declares_results || draw.between(0, 7) == 0) return op;
  const Selection::Status status = target_spine().matcher().select(op).status;
  if (status == Selection::Status::matched || status == Selection::Status::raised) return op;
  const std::int64_t row = draw.between(0, static_cast<std::int64_t>(steering->row_count()) - 1);
  return steering->towards(op, static_cast<std::size_t>(row));
}

// 0 where the operation does not fit.
std::size_t put(const ConvOp& op, std::uint8_t* data, std::size_t max_size) {
  const std::vector<std::uint8_t> bytes = encode_op(op);
  if (bytes.size() > max_size) return 0;
  std::ranges::copy(bytes, data);
  return bytes.size();
}

}  // namespace

// Only the replay of files asks for it; the readers would add their counters to every execution.
#ifndef CONVPROOF_LIBFUZZER
// The operations of a readable file, well formed ones cut to the size of a fuzzer's; any other file
// is an input as it is.
std::vector<std::vector<std::uint8_t>> inputs_of_file(const std::filesystem::path& path) {
  std::vector<std::vector<std::uint8_t>> inputs;
  const auto document = read_document(path.string());
  if (!document) return inputs;
  for (const FoundOp& found : document->ops) {
    if (found.op && !found.op->window.empty())
      inputs.push_back(encode_op(repair(*found.op, fuzz_budget)));
  }
  return inputs;
}

#endif

}  // namespace convproof::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  using namespace convproof::fuzz;
  if (target_settings().plain) return LLVMFuzzerMutate(data, size, max_size);
  convproof::oracle::SplitMixDraw source(seed);
  const convproof::ConvOp op = decode_op({data, size});
  const convproof::ConvOp next = mutate_op(op, source, {.declared_results = declares_results});
  const std::size_t written = put(steered(next, source), data, max_size);
  return written == 0 ? size : written;
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second,
                                                 std::size_t second_size, std::uint8_t* out,
                                                 std::size_t max_out_size, unsigned seed) {
  using namespace convproof::fuzz;
  if (target_settings().plain) return 0;
  convproof::oracle::SplitMixDraw source(seed);
  return put(splice_ops(decode_op({first, first_size}), decode_op({second, second_size}), source),
             out, max_out_size);
}
