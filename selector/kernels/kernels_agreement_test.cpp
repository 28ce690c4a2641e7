#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "selector/kernels/kernel_test_problem.h"
#include "selector/kernels/layouts.h"
#include "selector/kernels/tiling.h"

namespace convproof::kernel_test {
namespace {

// An op with the names that contracts use.
struct Facts {
  explicit Facts(const ConvOp& conv_op) : op(conv_op), s(logical_sizes(conv_op)) {}
  const ConvOp& op;
  LogicalSizes s;
  std::int64_t N = s.batch, C = s.input_features, H = s.input[0], W = s.input[1];
  std::int64_t O = s.output_features, I = s.kernel_features, HF = s.kernel[0], WF = s.kernel[1];
  std::int64_t NR = s.result_batch, CR = s.result_features, K0 = s.result[0], K1 = s.result[1];
  std::int64_t fgc = op.feature_group_count, bgc = op.batch_group_count;
  std::int64_t bytes = info(op.element_type).bytes;
  const WindowDim& h = op.window[0];
  const WindowDim& w = op.window[1];
};

struct Clause {
  std::string_view id;  // as in the kernel set's file
  bool silent;
  std::function<bool(const Facts&)> holds;
};
using Contract = std::vector<Clause>;

constexpr bool silent = true;
constexpr bool refused = false;

const Clause no_reversal{"no_reversal", silent,
                         [](const Facts& f) { return !f.h.reversal && !f.w.reversal; }};
const Clause no_lhs_dilation{"no_lhs_dilation", silent, [](const Facts& f) {
                               return f.h.lhs_dilation == 1 && f.w.lhs_dilation == 1;
                             }};
const Clause ungrouped_features{"ungrouped_features", silent,
                                [](const Facts& f) { return f.fgc == 1; }};
const Clause ungrouped_batch{"ungrouped_batch", silent, [](const Facts& f) { return f.bgc == 1; }};
bool unit_stride(const Facts& f) { return f.h.stride == 1 && f.w.stride == 1; }
bool unit_rhs_dilation(const Facts& f) { return f.h.rhs_dilation == 1 && f.w.rhs_dilation == 1; }

const Contract dense_contract{ungrouped_features,
                              ungrouped_batch,
                              no_lhs_dilation,
                              no_reversal,
                              {"in_features", silent, [](const Facts& f) { return f.C == f.I; }},
                              {"out_features", silent, [](const Facts& f) { return f.O == f.CR; }},
                              {"batch", silent, [](const Facts& f) { return f.N == f.NR; }},
                              {"partitions", refused, [](const Facts& f) { return f.C <= 128; }}};

const Contract conv1d_contract{
    {"one_row", refused, [](const Facts& f) { return f.H == 1 && f.HF == 1 && f.K0 == 1; }},
    {"no_height_padding", refused,
     [](const Facts& f) { return f.h.pad_low == 0 && f.h.pad_high == 0; }},
    {"width_padding", refused,
     [](const Facts& f) { return f.w.pad_low >= 0 && f.w.pad_high >= 0; }},
    {"window", refused, [](const Facts& f) { return f.WF < 512; }},
    {"channels", refused, [](const Facts& f) { return f.C == f.O; }},
    {"depthwise", silent, [](const Facts& f) { return f.I == 1; }},
    {"stride", silent, unit_stride},
    {"no_rhs_dilation", silent, unit_rhs_dilation},
    no_lhs_dilation,
    no_reversal};

const Contract column_packing_contract{
    {"batch_is_groups", refused, [](const Facts& f) { return f.bgc == f.N; }},
    {"out_features_are_groups", refused, [](const Facts& f) { return f.bgc == f.O; }},
    {"stride", refused, unit_stride},
    ungrouped_features,
    {"one_result_image", silent, [](const Facts& f) { return f.NR == 1; }},
    {"in_features", silent, [](const Facts& f) { return f.C == f.I; }},
    no_lhs_dilation,
    no_reversal,
    {"partitions", refused, [](const Facts& f) { return f.C <= 128; }},
    {"result_pixels", refused, [](const Facts& f) { return f.K0 * f.K1 <= 128; }},
    {"group_tail", refused, [](const Facts& f) { return f.bgc <= 128 || f.bgc % 128 == 0; }},
    {"row_bytes", refused, [](const Facts& f) { return f.W * f.bytes <= 18200; }}};

const Contract column_packing_1_contract{
    {"in_features_are_groups", refused, [](const Facts& f) { return f.fgc == f.C; }},
    {"out_features_are_groups", refused, [](const Facts& f) { return f.fgc == f.O; }},
    {"one_image", refused, [](const Facts& f) { return f.N == 1; }},
    {"depthwise", silent, [](const Facts& f) { return f.I == 1; }},
    ungrouped_batch,
    no_lhs_dilation,
    no_reversal,
    {"group_tail", refused, [](const Facts& f) { return f.C <= 128 || f.C % 128 == 0; }},
    {"row_bytes", refused, [](const Facts& f) { return f.W * f.bytes <= 18200; }},
    {"result_pixels", refused, [](const Facts& f) { return f.C < 128 || f.K0 * f.K1 <= 4096; }}};

// The mended kernel's; the documented one has another clause and a defect, see below.
const Contract depthwise_contract{
    {"channels_are_groups", refused, [](const Facts& f) { return f.fgc == f.C && f.C == f.O; }},
    {"depthwise", refused, [](const Facts& f) { return f.I == 1; }},
    {"stride", refused, unit_stride},
    {"no_rhs_dilation", refused, unit_rhs_dilation},
    {"padding", refused,
     [](const Facts& f) {
       return std::min({f.h.pad_low, f.h.pad_high, f.w.pad_low, f.w.pad_high}) >= 0;
     }},
    {"batch", silent, [](const Facts& f) { return f.N == f.NR; }},
    ungrouped_batch,
    no_reversal};

const Contract pbp_contract{
    {"in_features", refused, [](const Facts& f) { return f.I == f.C; }},
    {"out_features", refused, [](const Facts& f) { return f.CR == f.O; }},
    {"batch", refused, [](const Facts& f) { return f.NR == f.N; }},
    {"stride", refused, unit_stride},
    {"result_height", refused,
     [](const Facts& f) { return f.K0 == f.H + 2 * f.h.pad_low - f.HF + 1; }},
    {"result_width", refused,
     [](const Facts& f) { return f.K1 == f.W + 2 * f.w.pad_low - f.WF + 1; }},
    {"filter_height", refused, [](const Facts& f) { return f.HF <= 128; }},
    ungrouped_features,
    ungrouped_batch,
    no_lhs_dilation,
    {"no_rhs_dilation", silent, unit_rhs_dilation},
    no_reversal};

// Clauses that belong to a contract only while a switch is on.
std::int64_t canonical_height(const Facts& f) { return (f.HF - 1) * f.h.rhs_dilation + 1; }
const Clause copy_start{
    "copy_start", refused, [](const Facts& f) {
      return replication_factor(canonical_height(f), f.C, f.h.rhs_dilation) == 1 || f.C % 32 == 0;
    }};
const Clause copy_start_of_one_feature{"copy_start", refused, [](const Facts& f) {
                                         return replication_factor(canonical_height(f), 1,
                                                                   f.h.rhs_dilation) == 1;
                                       }};
const Clause dense_trailing_extents{
    "trailing_extents", refused, [](const Facts& f) {
      return f.N > 1 || (f.W > 1 && f.W + f.w.pad_low + f.w.pad_high > 1 && f.K1 > 1);
    }};
const Clause channel_tail{"channel_tail", refused,
                          [](const Facts& f) { return f.C <= 128 || f.C % 128 == 0; }};
const Clause conv1d_trailing_extents{"trailing_extents", refused,
                                     [](const Facts& f) { return f.K1 > 1; }};

Contract with(Contract contract, std::initializer_list<Clause> clauses) {
  contract.insert(contract.end(), clauses);
  return contract;
}

const Layouts gradient{image_layout::fb01, kernel_layout::io01, image_layout::zero_1bf};
const Layouts plain{image_layout::bf01, kernel_layout::oi01, image_layout::bf01};

struct Subject {
  std::string_view kernel;
  std::vector<Layouts> layouts;
  Contract contract;
  bool silent_may_be_refused = false;  // outside its contract a device limit may stop it
  KernelSwitches switches{};
  Device device{};
};

std::vector<Subject> subjects() {
  std::vector<Layouts> dense_layouts{gradient};
  for (const Perm& in :
       {image_layout::fb01, image_layout::f01b, image_layout::bf01, image_layout::b01f}) {
    for (const Perm& kern : {kernel_layout::oi01, kernel_layout::io01, kernel_layout::o01i,
                             kernel_layout::i01o, kernel_layout::io10}) {
      for (const Perm& out : {image_layout::bf01, image_layout::f01b, image_layout::zero_1bf}) {
        dense_layouts.push_back({in, kern, out});
      }
    }
  }
  return {
      {dense, dense_layouts, dense_contract, true},
      {conv1d, {plain}, conv1d_contract},
      {column_packing, {gradient}, column_packing_contract},
      {column_packing_io10,
       {{image_layout::fb01, kernel_layout::io10, image_layout::zero_1bf},
        {image_layout::fb10, kernel_layout::io10, image_layout::zero_1bf}},
       column_packing_contract},
      {column_packing_1, {plain}, column_packing_1_contract},
      {depthwise,
       {{image_layout::f01b, kernel_layout::o01i, image_layout::bf01},
        {image_layout::fb10, kernel_layout::o01i, image_layout::bf01}},
       depthwise_contract,
       false,
       {.mend_last_tile = true}},
      {pbp_0f1b,
       {{image_layout::zero_f1b, kernel_layout::zero_i1o, image_layout::zero_1fb}},
       pbp_contract},
      {pbp_fb01, {gradient}, pbp_contract},
  };
}

std::vector<Subject> switched_subjects() {
  const Device replicating{.onchip_replication = true};
  return {
      {dense, {gradient}, with(dense_contract, {copy_start}), true, {}, replicating},
      {dense,
       {gradient, {image_layout::f01b, kernel_layout::i01o, image_layout::f01b}},
       with(dense_contract, {dense_trailing_extents}),
       true,
       {.old_trailing_extents = true}},
      {conv1d,
       {plain},
       with(conv1d_contract, {channel_tail, conv1d_trailing_extents}),
       false,
       {.old_channel_tail = true, .old_trailing_extents = true}},
      {column_packing,
       {gradient},
       with(column_packing_contract, {copy_start}),
       false,
       {},
       replicating},
      {column_packing_1,
       {plain},
       with(column_packing_1_contract, {copy_start_of_one_feature}),
       false,
       {},
       replicating},
  };
}

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}
  std::int64_t from(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random_);
  }
  template <class T>
  const T& one_of(const std::vector<T>& values) {
    return values[static_cast<std::size_t>(from(0, static_cast<std::int64_t>(values.size()) - 1))];
  }
  bool rarely() { return from(0, 7) == 0; }
  std::mt19937_64& engine() { return random_; }

 private:
  std::mt19937_64 random_;
};

