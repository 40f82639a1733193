#include <gtest/gtest.h>

#include "decompose/resolver.h"
#include "hands/spot_game.h"
#include "solve/evaluate.h"
#include "solve/sequence_lp.h"

// Hold'em spots against plain games, linear programs and counting.
namespace cleave::hands {
namespace {

std::unique_ptr<VectorEngine> solved(const Spot& spot, int64_t iterations,
                                     EngineOptions options = {.storage = Storage::kF64}) {
  auto engine = make_vector_engine(sketch_layout(spot.setup), std::move(options));
  const auto schedule = solve::make_schedule("pcfr+");
  for (int64_t t = 1; t <= iterations; ++t) iterate_fixed(*engine, spot.reach, schedule(t));
  return engine;
}

struct Result {
  Vectors values;
  std::array<double, 2> value, best_response;
  double gap() const { return best_response[0] + best_response[1] - value[0] - value[1]; }
};

Result result_of(VectorEngine& engine, const Vectors& reach) {
  Result r;
  engine.evaluate(reach, r.values);
  for (size_t p = 0; p < 2; ++p) {
    std::vector<double> best(reach[p].size());
    engine.best_response(p, reach[1 - p], best);
    r.value[p] = worth(reach[p], r.values[p]);
    r.best_response[p] = worth(reach[p], best);
  }
  return r;
}

// Untouched engines play uniformly; so does the plain game, pair by pair and card by card.
void expect_uniform_play(const Spot& spot, const char* what) {
  const solve::Problem problem = solve::make_problem(SpotGame(spot));
  const solve::Certificate plain = solve::certify(problem, tree::uniform_strategy(problem.tree));
  const auto engine = solved(spot, 0);
  const Result r = result_of(*engine, spot.reach);
  EXPECT_NEAR(r.value[0], plain.value, 1e-10) << what;
  EXPECT_NEAR(r.value[1], -plain.value, 1e-10) << what;
  for (size_t p = 0; p < 2; ++p) {
    EXPECT_NEAR(r.best_response[p], plain.best_response[p], 1e-10) << what;
  }
}

TEST(Spots, UniformPlayIsThePlainGames) {
  const char* few = "AsKs,QdQc:0.5,7h6h,AdTc:0.25,9c9d";
  const char* others = "AhKh,QhQs,8s7s:0.75,AcTd,QdQc";
  expect_uniform_play(make_spot("Qh9s6s2cTd", {few, others}, spot_betting(1, "50%,a", "a")),
                      "river");
  expect_uniform_play(make_spot("Qh9s6s2c", {few, others}, spot_betting(2, "60%", "a")), "turn");
}

// Hands that are all in before the last card: every runout is dealt in the plain game.
TEST(Spots, AllInBeforeTheRiverIsEveryRunout) {
  expect_uniform_play(make_spot("Qh9s6s2c", {"AsKs,QdQc:0.5,7h6h,2d2h", "AhKh,8s7s,QdQs,6d5d:0.25"},
                                spot_betting(2, "a", "")),
                      "turn");
  expect_uniform_play(make_spot("Qh9s6s", {"AsKs,7h6h", "AhKh,8s7s:0.5"}, spot_betting(3, "a", "")),
                      "flop");
}

TEST(Spots, RiverAgreesWithTheLinearProgram) {
  const Spot spot =
      make_spot("Qh9s6s2cTd", {"AsKs,QdQc,7h6h,AdTc,9c9d,KJs:0.5", "AhKh,QsQc:0.25,8s7s,ATo:0.5"},
                spot_betting(1, "50%,a", "a"));
  const solve::Problem problem = solve::make_problem(SpotGame(spot));
  const solve::LpSolution exact = solve::solve_lp(problem);
  const auto engine = solved(spot, 3000);
  const Result r = result_of(*engine, spot.reach);
  EXPECT_NEAR(r.value[0] + r.value[1], 0, 1e-10);
  EXPECT_LT(r.gap(), 1e-3);
  EXPECT_NEAR(r.value[0], exact.value, r.gap());
  EXPECT_NEAR(r.best_response[0], exact.value, r.gap());
  EXPECT_NEAR(r.best_response[1], -exact.value, r.gap());
}

TEST(Spots, TurnAgreesWithTheLinearProgram) {
  const Spot spot =
      make_spot("Qh9s6s2c", {"AsKs,QdQc,7h6h", "AhKh,QsQd:0.25,8s7s"}, spot_betting(2, "a", ""));
  const solve::LpSolution exact = solve::solve_lp(solve::make_problem(SpotGame(spot)));
  const auto engine = solved(spot, 300);
  const Result r = result_of(*engine, spot.reach);
  EXPECT_LT(r.gap(), 1e-2);
  EXPECT_NEAR(r.value[0], exact.value, r.gap());
}

// --- suit symmetry

// Both learn at once: against pure strategies, which alternating updates meet at once, hands are
// often indifferent, and rounding would decide.
std::unique_ptr<VectorEngine> solved_together(const Spot& spot, int64_t iterations) {
  auto engine = solved(spot, 0);
  const auto schedule = solve::make_schedule("dcfr");
  Vectors values = spot.reach;
  for (int64_t t = 1; t <= iterations; ++t) {
    const solve::Iteration now = schedule(t);
    for (size_t p = 0; p < 2; ++p) {
      engine->descend(p, spot.reach[p], now.average_decay);
    }
    for (size_t p = 0; p < 2; ++p) engine->learn(p, now.regret, values[p]);
  }
  return engine;
}

void expect_symmetric(Spot spot, size_t order, int64_t iterations) {
  const auto plain = solved_together(spot, iterations);
  spot.setup.symmetry = poker::keeping(poker::all_suit_maps(), spot.setup.board);
  ASSERT_EQ(spot.setup.symmetry.size(), order);
  const auto merged = solved_together(spot, iterations);
  EXPECT_LT(merged->layout().streets[1].boards.size(), plain->layout().streets[1].boards.size());
  EXPECT_LT(merged->learning_bytes(), plain->learning_bytes());
  const Result a = result_of(*plain, spot.reach), b = result_of(*merged, spot.reach);
  for (size_t p = 0; p < 2; ++p) {
    EXPECT_NEAR(a.value[p], b.value[p], 1e-5);
    EXPECT_NEAR(a.best_response[p], b.best_response[p], 1e-5);
    for (size_t i = 0; i < spot.reach[p].size(); ++i) {
      EXPECT_NEAR(a.values[p][i], b.values[p][i], 1e-5) << p << " " << i;
    }
  }
}

TEST(Symmetry, OfOneSuitChangesNothing) {
  expect_symmetric(
      make_spot("Ks9s6s2s", {"AA,76s,KQo:0.5", "QQ,AKs,T8s"}, spot_betting(2, "a", "")), 6, 60);
}
TEST(Symmetry, OfTwoSuitsChangesNothing) {
  expect_symmetric(
      make_spot("Ks9s6h2h", {"AA,76s,KQo:0.5", "QQ,AKs,T8s"}, spot_betting(2, "60%", "a")), 2, 60);
}
TEST(Symmetry, OfAllSuitsChangesNothing) {
  expect_symmetric(
      make_spot("9s9h6d6c", {"AA,76s,KQo:0.5", "QQ,AKs,T8s"}, spot_betting(2, "60%", "a")), 4, 60);
}
TEST(Symmetry, OfTwoDealsChangesNothing) {
  expect_symmetric(make_spot("Ks9s6s", {"AA,76s", "QQ,AKs:0.5"}, spot_betting(3, "a", "")), 6, 8);
}

// --- rake and equity

TEST(Spots, BothTogetherLoseTheRake) {
  poker::Betting betting = spot_betting(2, "50%,a", "a");
  betting.rake = 0.05;
  betting.rake_cap = 3;
  const Spot spot =
      make_spot("Qh9s6s2c", {"AsKs,QdQc:0.5,7h6h,AdTc", "AhKh,QhQs,8s7s:0.75,AcTd"}, betting);
  const auto engine = solved(spot, 0);
  const Result r = result_of(*engine, spot.reach);
  // Uniform play whatever the cards: how likely each end of the betting is, and what is taken
  // there from the chips that both put in.
  const auto& nodes = spot.setup.tree.nodes;
  std::vector<double> likely(nodes.size(), 1.0);
  double rake = 0;
  for (size_t n = 1; n < nodes.size(); ++n) {
    likely[n] = likely[nodes[n].parent] / nodes[nodes[n].parent].num_children;
  }
  for (size_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].num_children > 0) continue;
    const double pot = 20 + 2 * static_cast<double>(std::min(nodes[n].put[0], nodes[n].put[1]));
    rake += likely[n] * std::min(3.0, 0.05 * pot);
  }
  EXPECT_GT(rake, 0.5);
  EXPECT_NEAR(r.value[0] + r.value[1], -rake, 1e-10);
}

