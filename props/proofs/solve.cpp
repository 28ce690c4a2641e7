#include "props/proofs/solve.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <z3++.h>

namespace convproof::proofs {
namespace {

// A factor or divisor with at most this many values is spelled out value by value.
constexpr int few = 10;

// Products by factors and quotients by divisors up to this are exact from the start.
constexpr int plain = 1;

// Remainders by constants up to this are told from the remainders of factors.
constexpr int most_modulus = 64;

std::string decimal(Wide value) {
  if (value == 0) return "0";
  const bool negative = value < 0;
  std::string digits;
  while (value != 0) {
    const auto digit = static_cast<int>(value % 10);
    digits.push_back(static_cast<char>('0' + (digit < 0 ? -digit : digit)));
    value /= 10;
  }
  if (negative) digits.push_back('-');
  std::ranges::reverse(digits);
  return digits;
}

}  // namespace

class Solver::State {
 public:
  State(const Graph& graph, std::span<const Node> background, std::vector<std::int64_t> defaults,
        SolverLimits limits)
      : graph_(graph),
        background_(background.begin(), background.end()),
        defaults_(std::move(defaults)),
        limits_(limits),
        solver_(context_, "QF_LIA") {
    set({});
    for (const Node axiom : background_) nonlinear_.push_back(nonlinear_terms(axiom));
  }

  void set(const Strategy& strategy) {
    strategy_ = strategy;
    z3::params parameters(context_);
    parameters.set("random_seed", 0U);
    parameters.set("timeout", limits_.milliseconds);
    parameters.set("rlimit", limits_.resources * strategy.effort);
    parameters.set("max_memory", limits_.memory_megabytes);
    solver_.set(parameters);
  }

  SolverAnswer check(std::span<const Node> required, std::span<const Node> choices,
                     std::span<const Node> lazily) {
    lazily_ = lazily;
    std::vector<Node> asserted(required.begin(), required.end());
    std::set<Node> active;
    for (int round = 0; round < limits_.rounds; ++round) {
      z3::expr_vector assumptions(context_);
      for (const Node node : asserted) assumptions.push_back(literal(node));
      for (const Node node : active) assumptions.push_back(literal(node));
      for (const Node node : choices) assumptions.push_back(literal(node));
      flush();
      switch (solver_.check(assumptions)) {
        case z3::unsat:
          return {.status = SolverAnswer::Status::unsatisfiable, .core = core_of(choices)};
        case z3::unknown:
          return {.reason = solver_.reason_unknown()};
        case z3::sat:
          break;
      }
      const z3::model model = solver_.get_model();
      const std::size_t axioms = active.size();
      if (auto answer = accepted(model, asserted, choices, active)) return *answer;
      if (active.size() > axioms && (strategy_.plainest_axioms_first || !lazily_.empty())) continue;
      // Values for the factors that the model got wrong make the rest linear: often a way to a
      // right model.
      std::vector<z3::expr> fixed = fix_factors(model);
      if (!fixed.empty()) {
        solver_.push();
        for (const z3::expr& equation : fixed) solver_.add(equation);
        std::optional<SolverAnswer> answer;
        if (solver_.check(assumptions) == z3::sat) {
          const z3::model linear = solver_.get_model();
          answer = accepted(linear, asserted, choices, active);
        }
        solver_.pop();
        if (answer) return *answer;
      }
      refine(model);
    }
    return {.reason = fmt::format("no answer after {} refinements", limits_.rounds)};
  }

 private:
  struct Product {
    z3::expr left, right, value;
  };
  struct Division {
    z3::expr dividend, divisor, quotient;
  };

  // How many products and quotients of two unknowns a formula has.
  std::size_t nonlinear_terms(Node formula) const {
    std::set<Node> seen;
    std::vector<Node> open{formula};
    std::size_t count = 0;
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      if (!seen.insert(node).second) continue;
      const NodeData& data = graph_[node];
      open.insert(open.end(), data.operands.begin(), data.operands.end());
      const bool arithmetic = data.kind == NodeKind::multiply ||
                              data.kind == NodeKind::floor_divide || data.kind == NodeKind::modulo;
      if (arithmetic && !graph_.is_constant(data.operands[1])) ++count;
    }
    return count;
  }