WindowDim draw_window(Draw& draw) {
  WindowDim dim;
  if (draw.rarely()) dim.stride = draw.from(2, 3);
  if (draw.from(0, 2) != 0) dim.pad_low = draw.from(0, 4);
  dim.pad_high = draw.from(0, 2) != 0 ? dim.pad_low : draw.from(0, 4);
  if (draw.rarely()) dim.pad_low = draw.from(-2, -1);
  if (draw.rarely()) dim.pad_high = draw.from(-2, -1);
  if (draw.rarely()) dim.lhs_dilation = draw.from(2, 4);
  if (draw.rarely()) dim.rhs_dilation = draw.from(2, 4);
  if (draw.from(0, 15) == 0) dim.reversal = true;
  return dim;
}

// A well-formed op of the kind that `kernel` is made for, mostly.
ConvOp draw_op(std::string_view kernel, const Layouts& layouts, Draw& draw) {
  enum class Kind : std::uint8_t { dense, depthwise, depthwise_gradient, grouped };
  Kind kind = Kind::dense;
  if (kernel == conv1d || kernel == depthwise || kernel == column_packing_1) kind = Kind::depthwise;
  if (kernel == column_packing || kernel == column_packing_io10) kind = Kind::depthwise_gradient;
  if (draw.rarely()) kind = static_cast<Kind>(draw.from(0, 3));

  std::int64_t batch = draw.from(1, 3);
  const std::int64_t channels_limit = draw.from(0, 40) == 0 ? 140 : 6;
  std::int64_t features = draw.from(1, channels_limit);
  std::int64_t outputs = draw.from(1, channels_limit);
  std::int64_t feature_groups = 1;
  std::int64_t batch_groups = 1;
  switch (kind) {
    case Kind::dense:
      break;
    case Kind::depthwise:
      feature_groups = outputs = features;
      if (kernel == column_packing_1 && !draw.rarely()) batch = 1;
      if (draw.rarely()) outputs *= 2;
      break;
    case Kind::depthwise_gradient:
      batch = batch_groups = outputs;
      if (draw.rarely()) batch *= 2;
      break;
    case Kind::grouped:
      if (draw.from(0, 1) == 0) {
        feature_groups = draw.from(2, 3);
        features *= feature_groups;
        outputs *= feature_groups;
      } else {
        batch_groups = draw.from(2, 3);
        batch *= batch_groups;
        outputs *= batch_groups;
      }
  }
  const bool small = channels_limit > 6;
  const bool one_row = kernel == conv1d && !draw.rarely();
  const std::int64_t height = one_row ? 1 : draw.from(1, small ? 4 : 9);
  const std::int64_t width = draw.from(1, small ? 4 : 9);
  const std::int64_t filter_height = one_row ? 1 : draw.from(1, small ? 2 : 5);
  const std::int64_t filter_width = draw.from(1, small ? 2 : 5);
  WindowDim rows = draw_window(draw);
  const WindowDim columns = draw_window(draw);
  if (one_row) rows.pad_low = rows.pad_high = 0;
  return make_op(layouts, {batch, features, height, width}, outputs, filter_height, filter_width,
                 rows, columns, feature_groups, batch_groups);
}