// What uniform play pays on average, by walking a game.
double uniform_payoff(const games::Game& game, const std::vector<std::byte>& state, int player) {
  const games::Turn turn = game.turn(state.data());
  if (turn.actor == games::kTerminal) return game.payoff(state.data(), player).to_double();
  double sum = 0;
  std::vector<std::byte> next(state.size());
  for (int a = 0; a < turn.num_actions; ++a) {
    game.child(state.data(), a, next.data());
    const double step = turn.actor == games::kChance
                            ? game.chance_probability(state.data(), a).to_double()
                            : 1.0 / turn.num_actions;
    sum += step * uniform_payoff(game, next, player);
  }
  return sum;
}

TEST(Spots, RakeIsTakenFromEachAsInThePlainGame) {
  poker::Betting betting = spot_betting(2, "a", "");
  betting.rake = 0.05;
  betting.rake_cap = 3;
  // Ace-king against ace-king splits now and then.
  const Spot spot = make_spot("Qh9s6s2c", {"AsKs,7h6h,AdTc", "AhKh,8s7s:0.75,AcTd"}, betting);
  const auto engine = solved(spot, 0);
  const Result r = result_of(*engine, spot.reach);
  const SpotGame game(spot);
  std::vector<std::byte> root(game.state_bytes());
  static_cast<const games::Game&>(game).root(root.data());
  for (int p = 0; p < 2; ++p) {
    EXPECT_NEAR(r.value[static_cast<size_t>(p)], uniform_payoff(game, root, p), 1e-10);
  }
}

