#include "props/proofs/prover.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "props/proofs/refute.h"

namespace convproof::proofs {

// One record shape with its formulas and its solver.
class Session {
 public:
  Session(const Prover& prover, RecordShape shape)
      : prover_(prover), encoder_(prover.schema(), std::move(shape)) {
    background_ = encoder_.axioms();
    background_.push_back(predicate(0).matched);
    empty_ = !simplified_by_ranges(encoder_.graph(), background_);
    defaults_ = defaults();
    solver_ =
        std::make_unique<Solver>(encoder_.graph(), background_, defaults_, prover.options().limits);
  }

  Node node(const Literal& literal) {
    const SymbolicPredicate& symbolic = predicate(literal.predicate);
    Graph& graph = encoder_.graph();
    Node node = symbolic.matched;
    if (literal.outcome == Literal::Outcome::passed) {
      node = graph.negation(graph.disjunction(symbolic.matched, symbolic.raised));
    } else if (literal.outcome == Literal::Outcome::raised) {
      node = literal.clause ? symbolic.raised_at[*literal.clause] : symbolic.raised;
    }
    return literal.holds ? node : graph.negation(node);
  }

  std::vector<Node> nodes(const Condition& condition) {
    std::vector<Node> all;
    for (const std::vector<Literal>& any : condition.all) {
      std::vector<Node> alternatives;
      for (const Literal& literal : any) alternatives.push_back(node(literal));
      all.push_back(encoder_.graph().disjunction(std::move(alternatives)));
    }
    return all;
  }

  // Every int at most `most` in magnitude.
  Node small(std::int64_t most) {
    const auto known = small_.find(most);
    if (known != small_.end()) return known->second;
    Graph& graph = encoder_.graph();
    std::vector<Node> all;
    for (Node node = 0, size = static_cast<Node>(graph.size()); node < size; ++node) {
      if (graph[node].kind != NodeKind::variable || graph[node].boolean) continue;
      all.push_back(graph.less_equal(node, graph.constant(most)));
      all.push_back(graph.less_equal(graph.constant(-most), node));
    }
    const Node bound = graph.conjunction(std::move(all));
    small_.emplace(most, bound);
    return bound;
  }

  // Every divisor, and one factor of every product of two unknowns that the question or the axioms
  // speak of, at most 3 in magnitude: then the formulas are linear from the start.
  Node plain_factors(std::span<const Node> required) {
    Graph& graph = encoder_.graph();
    std::set<Node> reached;
    std::vector<Node> open(required.begin(), required.end());
    open.insert(open.end(), background_.begin(), background_.end());
    std::map<Node, int> uses;  // how often a term multiplies or divides
    std::vector<Node> nonlinear;
    const auto divides = [&](Node node) { return graph[node].kind != NodeKind::multiply; };
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      if (!reached.insert(node).second) continue;
      const NodeData& data = graph[node];
      open.insert(open.end(), data.operands.begin(), data.operands.end());
      const bool arithmetic = data.kind == NodeKind::multiply ||
                              data.kind == NodeKind::floor_divide || data.kind == NodeKind::modulo;
      if (!arithmetic || graph.is_constant(data.operands[1])) continue;
      nonlinear.push_back(node);
      ++uses[data.operands[1]];
      if (!divides(node)) ++uses[data.operands[0]];
    }
    std::vector<Node> all;
    for (const Node node : nonlinear) {
      const std::vector<Node> operands = graph[node].operands;
      const auto rank = [&](Node operand) {
        return std::pair(graph[operand].kind == NodeKind::variable, uses[operand]);
      };
      const bool first = !divides(node) && rank(operands[0]) > rank(operands[1]);
      const Node factor = operands[first ? 0 : 1];
      all.push_back(graph.less_equal(factor, graph.constant(3)));
      all.push_back(graph.less_equal(graph.constant(-3), factor));
    }
    return graph.conjunction(std::move(all));
  }

  SolverAnswer check(std::span<const Node> required, std::span<const Node> lazily,
                     const Strategy& strategy) {
    return solver_->check(required, {}, strategy, lazily);
  }
  // By a solver that has learned nothing yet: what helped earlier questions may hinder this one.
  SolverAnswer check_afresh(std::span<const Node> required, std::span<const Node> lazily,
                            const Strategy& strategy) {
    Solver solver(encoder_.graph(), background_, defaults_, prover_.options().limits);
    return solver.check(required, {}, strategy, lazily);
  }

  [[nodiscard]] Record record(std::span<const std::int64_t> variables) const {
    return encoder_.record(variables);
  }
  // The domain has no record of this shape.
  [[nodiscard]] bool is_empty() const { return empty_; }
  [[nodiscard]] const Graph& graph() const { return encoder_.graph(); }
  [[nodiscard]] const std::vector<Node>& background() const { return background_; }

