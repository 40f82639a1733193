#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>

#include "decompose/resolver.h"
#include "hands/engine_race.h"
#include "histories/tree_engine.h"
#include "solve/evaluate.h"
#include "solve/sequence_lp.h"
#include "source_path.h"

// The same games on both engines: whole, and as subgames below every root gadget.
namespace cleave::hands {
namespace {

using histories::TreeEngine;

const poker::Sizes kPotOrAllIn = {{poker::Size::Kind::kPot, 100}, {poker::Size::Kind::kAllIn}};

struct Named {
  std::string name;
  std::unique_ptr<Twin> twin;
};

std::vector<Named> make_games() {
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
}

const std::vector<Named>& all_games() {
  static const std::vector<Named> games = make_games();
  return games;
}

// The same with odd stakes.
const std::vector<Named>& odd_games() {
  static const std::vector<Named> games = [] {
    std::vector<Named> list = make_games();
    for (const Named& game : list) game.twin->make_stakes_odd(7);
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
      : piece(histories::make_piece(twin.problem.tree, twin.starts())),
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
      tree.best_response(p, reach[1 - p], by_tree[p]);
      vector.best_response(p, hand_reach[1 - p], by_hand[p]);
      expect_close(match.to_states(p, by_hand[p]), by_tree[p], tolerance, what + " best response");
      tree.counterfactual_reach(p, reach[1 - p], by_tree[p]);
      vector.counterfactual_reach(p, hand_reach[1 - p], by_hand[p]);
      expect_close(match.to_states(p, by_hand[p]), by_tree[p], 1e-12, what + " reach");
    }
  }
  // (best response of one + of two) / 2
  static double exploitability(decompose::Engine& engine, const Vectors& reach) {
    double sum = 0;
    for (size_t p = 0; p < 2; ++p) {
      std::vector<double> best(reach[p].size());
      engine.best_response(p, reach[1 - p], best);
      for (size_t s = 0; s < best.size(); ++s) sum += reach[p][s] * best[s] / 2;
    }
    return sum;
  }

  histories::TreePiece piece;
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

// Both players' values of an iteration at the tree's states. The first iteration's updates are
// always simultaneous.
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
      const bool both = updates == solve::Updates::kSimultaneous || t == 1;
      if (both && p == 0) e.descend(0, entry[0], now.average_decay);
      if (!both || p == 0) e.descend(p == 0 ? 1 : 0, entry[1 - p], now.average_decay);
      std::vector<double> values(entry[p].size());
      e.learn(p, now.regret, values);
      if (engine == 1) values = whole->match.to_states(p, values);
      out.insert(out.end(), values.begin(), values.end());
    }
    // What they have learnt so far, as a best responder sees it.
    if (t % 10 != 0) return out;
    for (size_t p = 0; p < 2; ++p) {
      std::vector<double> values(entry[p].size());
      e.best_response(p, entry[1 - p], values);
      if (engine == 1) values = whole->match.to_states(p, values);
      out.insert(out.end(), values.begin(), values.end());
    }
    return out;
  };
}

void race_whole(const Named& game, const Vectors& reach, solve::Updates updates, double chip) {
  for (const char* algorithm : {"cfr", "cfr+", "dcfr", "pcfr+", "hs-dcfr", "hs-pcfr+"}) {
    expect_together(
        [&](int engine) { return whole_run(*game.twin, engine, reach, algorithm, updates); }, chip,
        game.name + " " + algorithm);
  }
}

TEST(BothEngines, AgreeIterationByIteration) {
  for (const Named& game : all_games()) {
    race_whole(game, ones(Whole(*game.twin).tree), solve::Updates::kSimultaneous, 1);
  }
}

