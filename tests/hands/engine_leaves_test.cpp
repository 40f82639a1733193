#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>

#include "decompose/cfr_d.h"
#include "decompose/leaves/continuation_leaves.h"
#include "decompose/leaves/function_leaves.h"
#include "decompose/leaves/plain_leaves.h"
#include "decompose/leaves/solved_leaves.h"
#include "hands/engine_pieces.h"
#include "histories/position_leaves.h"
#include "histories/tree_engine.h"
#include "reference.h"

// Trunks with leaves on both engines, with every leaf evaluator.
namespace cleave::hands {
namespace {

using decompose::LeafEvaluator;
using decompose::LeafState;
using decompose::Players;
using histories::Position;

// --- the evaluators, each made alike for both engines

using Make = std::function<std::unique_ptr<LeafEvaluator>(const Leaves& leaves, int engine)>;

std::unique_ptr<LeafEvaluator> payoff_leaves(const Leaves& leaves, int engine) {
  return std::make_unique<decompose::PayoffLeaves>(
      leaves.profile(engine, random_strategy(leaves.twin().problem.tree, 7)));
}

// By CFR: updates alternate in it, and those of CFR+ part the engines too soon.
std::unique_ptr<LeafEvaluator> solved_leaves(const Leaves&, int, int64_t iterations,
                                             bool keep_warm) {
  return std::make_unique<decompose::SolvedLeaves>(decompose::SolvedLeavesOptions{
      .schedule = solve::make_schedule("cfr"), .iterations = iterations, .keep_warm = keep_warm});
}

// Each state gets a share of the other's reach, by numbers of the tree's states.
void share_out(const Vectors& reach, Vectors& values) {
  for (size_t p = 0; p < 2; ++p) {
    for (size_t i = 0; i < values[p].size(); ++i) {
      values[p][i] = 0;
      for (size_t j = 0; j < reach[1 - p].size(); ++j) {
        const double worth =
            (0.01 * static_cast<double>((3 * i + 5 * j) % 7) - 0.02) * kUnitsPerChip;
        values[p][i] += (p == 0 ? worth : -worth) * reach[1 - p][j];
      }
    }
  }
}

std::unique_ptr<LeafEvaluator> function_leaves(const Leaves& leaves, int engine) {
  return std::make_unique<decompose::FunctionLeaves>(
      [&leaves, engine](std::span<LeafState> states, Players) {
        for (size_t leaf = 0; leaf < states.size(); ++leaf) {
          Vectors &reach = states[leaf].reach, &values = states[leaf].values;
          if (engine == 0) {
            share_out(reach, values);
            continue;
          }
          const Match& match = leaves.match(leaves.number(engine, leaf));
          Vectors by_state = {match.to_states(0, values[0]), match.to_states(1, values[1])};
          share_out({match.to_states(0, reach[0]), match.to_states(1, reach[1])}, by_state);
          values = match.to_hands(by_state);
        }
      });
}

std::unique_ptr<LeafEvaluator> position_leaves(const Leaves& leaves, int engine) {
  const tree::Tree& tree = leaves.twin().problem.tree;
  const auto value = reference::values(tree, random_strategy(tree, 7));
  const auto chance = histories::chance_reach(tree);
  std::vector<std::vector<Position>> positions(leaves.size());
  for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    const size_t n = leaves.number(engine, leaf);
    const histories::Border& root = leaves.piece(n).root;
    for (size_t i = 0; i < root.histories.size(); ++i) {
      Position at{{root.state_of[0][i], root.state_of[1][i]},
                  chance[root.histories[i]],
                  value[root.histories[i]]};
      for (size_t p = 0; p < 2 && engine == 1; ++p) {
        const auto& state = leaves.match(n).state[p];
        at.state[p] = static_cast<uint32_t>(std::ranges::find(state, at.state[p]) - state.begin());
      }
      positions[leaf].push_back(at);
    }
  }
  return std::make_unique<histories::PositionLeaves>(positions);
}

std::unique_ptr<LeafEvaluator> continuation_leaves(const Leaves& leaves, int engine, size_t hero) {
  const tree::Tree& tree = leaves.twin().problem.tree;
  std::vector<std::shared_ptr<const Profile>> continuations;
  for (uint64_t k = 0; k < 3; ++k) {
    continuations.push_back(leaves.profile(engine, mixed_strategy(tree, 21 + k)));
  }
  return std::make_unique<decompose::ContinuationLeaves>(
      hero, leaves.profile(engine, random_strategy(tree, 20)), continuations);
}

// Two that must agree, and an eye on them.
class Watched final : public LeafEvaluator {
 public:
  Watched(std::unique_ptr<LeafEvaluator> first, std::unique_ptr<LeafEvaluator> second)
      : both_(std::move(first), std::move(second)) {}
  void evaluate(std::span<LeafState> leaves, Players wanted) override {
    both_.evaluate(leaves, wanted);
    EXPECT_LE(both_.largest().size, 1e-12 * kUnitsPerChip);
  }

