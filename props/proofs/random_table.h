#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "selector/registry/registry.h"
#include "selector/rules/predicate.h"

namespace convproof::proofs {

// Tables in the style of the Neuron one for tests: rows of a few clauses, some of which raise, over
// the kernels of the documented set. `draw(n)` gives a number below n.
class RandomTable {
 public:
  using Draw = std::function<std::uint32_t(std::uint32_t)>;

  explicit RandomTable(Draw draw) : draw_(std::move(draw)), base_(*find_registry("neuron")) {}

  Registry table(std::size_t rows) {
    Registry registry = base_;
    registry.name = "random";
    registry.file = "random.json";
    registry.rows.clear();
    for (std::size_t i = 0; i < rows; ++i) registry.rows.push_back(row(i));
    registry.lists = {{.name = "rows", .count = rows}};
    return registry;
  }

  // A row of given clauses; the kernel is one of the table's.
  Row row_of(std::size_t index, const std::vector<std::string>& clauses) const {
    Row row = base_.rows[index % base_.rows.size()];
    row.id = fmt::format("row-{}", index);
    row.number = static_cast<std::int64_t>(index) + 1;
    row.line = static_cast<int>(index) + 1;
    std::vector<ClauseSource> sources;
    for (const std::string& text : clauses) {
      ClauseSource source{.text = text};
      if (text.starts_with("assert ")) {
        source.text = text.substr(std::string_view("assert ").size());
        source.message = "asserted";
      }
      sources.push_back(std::move(source));
    }
    row.predicate = *parse_predicate(sources, base_.schema, {});
    row.facts.assign(clauses.size(), {});
    return row;
  }

 private:
  Row row(std::size_t index) {
    static constexpr std::array texts{
        std::string_view("feature_group_count == 1"),
        std::string_view("batch_group_count == 1"),
        std::string_view("feature_group_count == C"),
        std::string_view("lhs_dilation == [1, 1]"),
        std::string_view("rhs_dilation == [1, 1]"),
        std::string_view("not any(rhs_reversal)"),
        std::string_view("stride == [1, 1]"),
        std::string_view("stride[0] == stride[1]"),
        std::string_view("C == O"),
        std::string_view("C <= 2"),
        std::string_view("C > 2"),
        std::string_view("K0 * K1 <= 9"),
        std::string_view("H == 1 and HF == 1"),
        std::string_view("N % 2 == 1"),
        std::string_view("O % C == 0"),
        std::string_view("W // WF >= 2"),
        std::string_view("10 // K0 > 1"),
        std::string_view("all(p[0] >= 0 and p[1] >= 0 for p in padding)"),
        std::string_view("in_perm in [image_labels('bf01'), image_labels('f01b')]"),
        std::string_view("kern_perm == kernel_labels('oi01')"),
        std::string_view("element_type in ['f32', 'bf16']"),
        std::string_view("kernel_is_graph_input"),
        std::string_view("max(HF, WF) <= 2"),
        std::string_view("canH * C <= 8"),
        std::string_view("assert N == NR"),
        std::string_view("assert K0 > 0"),
    };
    std::vector<std::string> clauses;
    const std::uint32_t count = draw_(4);
    for (std::uint32_t i = 0; i < count; ++i) {
      clauses.emplace_back(texts[draw_(static_cast<std::uint32_t>(texts.size()))]);
    }
    return row_of(index, clauses);
  }

  Draw draw_;
  Registry base_;
};

// The table without one row.
inline Registry without_row(const Registry& registry, std::size_t row) {
  Registry shorter = registry;
  shorter.rows.erase(shorter.rows.begin() + static_cast<std::ptrdiff_t>(row));
  for (RowList& list : shorter.lists) {
    if (row >= list.first && row < list.first + list.count) {
      --list.count;
    } else if (list.first > row) {
      --list.first;
    }
  }
  return shorter;
}

inline Registry with_rows_swapped(const Registry& registry, std::size_t first, std::size_t second) {
  Registry swapped = registry;
  std::swap(swapped.rows[first], swapped.rows[second]);
  return swapped;
}

}  // namespace convproof::proofs
