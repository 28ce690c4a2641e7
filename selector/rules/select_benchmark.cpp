// What selection costs per op: filling the record and running the compiled table of the Neuron pass
// (design sheet of the Neuron table, section D, functional rows), against the same rows written by
// hand over ConvOp. `ratio` in the output is compiled over hand-written.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <initializer_list>
#include <random>
#include <span>
#include <vector>

#include <benchmark/benchmark.h>

#include "selector/op/conv_op.h"
#include "selector/op/dim_labels.h"
#include "selector/registry/conv_subject.h"
#include "selector/rules/neuron_rows.h"
#include "selector/rules/program.h"

namespace convproof {
namespace {

constexpr int none = -1;

// --- The rows by hand ---

struct PermSet {
  std::vector<Perm> perms{};

  [[nodiscard]] bool contains(const Perm& perm) const {
    return std::ranges::find(perms, perm) != perms.end();
  }
};

PermSet images(std::initializer_list<const char*> labels) {
  PermSet set;
  for (const char* each : labels) set.perms.push_back(*parse_labels(each, LabelRole::image));
  return set;
}
PermSet kernels(std::initializer_list<const char*> labels) {
  PermSet set;
  for (const char* each : labels) set.perms.push_back(*parse_labels(each, LabelRole::kernel));
  return set;
}

bool no_lhs_dilation(const ConvOp& op) {
  return op.window[0].lhs_dilation == 1 && op.window[1].lhs_dilation == 1;
}
bool no_rhs_dilation(const ConvOp& op) {
  return op.window[0].rhs_dilation == 1 && op.window[1].rhs_dilation == 1;
}
bool no_reversal(const ConvOp& op) { return !op.window[0].reversal && !op.window[1].reversal; }
bool stride_is(const ConvOp& op, std::int64_t stride) {
  return op.window[0].stride == stride && op.window[1].stride == stride;
}
std::int64_t image(const ConvOp& op, std::size_t axis) {
  return op.in_shape[static_cast<std::size_t>(op.in_perm[axis])];
}
std::int64_t filter(const ConvOp& op, std::size_t axis) {
  return op.kern_shape[static_cast<std::size_t>(op.kern_perm[axis])];
}
std::int64_t result(const ConvOp& op, std::size_t axis) {
  return op.res_shape[static_cast<std::size_t>(op.out_perm[axis])];
}
std::int64_t bytes(const ConvOp& op) { return info(op.element_type).bytes; }

std::int64_t replication_factor(std::int64_t a, std::int64_t b, std::int64_t d) {
  const std::int64_t most = std::min(a, 128 / b);
  return most >= d ? most - most % d : 1;
}

bool dense(const ConvOp& op) {
  static const PermSet in = images({"bf01", "fb01", "f01b", "b01f"});
  static const PermSet kern = kernels({"oi01", "io01", "o01i", "io10"});
  static const PermSet out = images({"bf01", "01bf", "f01b"});
  if (op.feature_group_count != 1 || op.batch_group_count != 1) return false;
  if (!no_lhs_dilation(op) || !no_reversal(op)) return false;
  if (image(op, 1) != filter(op, 1)) return false;
  if (filter(op, 0) != result(op, 1) || image(op, 0) != result(op, 0)) return false;
  if (image(op, 1) > 128) return false;
  if (!in.contains(op.in_perm) || !kern.contains(op.kern_perm) || !out.contains(op.out_perm))
    return false;
  const WindowDim& w = op.window[1];
  return result(op, 2) * op.window[0].stride *
             (image(op, 3) + std::max<std::int64_t>(0, w.pad_low) +
              std::max<std::int64_t>(0, w.pad_high)) *
             image(op, 0) * bytes(op) <=
         196608;
}

bool depthwise_backward(const ConvOp& op, const Perm& layout) {
  return op.batch_group_count > 1 && op.feature_group_count == 1 && no_lhs_dilation(op) &&
         op.batch_group_count == image(op, 0) && op.batch_group_count == filter(op, 0) &&
         op.kern_perm == layout;
}

bool conv1d_depthwise(const ConvOp& op) {
  if (op.feature_group_count != image(op, 1) || op.batch_group_count != 1) return false;
  if (!no_lhs_dilation(op) || !no_rhs_dilation(op) || !no_reversal(op)) return false;
  if (!stride_is(op, 1)) return false;
  if (op.window[0].pad_low != 0 || op.window[0].pad_high != 0) return false;
  if (op.window[1].pad_low < 0 || op.window[1].pad_high < 0) return false;
  if (image(op, 2) != 1 || filter(op, 2) != 1 || result(op, 2) != 1) return false;
  return filter(op, 1) == 1 && filter(op, 0) == image(op, 1) && result(op, 1) == filter(op, 0) &&
         image(op, 0) == result(op, 0) && filter(op, 3) < 512;
}

bool conv2d_depthwise(const ConvOp& op) {
  return no_lhs_dilation(op) && op.batch_group_count == 1 && image(op, 1) == filter(op, 0);
}

bool depthwise_forward(const ConvOp& op) {
  return no_lhs_dilation(op) && op.feature_group_count == image(op, 1) &&
         image(op, 1) == filter(op, 0) && stride_is(op, 3);
}

bool replication(const ConvOp& op) {
  if (op.feature_group_count != 1 || op.batch_group_count != 1 || !no_lhs_dilation(op))
    return false;
  if (!op.kernel_is_graph_input || op.input_is_graph_input) return false;
  if (result(op, 0) != image(op, 0) || image(op, 1) != filter(op, 1) ||
      result(op, 1) != filter(op, 0)) {
    std::abort();  // the generated ops are well formed
  }
  const std::int64_t dilation = op.window[0].rhs_dilation;
  return replication_factor((filter(op, 2) - 1) * dilation + 1, image(op, 1), dilation) >= 2;
}

bool dense_f01b(const ConvOp& op) {
  static const PermSet in = images({"f01b"});
  static const PermSet kern = kernels({"i01o", "io01", "oi01", "o01i"});
  static const PermSet out = images({"bf01", "f01b"});
  return in.contains(op.in_perm) && kern.contains(op.kern_perm) && out.contains(op.out_perm) &&
         image(op, 1) <= 128;
}

int select_by_hand(const ConvOp& op) {
  static const Perm io01 = *parse_labels("io01", LabelRole::kernel);
  static const Perm io10 = *parse_labels("io10", LabelRole::kernel);
  if (dense(op)) return 0;
  if (depthwise_backward(op, io01)) return 1;
  if (conv1d_depthwise(op)) return 2;
  if (depthwise_backward(op, io10)) return 3;
  if (conv2d_depthwise(op)) return 4;
  if (depthwise_forward(op)) return 5;
  if (replication(op)) return 6;
  if (dense_f01b(op)) return 7;
  return none;
}

// --- The ops ---

// Layers of the kinds that section J of the sheet lists, in varied layouts and sizes.
std::vector<ConvOp> generated_ops(std::size_t count) {
  std::mt19937_64 engine(1);
  const auto draw = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(high - low + 1));
  };
  const auto one_of = [&](std::span<const char* const> options) {
    return options[static_cast<std::size_t>(
        draw(0, static_cast<std::int64_t>(options.size()) - 1))];
  };
  static constexpr const char* in_labels[] = {"bf01", "bf01", "fb01", "b01f", "f01b"};
  static constexpr const char* kern_labels[] = {"oi01", "oi01", "io01", "io10",
                                                "o01i", "i01o", "01io"};
  static constexpr const char* out_labels[] = {"bf01", "bf01", "01bf", "b01f", "f01b"};
  std::vector<ConvOp> ops;
  while (ops.size() < count) {
    ConvOp op;
    op.in_perm = *parse_labels(one_of(in_labels), LabelRole::image);
    op.kern_perm = *parse_labels(one_of(kern_labels), LabelRole::kernel);
    op.out_perm = *parse_labels(one_of(out_labels), LabelRole::image);
    op.element_type = draw(0, 1) == 0 ? ElementType::f32 : ElementType::bf16;
    op.result_element_type = op.element_type;
    op.input_is_graph_input = draw(0, 2) == 0;
    std::int64_t batch = draw(1, 8);
    std::int64_t features = draw(0, 4) == 0 ? 3 : draw(1, 40) * 8;
    std::int64_t outputs = draw(0, 2) == 0 ? features : draw(1, 40) * 8;
    std::int64_t per_group = features;
    std::int64_t height = draw(4, 64);
    std::int64_t kernel_height = draw(1, 3) * 2 - 1;
    std::int64_t kernel_width = kernel_height;
    const std::int64_t kind = draw(0, 9);
    if (kind < 3) {  // depthwise
      op.feature_group_count = features;
      outputs = features;
      per_group = 1;
    } else if (kind == 3) {  // the weight gradient of a depthwise convolution
      batch = outputs = op.batch_group_count = draw(1, 24) * 8;
    } else if (kind == 4) {  // one-dimensional depthwise
      op.feature_group_count = outputs = features;
      per_group = height = kernel_height = 1;
      kernel_width = 4;
    }
    for (int axis = 0; axis < 2; ++axis) {
      WindowDim dim{.stride = draw(0, 3) == 0 ? draw(2, 3) : 1};
      if (kind != 4) dim.pad_low = dim.pad_high = draw(0, 2);
      if (draw(0, 7) == 0) dim.lhs_dilation = 2;
      if (draw(0, 5) == 0) dim.rhs_dilation = 2;
      if (draw(0, 19) == 0) dim.reversal = true;
      op.window.push_back(dim);
    }
    const std::int64_t in[] = {batch, features, height, draw(8, 64)};
    const std::int64_t kern[] = {outputs, per_group, kernel_height, kernel_width};
    op.in_shape = Shape::filled(4, 0);
    op.kern_shape = Shape::filled(4, 0);
    for (std::size_t axis = 0; axis < 4; ++axis) {
      op.in_shape[static_cast<std::size_t>(op.in_perm[axis])] = in[axis];
      op.kern_shape[static_cast<std::size_t>(op.kern_perm[axis])] = kern[axis];
    }
    op.res_shape = infer_result_shape(op);
    if (validate(op)) ops.push_back(op);
  }
  return ops;
}