 private:
  decompose::CheckingLeaves both_;
};

struct Kind {
  std::string name;
  Make make;
};

std::vector<Kind> all_kinds() {
  return {
      {"payoff", payoff_leaves},
      {"solved", [](const Leaves& l, int e) { return solved_leaves(l, e, 3, false); }},
      {"warm", [](const Leaves& l, int e) { return solved_leaves(l, e, 1, true); }},
      {"function", function_leaves},
      {"position", position_leaves},
      {"continuation 1", [](const Leaves& l, int e) { return continuation_leaves(l, e, 0); }},
      {"continuation 2", [](const Leaves& l, int e) { return continuation_leaves(l, e, 1); }},
      {"checking",
       [](const Leaves& l, int e) {
         return std::make_unique<Watched>(payoff_leaves(l, e), position_leaves(l, e));
       }},
  };
}

// --- trunks

struct CfrDRun {
  CfrDRun(const Piece& trunk, const Leaves& l, int e, const Make& make)
      : leaves(l), engine(e), evaluator(make(l, e)), stretch(trunk.engine()) {
    cfr_d.emplace(trunk, *stretch, full_reach(*stretch), *evaluator, solve::make_schedule("cfr+"));
  }

  // The value so far and all that is kept of the leaves, by the tree's leaves and states.
  std::vector<double> step() {
    cfr_d->iterate();
    const auto summaries = cfr_d->summaries();
    std::vector<std::vector<double>> by_leaf(leaves.size());
    for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      const size_t n = leaves.number(engine, leaf);
      for (const Vectors* vectors : {&summaries[leaf].reach, &summaries[leaf].value}) {
        for (size_t p = 0; p < 2; ++p) {
          const auto& x = (*vectors)[p];
          const auto mapped = engine == 1 ? leaves.match(n).to_states(p, x) : x;
          by_leaf[n].insert(by_leaf[n].end(), mapped.begin(), mapped.end());
        }
      }
    }
    std::vector<double> out = {cfr_d->value()};
    for (const auto& numbers : by_leaf) out.insert(out.end(), numbers.begin(), numbers.end());
    return out;
  }

  const Leaves& leaves;
  int engine;
  std::unique_ptr<LeafEvaluator> evaluator;
  std::unique_ptr<decompose::Engine> stretch;
  std::optional<decompose::CfrD> cfr_d;
};

// A game cut before its first deal, on both engines.
struct Trunks {
  explicit Trunks(const Twin& twin)
      : cut(twin, 0, tree::uniform_strategy(twin.problem.tree)),
        problem(make_problem(twin)),
        hands(problem, {{0, false}}, Storage::kF64),
        leaves(twin, cut.parts.cut.roots, hands, *problem) {}
  const Piece& piece(int engine) const {
    return engine == 0 ? static_cast<const Piece&>(cut.parts.trunk) : hands;
  }