void expect_equity(const Spot& spot, size_t cards_to_come) {
  const auto engine = solved(spot, 0);
  for (int player = 0; player < 2; ++player) {
    const auto p = static_cast<size_t>(player);
    std::vector<double> won(spot.reach[p].size()), met(won.size());
    engine->equity(0, 0, player, spot.reach[1 - p], won, met);
    for (size_t i = 0; i < won.size(); ++i) {
      double sum = 0, all = 0;
      for (size_t j = 0; j < spot.reach[1 - p].size(); ++j) {
        const CardSet mine = spot.setup.hands[p][i], its = spot.setup.hands[1 - p][j];
        if (mine & its) continue;
        double wins = 0, boards = 0;
        const CardSet left = spot.setup.deck & ~(mine | its | spot.setup.board);
        for (const auto& deal :
             poker::deals(left, static_cast<int>(cards_to_come), {poker::kSameSuits})) {
          const auto a = poker::strength_of(mine | spot.setup.board | deal.cards);
          const auto b = poker::strength_of(its | spot.setup.board | deal.cards);
          wins += a > b ? 1 : a == b ? 0.5 : 0;
          boards += 1;
        }
        sum += spot.reach[1 - p][j] * wins / boards;
        all += spot.reach[1 - p][j];
      }
      EXPECT_NEAR(won[i], sum, 1e-10);
      EXPECT_NEAR(met[i], all, 1e-10);
    }
  }
}

TEST(Spots, EquityIsCountedRight) {
  const std::array<std::string_view, 2> ranges = {"AsKs,QdQc:0.5,7h6h,AdTc", "AhKh,QhQs,AcTd,KsKd"};
  expect_equity(make_spot("9s6s2c3d4h", ranges, spot_betting(1, "a", "")), 0);
  expect_equity(make_spot("9s6s2c3d", ranges, spot_betting(2, "50%", "")), 1);
  expect_equity(make_spot("9s6s2c", ranges, spot_betting(3, "50%", "")), 2);
}

}  // namespace
}  // namespace cleave::hands