struct Counts {
  int inside = 0;   // held to be right
  int outside = 0;  // refused, or outside the contract silently
  int wrong = 0;    // of those, silently wrong
};

void check_one(const Subject& subject, const ConvOp& op, Draw& draw, Arena& arena, Counts& counts) {
  const Facts facts(op);
  bool expect_refusal = false;
  bool expect_wrong = false;
  for (const Clause& clause : subject.contract) {
    if (!clause.holds(facts)) (clause.silent ? expect_wrong : expect_refusal) = true;
  }
  // The layouts that the dense kernel only takes unstrided.
  const bool unstrided_layout = subject.kernel == dense && (op.in_perm == image_layout::bf01 ||
                                                            op.in_perm == image_layout::b01f);
  if (unstrided_layout && !unit_stride(facts)) expect_refusal = true;

  const Operands operands = random_operands(op, draw.engine());
  const Answer answer =
      run(subject.kernel, call_of(op), operands, arena, subject.device, subject.switches);
  if (expect_refusal) {
    ++counts.outside;
    EXPECT_FALSE(answer.outcome) << to_string(op);
    return;
  }
  if (!answer.outcome) {
    EXPECT_TRUE(expect_wrong && subject.silent_may_be_refused &&
                answer.outcome.error().fault == KernelFault::device_limit)
        << to_string(op) << ": " << to_string(answer.outcome.error());
    return;
  }
  EXPECT_EQ(std::ranges::count(answer.result, -987654321), 0) << to_string(op);
  const bool equal = answer.result == direct_convolution(op, operands);
  if (expect_wrong) {
    ++counts.outside;
    counts.wrong += equal ? 0 : 1;
  } else {
    ++counts.inside;
    EXPECT_TRUE(equal) << to_string(op);
  }
}

