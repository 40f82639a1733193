#include <fmt/format.h>

#include <map>
#include <memory>
#include <optional>

#include "decompose/cfr_d.h"
#include "decompose/leaves/checking_leaves.h"
#include "decompose/leaves/continuation_leaves.h"
#include "decompose/leaves/function_leaves.h"
#include "decompose/leaves/payoff_leaves.h"
#include "decompose/leaves/position_leaves.h"
#include "decompose/leaves/solved_leaves.h"
#include "decompose/leaves/stored_leaves.h"
#include "decompose/resolve.h"
#include "decompose/resolver.h"
#include "decompose/tree_engine.h"
#include "hands/engine_race.h"
#include "reference.h"

// Trunks with leaves on both engines, with every leaf evaluator.
namespace cleave::hands {
namespace {

using decompose::LeafEvaluator;
using decompose::Position;
using decompose::TreeEngine;
using Engines = std::vector<std::unique_ptr<decompose::Engine>>;

constexpr double kClose = 1e-6;

// What is below the leaves of a stretch of game, for each engine in the order of its own leaves.
class Leaves {
 public:
  // `roots`: [leaf of the tree engine]: histories; `trunk`: the vector engine's setup, which begins
  // at node `top` of the game.
  Leaves(const Twin& twin, const std::vector<std::vector<uint32_t>>& roots, const Setup& trunk,
         uint32_t top = 0)
      : twin_(twin) {
    std::map<std::pair<std::string, CardSet>, size_t> by_place;
    for (const auto& leaf : roots) {
      pieces_.push_back(decompose::make_piece(twin.problem.tree, leaf));
      const Moment& at = twin.places[leaf[0]];
      nodes_.push_back(at.node);
      setups_.push_back(below(twin.setup, at.node, at.board));
      matches_.emplace_back(twin, pieces_.back().root, setups_.back().hands);
      EXPECT_TRUE(matches_.back().one_to_one());
      by_place[{line_of(twin.setup.tree, at.node), at.board}] = pieces_.size() - 1;
    }
    const Layout layout = sketch_layout(trunk);
    const std::string above = line_of(twin.setup.tree, top);
    for (const Street& street : layout.streets) {
      if (!street.leaves) continue;
      for (const Board& board : street.boards) {
        for (const uint32_t exit : street.exits) {
          const std::string line = line_of(trunk.tree, street.nodes[exit].source);
          const std::string whole = above.empty() ? line : fmt::format("{}/{}", above, line);
          order_.push_back(by_place.at({whole, board.cards}));
        }
      }
    }
    EXPECT_EQ(order_.size(), roots.size());
  }

  size_t size() const { return order_.size(); }
  // The tree engine's number of an engine's leaf.
  size_t number(int engine, size_t leaf) const { return engine == 0 ? leaf : order_[leaf]; }
  const Match& match(size_t number) const { return matches_[number]; }
  const decompose::Piece& piece(size_t number) const { return pieces_[number]; }

  std::unique_ptr<decompose::Engine> engine(int engine, size_t leaf) const {
    const size_t n = number(engine, leaf);
    if (engine == 1) return make_exact_engine(setups_[n]);
    return std::make_unique<TreeEngine>(pieces_[n]);
  }
  // With a strategy of the game in its averages.
  std::unique_ptr<decompose::Engine> engine(int engine, size_t leaf,
                                            const tree::Strategy& strategy) const {
    const size_t n = number(engine, leaf);
    if (engine == 1) {
      return make_engine(setups_[n], {.storage = Storage::kF64,
                                      .locks = lock_all(twin_, setups_[n], nodes_[n], strategy)});
    }
    auto made = std::make_unique<TreeEngine>(pieces_[n]);
    made->set_strategy(strategy);
    return made;
  }
  // Numbers by the tree's states, in the engine's order.
  Vectors to_engine(int engine, size_t leaf, const Vectors& by_state) const {
    return engine == 0 ? by_state : match(number(engine, leaf)).to_hands(by_state);
  }

  const Twin& twin() const { return twin_; }

