#include <cmath>
#include <numeric>

#include "decompose/resolver.h"
#include "hands/plan.h"
#include "hands/problem.h"
#include "hands/vector_games.h"
#include "poker/hand_index.h"
#include "solve/schedule.h"
#include "solve/sequence_lp.h"

// Hands that suit symmetry makes of each other share a row: nothing but the work changes.
namespace cleave::hands {
namespace {

// Flop hold'em with few cards: two hole cards, one bet before the flop and `bets` on it.
poker::Definition miniature(int ranks, int suits, int flop, int bets) {
  poker::Definition d;
  d.name = "miniature";
  d.stack = {100, 100};
  d.blind = {2, 1};
  d.ranks = ranks;
  d.suits = suits;
  d.hole_cards = 2;
  d.rounds = {{0, 1, 1, 0}, {flop, 0, bets, 0}};
  return d;
}

const poker::Sizes kPot = {{poker::Size::Kind::kPot, 100}};

struct Solved {
  std::unique_ptr<VectorEngine> engine;
  Vectors reach, best_response;
  double value = 0;
  double exploitability() const {
    double sum = 0;
    for (const auto& values : best_response)
      sum = std::accumulate(values.begin(), values.end(), sum);
    return sum / 2;
  }
};

Solved solve_by_engine(const poker::Definition& definition, bool merge, int64_t iterations,
                       int threads = 1) {
  Problem problem = make_problem(definition, kPot);
  problem.setup.merge_hands = merge;
  Solved out{make_vector_engine(sketch_layout(problem.setup),
                                {.storage = Storage::kF64, .threads = threads}),
             problem.reach, problem.reach};
  const solve::Schedule schedule = solve::make_schedule("cfr+");
  for (int64_t t = 1; t <= iterations; ++t) {
    decompose::iterate_fixed(*out.engine, problem.reach, schedule(t));
  }
  for (size_t p = 0; p < 2; ++p) {
    out.engine->best_response(p, problem.reach[1 - p], out.best_response[p]);
  }
  std::vector<double> values(problem.reach[0].size());
  out.engine->values(0, decompose::Follow::kAverage, problem.reach[1], values);
  out.value = std::accumulate(values.begin(), values.end(), 0.0);
  return out;
}

// Few iterations: where actions are worth the same, rounding decides about the sign of a regret,
// and the paths part.
TEST(MergedHands, ComeToTheSameNumbers) {
  for (const auto& [ranks, suits, flop] :
       {std::array{5, 2, 3}, std::array{3, 3, 1}, std::array{3, 4, 2}, std::array{4, 3, 3}}) {
    const poker::Definition d = miniature(ranks, suits, flop, 2);
    const Solved merged = solve_by_engine(d, true, 3, 2), apart = solve_by_engine(d, false, 3);
    EXPECT_NEAR(merged.value, apart.value, 1e-12);
    for (size_t p = 0; p < 2; ++p) {
      for (size_t h = 0; h < apart.best_response[p].size(); ++h) {
        ASSERT_NEAR(merged.best_response[p][h], apart.best_response[p][h], 1e-12)
            << ranks << " ranks, " << suits << " suits, hand " << h;
      }
    }
    EXPECT_LT(merged.engine->learning_bytes(), apart.engine->learning_bytes());
  }
}

// Every node looked at: the same for all hands, whether they share a row or not.
TEST(MergedHands, LookTheSame) {
  const poker::Definition d = miniature(4, 3, 2, 1);
  Solved merged = solve_by_engine(d, true, 10), apart = solve_by_engine(d, false, 10);
  const Street& street = merged.engine->layout().streets[1];
  ASSERT_EQ(street.boards.size(), apart.engine->layout().streets[1].boards.size());
  for (uint32_t b = 0; b < street.boards.size(); ++b) {
    for (uint32_t n = 0; n < street.nodes.size(); n += 5) {
      const View x = merged.engine->look(1, b, n, merged.reach);
      const View y = apart.engine->look(1, b, n, merged.reach);
      for (size_t p = 0; p < 2; ++p) {
        for (size_t h = 0; h < x.reach[p].size(); ++h) {
          ASSERT_NEAR(x.reach[p][h], y.reach[p][h], 1e-12);
          ASSERT_NEAR(x.values[p][h], y.values[p][h], 1e-12);
          ASSERT_NEAR(x.best_response[p][h], y.best_response[p][h], 1e-12);
        }
      }
    }
  }
}

// Five ranks, two suits: the value that the linear program finds, and the exploitability that the
// tree engine finds for the same strategy.
TEST(MergedHands, MiniatureAgreesWithTheLinearProgram) {
  const poker::Definition d = miniature(5, 2, 1, 1);
  const Twin twin(d, kPot);
  const double exact = solve::solve_lp(twin.problem).value;
  const Solved solved = solve_by_engine(d, true, 3000);
  EXPECT_LT(solved.exploitability(), 2e-4);
  EXPECT_NEAR(solved.value, exact, solved.exploitability() * 2);
}

// What the papers count: classes of hands and flops, once per betting sequence.
TEST(MergedHands, RowsAreTheCanonicalHands) {
  poker::Definition d = miniature(13, 4, 3, 3);
  d.stack = {20000, 20000};
  d.blind = {100, 50};
  const poker::HandIndex index({2, 3});
  const poker::Sizes large = poker::parse_sizes("50%,75%,100%", "sizes");
  const Problem problem = make_problem(d, large);
  const Counts counts = count(sketch_layout(problem.setup));
  ASSERT_EQ(counts.streets[0].decisions, 8u);
  ASSERT_EQ(counts.streets[1].decisions, 560u);  // 80 after each of 7 preflop sequences
  const auto per_node = [&](int round) { return static_cast<double>(index.size(round)); };
  EXPECT_EQ(counts.infosets[0] + counts.infosets[1], 8 * per_node(0) + 560 * per_node(1));
  EXPECT_EQ(counts.rows, 22 * per_node(0) - per_node(0) + 1652 * per_node(1));
  EXPECT_EQ(per_node(1), 1286792);
  // Table 4's large game of Brown and Sandholm fits a machine of 24 GiB in 32-bit numbers.
  const MemoryPlan plan = plan_memory(sketch_layout(problem.setup), Storage::kF32, 2);
  EXPECT_LT(static_cast<double>(plan.total()), 17.5 * (1 << 30));
  EXPECT_GT(static_cast<double>(plan.learning), 1652 * per_node(1) * 8);
}

}  // namespace
}  // namespace cleave::hands