Counts check_subject(const Subject& subject, int cases) {
  Arena arena;
  Draw draw(20240611);
  Counts counts;
  for (int i = 0; i < cases && !testing::Test::HasFailure(); ++i) {
    const ConvOp op = draw_op(subject.kernel, draw.one_of(subject.layouts), draw);
    if (element_count(op.res_shape) != 0) check_one(subject, op, draw, arena, counts);
  }
  return counts;
}

// A kernel refuses exactly where a clause says that it does, and inside its contract it computes
// the convolution.
TEST(Kernels, refuse_and_compute_as_their_contracts_say) {
  for (const Subject& subject : subjects()) {
    SCOPED_TRACE(std::string(subject.kernel));
    const Counts counts = check_subject(subject, 6000);
    EXPECT_GT(counts.inside, 500);
    EXPECT_GT(counts.outside, 500);
    EXPECT_GT(counts.wrong, 50);
  }
}

TEST(Kernels, refuse_what_their_switches_add_to_the_contract) {
  for (const Subject& subject : switched_subjects()) {
    SCOPED_TRACE(std::string(subject.kernel));
    const Counts counts = check_subject(subject, 3000);
    EXPECT_GT(counts.inside, 50);
    EXPECT_GT(counts.outside, 500);
  }
}

// Whatever the call says, kernels stay within their operands: for the sanitizers.
TEST(Kernels, malformed_calls_are_refused_or_stay_in_bounds) {
  Arena arena;
  int ran = 0;
  for (const Subject& subject : subjects()) {
    Draw draw(77);
    for (int i = 0; i < 4000; ++i) {
      ConvOp op = draw_op(subject.kernel, draw.one_of(subject.layouts), draw);
      for (int change = 0; change < 2; ++change) {
        const auto axis = static_cast<std::size_t>(draw.from(0, 3));
        const std::int64_t extent = draw.from(0, 7);
        switch (draw.from(0, 6)) {
          case 0:
            op.in_shape[axis] = extent;
            break;
          case 1:
            op.kern_shape[axis] = extent;
            break;
          case 2:
          case 3:
            op.res_shape[axis] = extent;
            break;
          case 4:
            op.feature_group_count = extent;
            break;
          case 5:
            op.window[axis % 2].pad_low = draw.from(-12, 12);
            break;
          case 6:
            std::swap(op.in_perm[axis], op.in_perm[0]);
            break;
          default:
            break;
        }
      }
      const Operands operands = random_operands(op, draw.engine());
      for (const KernelSwitches& switches :
           {subject.switches, KernelSwitches{.old_channel_tail = true,
                                             .old_trailing_extents = true,
                                             .old_flattening_transpose = true}}) {
        const Answer answer = run(subject.kernel, call_of(op), operands, arena, {}, switches);
        if (answer.outcome) {
          ++ran;
          EXPECT_EQ(std::ranges::count(answer.result, -987654321), 0) << to_string(op);
        }
      }
    }
  }
  EXPECT_GT(ran, 1000);
}

