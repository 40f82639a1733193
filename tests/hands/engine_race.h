#pragma once

#include <cmath>
#include <functional>

#include "core/random.h"
#include "cut_game.h"
#include "decompose/method.h"
#include "hands/profile.h"
#include "hands/vector_games.h"
#include "histories/profile.h"
#include "poker/find_node.h"
#include "random_strategy.h"
#include "solve/solver.h"

// Both engines at work on one game, side by side.
namespace cleave::hands {

inline void expect_close(const std::vector<double>& a, const std::vector<double>& b,
                         double tolerance, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance) << what << " " << i;
}

inline std::unique_ptr<VectorEngine> make_engine(const Setup& setup, EngineOptions options = {}) {
  return make_vector_engine(sketch_layout(setup), std::move(options));
}
inline std::unique_ptr<VectorEngine> make_exact_engine(const Setup& setup) {
  return make_engine(setup, {.storage = Storage::kF64});
}

// A strategy of the game as locks on every node of a setup that begins at `top` of the game's
// betting tree.
inline std::vector<LockedNode> lock_all(const Twin& twin, const Setup& setup, uint32_t top,
                                        const tree::Strategy& strategy) {
  std::vector<LockedNode> locks;
  const Layout layout = make_layout(sketch_layout(setup), 1);
  const std::string above = line_of(twin.setup.tree, top);
  for (size_t s = 0; s < layout.streets.size(); ++s) {
    const Street& street = layout.streets[s];
    for (uint32_t n = 0; n < street.nodes.size(); ++n) {
      const Node& node = street.nodes[n];
      if (node.kind != poker::BettingNode::Kind::kDecision) continue;
      const std::string below = line_of(setup.tree, node.source);
      const uint32_t source = find_node(
          twin.setup.tree, above.empty() || below.empty() ? above + below : above + "/" + below);
      for (uint32_t b = 0; b < street.boards.size(); ++b) {
        const Side& side = street.boards[b].side[node.player];
        LockedNode lock{static_cast<int>(s), b, n,
                        std::vector<double>(size_t{node.num_children} * side.width, 0.0)};
        for (size_t i = 0; i < side.count; ++i) {
          const CardSet before =
              s == 0 ? 0 : layout.streets[s - 1].boards[street.boards[b].parent].cards;
          const CardSet cards = street.boards[b].cards;
          const uint32_t set = twin.set_at(node.player, source, cards, cards & ~before,
                                           setup.hands[node.player][side.hand[i]]);
          for (size_t a = 0; a < node.num_children; ++a) {
            lock.strategy[a * side.width + i] = strategy[twin.problem.tree.slot_begin[set] + a];
          }
        }
        locks.push_back(std::move(lock));
      }
    }
  }
  return locks;
}

// Calls use(decision of the engine, [row]: slot in the tree) at every decision of a problem's
// engine; rows are [action][hand].
template <class Use>
void each_row(const Twin& twin, const VectorEngine& engine, const Use& use) {
  const Layout& layout = engine.layout();
  std::vector<size_t> slots;
  std::vector<uint64_t> above = {0}, here = {0};  // [board]: the deals that lead to it
  for (size_t s = 0; s < layout.streets.size(); ++s) {
    const Street& street = layout.streets[s];
    if (s > 0) {
      here.clear();
      for (const Board& board : street.boards) {
        const CardSet before = layout.streets[s - 1].boards[board.parent].cards;
        here.push_back(add_deal(above[board.parent], board.cards & ~before));
      }
    }
    for (size_t b = 0; b < street.boards.size(); ++b) {
      for (uint32_t n = 0; n < street.nodes.size(); ++n) {
        const Node& node = street.nodes[n];
        if (node.kind != poker::BettingNode::Kind::kDecision) continue;
        slots.clear();
        for (size_t a = 0; a < node.num_children; ++a) {
          for (const uint16_t hand : street.boards[b].side[node.player].hand) {
            const uint32_t set = twin.sets_after.at(
                {node.player, node.source, here[b], layout.setup.hands[node.player][hand]});
            slots.push_back(twin.problem.tree.slot_begin[set] + a);
          }
        }
        use(engine.decision_at(s, b, n), slots);
      }
    }
    above = here;
  }
}