constexpr std::size_t op_count = 1024;

const std::vector<ConvOp>& ops() {
  static const std::vector<ConvOp> instance = generated_ops(op_count);
  return instance;
}

// The ops in one of several orders: in one order they would be learned by heart by the predictor,
// which no compiler's stream of ops can be.
constexpr std::size_t order_count = 64;
std::span<const std::uint32_t> order(std::size_t round) {
  static const std::vector<std::vector<std::uint32_t>> orders = [] {
    std::mt19937_64 engine(2);
    std::vector<std::vector<std::uint32_t>> shuffled(order_count);
    for (auto& each : shuffled) {
      for (std::uint32_t i = 0; i < op_count; ++i) each.push_back(i);
      std::ranges::shuffle(each, engine);
    }
    return shuffled;
  }();
  return orders[round % order_count];
}

// --- The measurements ---

void run_by_hand(std::size_t round) {
  for (const std::uint32_t i : order(round)) benchmark::DoNotOptimize(select_by_hand(ops()[i]));
}

struct Compiled {
  TableProgram program = *compile_table(neuron_rows(convolution_schema()), convolution_schema());
  ConvBinding binding = *bind_convolution(convolution_schema(), program.attributes_read());
  Workspace workspace = program.make_workspace();

  int select(const ConvOp& op) {
    fill_record(op, binding, workspace.record());
    const TableOutcome outcome = program.first_match(workspace);
    return outcome.kind == TableOutcome::Kind::matched ? static_cast<int>(outcome.row) : none;
  }
  void run(std::size_t round) {
    for (const std::uint32_t i : order(round)) benchmark::DoNotOptimize(select(ops()[i]));
  }
};

