#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>

#include "decompose/resolve.h"
#include "decompose/resolver.h"
#include "decompose/tree_engine.h"
#include "hands/engine_race.h"
#include "solve/sequence_lp.h"
#include "source_path.h"

// The same games on both engines: whole, and as subgames below every root gadget.
namespace cleave::hands {
namespace {

using decompose::TreeEngine;

constexpr double kClose = 1e-6;
constexpr int64_t kSteps = 50;

const poker::Sizes kPotOrAllIn = {{poker::Size::Kind::kPot, 100}, {poker::Size::Kind::kAllIn}};

struct Named {
  std::string name;
  std::unique_ptr<Twin> twin;
};

const std::vector<Named>& all_games() {
  static const std::vector<Named> games = [] {
    std::vector<Named> list;
    const auto add = [&](const char* name, auto&&... args) {
      list.push_back({name, std::make_unique<Twin>(args...)});
    };
    const std::optional<poker::Sizes> none;
    add("leduc", leduc(), none, "leduc");
    add("small no-limit", small_nolimit());
    add("two cards", two_cards(), kPotOrAllIn);
    add("three streets", three_streets());
    return list;
  }();
  return games;
}

std::vector<double> random_reach(size_t n, core::Random& random) {
  std::vector<double> reach(n);
  for (double& x : reach) x = random.below(4) == 0 ? 0 : random.uniform();
  reach[random.below(n)] = 1;
  return reach;
}

// --- the games themselves

TEST(BothEngines, PlayTheExampleFiles) {
  const std::string folder = source_path("examples/games/");
  EXPECT_EQ(to_text(small_nolimit()),
            to_text(poker::read_definition(folder + "small_nolimit.game")));
  const poker::Definition file = poker::read_definition(folder + "leduc.game");
  const auto a = make_setup(leduc()), b = make_setup(file);
  ASSERT_EQ(a.tree.nodes.size(), b.tree.nodes.size());
  for (size_t n = 0; n < a.tree.nodes.size(); ++n) {
    EXPECT_EQ(a.tree.nodes[n].action, b.tree.nodes[n].action);
    EXPECT_EQ(a.tree.nodes[n].put, b.tree.nodes[n].put);
  }
  EXPECT_EQ(a.hands, b.hands);
}

// Who acts, how many actions there are and what is paid are the same at every history.
TEST(BothEngines, PlayTheSameGame) {
  for (const auto& [name, twin] : all_games()) {
    const tree::Tree& tree = twin->problem.tree;
    EXPECT_EQ(tree.shift, 0) << name;
    for (uint32_t h = 0; h < tree.num_histories(); ++h) {
      const Moment& at = twin->places[h];
      const poker::BettingNode& node = twin->node(h);
      if (tree.actor[h] < 2) {
        ASSERT_EQ(node.kind, poker::BettingNode::Kind::kDecision) << name;
        ASSERT_EQ(node.player, tree.actor[h]) << name;
        ASSERT_EQ(node.num_children, tree.num_actions(tree.infoset[h])) << name;
        ASSERT_EQ(twin->set_at(node.player, at.node, at.board, at.newest, at.hole[node.player]),
                  tree.infoset[h])
            << name;
      } else if (tree.actor[h] == tree::kTerminal) {
        const auto payoffs = twin->setup.tree.payoffs(at.node, 0);
        double paid = payoffs.win;
        if (node.kind == poker::BettingNode::Kind::kShowdown) {
          const auto mine = poker::strength_of(at.hole[0] | at.board);
          const auto theirs = poker::strength_of(at.hole[1] | at.board);
          paid = mine > theirs ? payoffs.win : mine < theirs ? payoffs.lose : payoffs.tie;
        } else {
          ASSERT_EQ(node.kind, poker::BettingNode::Kind::kFold) << name;
        }
        ASSERT_EQ(paid, tree.payoff[tree.infoset[h]]) << name;
      }
    }
    EXPECT_EQ(twin->sets.size(), tree.num_infosets()) << name;
  }
}

// --- whole games

// Both engines on a game from the moment on when hands are dealt.
struct Whole {
  explicit Whole(const Twin& twin)
      : piece(decompose::make_piece(twin.problem.tree, twin.starts())),
        match(twin, piece.root, twin.setup.hands),
        tree(piece),
        hands(make_exact_engine(twin.setup)) {}