TEST(Kernels, absurd_numbers_are_refused_without_asking_for_memory) {
  Arena arena;
  constexpr std::int64_t huge = max_extent;
  for (const Subject& subject : subjects()) {
    for (int field = 0; field < 6; ++field) {
      ConvOp op = make_op(subject.layouts.front(), {1, 1, 1, 3}, 1, 1, 3, {},
                          {.pad_low = 2, .pad_high = 2});
      KernelCall call = call_of(op);
      switch (field) {
        case 0:
          call.stride[1] = huge;
          break;
        case 1:
          call.rhs_dilation[1] = huge;
          break;
        case 2:
          call.lhs_dilation = {huge, huge};
          break;
        case 3:
          call.padding[1] = {huge, huge};
          break;
        case 4:
          call.padding = {{-huge, -huge}, {-huge, -huge}};
          break;
        case 5:
          call.rhs_dilation = {huge, huge};
          break;
        default:
          break;
      }
      const Operands operands{std::vector<std::int64_t>(3, 1), std::vector<std::int64_t>(3, 1)};
      const Answer answer = run(subject.kernel, call, operands, arena, {}, subject.switches);
      if (answer.outcome) {
        EXPECT_EQ(std::ranges::count(answer.result, -987654321), 0);
      }
    }
  }
}

