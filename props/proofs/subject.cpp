#include "props/proofs/subject.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <utility>

#include "props/proofs/aten_call_subject.h"
#include "props/proofs/convolution_subject.h"

namespace convproof::proofs {
namespace {

// Numbers around which tables and devices draw their lines.
constexpr std::array<std::int64_t, 15> lines{0,  1,  2,   3,   4,   8,    16,   32,
                                             33, 64, 128, 129, 256, 1025, 65536};

// Changes the slot to every value of interest within the attribute's bounds.
bool change_slot(Record& record, std::uint32_t slot, const Attribute& attribute,
                 const Subject::Visit& visit) {
  const std::int64_t before = record[slot];
  if (attribute.type.scalar == ScalarType::boolean) {
    record[slot] = 1 - before;
    const bool stop = visit(record);
    record[slot] = before;
    return stop;
  }
  const auto to = [&](std::int64_t value) {
    if (value == before || value < attribute.low || value > attribute.high) return false;
    record[slot] = value;
    const bool stop = visit(record);
    record[slot] = before;
    return stop;
  };
  constexpr std::int64_t few = 16;  // as many values as an enumeration has
  if (attribute.high - attribute.low < few) {
    for (std::int64_t value = attribute.low; value <= attribute.high; ++value) {
      if (to(value)) return true;
    }
    return false;
  }
  for (const std::int64_t line : lines) {
    if (to(line)) return true;
  }
  return to(before + 1) || to(before - 1);
}

}  // namespace

std::string_view name_of(Effect effect) {
  switch (effect) {
    case Effect::aborts:
      return "aborts";
    case Effect::rejected:
      return "rejected";
    case Effect::different:
      return "different";
    case Effect::none:
      return "none";
    case Effect::not_executed:
      break;
  }
  return "not executed";
}

void Subject::visit_neighbours(const Record& record, const Visit& visit) const {
  Record changed = record;
  for (const Attribute& attribute : schema_.attributes) {
    if (!attribute.type.is_list()) {
      if (change_slot(changed, attribute.slot, attribute, visit)) return;
      continue;
    }
    const auto length = static_cast<std::uint32_t>(record[attribute.slot]);
    const std::uint32_t inner = attribute.type.depth == 1 ? 1 : attribute.inner_length;
    for (std::uint32_t i = 0; i < length * inner; ++i) {
      if (change_slot(changed, attribute.slot + 1 + i, attribute, visit)) return;
    }
  }
}

std::expected<std::shared_ptr<const Subject>, LocatedError> find_subject(const Schema& schema) {
  auto convolutions = ConvolutionSubject::create(schema);
  if (convolutions) return std::move(*convolutions);
  auto calls = AtenCallSubject::create(schema);
  if (calls) return std::move(*calls);
  return std::unexpected(std::move(convolutions.error()));
}

}  // namespace convproof::proofs
