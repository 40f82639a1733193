#include "whole/subgames.h"

#include <algorithm>
#include <fstream>

#include "core/error.h"
#include "core/file.h"
#include "decompose/cfr_d.h"
#include "whole/graft.h"
#include "whole/whole_games.h"

namespace cleave::whole {
namespace {

struct Trunk {
  Game game;
  poker::Buckets buckets;
  Blueprint blueprint;

  Trunk(const char* text, size_t flops, uint32_t count, int64_t iterations = 20)
      : game(few_flops(text, flops)),
        buckets(make_test_buckets(game, count)),
        blueprint(game, buckets, {}) {
    for (int64_t t = 0; t < iterations; ++t) blueprint.iterate();
    blueprint.finish();
  }
  double exploitability() { return (blueprint.best_response(0) + blueprint.best_response(1)) / 2; }
};

// Streamed flop by flop and put together again, the blueprint is as exploitable as it is.
TEST(Subgames, TheBlueprintItselfIsMeasuredRight) {
  for (const auto& [text, flops] :
       {std::pair{kFlopGame, size_t{4}}, std::pair{kTurnGame, size_t{1}}}) {
    Trunk trunk(text, flops, 5);
    SubgameJob job(trunk.game, trunk.blueprint, {.ways = {"blueprint"}, .threads = 2});
    job.run();
    EXPECT_EQ(job.num_done(), flops);
    const double exact = trunk.exploitability();
    EXPECT_GT(exact, 1);
    EXPECT_NEAR(job.exploitability(0).value, exact, 2e-4 * exact);
  }
}

TEST(Subgames, SafeWaysAreNoWorseThanTheBlueprint) {
  Trunk trunk(kFlopGame, 3, 6);
  SubgameJob job(trunk.game, trunk.blueprint,
                 {.ways = {"blueprint", "resolve", "maxmargin", "reach-maxmargin", "estimated"},
                  .iterations = 300});
  job.run();
  const double blueprint = job.exploitability(0).value;
  for (size_t way : {1, 2, 3}) {
    EXPECT_LT(job.exploitability(way).value, blueprint * 0.9) << job.ways()[way].name;
  }
  EXPECT_EQ(job.num_solved(), 3u * 3 * 2 * 4);  // flops, lines, heroes, ways
  // No way to play the flop after this trunk does better than one that is solved with all of the
  // game at once.
  const double best = graft_exploitability(trunk.game, trunk.blueprint, {.iterations = 300});
  for (size_t way : {1, 2, 3, 4}) EXPECT_GT(job.exploitability(way).value, best - 0.5);
}

// The opponent's gifts: at its decisions on the way, not below zero, bounds below gains.
TEST(Subgames, GiftsAreAlongThePath) {
  Trunk trunk(kFlopGame, 2, 6);
  Paths paths(trunk.game, trunk.blueprint);
  for (size_t opponent = 0; opponent < 2; ++opponent) {
    for (size_t line = 0; line < trunk.game.num_lines(); ++line) {
      const auto steps = paths.steps(0, line, opponent);
      // Lines: limp and check, raise and call, limp, raise and call. The small blind acts twice in
      // the last.
      EXPECT_EQ(steps.size(), line == 2 && opponent == 1 ? 2u : 1u);
      for (size_t hand = 0; hand < trunk.game.setup().hands[0].size(); hand += 7) {
        for (const decompose::Gift& gift : gifts_of(steps, hand, 1e-9)) {
          EXPECT_GE(gift.gain, 0);
          EXPECT_LE(gift.bound, gift.gain + 1e-3);
        }
      }
    }
  }
}

TEST(Subgames, AKilledRunGoesOn) {
  const std::string path = testing::TempDir() + "/subgames.log";
  std::filesystem::remove(path);
  Trunk trunk(kFlopGame, 5, 6);
  std::atomic<bool> stop = false;
  SubgameOptions options{.ways = {"blueprint", "maxmargin"}, .iterations = 20, .key = "a key"};
  SubgameJob whole(trunk.game, trunk.blueprint, options);
  whole.run();
  options.file = path;
  options.stop = &stop;
  options.progress = [&](size_t done, size_t) { stop = done >= 2; };
  SubgameJob first(trunk.game, trunk.blueprint, options);
  EXPECT_THROW(first.run(), core::RunError);
  // The machine went down while the third was written.
  std::ofstream(path, std::ios::app | std::ios::binary) << "half a record";
  stop = false;
  options.progress = {};
  options.threads = 2;
  SubgameJob second(trunk.game, trunk.blueprint, options);
  EXPECT_EQ(second.num_done(), 2u);
  second.run();
  EXPECT_EQ(second.num_solved(), 3u * 3 * 2);
  for (size_t way : {0, 1}) {
    EXPECT_EQ(second.exploitability(way).value, whole.exploitability(way).value);
  }
  // Another key: nothing of it is used.
  options.key = "another key";
  EXPECT_EQ(SubgameJob(trunk.game, trunk.blueprint, options).num_done(), 0u);
}

TEST(Subgames, DamagedRecordsAreDoneAgain) {
  const std::string path = testing::TempDir() + "/damaged.log";
  std::filesystem::remove(path);
  {
    DealLog log(path, "key", 4, 3);
    log.add(1, {1, 2, 3});
    log.add(3, {4, 5, 6});
  }
  std::string bytes = core::read_file(path);
  bytes[bytes.size() - 2] ^= 1;
  std::ofstream(path, std::ios::binary) << bytes;
  DealLog log(path, "key", 4, 3);
  EXPECT_EQ(log.num_done(), 1u);
  EXPECT_EQ(log.result(1), (std::vector<float>{1, 2, 3}));
  log.add(3, {7, 8, 9});
  EXPECT_EQ(DealLog(path, "key", 4, 3).result(3), (std::vector<float>{7, 8, 9}));
}

TEST(Subgames, AnyBeginningOfTheOrderIsSpread) {
  const std::vector<size_t> order = spread_order(1755);
  std::vector<size_t> first(order.begin(), order.begin() + 50);
  std::ranges::sort(first);
  for (size_t i = 1; i < first.size(); ++i) EXPECT_LE(first[i] - first[i - 1], 2 * 1755 / 50);
}

// Estimates from some flops: within their error of what all give, and exact for what was measured
// on all.
TEST(Subgames, SamplesEstimateTheWhole) {
  Trunk trunk(kFlopGame, 40, 20, 10);
  SubgameOptions options{.ways = {"blueprint", "unsafe"}, .iterations = 10, .threads = 2};
  SubgameJob all(trunk.game, trunk.blueprint, options);
  all.run();
  options.deals = 20;
  SubgameJob some(trunk.game, trunk.blueprint, options);
  some.run();
  EXPECT_EQ(some.num_done(), 20u);
  EXPECT_NEAR(some.exploitability(0).value, all.exploitability(0).value,
              1e-3 * all.exploitability(0).value);
  const Estimate estimate = some.exploitability(1);
  EXPECT_GT(estimate.error, 0);
  EXPECT_NEAR(estimate.value, all.exploitability(1).value, 2 * estimate.error);
}

// CFR-D: the trunk is solved with its flops seen only through what is solved below each line.
class FlopLeaves final : public decompose::LeafEvaluator {
 public:
  FlopLeaves(const Game& game, int64_t iterations)
      : game_(game), schedule_(solve::make_schedule("cfr+")), iterations_(iterations) {
    for (size_t line = 0; line < game.num_lines(); ++line) {
      auto& engines = engines_.emplace_back();
      for (const hands::Board& board : game.street().boards) {
        engines.push_back(hands::make_vector_engine(
            hands::sketch_layout(hands::below(game.setup(), game.entry(line), board.cards)), {}));
      }
    }
  }
  void evaluate(size_t line, const decompose::Vectors& reach, decompose::Vectors& values) override {
    for (size_t p = 0; p < 2; ++p) values[p].assign(reach[p].size(), 0);
    bring(line, reach, values, [&](hands::VectorEngine& engine, const decompose::Vectors& here) {
      for (int64_t t = 1; t <= iterations_; ++t) {
        decompose::iterate_fixed(engine, here, schedule_(++steps_));
      }
      decompose::Vectors out;
      engine.evaluate(here, out);
      return out;
    });
  }
  // One player's best-response values instead.
  std::vector<double> best_response(size_t line, int player, const decompose::Vectors& reach) {
    decompose::Vectors values = reach;
    for (auto& v : values) std::ranges::fill(v, 0.0);
    bring(line, reach, values, [&](hands::VectorEngine& engine, const decompose::Vectors& here) {
      decompose::Vectors out = here;
      engine.best_response(player, here[static_cast<size_t>(1 - player)],
                           out[static_cast<size_t>(player)]);
      return out;
    });
    return values[static_cast<size_t>(player)];
  }