  // Values and best responses of both, from the given reach of the tree's states on.
  void compare(decompose::Engine& vector, const Vectors& reach, double tolerance,
               const std::string& what) {
    Vectors by_tree = {std::vector<double>(reach[0].size()), std::vector<double>(reach[1].size())};
    Vectors by_hand = {std::vector<double>(vector.num_states(0)),
                       std::vector<double>(vector.num_states(1))};
    const Vectors hand_reach = match.to_hands(reach);
    tree.evaluate(reach, by_tree);
    vector.evaluate(hand_reach, by_hand);
    for (size_t p = 0; p < 2; ++p) {
      expect_close(match.to_states(p, by_hand[p]), by_tree[p], tolerance, what + " values");
      tree.best_response(static_cast<int>(p), reach[1 - p], by_tree[p]);
      vector.best_response(static_cast<int>(p), hand_reach[1 - p], by_hand[p]);
      expect_close(match.to_states(p, by_hand[p]), by_tree[p], tolerance, what + " best response");
      tree.counterfactual_reach(static_cast<int>(p), reach[1 - p], by_tree[p]);
      vector.counterfactual_reach(static_cast<int>(p), hand_reach[1 - p], by_hand[p]);
      expect_close(match.to_states(p, by_hand[p]), by_tree[p], 1e-12, what + " reach");
    }
  }
  // (best response of one + of two) / 2
  static double exploitability(decompose::Engine& engine, const Vectors& reach) {
    double sum = 0;
    for (size_t p = 0; p < 2; ++p) {
      std::vector<double> best(reach[p].size());
      engine.best_response(static_cast<int>(p), reach[1 - p], best);
      for (size_t s = 0; s < best.size(); ++s) sum += reach[p][s] * best[s] / 2;
    }
    return sum;
  }