template <class Run>
double seconds(Run run) {
  // Time of this process, so that a busy machine does not change the ratio.
  const std::clock_t start = std::clock();
  run();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

void by_hand(benchmark::State& state) {
  std::size_t round = 0;
  for (auto _ : state) run_by_hand(round++);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(op_count));
}

void fill_only(benchmark::State& state) {
  Compiled compiled;
  for (auto _ : state) {
    for (const ConvOp& op : ops()) {
      fill_record(op, compiled.binding, compiled.workspace.record());
      benchmark::ClobberMemory();
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(op_count));
}

void compiled_table(benchmark::State& state) {
  Compiled compiled;
  for (const ConvOp& op : ops()) {
    if (compiled.select(op) != select_by_hand(op)) {
      state.SkipWithError("the compiled table and the rows by hand differ");
      return;
    }
  }
  std::size_t round = 0;
  double hand = 0;
  double table = 0;
  for (auto _ : state) {
    hand += seconds([&] { run_by_hand(round); });
    const double both = seconds([&] { compiled.run(round); });
    table += both;
    state.SetIterationTime(both);
    ++round;
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(op_count));
  const double all = static_cast<double>(state.iterations()) * op_count;
  state.counters["ns_per_op"] = table / all * 1e9;
  state.counters["ns_by_hand"] = hand / all * 1e9;
  state.counters["ratio"] = table / hand;
}

BENCHMARK(by_hand);
BENCHMARK(fill_only);
BENCHMARK(compiled_table)->UseManualTime();

}  // namespace
}  // namespace convproof
