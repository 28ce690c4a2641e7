#include "props/proofs/refute.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace convproof::proofs {
namespace {

class Ranges {
 public:
  explicit Ranges(const Graph& graph) : graph_(graph) {}

  std::optional<SimplifiedFormulas> simplified(std::span<const Node> required) {
    std::vector<Node> open;
    std::vector<bool> kept;
    for (const Node node : required) {
      const std::size_t before = choices_.size();
      require(node, true);
      // A formula that is one choice may turn out to be implied by the others.
      const bool one = choices_.size() == before + 1 && choices_.back().first == stripped(node);
      open.push_back(stripped(node));
      kept.push_back(!one);
    }
    bool changed = true;
    while (changed && !empty_) {
      changed_ = false;
      for (const Choice& choice : std::exchange(choices_, {})) choose(choice);
      changed = changed_;
    }
    if (empty_) return std::nullopt;
    for (const Choice& choice : choices_) needed_.insert(choice.first);
    SimplifiedFormulas result;
    for (std::size_t i = 0; i < required.size(); ++i) {
      if (kept[i]) {
        result.firm.push_back(required[i]);
      } else if (needed_.contains(open[i])) {
        result.choices.push_back(required[i]);
      }
    }
    return result;
  }

 private:
  using Choice = std::pair<Node, bool>;
  enum class Truth : std::uint8_t { no, yes, open };

  static Truth opposite(Truth truth) {
    if (truth == Truth::open) return truth;
    return truth == Truth::yes ? Truth::no : Truth::yes;
  }

  [[nodiscard]] Node stripped(Node node) const {
    return graph_[node].kind == NodeKind::negation ? graph_[node].operands[0] : node;
  }

  [[nodiscard]] WideInterval range(Node node) const {
    const auto known = ranges_.find(node);
    return known == ranges_.end() ? graph_.range(node) : known->second;
  }

  void narrow(Node node, Wide low, Wide high) {
    WideInterval now = range(node);
    if (low <= now.low && high >= now.high) return;
    if (low > now.low) now.low = low;
    if (high < now.high) now.high = high;
    if (now.low > now.high) empty_ = true;
    ranges_.insert_or_assign(node, now);
    changed_ = true;
  }

  void require(Node node, bool holds) {
    const NodeData& data = graph_[node];
    switch (data.kind) {
      case NodeKind::negation:
        require(data.operands[0], !holds);
        return;
      case NodeKind::conjunction:
      case NodeKind::disjunction:
        if ((data.kind == NodeKind::conjunction) == holds) {
          for (const Node operand : data.operands) require(operand, holds);
        } else {
          choices_.emplace_back(node, holds);
        }
        return;
      case NodeKind::equal:
      case NodeKind::less_equal:
        compare(data, holds);
        break;
      default:
        break;
    }
    narrow(node, holds ? 1 : 0, holds ? 1 : 0);
  }

  void compare(const NodeData& data, bool holds) {
    const Node a = data.operands[0];
    const Node b = data.operands[1];
    const WideInterval x = range(a);
    const WideInterval y = range(b);
    if (data.kind == NodeKind::less_equal) {
      if (holds) {
        narrow(a, x.low, y.high);
        narrow(b, x.low, y.high);
      } else {
        narrow(a, y.low + 1, x.high);
        narrow(b, y.low, x.high - 1);
      }
      return;
    }
    if (holds) {
      narrow(a, y.low, y.high);
      narrow(b, x.low, x.high);
    } else {
      exclude(a, y);
      exclude(b, x);
    }
  }

  // Of a range with one value, that value.
  void exclude(Node node, const WideInterval& value) {
    if (value.low != value.high) return;
    const WideInterval now = range(node);
    if (now.low == value.low) narrow(node, now.low + 1, now.high);
    if (now.high == value.low) narrow(node, now.low, now.high - 1);
  }

  [[nodiscard]] Truth truth(Node node) const {
    const WideInterval known = range(node);
    if (graph_[node].boolean && known.low == known.high) {
      return known.low != 0 ? Truth::yes : Truth::no;
    }
    const NodeData& data = graph_[node];
    switch (data.kind) {
      case NodeKind::negation:
        return opposite(truth(data.operands[0]));
      case NodeKind::conjunction:
      case NodeKind::disjunction: {
        const Truth decisive = data.kind == NodeKind::conjunction ? Truth::no : Truth::yes;
        Truth all = opposite(decisive);
        for (const Node operand : data.operands) {
          const Truth one = truth(operand);
          if (one == decisive) return decisive;
          if (one == Truth::open) all = Truth::open;
        }
        return all;
      }
      case NodeKind::equal:
      case NodeKind::less_equal: {
        const WideInterval x = range(data.operands[0]);
        const WideInterval y = range(data.operands[1]);
        if (data.kind == NodeKind::less_equal) {
          if (x.high <= y.low) return Truth::yes;
          return x.low > y.high ? Truth::no : Truth::open;
        }
        if (x.high < y.low || y.high < x.low) return Truth::no;
        return x.low == x.high && x == y ? Truth::yes : Truth::open;
      }
      default:
        return Truth::open;
    }
  }

  void choose(const Choice& choice) {
    const auto& [node, holds] = choice;
    const Truth satisfied = holds ? Truth::yes : Truth::no;
    const Node* only = nullptr;
    for (const Node& operand : graph_[node].operands) {
      const Truth one = truth(operand);
      if (one == satisfied) return;
      if (one != Truth::open) continue;
      if (only != nullptr) {
        choices_.push_back(choice);
        return;
      }
      only = &operand;
    }
    if (only == nullptr) {
      empty_ = true;
    } else {
      needed_.insert(node);
      require(*only, holds);
      changed_ = true;
    }
  }

  const Graph& graph_;
  std::map<Node, WideInterval> ranges_{};
  std::vector<Choice> choices_{};  // a disjunction that holds, or a conjunction that does not
  std::set<Node> needed_{};        // choices that say something
  bool changed_ = false;
  bool empty_ = false;
};

}  // namespace

std::optional<SimplifiedFormulas> simplified_by_ranges(const Graph& graph,
                                                       std::span<const Node> required) {
  return Ranges(graph).simplified(required);
}

}  // namespace convproof::proofs
