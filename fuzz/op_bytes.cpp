#include "fuzz/op_bytes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "fuzz/op_parts.h"

namespace convproof::fuzz {
namespace {

// Flags of the fourth byte.
constexpr std::uint8_t pglt_flag = 1;
constexpr std::uint8_t intermediate_image_flag = 2;
constexpr std::uint8_t intermediate_kernel_flag = 4;
constexpr std::uint8_t declared_result_flag = 8;

// Numbers below this are their own byte.
constexpr std::uint64_t small_numbers = 64;
constexpr std::uint8_t first_edge_byte = 0xC0;
constexpr std::uint8_t first_long_byte = 0xF8;  // and 0 to 7 more bytes than one follow
// One less than the extents around the ends of partition and free tiles, since extents count from
// 1.
constexpr std::array<std::uint64_t, 6> edge_numbers{127, 128, 126, 511, 512, 510};

// Perms by their number in lexicographic order.
std::uint8_t perm_number(const Perm& perm) {
  std::size_t number = 0;
  for (std::size_t i = 0; i < perm.size(); ++i) {
    std::size_t smaller = 0;
    for (std::size_t j = i + 1; j < perm.size(); ++j) smaller += perm[j] < perm[i] ? 1U : 0U;
    number = number * (perm.size() - i) + smaller;
  }
  return static_cast<std::uint8_t>(number);
}

Perm numbered_perm(std::uint8_t number, std::size_t rank) {
  std::array<std::size_t, max_rank> digits{};
  std::size_t rest = number;
  for (std::size_t i = rank; i-- > 0;) {
    digits[i] = rest % (rank - i);
    rest /= rank - i;
  }
  FixedVector<std::int64_t, max_rank> left = identity_perm(rank);
  Perm perm;
  for (std::size_t i = 0; i < rank; ++i) {
    perm.push_back(left[digits[i]]);
    for (std::size_t j = digits[i]; j + 1 < left.size(); ++j) left[j] = left[j + 1];
    left.pop_back();
  }
  return perm;
}

class Writer {
 public:
  void byte(std::uint8_t value) { bytes_.push_back(value); }
  void number(std::uint64_t value) {
    if (value < small_numbers) return byte(static_cast<std::uint8_t>(value));
    std::uint8_t length = 1;
    while (length < 8 && value >> (8 * length) != 0) ++length;
    byte(static_cast<std::uint8_t>(first_long_byte + length - 1));
    for (std::uint8_t i = 0; i < length; ++i) byte(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  void count(std::int64_t value) { number(static_cast<std::uint64_t>(value - 1)); }
  // 0, 1, -1, 2, -2, ... as 0, 1, 2, 3, 4, ...
  void signed_number(std::int64_t value) {
    number(value > 0 ? 2 * static_cast<std::uint64_t>(value) - 1
                     : 2 * static_cast<std::uint64_t>(-value));
  }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::uint8_t byte() { return next_ < bytes_.size() ? bytes_[next_++] : std::uint8_t{0}; }
  std::uint64_t number() {
    const std::uint8_t first = byte();
    if (first < small_numbers) return first;
    if (first < first_edge_byte) return first % 8;
    if (first < first_long_byte) return edge_numbers[first % edge_numbers.size()];
    std::uint64_t value = 0;
    for (int i = 0; i <= first - first_long_byte; ++i) value |= std::uint64_t{byte()} << (8 * i);
    return value;
  }
  std::int64_t count() {
    return static_cast<std::int64_t>(
               std::min(number(), static_cast<std::uint64_t>(max_extent) - 1)) +
           1;
  }
  std::int64_t signed_number() {
    const std::uint64_t value = std::min(number(), static_cast<std::uint64_t>(2 * max_extent));
    const auto half = static_cast<std::int64_t>(value / 2);
    return value % 2 == 1 ? half + 1 : -half;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t next_ = 0;
};

ElementType numbered_type(std::uint8_t number) {
  return element_types[number % element_types.size()].type;
}

std::uint8_t type_number(ElementType type) {
  return static_cast<std::uint8_t>(std::ranges::find(element_types, type, &ElementTypeInfo::type) -
                                   element_types.begin());
}

// f32 first, so that zero is plain.
constexpr std::uint8_t plain_type = 1;

// Bytes that are no value of their own choose one spatial axis or three about as often as real
// tables see them.
std::size_t spatial_of(std::uint8_t byte) {
  const int kind = byte % 16;
  return kind == 14 ? 1 : kind == 15 ? 3 : 2;
}
std::uint8_t spatial_byte(std::size_t spatial) {
  return spatial == 2 ? std::uint8_t{0} : spatial == 1 ? std::uint8_t{14} : std::uint8_t{15};
}

OpParts read_parts(Reader& reader, bool& declared) {
  OpParts parts;
  const std::size_t spatial = spatial_of(reader.byte());
  const std::size_t rank = spatial + 2;
  const auto element = static_cast<std::uint8_t>(reader.byte() + plain_type);
  parts.element_type = numbered_type(element);
  const auto result = static_cast<std::uint8_t>(reader.byte() % (element_types.size() + 1));
  parts.result_element_type =
      result == 0 ? parts.element_type : numbered_type(static_cast<std::uint8_t>(result - 1));
  const std::uint8_t flags = reader.byte();
  parts.is_pglt = (flags & pglt_flag) != 0;
  parts.input_is_graph_input = (flags & intermediate_image_flag) == 0;
  parts.kernel_is_graph_input = (flags & intermediate_kernel_flag) == 0;
  declared = (flags & declared_result_flag) != 0;
  parts.in_perm = numbered_perm(reader.byte(), rank);
  parts.kern_perm = numbered_perm(reader.byte(), rank);
  parts.out_perm = numbered_perm(reader.byte(), rank);
  parts.batch = reader.count();
  parts.features = reader.count();
  parts.outputs = reader.count();
  parts.feature_groups = reader.count();
  parts.batch_groups = reader.count();
  for (std::size_t i = 0; i < spatial; ++i) {
    AxisParts axis;
    axis.input = reader.count();
    axis.kernel = reader.count();
    axis.window.stride = reader.count();
    axis.window.pad_low = reader.signed_number();
    axis.window.pad_high = reader.signed_number();
    axis.window.lhs_dilation = reader.count();
    axis.window.rhs_dilation = reader.count();
    axis.window.reversal = reader.byte() % 2 == 1;
    parts.axes.push_back(axis);
  }
  return parts;
}

}  // namespace

std::vector<std::uint8_t> encode_op(const ConvOp& op) {
  const OpParts parts = take_apart(op);
  const ConvOp implied = put_together(parts);
  const bool declared = op.res_shape != implied.res_shape;
  Writer writer;
  writer.byte(spatial_byte(parts.axes.size()));
  constexpr auto types = static_cast<std::uint8_t>(element_types.size());
  writer.byte(
      static_cast<std::uint8_t>((type_number(parts.element_type) + types - plain_type) % types));
  writer.byte(parts.result_element_type == parts.element_type
                  ? std::uint8_t{0}
                  : static_cast<std::uint8_t>(type_number(parts.result_element_type) + 1));
  writer.byte(static_cast<std::uint8_t>(
      (parts.is_pglt ? pglt_flag : 0) | (parts.input_is_graph_input ? 0 : intermediate_image_flag) |
      (parts.kernel_is_graph_input ? 0 : intermediate_kernel_flag) |
      (declared ? declared_result_flag : 0)));
  writer.byte(perm_number(parts.in_perm));
  writer.byte(perm_number(parts.kern_perm));
  writer.byte(perm_number(parts.out_perm));
  writer.count(parts.batch);
  writer.count(parts.features);
  writer.count(parts.outputs);
  writer.count(parts.feature_groups);
  writer.count(parts.batch_groups);
  for (const AxisParts& axis : parts.axes) {
    writer.count(axis.input);
    writer.count(axis.kernel);
    writer.count(axis.window.stride);
    writer.signed_number(axis.window.pad_low);
    writer.signed_number(axis.window.pad_high);
    writer.count(axis.window.lhs_dilation);
    writer.count(axis.window.rhs_dilation);
    writer.byte(axis.window.reversal ? 1 : 0);
  }
  if (declared) {
    for (const std::int64_t extent : op.res_shape)
      writer.number(static_cast<std::uint64_t>(extent));
  }
  return writer.take();
}

ConvOp decode_op(std::span<const std::uint8_t> bytes, const Budget& budget) {
  Reader reader(bytes);
  bool declared = false;
  return repair_parts(read_parts(reader, declared), budget);
}

ConvOp decode_declared_op(std::span<const std::uint8_t> bytes, const Budget& budget) {
  Reader reader(bytes);
  bool declared = false;
  const OpParts parts = read_parts(reader, declared);
  ConvOp op = repair_parts(parts, budget);
  if (!declared) return op;
  Shape shape;
  for (std::size_t axis = 0; axis < op.res_shape.size(); ++axis) {
    shape.push_back(static_cast<std::int64_t>(
        std::min(reader.number(), static_cast<std::uint64_t>(max_extent))));
  }
  ConvOp declared_op = op;
  declared_op.res_shape = shape;
  return check_structure(declared_op) ? declared_op : op;
}

}  // namespace convproof::fuzz
