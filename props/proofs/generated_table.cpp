#include "props/proofs/generated_table.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "oracle/random.h"
#include "selector/rules/predicate.h"

namespace convproof::proofs {
namespace {

constexpr std::array<std::string_view, 5> images{"bf01", "fb01", "f01b", "b01f", "01bf"};
constexpr std::array<std::string_view, 4> kernels{"oi01", "io01", "o01i", "i01o"};
constexpr std::array<std::string_view, 6> strides{"[1, 1]", "[2, 2]", "[1, 2]",
                                                  "[2, 1]", "[3, 3]", "[4, 4]"};
constexpr std::array<std::string_view, 5> extents{"N", "C", "O", "W", "WF"};
constexpr std::size_t guards = images.size() * kernels.size() * strides.size();

// A row before it is parsed.
struct Draft {
  std::vector<std::string> clauses{};
  std::size_t group = 0;  // of a planted row and its blockers, from 1; 0: of no group
  bool planted = false;
};

class Drafts {
 public:
  Drafts(std::size_t rows, std::uint64_t seed) : rows_(rows), random_(seed) {}

  std::vector<Draft> make() {
    for (std::size_t guard = 0; guard < guards; ++guard) guards_.push_back(guard);
    shuffle(guards_);
    // A guard of its own for each group; those of the other rows are any.
    groups_ = std::min(rows_ / 10, guards / 2);
    for (std::size_t group = 1; group <= groups_; ++group) add_group(group);
    while (drafts_.size() < rows_) add_other();
    shuffle(drafts_);
    // The planted row trades places with the last of its group.
    for (std::size_t group = 1; group <= groups_; ++group) {
      std::size_t last = 0;
      std::size_t planted = 0;
      for (std::size_t i = 0; i < drafts_.size(); ++i) {
        if (drafts_[i].group != group) continue;
        last = i;
        if (drafts_[i].planted) planted = i;
      }
      std::swap(drafts_[planted], drafts_[last]);
    }
    return std::move(drafts_);
  }

 private:
  std::int64_t below(std::int64_t bound) { return random_.between(0, bound - 1); }

  template <class Values>
  auto one_of(const Values& values) {
    return values[static_cast<std::size_t>(below(static_cast<std::int64_t>(values.size())))];
  }

  template <class Value>
  void shuffle(std::vector<Value>& values) {
    for (std::size_t i = values.size(); i > 1; --i) {
      const auto other = static_cast<std::size_t>(below(static_cast<std::int64_t>(i)));
      std::swap(values[i - 1], values[other]);
    }
  }

  static std::vector<std::string> guard_of(std::size_t guard) {
    const std::string_view image = images[guard % images.size()];
    const std::string_view kernel = kernels[guard / images.size() % kernels.size()];
    const std::string_view stride = strides[guard / images.size() / kernels.size()];
    return {fmt::format("in_perm == image_labels('{}')", image),
            fmt::format("kern_perm == kernel_labels('{}')", kernel),
            fmt::format("stride == {}", stride)};
  }

  // Conditions one of which holds for every convolution, and none of which the others imply, also
  // where H is a multiple of 105.
  std::vector<std::string> cover() {
    const std::string_view x = one_of(extents);
    std::string_view y = one_of(extents);
    while (y == x) y = one_of(extents);
    const std::int64_t low = 2 + below(14);
    const std::int64_t high = low + 1 + below(112);
    switch (below(9)) {
      case 0:
        return {fmt::format("{} % 2 == 0", x), fmt::format("{} % 2 == 1", x)};
      case 1:
        return {fmt::format("{} % 3 == 0", x), fmt::format("{} % 3 == 1", x),
                fmt::format("{} % 3 == 2", x)};
      case 2:
        return {fmt::format("{} <= {}", x, low), fmt::format("{} > {}", x, low)};
      case 3:
        return {fmt::format("{} <= {}", x, low), fmt::format("{} < {} <= {}", low, x, high),
                fmt::format("{} > {}", x, high)};
      case 4:
        return {"not any(rhs_reversal)", fmt::format("any(rhs_reversal) and {} % 2 == 0", x),
                fmt::format("any(rhs_reversal) and not {} % 2 == 0", x)};
      case 5:
        return {fmt::format("{} * {} <= {}", x, y, high), fmt::format("{} * {} > {}", x, y, high)};
      case 6:  // by the axiom that one of them is 1
        return {"feature_group_count == 1", "batch_group_count == 1"};
      case 7:
        return {"rhs_dilation == [1, 1]",
                fmt::format("rhs_dilation != [1, 1] and {} <= {}", x, low),
                fmt::format("rhs_dilation != [1, 1] and {} > {}", x, low)};
      default:
        return {fmt::format("{} <= {}", x, y), fmt::format("{} > {}", x, y)};
    }
  }