  CutTwin cut;
  std::shared_ptr<const Problem> problem;
  HandsPiece hands;
  Leaves leaves;
};

void compare_trunks(const poker::Definition& definition) {
  Twin twin(definition);
  twin.make_stakes_odd(1);
  const Trunks trunks(twin);
  for (const Kind& kind : all_kinds()) {
    expect_together(
        [&](int engine) -> Step {
          const auto run =
              std::make_shared<CfrDRun>(trunks.piece(engine), trunks.leaves, engine, kind.make);
          return [run](int64_t) { return run->step(); };
        },
        kUnitsPerChip, definition.name + " " + kind.name);
  }
}

TEST(BothEnginesWithLeaves, AgreeOnCfrDInLeduc) { compare_trunks(leduc()); }
TEST(BothEnginesWithLeaves, AgreeOnCfrDInSmallNoLimit) { compare_trunks(small_nolimit()); }
TEST(BothEnginesWithLeaves, AgreeOnCfrDInThreeStreets) { compare_trunks(three_streets()); }

// Subgames solved afresh and kept warm, for reach that is sent to them.
TEST(BothEnginesWithLeaves, AgreeOnSolvedSubgames) {
  const Twin twin(leduc(), {}, "leduc");
  const Trunks trunks(twin);
  const Leaves& leaves = trunks.leaves;
  for (const bool warm : {false, true}) {
    std::array<std::vector<LeafState>, 2> states;  // [engine]
    std::array<std::unique_ptr<LeafEvaluator>, 2> evaluator;
    for (const int e : {0, 1}) {
      const auto engine = trunks.piece(e).engine();
      states[static_cast<size_t>(e)] = decompose::Leaves(trunks.piece(e), *engine).states();
      evaluator[static_cast<size_t>(e)] = solved_leaves(leaves, e, 15, warm);
    }
    core::Random random(3);
    for (int call = 0; call < 2; ++call) {
      for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        LeafState& by_tree = states[0][leaves.number(1, leaf)];
        for (auto& own : by_tree.reach) {
          for (double& x : own) x = 0.1 + random.uniform();
        }
        states[1][leaf].reach = leaves.to_engine(1, leaf, by_tree.reach);
      }
      for (size_t e = 0; e < 2; ++e) evaluator[e]->evaluate(states[e], Players::kBoth);
      for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        const Vectors expected =
            leaves.to_engine(1, leaf, states[0][leaves.number(1, leaf)].values);
        for (size_t p = 0; p < 2; ++p) {
          expect_close(states[1][leaf].values[p], expected[p], kClose, "solved");
        }
      }
    }
  }
}

// --- a gadget above, leaves below: a street of a game of three

TEST(BothEnginesWithLeaves, AgreeOnResolvingAboveEveryEvaluator) {
  Twin twin(three_streets());
  twin.make_stakes_odd(1);
  const CutTwin cut(twin, 0, mixed_strategy(twin.problem.tree, 4));
  const auto problem = make_problem(twin);
  const HandsPiece trunk(problem, {{0, false}, {1, false}}, Storage::kF64);
  const Middle middle(twin, cut.parts.cut.roots[1], 1, find_piece(trunk, cut.moment(1)).piece,
                      *problem);
  for (const Kind& kind : all_kinds()) {
    for (const char* spec : {"resolve", "maxmargin"}) {
      const decompose::Method method = decompose::make_method(spec);
      for (size_t hero = 0; hero < 2; ++hero) {
        const auto entry = enter_by_tree(cut, 1, middle, hero, method);
        expect_together(
            [&](int e) -> Step {
              const auto run = std::make_shared<MiddleRun>(middle, e, hero, method,
                                                           entry[static_cast<size_t>(e)],
                                                           kind.make(middle.leaves, e));
              return [run](int64_t t) { return run->step(t); };
            },
            kUnitsPerChip, fmt::format("{} {} {}", kind.name, spec, hero));
      }
    }
  }
}

}  // namespace
}  // namespace cleave::hands