// A strategy of the game on the vector engine, for pieces of a problem made from the twin.
inline std::shared_ptr<EngineProfile> make_profile(const Twin& twin, const Problem& problem,
                                                   const tree::Strategy& strategy) {
  const std::shared_ptr<VectorEngine> engine = make_exact_engine(problem.setup);
  std::vector<double> rows;
  each_row(twin, *engine, [&](size_t decision, const std::vector<size_t>& slots) {
    rows.clear();
    for (const size_t slot : slots) rows.push_back(strategy[slot]);
    engine->set_strategy(decision, rows);
  });
  return std::make_shared<EngineProfile>(engine);
}

// The reverse, where nothing is merged.
inline tree::Strategy take_strategy(const Twin& twin, VectorEngine& engine) {
  tree::Strategy strategy = tree::uniform_strategy(twin.problem.tree);
  std::vector<double> rows;
  each_row(twin, engine, [&](size_t decision, const std::vector<size_t>& slots) {
    rows.resize(slots.size());
    engine.strategy(decision, rows);
    for (size_t i = 0; i < slots.size(); ++i) strategy[slots[i]] = rows[i];
  });
  return strategy;
}

// --- comparing runs

// One step of a run; answers with numbers that should be equal on both engines.
using Step = std::function<std::vector<double>(int64_t t)>;

inline double distance(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  if (a.size() != b.size()) return INFINITY;
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double apart = std::abs(a[i] - b[i]);
    if (std::isnan(apart)) return INFINITY;
    largest = std::max(largest, apart);
  }
  return largest;
}

// How far apart the engines' answers were, and after how many steps.
struct Race {
  double far = 0;
  int64_t steps = 0;
};

// Steps both engines side by side (0 is the tree engine, 1 the vector engine). That they stay
// together takes some care. Regret matching is discontinuous where a player is indifferent between
// everything: rounding decides there, and either way is right. By the rules of poker that happens
// soon. All bets that are always folded to are worth the same: so stakes are to be odd
// (make_stakes_odd). Against pure strategies a hand may meet nobody, and is worth nothing to
// one engine and rounding to the other: so both players are to learn once from the strategies that
// play everything, before updates alternate. What remains is that runs part exponentially, where
// updates alternate by a factor of about 1.5 in every step: some 50 steps from rounding to 1e-7.
inline Race race(const std::function<Step(int engine)>& make, int64_t steps) {
  const std::array<Step, 2> runs = {make(0), make(1)};
  Race out;
  while (out.steps < steps) {
    const int64_t t = ++out.steps;
    const std::vector<double> tree = runs[0](t), hands = runs[1](t);
    EXPECT_FALSE(tree.empty());
    out.far = std::max(out.far, distance(tree, hands));
  }
  return out;
}

inline constexpr double kClose = 1e-6;  // chips
inline constexpr int64_t kSteps = 50;

// `chip`: in the units of the answers.
inline void expect_together(const std::function<Step(int engine)>& make, double chip,
                            const std::string& what) {
  const Race race = hands::race(make, kSteps);
  EXPECT_GE(race.steps, 50) << what;
  EXPECT_LE(race.far, kClose * chip) << what;
}

// --- methods

inline std::vector<std::string> method_names() {
  std::vector<std::string> names = decompose::all_methods();
  names.push_back("path-recovery");
  return names;
}

// The distributional gadget, every state of which enters at least a little. Hedging lets states
// enter as rarely as 1e-100. What a hand meets is to the vector engine the sum over all of the
// other's hands less those it excludes; where the sum is its own card's and 1e-100, nothing but
// rounding is left of the rest, and the hand learns from that. (With at least 1e-12 the engines are
// within 3e-8 chips for 10 choices of stakes, with less than 1e-15 only within 1e-2.)
class AjarGadget final : public decompose::Gadget {
 public:
  explicit AjarGadget(std::unique_ptr<decompose::Gadget> gadget) : gadget_(std::move(gadget)) {}
  void enter(std::span<double> reach) override {
    gadget_->enter(reach);
    for (double& x : reach) x = std::max(x, 1e-12);
  }
  void learn(const kernels::RegretUpdate& update, std::span<const double> values) override {
    gadget_->learn(update, values);
  }
  decompose::EntryForm form() const override { return gadget_->form(); }