  // Leaves every part of every cover possible.
  std::string side_clause() {
    static constexpr std::array<std::string_view, 5> clauses{
        "element_type in ['f32', 'bf16']", "lhs_dilation == [1, 1]",
        "all(p[0] >= 0 and p[1] >= 0 for p in padding)", "kernel_is_graph_input", "not is_pglt"};
    return std::string(one_of(clauses));
  }

  void add_group(std::size_t group) {
    const std::vector<std::string> guard = guard_of(guards_[group - 1]);
    for (const std::string& part : cover()) {
      Draft blocker{.clauses = guard, .group = group};
      blocker.clauses.push_back(part);
      drafts_.push_back(std::move(blocker));
    }
    Draft planted{.clauses = guard, .group = group, .planted = true};
    planted.clauses.push_back(side_clause());
    drafts_.push_back(std::move(planted));
  }

  // Lets through what has a multiple of 105 for height: so the blockers of planted rows stay
  // needed.
  std::string narrow_clause() {
    const std::int64_t modulus = one_of(std::array<std::int64_t, 3>{3, 5, 7});
    return fmt::format("H % {} == {}", modulus, 1 + below(modulus - 1));
  }

  void add_other() {
    const auto at = static_cast<std::size_t>(below(static_cast<std::int64_t>(guards)));
    std::vector<std::string> clauses = guard_of(guards_[at]);
    // Some rows guard layouts only, some the kernel's and the stride only.
    const std::int64_t missing = below(8);
    if (missing < 3) clauses.erase(clauses.begin() + missing);
    if (missing < 3 || at < groups_) clauses.push_back(narrow_clause());
    static constexpr std::array<std::string_view, 6> fixed{
        "feature_group_count == 1", "batch_group_count == 1", "feature_group_count == C",
        "lhs_dilation == [1, 1]",   "rhs_dilation == [1, 1]", "not any(rhs_reversal)"};
    for (std::int64_t more = below(3); more >= 0; --more) {
      clauses.emplace_back(one_of(fixed));
    }
    const std::int64_t bound = std::int64_t{1} << (1 + below(9));
    switch (below(5)) {
      case 0:
        clauses.push_back(fmt::format("{} <= {}", one_of(extents), bound));
        break;
      case 1:
        clauses.push_back(fmt::format("{} > {}", one_of(extents), bound));
        break;
      case 2:
        clauses.push_back(fmt::format("{} % {} == 0", one_of(extents), 2 + below(15)));
        break;
      case 3:
        clauses.push_back(fmt::format("K0 * K1 <= {}", bound));
        break;
      default:
        clauses.push_back(fmt::format("canH * C <= {}", bound));
    }
    clauses.push_back(side_clause());
    // One clause twice would say nothing.
    std::vector<std::string> kept;
    for (std::string& clause : clauses) {
      if (std::ranges::find(kept, clause) == kept.end()) kept.push_back(std::move(clause));
    }
    drafts_.push_back({.clauses = std::move(kept)});
  }

  std::size_t rows_;
  oracle::SplitMix64 random_;
  std::vector<std::size_t> guards_{};  // the groups' first
  std::size_t groups_ = 0;
  std::vector<Draft> drafts_{};
};

}  // namespace

std::expected<GeneratedTable, LocatedError> generated_table(std::size_t rows, std::uint64_t seed) {
  auto base = find_registry("neuron");
  if (!base) return std::unexpected(std::move(base.error()));
  const std::vector<Draft> drafts = Drafts(rows, seed).make();
  GeneratedTable table;
  table.registry = *base;
  table.registry.name = fmt::format("generated-{}", rows);
  table.registry.file = table.registry.name + ".json";
  table.registry.doc = "Generated rows, some of them shadowed by several others together.";
  table.registry.rows.clear();
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    Row row = base->rows[i % base->rows.size()];
    row.id = fmt::format("row-{}", i + 1);
    row.number = static_cast<std::int64_t>(i) + 1;
    row.line = static_cast<int>(i) + 1;
    std::vector<ClauseSource> sources;
    for (const std::string& text : drafts[i].clauses) {
      sources.push_back({.text = text, .place = fmt::format("rows[{}]", i)});
    }
    auto predicate = parse_predicate(sources, base->schema, {});
    if (!predicate) return std::unexpected(std::move(predicate.error()));
    row.predicate = std::move(*predicate);
    row.facts.assign(sources.size(), {});
    table.registry.rows.push_back(std::move(row));
    if (!drafts[i].planted) continue;
    PlantedRow planted{.row = fmt::format("row-{}", i + 1)};
    for (std::size_t earlier = 0; earlier < i; ++earlier) {
      if (drafts[earlier].group != drafts[i].group) continue;
      planted.by.push_back(fmt::format("row-{}", earlier + 1));
    }
    table.planted.push_back(std::move(planted));
  }
  table.registry.lists = {{.name = "rows", .count = drafts.size()}};
  return table;
}

}  // namespace convproof::proofs