 private:
  template <class Use>
  void bring(size_t line, const decompose::Vectors& reach, decompose::Vectors& values,
             const Use& use) {
    const auto& all = game_.setup().hands[0];
    for (size_t b = 0; b < engines_[line].size(); ++b) {
      const hands::Board& board = game_.street().boards[b];
      decompose::Vectors here;
      std::vector<size_t> hands;
      for (size_t h = 0; h < all.size(); ++h) {
        if ((all[h] & board.cards) != 0) continue;
        hands.push_back(h);
        for (size_t p = 0; p < 2; ++p) here[p].push_back(reach[p][h]);
      }
      const decompose::Vectors out = use(*engines_[line][b], here);
      for (size_t p = 0; p < 2; ++p) {
        for (const poker::SuitMap& image : board.images) {
          for (size_t i = 0; i < hands.size(); ++i) {
            const poker::CardSet there = poker::rename(image, all[hands[i]]);
            const auto at = std::ranges::find(all, there) - all.begin();
            values[p][static_cast<size_t>(at)] += out[p][i];
          }
        }
      }
    }
  }

  const Game& game_;
  solve::Schedule schedule_;
  int64_t iterations_, steps_ = 0;
  std::vector<std::vector<std::unique_ptr<hands::VectorEngine>>> engines_;  // [line][flop]
};

TEST(Subgames, CfrDAgreesWithTheWholeGame) {
  const Game game = few_flops(kFlopGame, 2);
  WholeEngine whole(game, "cfr+", 200);
  const double whole_exploitability = (whole.best_response(0) + whole.best_response(1)) / 2;
  hands::Setup setup = game.trunk();
  setup.merge_hands = false;
  const auto trunk = hands::make_vector_engine(hands::sketch_layout(setup), {});
  FlopLeaves leaves(game, 4);
  decompose::CfrD solver(*trunk, leaves, solve::make_schedule("cfr+"));
  solver.run(60);
  EXPECT_LT(whole_exploitability, 2);
  EXPECT_NEAR(solver.value(), whole.value(), 2);
  // The trunk's average with what was learnt below it, measured as one strategy.
  trunk->freeze();
  for (int p = 0; p < 2; ++p) trunk->descend(p, whole.ones, 1);
  double both = 0;
  for (int p = 0; p < 2; ++p) {
    for (size_t line = 0; line < game.num_lines(); ++line) {
      decompose::Vectors reach = {whole.ones, whole.ones};
      for (int q = 0; q < 2; ++q) trunk->leaf_reach(line, q, reach[static_cast<size_t>(q)]);
      trunk->set_leaf_values(line, p, leaves.best_response(line, p, reach));
    }
    std::vector<double> values(whole.ones.size());
    trunk->best_response(p, whole.ones, values);
    both += sum_of(values);
  }
  EXPECT_LT(both / 2, 4);
  EXPECT_GT(both / 2, -0.1);
}

}  // namespace
}  // namespace cleave::whole