 private:
  const Twin& twin_;
  std::vector<decompose::Piece> pieces_;  // [number]
  std::vector<uint32_t> nodes_;
  std::vector<Setup> setups_;
  std::vector<Match> matches_;
  std::vector<size_t> order_;  // [leaf of the vector engine]
};

// --- the evaluators, each made alike for both engines

using Make = std::function<std::unique_ptr<LeafEvaluator>(const Leaves& leaves, int engine)>;

std::unique_ptr<LeafEvaluator> payoff_leaves(const Leaves& leaves, int engine) {
  const tree::Strategy strategy = random_strategy(leaves.twin().problem.tree, 7);
  Engines engines;
  for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    engines.push_back(leaves.engine(engine, leaf, strategy));
  }
  return std::make_unique<decompose::PayoffLeaves>(std::move(engines));
}

std::unique_ptr<LeafEvaluator> solved_leaves(const Leaves& leaves, int engine, int64_t iterations,
                                             bool keep_warm) {
  return std::make_unique<decompose::SolvedLeaves>(
      [&leaves, engine](size_t leaf) { return leaves.engine(engine, leaf); },
      decompose::SolvedLeavesOptions{.schedule = solve::make_schedule("cfr+"),
                                     .iterations = iterations,
                                     .keep_warm = keep_warm});
}

std::unique_ptr<LeafEvaluator> stored_leaves(const Leaves& leaves, int engine) {
  std::vector<Vectors> values;
  for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    core::Random random(leaves.number(engine, leaf) + 1);
    Vectors made;
    for (size_t p = 0; p < 2; ++p) {
      made[p].resize(leaves.match(leaves.number(engine, leaf)).state[p].size());
      for (double& x : made[p]) x = random.uniform() - 0.5;
    }
    values.push_back(leaves.to_engine(engine, leaf, made));
  }
  return std::make_unique<decompose::StoredLeaves>(values);
}

// Each state gets a share of the other's reach, by numbers of the tree's states.
void share_out(const Vectors& reach, Vectors& values) {
  for (size_t p = 0; p < 2; ++p) {
    for (size_t i = 0; i < values[p].size(); ++i) {
      values[p][i] = 0;
      for (size_t j = 0; j < reach[1 - p].size(); ++j) {
        const double worth = 0.01 * static_cast<double>((3 * i + 5 * j) % 7) - 0.02;
        values[p][i] += (p == 0 ? worth : -worth) * reach[1 - p][j];
      }
    }
  }
}

std::unique_ptr<LeafEvaluator> function_leaves(const Leaves& leaves, int engine) {
  return std::make_unique<decompose::FunctionLeaves>(
      [&leaves, engine](size_t leaf, const Vectors& reach, Vectors& values) {
        if (engine == 0) return share_out(reach, values);
        const Match& match = leaves.match(leaves.number(engine, leaf));
        Vectors by_state = {match.to_states(0, values[0]), match.to_states(1, values[1])};
        share_out({match.to_states(0, reach[0]), match.to_states(1, reach[1])}, by_state);
        values = match.to_hands(by_state);
      });
}

std::unique_ptr<LeafEvaluator> position_leaves(const Leaves& leaves, int engine) {
  const tree::Tree& tree = leaves.twin().problem.tree;
  const auto value = reference::values(tree, random_strategy(tree, 7));
  const auto chance = decompose::chance_reach(tree);
  std::vector<std::vector<Position>> positions(leaves.size());
  for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    const size_t n = leaves.number(engine, leaf);
    const decompose::Border& root = leaves.piece(n).root;
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
  return std::make_unique<decompose::PositionLeaves>(positions);
}

std::unique_ptr<LeafEvaluator> continuation_leaves(const Leaves& leaves, int engine, int hero) {
  const tree::Tree& tree = leaves.twin().problem.tree;
  const tree::Strategy blueprint = random_strategy(tree, 20);
  std::vector<Engines> engines(leaves.size());
  for (uint64_t k = 0; k < 3; ++k) {
    tree::Strategy strategy = mixed_strategy(tree, 21 + k);
    const auto own = static_cast<size_t>(hero);
    for (uint32_t slot = tree.slot_begin[tree.infoset_begin[own]];
         slot < tree.slot_begin[tree.infoset_begin[own + 1]]; ++slot) {
      strategy[slot] = blueprint[slot];
    }
    for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      engines[leaf].push_back(leaves.engine(engine, leaf, strategy));
    }
  }
  return std::make_unique<decompose::ContinuationLeaves>(hero, std::move(engines));
}

// Two that must agree, and an eye on them.
class Watched final : public LeafEvaluator {
 public:
  Watched(std::unique_ptr<LeafEvaluator> first, std::unique_ptr<LeafEvaluator> second)
      : first_(std::move(first)), second_(std::move(second)), both_(*first_, *second_) {}
  void evaluate(size_t leaf, const Vectors& reach, Vectors& values) override {
    both_.evaluate(leaf, reach, values);
    EXPECT_LE(both_.largest().size, 1e-12);
  }

