#include "histories/public_chance_sampling.h"

#include <gtest/gtest.h>

#include <set>

#include "core/error.h"
#include "decompose/resolver.h"
#include "games/registry.h"
#include "histories/cut.h"
#include "random_strategy.h"
#include "solve/schedule.h"

namespace cleave::histories {
namespace {

// Subgames of Leduc begin where chance deals the board.
struct Subgame {
  explicit Subgame(const std::string& name, const char* cut_name = "round:1", size_t number = 0)
      : game(games::make_game(name)), problem(solve::make_problem(*game)) {
    const Cut cut = make_cut(*game, problem.tree, cut_name);
    piece = make_subgame(problem.tree, cut, number);
  }
  // Reach that is nowhere zero and nowhere alike.
  decompose::Vectors reach(uint64_t seed) const {
    core::Random random(seed);
    decompose::Vectors made;
    for (size_t p = 0; p < 2; ++p) {
      for (size_t s = 0; s < piece.root.states[p].size(); ++s) {
        made[p].push_back(0.1 + 0.9 * random.uniform());
      }
    }
    return made;
  }

  std::unique_ptr<games::Game> game;
  solve::Problem problem;
  TreePiece piece;
};

decompose::Vectors vectors_like(const decompose::Engine& engine) {
  return {std::vector<double>(engine.num_states(0)), std::vector<double>(engine.num_states(1))};
}

void expect_close(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

TEST(PublicChanceSampling, OneComponentPerBoard) {
  const Subgame leduc("leduc");
  const PublicChanceSampling engine(leduc.problem.tree, leduc.piece, 1);
  ASSERT_EQ(engine.num_components(), 6U);
  for (size_t c = 0; c < 6; ++c) EXPECT_NEAR(engine.probability(c), 1.0 / 6, 1e-12);
  for (size_t p = 0; p < 2; ++p) {
    EXPECT_EQ(engine.num_states(p), TreeEngine(leduc.piece).num_states(p));
  }
}

TEST(PublicChanceSampling, AgreesWithTheTreeEngineWhereNothingIsDrawn) {
  const Subgame leduc("leduc");
  PublicChanceSampling sampled(leduc.problem.tree, leduc.piece, 3);
  const decompose::Vectors reach = leduc.reach(1);
  const solve::Schedule schedule = solve::make_schedule("cfr");
  for (int64_t t = 1; t <= 50; ++t) decompose::iterate_fixed(sampled, reach, schedule(t));
  tree::Strategy strategy = tree::uniform_strategy(leduc.problem.tree);
  for (size_t p = 0; p < 2; ++p) sampled.copy_strategy(p, strategy);
  TreeEngine whole(leduc.piece);
  whole.set_strategy(strategy);

  decompose::Vectors a = vectors_like(whole);
  decompose::Vectors b = a;
  whole.evaluate(reach, a);
  sampled.evaluate(reach, b);
  for (size_t p = 0; p < 2; ++p) expect_close(a[p], b[p], 1e-12);
  for (size_t p = 0; p < 2; ++p) {
    whole.best_response(p, reach[1 - p], a[p]);
    sampled.best_response(p, reach[1 - p], b[p]);
    expect_close(a[p], b[p], 1e-12);
    whole.counterfactual_reach(p, reach[1 - p], a[p]);
    sampled.counterfactual_reach(p, reach[1 - p], b[p]);
    expect_close(a[p], b[p], 1e-12);
  }
}

// The sum over components of probability * what is answered when it is drawn is the full-width
// value: after nothing was learnt, whatever the seed, the strategies are the same.
TEST(PublicChanceSampling, RootValuesAreUnbiased) {
  for (const std::string name : {"leduc", "leduc(ranks=4,suits=2)"}) {
    const Subgame leduc(name, "round:1", 2);
    const decompose::Vectors reach = leduc.reach(5);
    const solve::Iteration first = solve::make_schedule("cfr")(1);
    TreeEngine whole(leduc.piece);
    for (size_t p = 0; p < 2; ++p) whole.descend(p, reach[p], 1);
    decompose::Vectors expected = vectors_like(whole);
    for (size_t p = 0; p < 2; ++p) whole.learn(p, first.regret, expected[p]);

    decompose::Vectors mean = vectors_like(whole);
    decompose::Vectors values = mean;
    std::set<size_t> seen;
    for (uint64_t seed = 1; seed < 200; ++seed) {
      PublicChanceSampling sampled(leduc.problem.tree, leduc.piece, seed);
      for (size_t p = 0; p < 2; ++p) sampled.descend(p, reach[p], 1);
      if (!seen.insert(sampled.drawn()).second) continue;
      for (size_t p = 0; p < 2; ++p) {
        sampled.learn(p, first.regret, values[p]);
        for (size_t s = 0; s < mean[p].size(); ++s) {
          mean[p][s] += sampled.probability(sampled.drawn()) * values[p][s];
        }
      }
      if (seen.size() == sampled.num_components()) break;
    }
    for (size_t p = 0; p < 2; ++p) expect_close(mean[p], expected[p], 1e-12);
  }
}

TEST(PublicChanceSampling, DrawsByProbability) {
  const Subgame leduc("leduc");
  PublicChanceSampling engine(leduc.problem.tree, leduc.piece, 11);
  const decompose::Vectors reach = leduc.reach(1);
  std::vector<int> count(engine.num_components(), 0);
  constexpr int kDraws = 6000;
  for (int i = 0; i < kDraws; ++i) {
    engine.descend(1, reach[1], 1);
    const size_t drawn = engine.drawn();
    engine.descend(0, reach[0], 1);
    EXPECT_EQ(engine.drawn(), drawn);  // once per iteration
    ++count[drawn];
  }
  for (const int n : count) EXPECT_NEAR(n, kDraws / 6, 150);  // five standard deviations
}

TEST(PublicChanceSampling, OneComponentIsTheTreeEngine) {
  // Below the first bet of Kuhn nothing is dealt any more.
  const Subgame kuhn("kuhn", "depth:3", 0);
  PublicChanceSampling sampled(kuhn.problem.tree, kuhn.piece, 1);
  ASSERT_EQ(sampled.num_components(), 1U);
  TreeEngine whole(kuhn.piece);
  const decompose::Vectors reach = kuhn.reach(2);
  const solve::Schedule schedule = solve::make_schedule("dcfr");
  for (int64_t t = 1; t <= 30; ++t) {
    decompose::iterate_fixed(sampled, reach, schedule(t));
    decompose::iterate_fixed(whole, reach, schedule(t));
  }
  tree::Strategy a = tree::uniform_strategy(kuhn.problem.tree);
  tree::Strategy b = a;
  for (size_t p = 0; p < 2; ++p) {
    sampled.copy_strategy(p, a);
    whole.copy_strategy(p, b);
  }
  EXPECT_EQ(a, b);
}

double gap(decompose::Engine& engine, const decompose::Vectors& reach) {
  decompose::Vectors best = vectors_like(engine);
  double sum = 0;
  for (size_t p = 0; p < 2; ++p) {
    engine.best_response(p, reach[1 - p], best[p]);
    for (size_t s = 0; s < best[p].size(); ++s) sum += reach[p][s] * best[p][s];
  }
  return sum;
}

TEST(PublicChanceSampling, Converges) {
  for (const char* algorithm : {"cfr", "cfr+"}) {  // plain and weighted averages
    const Subgame leduc("leduc");
    PublicChanceSampling engine(leduc.problem.tree, leduc.piece, 7);
    const decompose::Vectors reach = leduc.reach(4);
    const solve::Schedule schedule = solve::make_schedule(algorithm);
    const double before = gap(engine, reach);
    int64_t t = 0;
    while (t < 600) decompose::iterate_fixed(engine, reach, schedule(++t));
    const double middle = gap(engine, reach);
    while (t < 30000) decompose::iterate_fixed(engine, reach, schedule(++t));
    const double after = gap(engine, reach);
    EXPECT_LT(middle, before / 5) << algorithm;
    EXPECT_LT(after, middle / 5) << algorithm;
    EXPECT_GE(after, -1e-12) << algorithm;
  }
}

TEST(PublicChanceSampling, SameSeedSameBits) {
  const Subgame leduc("leduc");
  const decompose::Vectors reach = leduc.reach(4);
  const solve::Schedule schedule = solve::make_schedule("cfr");
  const auto run = [&](PublicChanceSampling& engine) {
    for (int64_t t = 1; t <= 200; ++t) decompose::iterate_fixed(engine, reach, schedule(t));
    tree::Strategy strategy = tree::uniform_strategy(leduc.problem.tree);
    engine.copy_strategy(0, strategy);
    return strategy;
  };
  PublicChanceSampling one(leduc.problem.tree, leduc.piece, 7);
  PublicChanceSampling other(leduc.problem.tree, leduc.piece, 8);
  const tree::Strategy first = run(one);
  EXPECT_NE(run(other), first);
  one.reset();
  EXPECT_EQ(run(one), first);
}

TEST(PublicChanceSampling, LeavesAreRefused) {
  const auto game = games::make_game("leduc");
  const solve::Problem problem = solve::make_problem(*game);
  const TreePiece trunk = make_trunk(problem.tree, make_cut(*game, problem.tree, "round:1"));
  EXPECT_THROW(PublicChanceSampling(problem.tree, trunk, 1), core::InputError);
}

}  // namespace
}  // namespace cleave::histories