  decompose::Piece piece;
  Match match;
  TreeEngine tree;
  std::unique_ptr<VectorEngine> hands;
};

Vectors ones(const decompose::Engine& engine) {
  return {std::vector<double>(engine.num_states(0), 1.0),
          std::vector<double>(engine.num_states(1), 1.0)};
}

TEST(BothEngines, AgreeOnUniformPlay) {
  core::Random random(1);
  for (const auto& [name, twin] : all_games()) {
    Whole whole(*twin);
    whole.compare(*whole.hands, ones(whole.tree), 1e-12, name);
    for (int i = 0; i < 3; ++i) {
      whole.compare(*whole.hands,
                    {random_reach(whole.tree.num_states(0), random),
                     random_reach(whole.tree.num_states(1), random)},
                    1e-12, name);
    }
  }
}

// Both players' values of an iteration at the tree's states.
Step whole_run(const Twin& twin, int engine, const Vectors& reach, const char* algorithm,
               solve::Updates updates) {
  const auto whole = std::make_shared<Whole>(twin);
  const auto schedule = solve::make_schedule(algorithm, kSteps);
  return [=](int64_t t) {
    decompose::Engine& e =
        engine == 0 ? static_cast<decompose::Engine&>(whole->tree) : *whole->hands;
    const Vectors entry = engine == 0 ? reach : whole->match.to_hands(reach);
    const solve::Iteration now = schedule(t);
    std::vector<double> out;
    for (size_t p = 0; p < 2; ++p) {
      const bool both = updates == solve::Updates::kSimultaneous;
      if (both && p == 0) e.descend(0, entry[0], now.average_decay);
      if (!both || p == 0) e.descend(p == 0 ? 1 : 0, entry[1 - p], now.average_decay);
      std::vector<double> values(entry[p].size());
      e.learn(static_cast<int>(p), now.regret, values);
      if (engine == 1) values = whole->match.to_states(p, values);
      out.insert(out.end(), values.begin(), values.end());
    }
    // What they have learnt so far, as a best responder sees it.
    if (t % 10 != 0) return out;
    for (size_t p = 0; p < 2; ++p) {
      std::vector<double> values(entry[p].size());
      e.best_response(static_cast<int>(p), entry[1 - p], values);
      if (engine == 1) values = whole->match.to_states(p, values);
      out.insert(out.end(), values.begin(), values.end());
    }
    return out;
  };
}

int64_t race_whole(const Twin& twin, const Vectors& reach, const char* algorithm,
                   solve::Updates updates, const std::string& what) {
  return race(
      [&](int engine, uint64_t shake) {
        return whole_run(twin, engine,
                         {shaken(reach[0], shake), shaken(reach[1], shake == 0 ? 0 : shake + 100)},
                         algorithm, updates);
      },
      kSteps, kClose, what + " " + algorithm);
}

TEST(BothEngines, AgreeIterationByIteration) {
  for (const auto& [name, twin] : all_games()) {
    const Vectors reach = ones(Whole(*twin).tree);
    for (const char* algorithm : {"cfr", "cfr+", "dcfr", "pcfr+", "hs-dcfr", "hs-pcfr+"}) {
      EXPECT_EQ(race_whole(*twin, reach, algorithm, solve::Updates::kSimultaneous, name), kSteps)
          << name << " " << algorithm;
    }
  }
}

TEST(BothEngines, AgreeWhenUpdatesAlternate) {
  for (const auto& [name, twin] : all_games()) {
    const Vectors reach = ones(Whole(*twin).tree);
    for (const char* algorithm : {"cfr", "cfr+", "dcfr", "pcfr+", "hs-dcfr", "hs-pcfr+"}) {
      const int64_t compared =
          race_whole(*twin, reach, algorithm, solve::Updates::kAlternating, name);
      EXPECT_GE(compared, name == "leduc" ? kSteps : 2) << name << " " << algorithm;
    }
  }
}

TEST(BothEngines, AgreeWhenReachIsUneven) {
  core::Random random(5);
  for (const auto& [name, twin] : all_games()) {
    const Whole whole(*twin);
    Vectors reach = ones(whole.tree);
    for (auto& own : reach) {
      for (double& x : own) x = 0.05 + random.uniform();
    }
    EXPECT_EQ(race_whole(*twin, reach, "dcfr", solve::Updates::kSimultaneous, name), kSteps)
        << name;
  }
}

// The games' values by linear program, which neither engine has a part in.
TEST(BothEngines, ComeToTheValueOfTheLinearProgram) {
  for (size_t game = 0; game < 2; ++game) {
    const auto& [name, twin] = all_games()[game];
    const double value = solve::solve_lp(twin->problem).value;
    const auto hands = make_exact_engine(twin->setup);
    const Vectors reach = ones(*hands);
    const auto schedule = solve::make_schedule("pcfr+");
    for (int64_t t = 1; t <= 500; ++t) iterate_fixed(*hands, reach, schedule(t));
    Vectors values = reach;
    hands->evaluate(reach, values);
    const double found = std::reduce(values[0].begin(), values[0].end());
    // Each player's best response is above the value by less than both gain together.
    const double gap = 2 * Whole::exploitability(*hands, reach);
    EXPECT_NEAR(found, value, gap) << name;
    EXPECT_LT(gap, 5e-3) << name;
  }
}

// Narrow storage follows as far as its width allows; what it has learnt is about as good.
TEST(BothEngines, AgreeRoughlyInNarrowStorage) {
  for (const auto& [name, twin] : all_games()) {
    for (const auto& [storage, tolerance] :
         {std::pair{Storage::kF32, 5e-4}, std::pair{Storage::kI16, 2e-3}}) {
      Whole whole(*twin);
      const auto narrow = make_engine(twin->setup, {.storage = storage});
      const auto schedule = solve::make_schedule("dcfr");
      const Vectors reach = ones(whole.tree), hand_reach = ones(*narrow);
      for (int64_t t = 1; t <= 200; ++t) {
        iterate_fixed(whole.tree, reach, schedule(t));
        iterate_fixed(*narrow, hand_reach, schedule(t));
      }
      const double exact = Whole::exploitability(whole.tree, reach);
      const double rough = Whole::exploitability(*narrow, hand_reach);
      EXPECT_NEAR(rough, exact, tolerance) << name << " " << to_string(storage);
      EXPECT_GE(rough, -1e-5);
    }
  }
}

// --- subgames and root gadgets

decompose::GadgetInput to_hands(const Match& match, size_t player,
                                const decompose::GadgetInput& input) {
  decompose::GadgetInput out;
  out.trunk_reach = match.to_hands(player, input.trunk_reach);
  out.counterfactual_reach = match.to_hands(player, input.counterfactual_reach);
  out.alternatives.mean = match.to_hands(player, input.alternatives.mean);
  if (!input.alternatives.deviation.empty()) {
    out.alternatives.deviation = match.to_hands(player, input.alternatives.deviation);
  }
  return out;
}

decompose::GadgetInput shaken(decompose::GadgetInput input, uint64_t shake) {
  for (auto* numbers : {&input.trunk_reach, &input.counterfactual_reach, &input.alternatives.mean,
                        &input.alternatives.deviation}) {
    *numbers = hands::shaken(*numbers, shake);
    if (shake > 0) shake += 100;
  }
  return input;
}

// A subgame below a gadget on one of the engines.
struct Resolving {
  Resolving(const CutTwin& cut, size_t subgame, int h, int e, const decompose::Method& method,
            const decompose::GadgetInput& input, std::vector<double> hero_reach)
      : hero(h),
        on_hands(e == 1),
        match(cut.twin, cut.parts.subgames[subgame].root, cut.setup(subgame).hands),
        reach(on_hands ? match.to_hands(own(), hero_reach) : std::move(hero_reach)),
        gadget(make_gadget(method, on_hands ? to_hands(match, 1 - own(), input) : input)) {
    if (on_hands) {
      engine = make_exact_engine(cut.setup(subgame));
    } else {
      engine = std::make_unique<TreeEngine>(cut.parts.subgames[subgame]);
    }
    resolver.emplace(*engine, *gadget, hero, reach, solve::make_schedule("cfr+"), nullptr,
                     solve::Updates::kSimultaneous);
    EXPECT_TRUE(match.one_to_one());
  }
  size_t own() const { return static_cast<size_t>(hero); }