// Largest distance: 8e-9 chips. Of 28 choices of seeds 22 stay within 1e-6, all within 1e-4.
TEST(BothEngines, AgreeWhenReachAndStakesAreUneven) {
  core::Random random(4);
  for (const Named& game : odd_games()) {
    Vectors reach = ones(Whole(*game.twin).tree);
    for (auto& own : reach) {
      for (double& x : own) x = 0.05 + random.uniform();
    }
    for (const auto updates : {solve::Updates::kSimultaneous, solve::Updates::kAlternating}) {
      race_whole(game, reach, updates, kUnitsPerChip);
    }
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

// Three deals: what the linear program finds is an equilibrium to the vector engine, and what the
// vector engine learns is worth and loses to the tree what it says itself.
TEST(BothEngines, AgreeWithTheLinearProgramOnFourStreets) {
  const Twin twin(four_streets(), kAllInOnly);
  ASSERT_EQ(twin.sets_after.size(), twin.problem.tree.num_infosets());
  const solve::LpSolution exact = solve::solve_lp(twin.problem);
  const auto worth = [](VectorEngine& engine, const Vectors& reach) {
    Vectors values = reach;
    engine.evaluate(reach, values);
    return std::reduce(values[0].begin(), values[0].end());
  };

  const auto profile = make_profile(twin, *make_problem(twin), exact.strategy);
  VectorEngine& perfect = profile->engine();
  const Vectors reach = ones(perfect);
  EXPECT_NEAR(worth(perfect, reach), exact.value, 1e-9);
  EXPECT_NEAR(Whole::exploitability(perfect, reach), 0, 1e-7);

  for (const int merged_suits : {1, 2}) {
    const auto engine = make_exact_engine(make_problem(twin, merged_suits)->setup);
    const auto schedule = solve::make_schedule("pcfr+");
    for (int64_t t = 1; t <= 500; ++t) iterate_fixed(*engine, reach, schedule(t));
    const double lost = Whole::exploitability(*engine, reach), value = worth(*engine, reach);
    EXPECT_LT(lost, 1e-5);
    EXPECT_NEAR(value, exact.value, 2 * lost);
    if (merged_suits > 1) continue;
    const solve::Certificate by_tree = certify(twin.problem, take_strategy(twin, *engine));
    EXPECT_NEAR(by_tree.value, value, 1e-9);
    EXPECT_NEAR(by_tree.exploitability, lost, 1e-9);
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

// A subgame below a gadget on one of the engines. The first iteration's updates are always
// simultaneous. Alternating ones are CFR's: those of CFR+ part too soon, by up to 1e-2 chips after
// 50 steps, where CFR's are within 2e-9 for seven choices of stakes.
struct Resolving {
  Resolving(const CutTwin& cut, size_t subgame, size_t h, int e, const decompose::Method& method,
            const decompose::GadgetInput& input, std::vector<double> hero_reach,
            solve::Updates updates)
      : hero(h),
        on_hands(e == 1),
        match(cut.twin, cut.parts.subgames[subgame].root, cut.setup(subgame).hands),
        reach(on_hands ? match.to_hands(h, hero_reach) : std::move(hero_reach)),
        gadget(make_gadget(method, on_hands ? to_hands(match, 1 - h, input) : input)) {
    if (on_hands) {
      engine = make_exact_engine(cut.setup(subgame));
    } else {
      engine = std::make_unique<TreeEngine>(cut.parts.subgames[subgame]);
    }
    const auto schedule =
        solve::make_schedule(updates == solve::Updates::kAlternating ? "cfr" : "cfr+");
    first.emplace(*engine, *gadget, hero, reach, schedule, solve::Updates::kSimultaneous);
    later.emplace(
        *engine, *gadget, hero, reach, [schedule](int64_t t) { return schedule(t + 1); }, updates);
    EXPECT_TRUE(match.one_to_one());
  }

  // What the opponent got, what it can get against the hero's average, what it brings next, and
  // what the hero can get against its average.
  std::vector<double> step(int64_t t) {
    decompose::Resolver& resolver = t == 1 ? *first : *later;
    resolver.iterate();
    std::vector<double> out;
    const auto add = [&](size_t player, const std::vector<double>& x) {
      const auto mapped = on_hands ? match.to_states(player, x) : x;
      out.insert(out.end(), mapped.begin(), mapped.end());
    };
    add(1 - hero, resolver.opponent_values());
    if (t % 10 != 0) return out;
    std::vector<double> best(engine->num_states(1 - hero)), entry(best.size());
    engine->best_response(1 - hero, reach, best);
    add(1 - hero, best);
    gadget->enter(entry);
    add(1 - hero, entry);
    best.resize(reach.size());
    engine->best_response(hero, entry, best);
    add(hero, best);
    return out;
  }

  size_t hero;
  bool on_hands;
  Match match;
  std::vector<double> reach;
  std::unique_ptr<decompose::Gadget> gadget;
  std::unique_ptr<decompose::Engine> engine;
  std::optional<decompose::Resolver> first, later;
};

// Trunks that come to every subgame with every hand: what is far from an equilibrium and what is
// near to one.
std::vector<std::pair<std::string, tree::Strategy>> trunks(const Twin& twin) {
  const tree::Tree& tree = twin.problem.tree;
  tree::Strategy near = solved(twin, 50);
  const tree::Strategy uniform = tree::uniform_strategy(tree);
  for (size_t i = 0; i < near.size(); ++i) near[i] = 0.9 * near[i] + 0.1 * uniform[i];
  return {{"random", mixed_strategy(tree, 11)}, {"solved", near}};
}

// Every method in some subgames, for both heroes.
void compare_methods(const Named& game, int street, size_t subgames = 3) {
  for (const auto& [name, trunk] : trunks(*game.twin)) {
    const CutTwin cut(*game.twin, street, trunk);
    const size_t stride = std::max<size_t>(1, cut.parts.subgames.size() / subgames);
    for (const std::string& spec : decompose::all_methods()) {
      const decompose::Method method = decompose::make_method(spec);
      int runs = 0;
      for (size_t s = 0; s < cut.parts.subgames.size(); s += stride) {
        for (size_t hero = 0; hero < 2; ++hero) {
          const decompose::GadgetInput input =
              make_gadget_input(cut.parts, cut.strategy, cut.summaries, s, hero, method);
          const auto& reach = cut.summaries[s].reach[hero];
          for (const auto updates : {solve::Updates::kSimultaneous, solve::Updates::kAlternating}) {
            expect_together(
                [&](int engine) -> Step {
                  const auto run = std::make_shared<Resolving>(cut, s, hero, engine, method, input,
                                                               reach, updates);
                  return [run](int64_t t) { return run->step(t); };
                },
                kUnitsPerChip,
                fmt::format("{}: {} in subgame {} for {}, {} trunk, {}", game.name, spec, s, hero,
                            name, updates == solve::Updates::kAlternating ? "in turn" : "at once"));
            ++runs;
          }
        }
      }
      EXPECT_GE(runs, 12) << game.name << " " << spec;
    }
  }
}

TEST(BothEngines, AgreeOnEveryGadgetInLeduc) { compare_methods(odd_games()[0], 0); }
TEST(BothEngines, AgreeOnEveryGadgetInSmallNoLimit) { compare_methods(odd_games()[1], 0); }
TEST(BothEngines, AgreeOnEveryGadgetWithTwoCards) { compare_methods(odd_games()[2], 0); }
TEST(BothEngines, AgreeOnEveryGadgetBelowABoard) { compare_methods(odd_games()[3], 1); }

TEST(FullBothEngines, AgreeOnEveryGadgetInEverySubgame) {
  for (const Named& game : odd_games()) compare_methods(game, 0, 1000);
  compare_methods(odd_games()[3], 1, 1000);
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