 private:
  const SymbolicPredicate& predicate(std::uint32_t index) {
    auto known = symbolic_.find(index);
    if (known == symbolic_.end()) {
      known = symbolic_.emplace(index, encoder_.predicate(prover_.predicates()[index])).first;
    }
    return known->second;
  }

  // The values of an operation of this shape: the plainest of the first samples.
  std::vector<std::int64_t> defaults() {
    for (const std::size_t sample : prover_.samples().domain().first(256)) {
      const Record& record = prover_.samples().record(sample);
      if (encoder_.fits(record)) return encoder_.variables(record);
    }
    std::vector<std::int64_t> low;
    for (const Variable& variable : encoder_.graph().variables()) low.push_back(variable.low);
    return low;
  }

  const Prover& prover_;
  Encoder encoder_;
  std::vector<Node> background_{};
  bool empty_ = false;
  std::vector<std::int64_t> defaults_{};
  std::map<std::uint32_t, SymbolicPredicate> symbolic_{};
  std::map<std::int64_t, Node> small_{};
  std::unique_ptr<Solver> solver_{};
};

std::expected<Prover, LocatedError> Prover::create(std::shared_ptr<const Subject> subject,
                                                   std::vector<Predicate> predicates,
                                                   ProverOptions options) {
  Prover prover;
  prover.subject_ = std::move(subject);
  prover.predicates_ = std::move(predicates);
  prover.options_ = std::move(options);
  prover.options_.threads = std::max<std::size_t>(prover.options_.threads, 1);
  auto observer = Observer::create(prover.predicates_, prover.schema());
  if (!observer) return std::unexpected(std::move(observer.error()));
  prover.observer_ = std::make_shared<const Observer>(std::move(*observer));
  prover.shapes_ = record_shapes(prover.schema(), prover.predicates_);
  prover.choose_limit();
  std::vector<Observer> observers(prover.options_.threads, *prover.observer_);
  prover.samples_ = std::make_shared<const Samples>(
      prover.subject(), observers, prover.predicates_.size(), prover.options_.samples,
      generated_samples(prover.subject(), prover.options_.seed));
  return prover;
}

void Prover::choose_limit() {
  const auto overflows = [&](std::int64_t limit) {
    return std::ranges::any_of(shapes_, [&](RecordShape shape) {
      shape.limit = limit;
      Encoder encoder(schema(), shape);
      // A predicate that the domain keeps a shape from does not count.
      const SymbolicPredicate domain = encoder.predicate(predicates_[0]);
      if (encoder.graph().is_false(domain.matched)) return false;
      for (const Predicate& predicate : predicates_) {
        static_cast<void>(encoder.predicate(predicate));
      }
      return encoder.may_overflow();
    });
  };
  // Below the smallest of these, overflow is a fact about the table rather than about absurd sizes.
  // Above the largest, products of four extents take a solver minutes, and say little.
  constexpr std::array<int, 3> exponents{17, 14, 12};
  for (const int exponent : exponents) {
    const std::int64_t limit = (std::int64_t{1} << exponent) - 1;
    if (overflows(limit)) continue;
    limit_ = limit;
    break;
  }
  for (RecordShape& shape : shapes_) shape.limit = limit_;
}

Investigation::Investigation(const Prover& prover, std::string name)
    : prover_(prover),
      name_(std::move(name)),
      observer_(prover.observer()),
      sessions_(prover.shapes().size()) {}

Investigation::~Investigation() = default;

bool Investigation::holds(const Condition& condition, const Record& record) {
  observer_.read(record);
  return observer_.holds(matches(0)) && observer_.holds(condition) &&
         prover_.subject().well_formed(record);
}

std::optional<Record> Investigation::sample(const Condition& condition) const {
  const std::vector<std::size_t> found = prover_.samples().matching(condition).first(1);
  if (found.empty()) return std::nullopt;
  return prover_.samples().record(found[0]);
}

Answer Investigation::decide(const Condition& condition) {
  if (std::optional<Record> found = sample(condition)) {
    return {.status = Answer::Status::witness, .record = std::move(*found)};
  }
  // Most of what is impossible is so by ranges alone: cheaper to see than one neighbourhood.
  if (is_refuted_by_ranges(condition)) return solve(condition);
  if (std::optional<Record> near = neighbour(condition)) {
    return {.status = Answer::Status::witness, .record = std::move(*near)};
  }
  return solve(condition);
}

void Investigation::remember(const Record& record) {
  constexpr std::size_t most = 12;
  if (seen_.size() < most && std::ranges::find(seen_, record) == seen_.end()) {
    seen_.push_back(record);
  }
}

std::optional<Record> Investigation::neighbour(const Condition& condition) {
  std::optional<Record> found;
  for (const Record& record : seen_) {
    prover_.subject().visit_neighbours(record, [&](const Record& candidate) {
      if (!holds(condition, candidate)) return false;
      found = candidate;
      return true;
    });
    if (found) break;
  }
  return found;
}