  // What the opponent got, what it can get against the hero's average, what it brings next, and
  // what the hero can get against its average.
  std::vector<double> step() {
    resolver->iterate();
    std::vector<double> out;
    const auto add = [&](size_t player, const std::vector<double>& x) {
      const auto mapped = on_hands ? match.to_states(player, x) : x;
      out.insert(out.end(), mapped.begin(), mapped.end());
    };
    add(1 - own(), resolver->opponent_values());
    if (resolver->iterations() % 10 != 0) return out;
    std::vector<double> best(engine->num_states(1 - hero)), entry(best.size());
    engine->best_response(1 - hero, reach, best);
    add(1 - own(), best);
    gadget->enter(entry);
    add(1 - own(), entry);
    best.resize(reach.size());
    engine->best_response(hero, entry, best);
    add(own(), best);
    return out;
  }

  int hero;
  bool on_hands;
  Match match;
  std::vector<double> reach;
  std::unique_ptr<decompose::Gadget> gadget;
  std::unique_ptr<decompose::Engine> engine;
  std::optional<decompose::Resolver> resolver;
};

// Re-solves one subgame on both engines and compares them step by step. Returns how many steps, -1
// where the trunk does not come to the subgame.
int64_t race_resolving(const CutTwin& cut, size_t subgame, int hero,
                       const decompose::Method& method, int64_t steps, const std::string& what) {
  const decompose::GadgetInput input =
      make_gadget_input(cut.parts, cut.strategy, cut.summaries, subgame, hero, method);
  double mass = 0;
  for (size_t s = 0; s < input.trunk_reach.size(); ++s) {
    mass += input.trunk_reach[s] * input.counterfactual_reach[s];
  }
  if (mass == 0) return -1;
  return race(
      [&](int engine, uint64_t shake) {
        const auto& reach = cut.summaries[subgame].reach[static_cast<size_t>(hero)];
        const auto run = std::make_shared<Resolving>(
            cut, subgame, hero, engine, method, shaken(input, shake), hands::shaken(reach, shake));
        return [run](int64_t) { return run->step(); };
      },
      steps, kClose, what);
}

void compare_methods(const Twin& twin, int street, const std::string& name, size_t subgames = 3,
                     int64_t steps = kSteps) {
  for (const bool random : {true, false}) {
    const CutTwin cut(twin, street,
                      random ? mixed_strategy(twin.problem.tree, 11) : solved(twin, 50));
    const size_t step = std::max<size_t>(1, cut.parts.subgames.size() / subgames);
    for (const std::string& spec : decompose::all_methods()) {
      const decompose::Method method = decompose::make_method(spec);
      int64_t runs = 0, compared_steps = 0;
      for (size_t s = 0; s < cut.parts.subgames.size(); s += step) {
        for (int hero = 0; hero < 2; ++hero) {
          const std::string what = fmt::format("{}: {} in subgame {} for {}, {}", name, spec, s,
                                               hero, random ? "random" : "solved");
          const int64_t compared = race_resolving(cut, s, hero, method, steps, what);
          if (compared < 0) continue;
          ++runs;
          compared_steps += compared;
          if (testing::Test::HasFailure()) return;
        }
      }
      EXPECT_GE(compared_steps, runs * kSteps / 2) << name << " " << spec;
      EXPECT_GE(runs, 6) << name << " " << spec;
    }
  }
}

TEST(BothEngines, AgreeOnEveryGadgetInLeduc) { compare_methods(*all_games()[0].twin, 0, "leduc"); }
TEST(BothEngines, AgreeOnEveryGadgetInSmallNoLimit) {
  compare_methods(*all_games()[1].twin, 0, "small no-limit");
}
TEST(BothEngines, AgreeOnEveryGadgetWithTwoCards) {
  compare_methods(*all_games()[2].twin, 0, "two cards");
}
TEST(BothEngines, AgreeOnEveryGadgetBelowABoard) {
  compare_methods(*all_games()[3].twin, 1, "three streets");
}

TEST(FullBothEngines, AgreeOnEveryGadgetInEverySubgame) {
  for (const auto& [name, twin] : all_games()) compare_methods(*twin, 0, name, 1000, 200);
  compare_methods(*all_games()[3].twin, 1, "three streets", 1000, 200);
}

// What a subgame keeps when its strategy is dropped.
TEST(BothEngines, AgreeOnSummaries) {
  for (const auto& [name, twin] : all_games()) {
    const CutTwin cut(*twin, 0, random_strategy(twin->problem.tree, 3));
    for (size_t s = 0; s < cut.parts.subgames.size(); ++s) {
      const auto setup = cut.setup(s);
      const Match match(*twin, cut.parts.subgames[s].root, setup.hands);
      const auto hands =
          make_engine(setup, {.storage = Storage::kF64,
                              .locks = lock_all(*twin, setup, cut.moment(s).node, cut.strategy)});
      const Vectors reach = match.to_hands(cut.summaries[s].reach);
      const decompose::Summary summary = decompose::summarise(*hands, reach);
      for (size_t p = 0; p < 2; ++p) {
        expect_close(summary.value[p], match.to_hands(p, cut.summaries[s].value[p]), 1e-12, name);
      }
    }
  }
}

}  // namespace
}  // namespace cleave::hands
