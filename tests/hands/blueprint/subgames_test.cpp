#include <algorithm>
#include <fstream>

#include "core/error.h"
#include "core/file.h"
#include "decompose/cfr_d.h"
#include "decompose/resolve.h"
#include "decompose/second_pass.h"
#include "hands/blueprint/whole_games.h"

namespace cleave::hands {
namespace {

using decompose::Follow;
using decompose::Resolution;

std::vector<decompose::Pass> passes(const std::vector<std::string>& names) {
  std::vector<decompose::Pass> out;
  for (const std::string& name : names) out.push_back(decompose::make_pass(name));
  return out;
}

struct Trunk {
  std::shared_ptr<const Problem> game;
  poker::Buckets buckets;
  std::shared_ptr<Blueprint> blueprint;
  std::shared_ptr<const HandsPiece> piece;  // cut after every deal

  Trunk(const char* text, size_t flops, uint32_t count, int64_t iterations = 20)
      : game(few_flops(text, flops)),
        buckets(make_test_buckets(*game, count)),
        blueprint(std::make_shared<Blueprint>(game, buckets, BlueprintOptions{})) {
    for (int64_t t = 0; t < iterations; ++t) blueprint->iterate();
    blueprint->finish();
    std::vector<StreetCut> cuts;
    for (int s = 0; s + 1 < static_cast<int>(game->setup.deals.size()); ++s) {
      cuts.push_back({s, true});
    }
    piece = std::make_shared<HandsPiece>(game, cuts);
  }
  double exploitability() {
    return (blueprint->best_response(0) + blueprint->best_response(1)) / 2;
  }
  Resolution resolve(const Resolution::Options& options) const {
    return {piece, blueprint, game->reach, options};
  }
};

// Streamed flop by flop and put together again, the blueprint is as exploitable as it is.
TEST(Subgames, TheBlueprintItselfIsMeasuredRight) {
  for (const auto& [text, flops] :
       {std::pair{kFlopGame, size_t{4}}, std::pair{kTurnGame, size_t{1}}}) {
    Trunk trunk(text, flops, 5);
    Resolution job = trunk.resolve({.solving = {.threads = 2}, .passes = passes({"blueprint"})});
    job.run();
    EXPECT_EQ(job.num_done(), flops);
    const double exact = trunk.exploitability();
    EXPECT_GT(exact, 1);
    EXPECT_NEAR(job.exploitability(0).value, exact, 2e-4 * exact);
  }
}

TEST(Subgames, SafeWaysAreNoWorseThanTheBlueprint) {
  Trunk trunk(kFlopGame, 3, 6);
  Resolution job = trunk.resolve(
      {.solving = {.iterations = 300},
       .passes = passes({"blueprint", "resolve", "maxmargin", "reach-maxmargin", "estimated"})});
  job.run();
  const double blueprint = job.exploitability(0).value;
  for (size_t way : {1, 2, 3}) {
    EXPECT_LT(job.exploitability(way).value, blueprint * 0.9) << job.passes()[way].name;
  }
  EXPECT_EQ(job.num_solved(), 3u * 3 * 2 * 4);  // flops, lines, heroes, ways
  // No way to play the flop after this trunk does better than one that is solved with all of the
  // game at once.
  const auto grafted =
      decompose::graft(*trunk.piece, *trunk.blueprint, trunk.game->reach, {.iterations = 300});
  const double best = (grafted[0] + grafted[1]) / 2;
  for (size_t way : {1, 2, 3, 4}) EXPECT_GT(job.exploitability(way).value, best - 0.5);
}

// The opponent's gifts: at its decisions on the way, not below zero, bounds below gains.
TEST(Subgames, GiftsAreAlongThePath) {
  Trunk trunk(kFlopGame, 2, 6);
  const auto engine = trunk.piece->engine();
  trunk.blueprint->give(*trunk.piece, *engine);
  size_t gifts = 0;
  for (size_t opponent = 0; opponent < 2; ++opponent) {
    std::array<decompose::DecisionValues, 2> values;  // [Follow]
    for (const Follow how : {Follow::kAverage, Follow::kBestResponse}) {
      values_of(*trunk.blueprint, *trunk.piece, *engine, trunk.game->reach, how, 1);
      values[how == Follow::kBestResponse] =
          engine->decision_values(opponent, how, trunk.game->reach[1 - opponent]);
    }
    ASSERT_EQ(trunk.piece->num_leaves(), 3u);
    for (size_t leaf = 0; leaf < 3; ++leaf) {
      const decompose::Way way = way_to(*trunk.piece, leaf, opponent, {}, values[1], values[0]);
      ASSERT_EQ(way.size(), engine->num_leaf_states(leaf, opponent));
      for (const auto& steps : way) {
        // Lines: limp and check, raise and call, limp, raise and call. The small blind acts twice
        // in the last.
        ASSERT_EQ(steps.size(), leaf == 2 && opponent == 1 ? 2u : 1u);
        for (const decompose::Gift& gift : find_gifts(steps, 1e-9)) {
          EXPECT_GE(gift.gain, 0);
          EXPECT_LE(gift.bound, gift.gain + 1e-3);
          gifts += gift.gain > 0 ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(gifts, 100u);
}

TEST(Subgames, AKilledRunGoesOn) {
  const std::string path = testing::TempDir() + "/subgames.log";
  std::filesystem::remove(path);
  Trunk trunk(kFlopGame, 5, 6);
  std::atomic<bool> stop = false;
  Resolution::Options options{
      .solving = {.iterations = 20}, .passes = passes({"blueprint", "maxmargin"}), .key = "a key"};
  Resolution whole = trunk.resolve(options);
  whole.run();
  options.file = path;
  options.solving.stop = &stop;
  options.solving.progress = [&](size_t done, size_t) { stop = done >= 2; };
  Resolution first = trunk.resolve(options);
  EXPECT_THROW(first.run(), core::RunError);
  // The machine went down while the third was written.
  std::ofstream(path, std::ios::app | std::ios::binary) << "half a record";
  stop = false;
  options.solving.progress = {};
  options.solving.threads = 2;
  Resolution second = trunk.resolve(options);
  EXPECT_EQ(second.num_done(), 2u);
  second.run();
  EXPECT_EQ(second.num_solved(), 3u * 3 * 2);
  for (size_t way : {0, 1}) {
    EXPECT_EQ(second.exploitability(way).value, whole.exploitability(way).value);
  }
  // Another key: nothing of it is used.
  options.key = "another key";
  EXPECT_EQ(trunk.resolve(options).num_done(), 0u);
}

TEST(Subgames, DamagedRecordsAreDoneAgain) {
  const std::string path = testing::TempDir() + "/damaged.log";
  std::filesystem::remove(path);
  {
    decompose::Journal log(path, "key", 4, 3);
    log.add(1, {1, 2, 3});
    log.add(3, {4, 5, 6});
  }
  std::string bytes = core::read_file(path);
  bytes[bytes.size() - 2] ^= 1;
  std::ofstream(path, std::ios::binary) << bytes;
  decompose::Journal log(path, "key", 4, 3);
  EXPECT_EQ(log.num_done(), 1u);
  EXPECT_EQ(log.result(1), (std::vector<float>{1, 2, 3}));
  log.add(3, {7, 8, 9});
  EXPECT_EQ(decompose::Journal(path, "key", 4, 3).result(3), (std::vector<float>{7, 8, 9}));
}

TEST(Subgames, AnyBeginningOfTheOrderIsSpread) {
  const std::vector<size_t> order = decompose::spread_order(1755);
  std::vector<size_t> first(order.begin(), order.begin() + 50);
  std::ranges::sort(first);
  for (size_t i = 1; i < first.size(); ++i) EXPECT_LE(first[i] - first[i - 1], 2 * 1755 / 50);
}

// Estimates from some flops: within their error of what all give, and exact for what was measured
// on all.
TEST(Subgames, SamplesEstimateTheWhole) {
  Trunk trunk(kFlopGame, 40, 20, 10);
  Resolution::Options options{.solving = {.iterations = 10, .threads = 2},
                              .passes = passes({"blueprint", "unsafe"})};
  Resolution all = trunk.resolve(options);
  all.run();
  options.deals = 20;
  Resolution some = trunk.resolve(options);
  some.run();
  EXPECT_EQ(some.num_done(), 20u);
  EXPECT_NEAR(some.exploitability(0).value, all.exploitability(0).value,
              1e-3 * all.exploitability(0).value);
  const decompose::Estimate estimate = some.exploitability(1);
  EXPECT_GT(estimate.error, 0);
  EXPECT_NEAR(estimate.value, all.exploitability(1).value, 2 * estimate.error);
}

// CFR-D: the trunk is solved with its flops seen only through what is solved below each line. What
// is learnt there is averaged over all calls, so that it is a strategy.
class FlopLeaves final : public decompose::LeafEvaluator {
 public:
  explicit FlopLeaves(int64_t iterations)
      : schedule_(solve::make_schedule("cfr+")), iterations_(iterations) {}
  void evaluate(std::span<decompose::LeafState> leaves, decompose::Players) override {
    const int64_t done = calls_++ * iterations_;
    for (size_t i = 0; i < leaves.size(); ++i) {
      if (i == engines_.size()) engines_.push_back(leaves[i].piece->engine());
      for (int64_t t = 1; t <= iterations_; ++t) {
        decompose::iterate_fixed(*engines_[i], leaves[i].reach, schedule_(done + t));
      }
      engines_[i]->evaluate(leaves[i].reach, leaves[i].values);
    }
  }
  decompose::Engine& engine(size_t number) { return *engines_[number]; }

 private:
  solve::Schedule schedule_;
  int64_t iterations_, calls_ = 0;
  std::vector<std::unique_ptr<decompose::Engine>> engines_;  // [line and flop]
};

TEST(Subgames, CfrDAgreesWithTheWholeGame) {
  const auto game = few_flops(kFlopGame, 2);
  WholeEngine whole(game, "cfr+", 200);
  const double whole_exploitability = (whole.best_response(0) + whole.best_response(1)) / 2;
  const HandsPiece trunk(game, {{0, true}});
  const auto engine = trunk.engine();
  FlopLeaves flops(4);
  decompose::CfrD solver(trunk, *engine, game->reach, flops, solve::make_schedule("cfr+"));
  solver.run(60);
  EXPECT_LT(whole_exploitability, 2);
  EXPECT_NEAR(solver.value(), whole.value(), 2);
  // The trunk's average with what was learnt below it, measured as one strategy.
  for (size_t p = 0; p < 2; ++p) engine->follow(p, whole.ones);
  decompose::Leaves leaves(trunk, *engine);
  ASSERT_EQ(leaves.size(), 3u * 2);
  leaves.take_reach(*engine);
  double both = 0;
  for (size_t p = 0; p < 2; ++p) {
    for (size_t i = 0; i < leaves.size(); ++i) {
      decompose::LeafState& leaf = leaves.states()[i];
      flops.engine(i).best_response(p, leaf.reach[1 - p], leaf.values[p]);
    }
    leaves.give_values(*engine, p);
    std::vector<double> values(whole.ones.size());
    engine->best_response(p, whole.ones, values);
    both += sum_of(values);
  }
  EXPECT_LT(both / 2, 4);
  EXPECT_GT(both / 2, -0.1);
}

}  // namespace
}  // namespace cleave::hands