  std::vector<std::size_t> core_of(std::span<const Node> choices) {
    std::vector<std::size_t> core;
    const z3::expr_vector literals = solver_.unsat_core();
    std::set<unsigned> ids;
    for (unsigned i = 0; i < literals.size(); ++i) ids.insert(literals[static_cast<int>(i)].id());
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (ids.contains(literal(choices[i]).id())) core.push_back(i);
    }
    return core;
  }

  // The answer, if the values of the variables alone make everything true; otherwise the axioms
  // that they break are active from now on.
  std::optional<SolverAnswer> accepted(const z3::model& model, std::span<const Node> required,
                                       std::span<const Node> choices, std::set<Node>& active) {
    SolverAnswer answer{.status = SolverAnswer::Status::satisfiable, .variables = defaults_};
    for (const auto& [index, term] : variables_) {
      const z3::expr value = model.eval(term, true);
      if (term.is_bool()) {
        answer.variables[index] = value.is_true() ? 1 : 0;
      } else if (!value.is_numeral_i64(answer.variables[index])) {
        return std::nullopt;
      }
    }
    const std::vector<Wide> values = graph_.evaluate(answer.variables);
    const auto all = [&](std::span<const Node> nodes) {
      return std::ranges::all_of(nodes, [&](Node node) { return values[node] != 0; });
    };
    bool right = all(required) && all(choices);
    const std::size_t known = active.size();
    for (const Node node : lazily_) {
      if (values[node] != 0) continue;
      right = false;
      active.insert(node);
    }
    if (active.size() > known) return std::nullopt;
    std::size_t least = 0;
    std::vector<Node> broken;
    for (std::size_t i = 0; i < background_.size(); ++i) {
      if (values[background_[i]] != 0) continue;
      right = false;
      if (active.contains(background_[i])) continue;
      if (!strategy_.plainest_axioms_first) {
        broken.push_back(background_[i]);
        continue;
      }
      if (broken.empty() || nonlinear_[i] < least) {
        broken.clear();
        least = nonlinear_[i];
      }
      if (nonlinear_[i] == least) broken.push_back(background_[i]);
    }
    active.insert(broken.begin(), broken.end());
    if (right) return answer;
    return std::nullopt;
  }

  z3::expr number(Wide value) { return context_.int_val(decimal(value).c_str()); }

  // A literal that stands for the node from now on.
  z3::expr literal(Node node) {
    const auto known = literals_.find(node);
    if (known != literals_.end()) return known->second;
    const z3::expr name = context_.bool_const(fmt::format("holds{}", node).c_str());
    pending_.push_back(z3::implies(name, term(node)));
    literals_.emplace(node, name);
    return name;
  }

  // Facts that hold whatever is asked.
  void flush() {
    for (const z3::expr& fact : pending_) solver_.add(fact);
    pending_.clear();
  }

  z3::expr term(Node node) {
    const auto known = terms_.find(node);
    if (known != terms_.end()) return known->second;
    z3::expr made = make_term(node);
    terms_.emplace(node, made);
    return made;
  }

  z3::expr make_term(Node node) {
    const NodeData& data = graph_[node];
    const auto operand = [&](std::size_t i) { return term(data.operands[i]); };
    switch (data.kind) {
      case NodeKind::constant:
        return data.boolean ? context_.bool_val(data.value != 0) : number(data.value);
      case NodeKind::variable:
        return make_variable(data);
      case NodeKind::add:
        return operand(0) + operand(1);
      case NodeKind::multiply:
        return make_product(data);
      case NodeKind::floor_divide:
        return quotient(data.operands[0], data.operands[1]);
      case NodeKind::modulo:
        return remainder(data.operands[0], data.operands[1]);
      case NodeKind::choose:
        return z3::ite(operand(0), operand(1), operand(2));
      case NodeKind::equal:
        return operand(0) == operand(1);
      case NodeKind::less_equal:
        return operand(0) <= operand(1);
      case NodeKind::negation:
        return !operand(0);
      case NodeKind::conjunction:
      case NodeKind::disjunction: {
        z3::expr_vector all(context_);
        for (const Node child : data.operands) all.push_back(term(child));
        return data.kind == NodeKind::conjunction ? z3::mk_and(all) : z3::mk_or(all);
      }
    }
    return context_.bool_val(false);
  }

  z3::expr make_variable(const NodeData& data) {
    const auto index = static_cast<std::size_t>(data.value);
    const Variable& variable = graph_.variables()[index];
    z3::expr made = variable.boolean ? context_.bool_const(variable.name.c_str())
                                     : context_.int_const(variable.name.c_str());
    if (!variable.boolean) {
      pending_.push_back(made >= number(variable.low));
      pending_.push_back(made <= number(variable.high));
    }
    variables_.emplace(index, made);
    return made;
  }

  z3::expr make_product(const NodeData& data) {
    Node left = data.operands[0];
    Node right = data.operands[1];
    if (graph_.is_constant(right)) return number(graph_[right].value) * term(left);
    const auto width = [&](Node node) { return graph_.range(node).high - graph_.range(node).low; };
    if (width(left) < width(right)) std::swap(left, right);
    const WideInterval range = graph_.range(right);
    const z3::expr x = term(left);
    const z3::expr y = term(right);
    if (width(right) < few) {
      z3::expr value = number(range.high) * x;
      for (Wide at = range.high - 1; at >= range.low; --at) {
        value = z3::ite(y == number(at), number(at) * x, value);
      }
      return value;
    }
    return opaque_product(x, graph_.range(left), y, range);
  }

  z3::expr opaque_product(const z3::expr& x, const WideInterval& x_range, const z3::expr& y,
                          const WideInterval& y_range) {
    const z3::expr value = fresh("product");
    products_.push_back({x, y, value});
    const z3::expr zero = number(0);
    pending_.push_back(z3::implies(x == zero || y == zero, value == zero));
    for (Wide at = 1; at <= plain; ++at) {
      pending_.push_back(z3::implies(x == number(at), value == number(at) * y));
      pending_.push_back(z3::implies(y == number(at), value == number(at) * x));
    }
    // (x - a) * (y - b) is not negative where a and b bound x and y from one side.
    for (const bool low : {true, false}) {
      const Wide a = low ? x_range.low : x_range.high;
      const Wide b = low ? y_range.low : y_range.high;
      pending_.push_back(value >= number(a) * y + number(b) * x - number(a) * number(b));
      const Wide c = low ? y_range.high : y_range.low;
      pending_.push_back(value <= number(a) * y + number(c) * x - number(a) * number(c));
    }
    if (x_range.low >= 0 && y_range.low >= 0) {
      const z3::expr two = number(2);
      pending_.push_back(z3::implies(x >= two, value >= two * y));
      pending_.push_back(z3::implies(y >= two, value >= two * x));
    } else {
      pending_.push_back(z3::implies(x >= zero && y >= zero, value >= zero));
      pending_.push_back(z3::implies(x <= zero && y <= zero, value >= zero));
      pending_.push_back(z3::implies(x >= zero && y <= zero, value <= zero));
      pending_.push_back(z3::implies(x <= zero && y >= zero, value <= zero));
    }
    return value;
  }

  z3::expr fresh(const char* stem) {
    return context_.int_const(fmt::format("{}!{}", stem, ++fresh_).c_str());
  }

  // a // b by a constant; SMT-LIB's `div` rounds down for positive divisors.
  z3::expr divided(const z3::expr& a, Wide b) {
    if (b == 0) return number(0);
    const auto divide = [](const z3::expr& x, const z3::expr& y) {
      return z3::expr(x.ctx(), Z3_mk_div(x.ctx(), x, y));
    };
    return b > 0 ? divide(a, number(b)) : divide(-a, number(-b));
  }

  z3::expr quotient(Node a, Node b) {
    const auto known = quotients_.find({a, b});
    if (known != quotients_.end()) return known->second.first;
    const z3::expr dividend = term(a);
    const WideInterval range = graph_.range(b);
    z3::expr value = number(0);
    z3::expr product = number(0);
    if (graph_.is_constant(b)) {
      if (range.low > 1 && range.low <= most_modulus) {
        moduli_.insert(static_cast<std::int64_t>(range.low));
      }
      value = divided(dividend, range.low);
      product = number(range.low) * value;
    } else if (const z3::expr divisor = term(b); range.high - range.low < few) {
      value = divided(dividend, range.high);
      product = number(range.high) * value;
      for (Wide at = range.high - 1; at >= range.low; --at) {
        const z3::expr here = divided(dividend, at);
        value = z3::ite(divisor == number(at), here, value);
        product = z3::ite(divisor == number(at), number(at) * here, product);
      }
    } else {
      value = fresh("quotient");
      const WideInterval& a_range = graph_.range(a);
      const Wide most = std::max({a_range.high, -a_range.low, Wide{1}});
      product = opaque_product(divisor, range, value, {-most, most});
      divisions_.push_back({dividend, divisor, value});
      const z3::expr zero = number(0);
      const z3::expr positive = divisor >= number(1);
      const z3::expr negative = divisor <= number(-1);
      pending_.push_back(z3::implies(divisor == zero, value == zero));
      pending_.push_back(value <= number(most) && value >= number(-most));
      pending_.push_back(
          z3::implies(positive, product <= dividend && dividend < product + divisor));
      pending_.push_back(
          z3::implies(negative, product >= dividend && dividend > product + divisor));
      pending_.push_back(z3::implies(positive && dividend >= zero, value >= zero));
      pending_.push_back(z3::implies(positive && dividend < zero, value <= number(-1)));
      pending_.push_back(z3::implies(dividend >= zero && dividend < divisor, value == zero));
      for (Wide at = 1; at <= plain; ++at) {
        pending_.push_back(z3::implies(divisor == number(at), value == divided(dividend, at)));
      }
    }
    quotients_.emplace(std::pair{a, b}, std::pair{value, product});
    return value;
  }

  z3::expr remainder(Node a, Node b) {
    static_cast<void>(quotient(a, b));
    return term(a) - quotients_.at({a, b}).second;
  }

  static z3::expr value_of(const z3::model& model, const z3::expr& term) {
    return model.eval(term, true);
  }

  static bool is_wrong(const z3::model& model, const Product& product) {
    return model.eval(product.left * product.right != product.value, true).simplify().is_true();
  }

  std::vector<z3::expr> fix_factors(const z3::model& model) {
    std::vector<z3::expr> fixed;
    for (const Product& product : products_) {
      if (!is_wrong(model, product)) continue;
      const z3::expr right = value_of(model, product.right);
      fixed.push_back(product.right == right);
      fixed.push_back(product.value == right * product.left);
    }
    if (fixed.empty()) return fixed;
    for (const Division& division : divisions_) {
      if (const auto fact = quotient_at(model, division)) fixed.push_back(*fact);
    }
    return fixed;
  }

  // What the quotient is where the divisor has the model's value; none for 0, which a fact settles.
  std::optional<z3::expr> quotient_at(const z3::model& model, const Division& division) {
    const z3::expr divisor = value_of(model, division.divisor);
    const z3::expr sign = (divisor > number(0)).simplify();
    if ((divisor == number(0)).simplify().is_true()) return std::nullopt;
    const auto divide = [](const z3::expr& a, const z3::expr& b) {
      return z3::expr(a.ctx(), Z3_mk_div(a.ctx(), a, b));
    };
    const z3::expr value = sign.is_true() ? divide(division.dividend, divisor)
                                          : divide(-division.dividend, (-divisor).simplify());
    return z3::implies(division.divisor == divisor, division.quotient == value);
  }

  // True statements that the model breaks.
  void refine(const z3::model& model) {
    for (const Product& product : products_) {
      if (!is_wrong(model, product)) continue;
      const auto& [x, y, value] = product;
      const z3::expr a = value_of(model, x);
      const z3::expr b = value_of(model, y);
      pending_.push_back(z3::implies(x == a, value == a * y));
      pending_.push_back(z3::implies(y == b, value == b * x));
      const z3::expr plane = a * y + b * x - a * b;
      pending_.push_back(z3::implies((x >= a && y >= b) || (x <= a && y <= b), value >= plane));
      pending_.push_back(z3::implies((x >= a && y <= b) || (x <= a && y >= b), value <= plane));
      if (strategy_.remainders) refine_remainders(model, product);
    }
    for (const Division& division : divisions_) {
      if (const auto fact = quotient_at(model, division)) pending_.push_back(*fact);
    }
  }

  // The remainder of a product follows from those of its factors, and is 0 where one of these is.
  void refine_remainders(const z3::model& model, const Product& product) {
    const auto number_of = [&](const z3::expr& term) {
      std::int64_t number = 0;
      return value_of(model, term).is_numeral_i64(number) ? std::optional(number) : std::nullopt;
    };
    const auto x = number_of(product.left);
    const auto y = number_of(product.right);
    const auto value = number_of(product.value);
    if (!x || !y || !value) return;
    for (const std::int64_t modulus : moduli_) {
      const auto remainder = [modulus](std::int64_t of) {
        return (of % modulus + modulus) % modulus;
      };
      const std::int64_t a = remainder(*x);
      const std::int64_t b = remainder(*y);
      const std::int64_t right = a * b % modulus;
      if (remainder(*value) == right) continue;
      const auto leaves = [&](const z3::expr& term, std::int64_t rest) {
        return z3::mod(term, number(modulus)) == number(rest);
      };
      const z3::expr left_leaves = leaves(product.left, a);
      const z3::expr right_leaves = leaves(product.right, b);
      const z3::expr told = a == 0   ? left_leaves
                            : b == 0 ? right_leaves
                                     : left_leaves && right_leaves;
      pending_.push_back(z3::implies(told, leaves(product.value, right)));
    }
  }

  const Graph& graph_;
  std::vector<Node> background_;
  std::vector<std::size_t> nonlinear_{};  // of each background formula
  std::vector<std::int64_t> defaults_;
  SolverLimits limits_;
  Strategy strategy_{};
  std::span<const Node> lazily_{};  // of the question at hand
  z3::context context_{};
  z3::solver solver_;
  std::map<Node, z3::expr> terms_{};
  std::map<Node, z3::expr> literals_{};
  std::map<std::size_t, z3::expr> variables_{};
  std::map<std::pair<Node, Node>, std::pair<z3::expr, z3::expr>>
      quotients_{};  // and divisor times it
  std::vector<Product> products_{};
  std::vector<Division> divisions_{};
  std::set<std::int64_t> moduli_{};  // constants that something is divided by
  std::vector<z3::expr> pending_{};
  int fresh_ = 0;
};

Solver::Solver(const Graph& graph, std::span<const Node> background,
               std::vector<std::int64_t> defaults, SolverLimits limits)
    : state_(std::make_unique<State>(graph, background, std::move(defaults), limits)) {}

Solver::~Solver() = default;

SolverAnswer Solver::check(std::span<const Node> required, std::span<const Node> choices,
                           Strategy strategy, std::span<const Node> lazily) {
  try {
    state_->set(strategy);
    return state_->check(required, choices, lazily);
  } catch (const z3::exception& error) {
    return {.reason = error.msg()};
  } catch (const std::bad_alloc&) {
    return {.reason = "out of memory"};
  }
}

}  // namespace convproof::proofs