TEST(Kernels, an_empty_result_is_a_success) {
  Arena arena;
  for (const Subject& subject : subjects()) {
    ConvOp op = make_op(subject.layouts.front(), {1, 2, 2, 2}, 2, 3, 3, {.stride = 2});
    ASSERT_EQ(element_count(op.res_shape), 0);
    std::mt19937_64 random(1);
    EXPECT_TRUE(run(subject.kernel, call_of(op), random_operands(op, random), arena).outcome)
        << subject.kernel;
  }
}

TEST(Kernels, calls_of_other_ranks_are_refused) {
  Arena arena;
  ConvOp op = make_op(plain, {1, 1, 3, 3}, 1, 1, 1);
  KernelCall call = call_of(op);
  call.stride.push_back(1);
  std::mt19937_64 random(1);
  for (const Subject& subject : subjects()) {
    EXPECT_FALSE(run(subject.kernel, call, random_operands(op, random), arena).outcome);
  }
}

// The integers modulo a prime, with nothing but what kernels may ask of a scalar.
class Residue {
 public:
  static constexpr std::int64_t prime = 1'000'003;
  Residue() = default;
  explicit Residue(std::int64_t value) : value_(floor_mod(value, prime)) {}
  Residue& operator+=(Residue other) {
    value_ = (value_ + other.value_) % prime;
    return *this;
  }
  friend Residue operator*(Residue a, Residue b) { return Residue(a.value_ * b.value_); }
  friend bool operator==(Residue, Residue) = default;

 private:
  std::int64_t value_ = 0;
};

TEST(Kernels, run_over_any_ring) {
  Arena arena;
  const auto residues = [](const std::vector<std::int64_t>& values) {
    std::vector<Residue> result;
    for (const std::int64_t value : values) result.emplace_back(value);
    return result;
  };
  for (const Subject& subject : subjects()) {
    Draw draw(4);
    int ran = 0;
    for (int i = 0; i < 100; ++i) {
      const ConvOp op = draw_op(subject.kernel, subject.layouts.front(), draw);
      const Operands operands = random_operands(op, draw.engine());
      const Answer answer = run(subject.kernel, call_of(op), operands, arena);
      const std::vector<Residue> image = residues(operands.image);
      const std::vector<Residue> kernel = residues(operands.kernel);
      std::vector<Residue> result(answer.result.size());
      const KernelResult outcome = kernel_named<Residue>(subject.kernel)(
          call_of(op), {image, op.in_shape}, {kernel, op.kern_shape}, {result, op.res_shape},
          {.scratch = &arena});
      ASSERT_EQ(outcome, answer.outcome);
      if (!outcome) continue;
      EXPECT_EQ(result, residues(answer.result));
      ++ran;
    }
    EXPECT_GT(ran, 20) << subject.kernel;
  }
}

TEST(Kernels, are_eight_in_registry_order) {
  const auto entries = neuron_kernels<float>();
  ASSERT_EQ(entries.size(), 8U);
  EXPECT_EQ(entries[0].name, pbp_0f1b);
  EXPECT_EQ(entries[1].leaf, "conv2d_pbp_fb01_io01_01bf_kernel_experimental_1");
  EXPECT_EQ(entries[2].name, dense);
  EXPECT_EQ(entries[2].leaf, "conv2d_dw_fb01_io01_01bf_rep_nhwc_Pcinh");
  EXPECT_EQ(entries[3].name, conv1d);
  EXPECT_EQ(entries[4].name, column_packing);
  EXPECT_EQ(entries[5].name, column_packing_io10);
  EXPECT_EQ(entries[6].name, column_packing_1);
  EXPECT_EQ(entries[7].name, depthwise);
}

}  // namespace
}  // namespace convproof::kernel_test
