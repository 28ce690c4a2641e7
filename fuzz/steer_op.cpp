#include "fuzz/steer_op.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/op_parts.h"
#include "selector/op/dim_labels.h"
#include "selector/op/window.h"

namespace convproof::fuzz {
namespace {

using Edit = void (*)(OpParts&);

// The gentlest first.
constexpr std::array edits{
    Edit{[](OpParts& parts) {
      for (AxisParts& axis : parts.axes) axis.window.reversal = false;
    }},
    Edit{[](OpParts& parts) {
      for (AxisParts& axis : parts.axes) axis.window.lhs_dilation = 1;
    }},
    Edit{[](OpParts& parts) {
      for (AxisParts& axis : parts.axes) axis.window.rhs_dilation = 1;
    }},
    Edit{[](OpParts& parts) {
      for (AxisParts& axis : parts.axes) axis.window.stride = 1;
    }},
    Edit{[](OpParts& parts) {
      for (AxisParts& axis : parts.axes) axis.window.stride = 3;
    }},
    Edit{[](OpParts& parts) {
      for (AxisParts& axis : parts.axes) {
        axis.window.pad_low = std::max<std::int64_t>(axis.window.pad_low, 0);
        axis.window.pad_high = std::max<std::int64_t>(axis.window.pad_high, 0);
      }
    }},
    // What a kernel of symmetric padding computes from the low one alone.
    Edit{[](OpParts& parts) {
      for (AxisParts& axis : parts.axes) axis.window.pad_high = axis.window.pad_low;
    }},
    Edit{[](OpParts& parts) { parts.batch_groups = 1; }},
    Edit{[](OpParts& parts) { parts.feature_groups = 1; }},
    Edit{[](OpParts& parts) { parts.batch = 1; }},
    Edit{[](OpParts& parts) {
      parts.feature_groups *= parts.features;
      parts.features = parts.outputs = parts.batch_groups = 1;
    }},
    Edit{[](OpParts& parts) {
      parts.batch_groups = std::max<std::int64_t>(2, parts.batch * parts.batch_groups);
      parts.batch = parts.outputs = parts.feature_groups = 1;
    }},
    Edit{[](OpParts& parts) {
      AxisParts& row = parts.axes[0];
      row = {.window = {.reversal = row.window.reversal}};
    }},
    Edit{[](OpParts& parts) { parts.features = std::min<std::int64_t>(parts.features, 128); }},
    Edit{[](OpParts& parts) {
      parts.batch_groups = std::min<std::int64_t>(parts.batch_groups, 128);
      parts.feature_groups = std::min<std::int64_t>(parts.feature_groups, 128);
    }},
    Edit{[](OpParts& parts) {  // windows nearly as wide as their image: few positions
      for (AxisParts& axis : parts.axes) {
        axis.kernel = std::max<std::int64_t>(1, axis.input - 2);
        axis.window.pad_low = std::min<std::int64_t>(axis.window.pad_low, 2);
        axis.window.pad_high = std::min<std::int64_t>(axis.window.pad_high, 2);
      }
    }},
    Edit{[](OpParts& parts) {
      for (AxisParts& axis : parts.axes) axis.kernel = std::min<std::int64_t>(axis.kernel, 100);
    }},
    Edit{[](OpParts& parts) {
      parts.input_is_graph_input = false;
      parts.kernel_is_graph_input = true;
    }},
    Edit{[](OpParts& parts) {
      parts.axes[0].kernel = std::max<std::int64_t>(parts.axes[0].kernel, 2);
    }},
    Edit{[](OpParts& parts) {  // a plane
      while (parts.axes.size() > 2) parts.axes.pop_back();
      while (parts.axes.size() < 2) parts.axes.push_back(parts.axes[0]);
      parts.in_perm = parts.kern_perm = parts.out_perm = identity_perm(4);
    }},
};

// Layouts that rows ask for, by themselves.
struct LayoutEdit {
  Perm OpParts::* perm = nullptr;
  std::string_view labels{};
  LabelRole role = LabelRole::image;
};
constexpr std::array layout_edits{
    LayoutEdit{&OpParts::in_perm, "bf01", LabelRole::image},
    LayoutEdit{&OpParts::in_perm, "f01b", LabelRole::image},
    LayoutEdit{&OpParts::kern_perm, "io01", LabelRole::kernel},
    LayoutEdit{&OpParts::kern_perm, "io10", LabelRole::kernel},
    LayoutEdit{&OpParts::out_perm, "bf01", LabelRole::image},
};

}  // namespace

ConvOp steer_op(const ConvOp& op, const std::function<std::size_t(const ConvOp&)>& missing,
                const Budget& budget) {
  ConvOp best = op;
  std::size_t least = missing(best);
  const auto attempt = [&](auto change) {
    OpParts parts = take_apart(best);
    change(parts);
    const ConvOp changed = repair_parts(parts, budget);
    if (const std::size_t now = missing(changed); now < least) {
      best = changed;
      least = now;
    }
  };
  for (bool progress = true; progress && least > 0;) {
    const std::size_t before = least;
    for (const Edit edit : edits) {
      if (least > 0) attempt(edit);
    }
    for (const LayoutEdit& edit : layout_edits) {
      if (least == 0 || best.in_perm.size() != 4) break;
      attempt([&](OpParts& parts) { parts.*edit.perm = *parse_labels(edit.labels, edit.role); });
    }
    progress = least < before;
  }
  return best;
}

ConvOp steer_to_contract(const ConvOp& op, Matcher& matcher, std::size_t kernel) {
  std::vector<std::size_t> broken;
  return steer_op(op, [&](const ConvOp& candidate) {
    // The contracts speak of planes.
    if (candidate.window.size() != 2) return std::size_t{1000};
    broken.clear();
    matcher.broken_clauses(kernel, candidate, broken);
    return broken.size();
  });
}

std::optional<RowSteering> RowSteering::create(const Registry& registry) {
  RowSteering steering;
  for (const RowList& list : registry.lists) {
    if (!list.enabled) continue;
    for (std::size_t row = list.first; row < list.first + list.count; ++row) {
      const Predicate& predicate = registry.rows[row].predicate;
      auto program = compile_predicate(predicate, registry.schema);
      if (!program) return std::nullopt;
      auto binding = bind_convolution(registry.schema, program->attributes_read());
      if (!binding) return std::nullopt;
      Workspace workspace = program->make_workspace();
      steering.rows_.push_back({.program = std::move(*program),
                                .binding = std::move(*binding),
                                .workspace = std::move(workspace),
                                .clauses = predicate.clauses.size()});
    }
  }
  if (steering.rows_.empty()) return std::nullopt;
  return steering;
}

ConvOp RowSteering::towards(const ConvOp& op, std::size_t row) {
  Target& target = rows_[row];
  return steer_op(op, [&](const ConvOp& candidate) -> std::size_t {
    if (candidate.window.size() != 2) return 1000;
    fill_record(candidate, target.binding, target.workspace.record());
    const PredicateOutcome outcome = target.program.run_row(0, target.workspace);
    if (outcome.kind == PredicateOutcome::Kind::matched) return 0;
    return target.clauses - outcome.clause;
  });
}

}  // namespace convproof::fuzz