 private:
  std::unique_ptr<decompose::Gadget> gadget_;
};

inline const decompose::GadgetInfo& ajar_gadget() {
  static const decompose::GadgetInfo info = [] {
    decompose::GadgetInfo i = *decompose::find_gadget("distributional");
    i.make = [](const decompose::GadgetInput& input,
                core::Params& params) -> std::unique_ptr<decompose::Gadget> {
      return std::make_unique<AjarGadget>(
          decompose::find_gadget("distributional")->make(input, params));
    };
    return i;
  }();
  return info;
}

inline decompose::Method set_ajar(decompose::Method method) {
  if (method.gadget->name == "distributional") method.gadget = &ajar_gadget();
  return method;
}

// What a gadget is made from, by the vector engine's hands.
inline decompose::GadgetInput to_hands(const Match& match, size_t player,
                                       decompose::GadgetInput input) {
  for (auto* x : {&input.trunk_reach, &input.counterfactual_reach, &input.alternatives.mean,
                  &input.alternatives.deviation}) {
    if (!x->empty()) *x = match.to_hands(player, *x);
  }
  return input;
}

// --- strategies and cuts

inline tree::Strategy solved(const Twin& twin, int iterations) {
  const auto solver = solve::make_solver("cfr+", twin.problem);
  for (int i = 0; i < iterations; ++i) solver->iterate();
  return solver->strategy();
}

// Plays everything now and then.
inline tree::Strategy mixed_strategy(const tree::Tree& tree, uint64_t seed) {
  tree::Strategy strategy = random_strategy(tree, seed);
  const tree::Strategy uniform = tree::uniform_strategy(tree);
  for (size_t i = 0; i < strategy.size(); ++i) strategy[i] = 0.8 * strategy[i] + 0.2 * uniform[i];
  return strategy;
}

// The same for all renamings of suits.
inline tree::Strategy symmetric(const Twin& twin, int suits, const tree::Strategy& strategy) {
  tree::Strategy out = strategy;
  const auto maps = poker::all_suit_maps(suits);
  for (const auto& [key, set] : twin.sets) {
    const auto& [player, node, board, newest, hand] = key;
    std::array<CardSet, 3> least = {board, newest, hand};
    for (const poker::SuitMap& map : maps) {
      least = std::min(
          least, {poker::rename(map, board), poker::rename(map, newest), poker::rename(map, hand)});
    }
    const tree::Tree& tree = twin.problem.tree;
    const uint32_t from = twin.set_at(player, node, least[0], least[1], least[2]);
    std::copy(strategy.begin() + tree.slot_begin[from],
              strategy.begin() + tree.slot_begin[from + 1], out.begin() + tree.slot_begin[set]);
  }
  return out;
}

// A game cut where a street's deal begins, a trunk, and both engines on each subgame.
struct CutTwin {
  CutTwin(const Twin& t, int street, tree::Strategy trunk)
      : CutTwin(t, t.deals_of(street), std::move(trunk)) {}
  // Cut above these histories instead.
  CutTwin(const Twin& t, const std::vector<uint32_t>& seeds, tree::Strategy trunk)
      : twin(t),
        parts(take_apart(t.problem, histories::cut_below(t.problem.tree, seeds, "seeds"))),
        strategy(std::move(trunk)),
        summaries(histories::summarise(parts, strategy)) {}

  const Moment& moment(size_t subgame) const {
    return twin.places[parts.subgames[subgame].root.histories[0]];
  }
  Setup setup(size_t subgame) const {
    return below(twin.setup, moment(subgame).node, moment(subgame).board);
  }

  const Twin& twin;
  histories::CutGame parts;
  tree::Strategy strategy;
  std::vector<decompose::Summary> summaries;
};

}  // namespace cleave::hands