 private:
  std::unique_ptr<LeafEvaluator> first_, second_;
  decompose::CheckingLeaves both_;
};

struct Kind {
  std::string name;
  Make make;
  bool solves = false;  // updates alternate in it: ties may end the comparison early
};

std::vector<Kind> all_kinds() {
  return {
      {"payoff", payoff_leaves},
      {"solved", [](const Leaves& l, int e) { return solved_leaves(l, e, 3, false); }, true},
      {"warm", [](const Leaves& l, int e) { return solved_leaves(l, e, 1, true); }, true},
      {"stored", stored_leaves},
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

// An evaluator whose answers are a little off: the shaken twin of a run whose input is fixed.
class ShakenLeaves final : public LeafEvaluator {
 public:
  ShakenLeaves(std::unique_ptr<LeafEvaluator> leaves, uint64_t shake)
      : leaves_(std::move(leaves)), shake_(shake) {}
  void evaluate(size_t leaf, const Vectors& reach, Vectors& values) override {
    Vectors entry = reach;
    for (auto& own : entry) own = shaken(own, shake_);
    leaves_->evaluate(leaf, entry, values);
    for (auto& own : values) own = shaken(own, shake_);
  }

 private:
  std::unique_ptr<LeafEvaluator> leaves_;
  uint64_t shake_;
};

struct CfrDRun {
  CfrDRun(const CutTwin& cut, const Leaves& l, int e, uint64_t shake, const Make& make,
          const Setup& trunk)
      : leaves(l), engine(e), evaluator(make(l, e), shake) {
    if (e == 1) {
      stretch = make_exact_engine(trunk);
    } else {
      stretch = std::make_unique<TreeEngine>(cut.parts.trunk);
    }
    cfr_d.emplace(*stretch, evaluator, solve::make_schedule("cfr+"));
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
  ShakenLeaves evaluator;
  std::unique_ptr<decompose::Engine> stretch;
  std::optional<decompose::CfrD> cfr_d;
};

void compare_trunks(const poker::Definition& definition, const char* other = nullptr) {
  constexpr int64_t kSteps = 30;
  const Twin twin(definition, {}, other);
  const CutTwin cut(twin, 0, tree::uniform_strategy(twin.problem.tree));
  const Setup trunk = make_setup(definition, {}, 0);
  const Leaves leaves(twin, cut.parts.cut.roots, trunk);
  for (const Kind& kind : all_kinds()) {
    const int64_t compared = race(
        [&](int engine, uint64_t shake) -> Step {
          const auto run = std::make_shared<CfrDRun>(cut, leaves, engine, shake, kind.make, trunk);
          return [run](int64_t) { return run->step(); };
        },
        kSteps, kClose, definition.name + " " + kind.name);
    const bool may_end = kind.solves && !(other && kind.name == "warm");
    EXPECT_GE(compared, may_end ? 0 : kSteps) << definition.name << " " << kind.name;
  }
}

TEST(BothEnginesWithLeaves, AgreeOnCfrDInLeduc) { compare_trunks(leduc(), "leduc"); }
TEST(BothEnginesWithLeaves, AgreeOnCfrDInSmallNoLimit) { compare_trunks(small_nolimit()); }
TEST(BothEnginesWithLeaves, AgreeOnCfrDInThreeStreets) { compare_trunks(three_streets()); }

// Subgames solved afresh and kept warm, for reach that is sent to them.
TEST(BothEnginesWithLeaves, AgreeOnSolvedSubgames) {
  const Twin twin(leduc(), {}, "leduc");
  const CutTwin cut(twin, 0, tree::uniform_strategy(twin.problem.tree));
  const Leaves leaves(twin, cut.parts.cut.roots, make_setup(leduc(), {}, 0));
  for (const bool warm : {false, true}) {
    const auto by_tree = solved_leaves(leaves, 0, 15, warm);
    const auto by_hand = solved_leaves(leaves, 1, 15, warm);
    core::Random random(3);
    for (int call = 0; call < 2; ++call) {
      for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
        const size_t n = leaves.number(1, leaf);
        const Match& match = leaves.match(n);
        Vectors reach, values;
        for (size_t p = 0; p < 2; ++p) {
          reach[p].resize(match.state[p].size());
          for (double& x : reach[p]) x = 0.1 + random.uniform();
        }
        values = reach;
        Vectors hand_values = reach;
        by_tree->evaluate(n, reach, values);
        by_hand->evaluate(leaf, match.to_hands(reach), hand_values);
        for (size_t p = 0; p < 2; ++p) {
          expect_close(hand_values[p], match.to_hands(p, values[p]), kClose, "solved");
        }
      }
    }
  }
}

// --- a gadget above, leaves below: a street of a game of three

struct Middle {
  Middle(const CutTwin& cut, size_t s, const Setup& deeper)
      : subgame(s),
        piece(decompose::make_piece(cut.twin.problem.tree, cut.parts.subgames[s].root.histories,
                                    borders(cut, s))),
        setup(below(deeper, cut.moment(s).node, cut.moment(s).board)),
        match(cut.twin, piece.root, setup.hands),
        leaves(cut.twin, borders(cut, s), setup, cut.moment(s).node) {}

  // Histories before the next deal, one group per public state.
  static std::vector<std::vector<uint32_t>> borders(const CutTwin& cut, size_t s) {
    const tree::Tree& tree = cut.twin.problem.tree;
    std::map<std::pair<uint32_t, CardSet>, std::vector<uint32_t>> groups;
    for (const uint32_t h : cut.twin.deals_of(1)) {
      if (cut.parts.cut.subgame[h] != s || tree.actor[h] != tree::kChance) continue;
      groups[{cut.twin.places[h].node, cut.twin.places[h].board}].push_back(h);
    }
    std::vector<std::vector<uint32_t>> out;
    for (auto& [place, histories] : groups) out.push_back(std::move(histories));
    return out;
  }

  size_t subgame;
  decompose::Piece piece;
  Setup setup;
  Match match;
  Leaves leaves;
};

struct MiddleRun {
  MiddleRun(const CutTwin& cut, const Middle& m, int h, int e, uint64_t shake,
            const decompose::Method& method, const Make& make)
      : middle(m), hero(h), engine(e), evaluator(make(m.leaves, e), shake) {
    const auto own = static_cast<size_t>(h);
    decompose::GadgetInput input =
        make_gadget_input(cut.parts, cut.strategy, cut.summaries, m.subgame, h, method);
    std::vector<double> reach = cut.summaries[m.subgame].reach[own];
    if (e == 1) {
      for (auto* x : {&input.trunk_reach, &input.counterfactual_reach, &input.alternatives.mean,
                      &input.alternatives.deviation}) {
        *x = m.match.to_hands(1 - own, *x);
      }
      reach = m.match.to_hands(own, reach);
      stretch = make_exact_engine(m.setup);
    } else {
      stretch = std::make_unique<TreeEngine>(m.piece);
    }
    gadget = make_gadget(method, input);
    resolver.emplace(*stretch, *gadget, h, reach, solve::make_schedule("cfr+"), &evaluator);
  }
  std::vector<double> step() {
    resolver->iterate();
    const auto& values = resolver->opponent_values();
    return engine == 1 ? middle.match.to_states(static_cast<size_t>(1 - hero), values) : values;
  }

  const Middle& middle;
  int hero, engine;
  ShakenLeaves evaluator;
  std::unique_ptr<decompose::Engine> stretch;
  std::unique_ptr<decompose::Gadget> gadget;
  std::optional<decompose::Resolver> resolver;
};

TEST(BothEnginesWithLeaves, AgreeOnResolvingAboveEveryEvaluator) {
  constexpr int64_t kSteps = 30;
  const Twin twin(three_streets());
  const CutTwin cut(twin, 0, mixed_strategy(twin.problem.tree, 4));
  const Middle middle(cut, 1, make_setup(three_streets(), {}, 1));
  for (const Kind& kind : all_kinds()) {
    for (const char* spec : {"resolve", "maxmargin"}) {
      const decompose::Method method = decompose::make_method(spec);
      for (int hero = 0; hero < 2; ++hero) {
        const std::string what = fmt::format("{} {} {}", kind.name, spec, hero);
        const int64_t compared = race(
            [&](int engine, uint64_t shake) -> Step {
              const auto run =
                  std::make_shared<MiddleRun>(cut, middle, hero, engine, shake, method, kind.make);
              return [run](int64_t) { return run->step(); };
            },
            kSteps, kClose, what);
        EXPECT_GE(compared, kind.solves ? 0 : kSteps) << what;
      }
    }
  }
}

}  // namespace
}  // namespace cleave::hands