Session& Investigation::session(std::size_t shape) {
  if (!sessions_[shape]) {
    sessions_[shape] = std::make_unique<Session>(prover_, prover_.shapes()[shape]);
  }
  return *sessions_[shape];
}

bool Investigation::is_refuted_by_ranges(const Condition& condition) {
  for (std::size_t shape = 0; shape < sessions_.size(); ++shape) {
    Session& here = session(shape);
    if (here.is_empty()) continue;
    if (simplified_by_ranges(here.graph(), here.nodes(condition))) return false;
  }
  return true;
}

Answer Investigation::solve(const Condition& condition) {
  Answer undecided;
  bool decided = true;
  for (std::size_t shape = 0; shape < sessions_.size(); ++shape) {
    Answer answer = solve_in(session(shape), condition);
    if (answer.status == Answer::Status::witness) return answer;
    if (answer.status == Answer::Status::impossible) continue;
    decided = false;
    undecided = std::move(answer);
  }
  if (!decided) return undecided;
  impossible_.push_back(condition);
  return {.status = Answer::Status::impossible};
}

// The answer stands in the first line, so that another solver's can be compared with it.
void Investigation::export_question(const Session& session, std::span<const Node> required,
                                    const Answer& answer) {
  const char* const status = answer.status == Answer::Status::impossible ? "unsat"
                             : answer.status == Answer::Status::witness  ? "sat"
                                                                         : "unknown";
  const std::string name = fmt::format("{}-{}", name_, ++questions_);
  std::ofstream(fmt::format("{}/{}.smt2", prover_.options().smt2_folder, name)) << to_smt2(
      session.graph(), session.background(), required, fmt::format("{} {}", name, status));
}

Answer Investigation::solve_in(Session& session, const Condition& condition) {
  if (session.is_empty()) return {.status = Answer::Status::impossible};
  const std::vector<Node> required = session.nodes(condition);
  Answer answer = ask(session, condition, required);
  if (!prover_.options().smt2_folder.empty()) export_question(session, required, answer);
  return answer;
}

Answer Investigation::ask(Session& session, const Condition& condition,
                          std::span<const Node> required) {
  const auto simplified = simplified_by_ranges(session.graph(), required);
  if (!simplified) return {.status = Answer::Status::impossible};
  // All numbers first: only they prove anything. What that leaves open, or answers with numbers too
  // large for any tensor, is asked again by fresh solvers in other ways.
  struct Attempt {
    std::int64_t scope = 0;  // 0: all numbers
    bool plain_factors = false;
    Strategy strategy{};
  };
  constexpr std::array<Attempt, 11> attempts{{{0, false, {1, true}},
                                              {0, false, {1, false}},
                                              {0, false, {1, true, true}},
                                              {24, false, {1, false}},
                                              {8191, true, {1, false}},
                                              {(1 << 22) - 1, true, {1, false}},
                                              {0, false, {8, true}},
                                              {0, false, {8, false}},
                                              {512, false, {8, false}},
                                              {0, false, {80, true}},
                                              {0, false, {80, false}}}};
  Answer answer;
  for (const Attempt& attempt : attempts) {
    std::vector<Node> asked = simplified->firm;
    if (attempt.scope > 0) asked.push_back(session.small(attempt.scope));
    if (attempt.plain_factors) asked.push_back(session.plain_factors(simplified->firm));
    const SolverAnswer solved =
        &attempt == attempts.data()
            ? session.check(asked, simplified->choices, attempt.strategy)
            : session.check_afresh(asked, simplified->choices, attempt.strategy);
    if (solved.status == SolverAnswer::Status::unsatisfiable && attempt.scope == 0 &&
        !attempt.plain_factors) {
      return {.status = Answer::Status::impossible};
    }
    if (solved.status != SolverAnswer::Status::satisfiable) {
      if (solved.status == SolverAnswer::Status::unknown) answer.reason = solved.reason;
      continue;
    }
    const Record record = session.record(solved.variables);
    if (!prover_.subject().representable(record)) {
      answer.reason =
          fmt::format("only {} larger than any tensor were found", prover_.subject().noun());
      continue;
    }
    if (holds(condition, record)) return {.status = Answer::Status::witness, .record = record};
    return {.reason = fmt::format("the solver's witness fails its replay: {}",
                                  prover_.subject().text(record)),
            .internal = true};
  }
  return answer;
}

Record Investigation::shrunk(const Condition& condition, const Record& record,
                             const Subject::Visit& also) {
  Record small = prover_.subject().shrunk(record, [&](const Record& candidate) {
    return holds(condition, candidate) && (!also || also(candidate));
  });
  remember(small);
  return small;
}

}  // namespace convproof::proofs
