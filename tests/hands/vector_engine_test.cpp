#include "hands/vector_engine.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "core/random.h"
#include "decompose/resolver.h"
#include "hands/spot_game.h"

namespace cleave::hands {
namespace {

using NodeKind = poker::BettingNode::Kind;

Spot turn_spot() {
  return make_spot("Qh9s6s2c", {"AsKs,QdQc:0.5,7h6h,AdTc:0.25,9c9d", "AhKh,QhQs,8s7s:0.75,AcTd"},
                   spot_betting(2, "50%,a", "a"));
}

std::unique_ptr<VectorEngine> make(const Spot& spot, EngineOptions options) {
  return make_vector_engine(sketch_layout(spot.setup), std::move(options));
}

void iterate(VectorEngine& engine, const Vectors& reach, const char* algorithm, int64_t n) {
  const auto schedule = solve::make_schedule(algorithm, n);
  for (int64_t t = 1; t <= n; ++t) iterate_fixed(engine, reach, schedule(t));
}

std::unique_ptr<VectorEngine> trained(const Spot& spot, EngineOptions options,
                                      const char* algorithm = "dcfr", int64_t n = 30) {
  auto engine = make(spot, std::move(options));
  iterate(*engine, spot.reach, algorithm, n);
  return engine;
}

std::vector<std::vector<std::byte>> bytes_of(VectorEngine& engine) {
  std::vector<std::vector<std::byte>> out;
  for (const auto& array : engine.arrays(true)) {
    out.emplace_back(array.bytes.begin(), array.bytes.end());
  }
  return out;
}

std::vector<double> best_response(VectorEngine& engine, size_t player, const Vectors& reach) {
  std::vector<double> out(engine.num_states(player));
  engine.best_response(player, reach[static_cast<size_t>(1 - player)], out);
  return out;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance,
                 const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << what << " " << i;
}

// --- determinism

TEST(VectorEngine, GivesTheSameBitsForAnyNumberOfThreads) {
  const Spot spot = turn_spot();
  for (const Storage storage : {Storage::kF64, Storage::kF32, Storage::kI16}) {
    for (const char* algorithm : {"dcfr", "pcfr+"}) {
      const auto one = trained(spot, {.storage = storage}, algorithm);
      Vectors values;
      one->evaluate(spot.reach, values);
      for (const int threads : {2, 3}) {
        const auto many = trained(spot, {.storage = storage, .threads = threads}, algorithm);
        EXPECT_EQ(bytes_of(*one), bytes_of(*many)) << to_string(storage) << " " << algorithm;
        Vectors other;
        many->evaluate(spot.reach, other);
        EXPECT_EQ(values, other);
        EXPECT_EQ(best_response(*one, 1, spot.reach), best_response(*many, 1, spot.reach));
      }
    }
  }
}

TEST(VectorEngine, GivesTheSameBitsOnThreeStreets) {
  const Spot spot =
      make_spot("Qh9s6s", {"AsKs,QdQc:0.5,7h6h", "AhKh,QhQs,8s7s:0.75"}, spot_betting(3, "a", ""));
  const auto one = trained(spot, {.storage = Storage::kI16}, "dcfr", 3);
  const auto two = trained(spot, {.storage = Storage::kI16, .threads = 2}, "dcfr", 3);
  EXPECT_EQ(bytes_of(*one), bytes_of(*two));
}

TEST(VectorEngine, ForgetsEverythingWhenReset) {
  const Spot spot = turn_spot();
  for (const Storage storage : {Storage::kF64, Storage::kF32, Storage::kI16}) {
    const auto engine = trained(spot, {.storage = storage}, "pcfr+");
    const auto once = bytes_of(*engine);
    engine->reset();
    for (const auto& bytes : bytes_of(*engine)) {
      EXPECT_TRUE(std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; }));
    }
    iterate(*engine, spot.reach, "pcfr+", 30);
    EXPECT_EQ(bytes_of(*engine), once);
  }
}

TEST(VectorEngine, GoesOnFromSavedArrays) {
  const Spot spot = turn_spot();
  for (const Storage storage : {Storage::kF32, Storage::kI16}) {
    const auto saved = trained(spot, {.storage = storage}, "pcfr+");
    const auto loaded = make(spot, {.storage = storage});
    loaded->add_predictions();
    const auto from = saved->arrays(true), to = loaded->arrays(true);
    ASSERT_EQ(from.size(), to.size());
    for (size_t i = 0; i < from.size(); ++i) {
      ASSERT_EQ(from[i].name, to[i].name);
      std::ranges::copy(from[i].bytes, to[i].bytes.begin());
    }
    iterate(*saved, spot.reach, "pcfr+", 5);
    iterate(*loaded, spot.reach, "pcfr+", 5);
    EXPECT_EQ(bytes_of(*saved), bytes_of(*loaded));
  }
}

// What is looked at between a descent and the lesson after it changes nothing.
TEST(VectorEngine, MayBeAskedBetweenHalfSteps) {
  const Spot spot = turn_spot();
  const auto quiet = make(spot, {.storage = Storage::kF64});
  const auto asked = make(spot, {.storage = Storage::kF64});
  const auto schedule = solve::make_schedule("dcfr");
  for (int64_t t = 1; t <= 10; ++t) {
    const solve::Iteration now = schedule(t);
    for (size_t p = 0; p < 2; ++p) {
      std::vector<double> a(spot.reach[p].size()), b(a.size());
      for (const auto* engine : {&quiet, &asked}) {
        (*engine)->descend(1 - p, spot.reach[1 - p], now.average_decay);
      }
      Vectors values;
      asked->evaluate({std::vector<double>(spot.reach[0].size(), 0.3),
                       std::vector<double>(spot.reach[1].size(), 0.7)},
                      values);
      quiet->learn(p, now.regret, a);
      asked->learn(p, now.regret, b);
      expect_near(a, b, 1e-12, "values");
    }
  }
  EXPECT_EQ(bytes_of(*quiet), bytes_of(*asked));
}

// --- looking at a solution

TEST(VectorEngine, LooksAtTheRootAsItEvaluates) {
  const Spot spot = turn_spot();
  for (const int threads : {1, 2}) {
    const auto engine = trained(spot, {.storage = Storage::kF64, .threads = threads});
    const View view = engine->look(0, 0, 0, spot.reach);
    Vectors values;
    engine->evaluate(spot.reach, values);
    EXPECT_EQ(view.values, values);
    EXPECT_EQ(view.reach, spot.reach);
    for (int p = 0; p < 2; ++p) {
      EXPECT_EQ(view.best_response[static_cast<size_t>(p)], best_response(*engine, p, spot.reach));
    }
  }
}

// Every node under every board: a decision's values are its player's mix of the children's and the
// sum of them for the other; best responses take the largest; reach is split by the strategy.
void expect_consistent(VectorEngine& engine, const Spot& spot, int street, uint32_t board,
                       uint32_t n) {
  const Street& s = engine.layout().streets[static_cast<size_t>(street)];
  const Node& node = s.nodes[n];
  const View view = engine.look(street, board, n, spot.reach);
  std::vector<View> below;
  for (uint32_t c = 0; c < node.num_children; ++c) {
    below.push_back(engine.look(street, board, node.first_child + c, spot.reach));
  }
  const size_t p = node.player, q = 1 - p;
  const Side& side = s.boards[board].side[p];
  const std::vector<double> strategy = engine.strategy_at(street, board, n);
  for (size_t i = 0; i < side.count; ++i) {
    const size_t hand = side.hand[i];
    double value = 0, best = -1e9, sum = 0;
    for (size_t a = 0; a < below.size(); ++a) {
      const double x = strategy[a * side.count + i];
      sum += x;
      value += x * below[a].values[p][hand];
      best = std::max(best, below[a].best_response[p][hand]);
      ASSERT_NEAR(below[a].reach[p][hand], view.reach[p][hand] * x, 1e-12);
    }
    ASSERT_NEAR(sum, 1, 1e-12);
    ASSERT_NEAR(view.values[p][hand], value, 1e-12);
    ASSERT_NEAR(view.best_response[p][hand], best, 1e-12);
  }
  for (size_t hand = 0; hand < view.values[q].size(); ++hand) {
    double value = 0, best = 0;
    for (const View& child : below) {
      value += child.values[q][hand];
      best += child.best_response[q][hand];
      ASSERT_EQ(child.reach[q][hand], view.reach[q][hand]);
    }
    ASSERT_NEAR(view.values[q][hand], value, 1e-12);
    ASSERT_NEAR(view.best_response[q][hand], best, 1e-12);
  }
}

TEST(VectorEngine, LooksConsistentAtEveryNode) {
  const Spot spot = make_spot("Qh9s6s2c", {"AsKs,QdQc:0.5,7h6h", "AhKh,8s7s:0.75,QdQs"},
                              spot_betting(2, "50%", "a"));
  const auto engine = trained(spot, {.storage = Storage::kF64});
  const auto& streets = engine->layout().streets;
  for (int s = 0; s < 2; ++s) {
    const Street& street = streets[static_cast<size_t>(s)];
    for (uint32_t b = 0; b < street.boards.size(); b += 7) {
      for (uint32_t n = 0; n < street.nodes.size(); ++n) {
        if (street.nodes[n].kind == NodeKind::kDecision) expect_consistent(*engine, spot, s, b, n);
      }
    }
  }
  // A deal is worth what the boards after it are worth together.
  for (size_t line = 0; line < streets[0].exits.size(); ++line) {
    const View view = engine->look(0, 0, streets[0].exits[line], spot.reach);
    Vectors sum = {std::vector<double>(spot.reach[0].size()),
                   std::vector<double>(spot.reach[1].size())};
    uint32_t entry = 0;
    for (const Chunk& chunk : streets[1].chunks) {
      if (line >= chunk.first_line && line < chunk.first_line + chunk.num_lines) {
        entry = chunk.first_node + static_cast<uint32_t>(line) - chunk.first_line;
      }
    }
    for (uint32_t b = 0; b < streets[1].boards.size(); ++b) {
      const View dealt = engine->look(1, b, entry, spot.reach);
      for (size_t p = 0; p < 2; ++p) {
        for (size_t i = 0; i < sum[p].size(); ++i) sum[p][i] += dealt.values[p][i];
      }
    }
    for (size_t p = 0; p < 2; ++p) expect_near(view.values[p], sum[p], 1e-12, "deal");
  }
}

// --- locks

// Player one's first decision: hands with an even number always take action 0, the others are free
// unless `all`.
LockedNode lock_root(const Spot& spot, bool all) {
  const Layout layout = make_layout(sketch_layout(spot.setup), 1);
  const Node& root = layout.streets[0].nodes[0];
  const Side& side = layout.streets[0].boards[0].side[root.player];
  LockedNode lock{0, 0, 0, std::vector<double>(size_t{root.num_children} * side.width, 0.0)};
  for (size_t i = 0; i < side.width; ++i) {
    if (i % 2 == 0) {
      lock.strategy[i] = 0.75;
      lock.strategy[(root.num_children - 1u) * side.width + i] = 0.25;
    } else if (all) {
      for (size_t a = 0; a < root.num_children; ++a) {
        lock.strategy[a * side.width + i] = 1.0 / root.num_children;
      }
    } else {
      lock.strategy[i] = -1;
    }
  }
  return lock;
}

TEST(VectorEngine, KeepsLockedStrategies) {
  const Spot spot = turn_spot();
  for (const auto& [storage, tolerance] :
       {std::pair{Storage::kF64, 1e-12}, std::pair{Storage::kF32, 1e-5},
        std::pair{Storage::kI16, 1e-3}}) {
    for (const char* algorithm : {"dcfr", "pcfr+"}) {
      const LockedNode lock = lock_root(spot, false);
      const auto engine = trained(spot, {.storage = storage, .locks = {lock}}, algorithm, 60);
      const auto free = trained(spot, {.storage = storage}, algorithm, 60);
      const Side& side = engine->layout().streets[0].boards[0].side[0];
      const std::vector<double> strategy = engine->strategy_at(0, 0, 0);
      const size_t actions = strategy.size() / side.count;
      bool moved = false;
      for (size_t i = 0; i < side.count; ++i) {
        for (size_t a = 0; a < actions; ++a) {
          const double x = strategy[a * side.count + i];
          if (i % 2 == 0) {
            EXPECT_NEAR(x, lock.strategy[a * side.width + i], tolerance) << to_string(storage);
          } else {
            moved = moved || std::abs(x - 1.0 / static_cast<double>(actions)) > 0.01;
          }
        }
      }
      EXPECT_TRUE(moved);
      EXPECT_NE(free->strategy_at(0, 0, 0), strategy);
      engine->reset();
      EXPECT_NEAR(engine->strategy_at(0, 0, 0)[0], 0.75, tolerance);
    }
  }
}

TEST(VectorEngine, BestResponsesRespectLocks) {
  const Spot spot = turn_spot();
  const LockedNode lock = lock_root(spot, false);
  const auto engine = trained(spot, {.storage = Storage::kF64, .locks = {lock}});
  const Side& side = engine->layout().streets[0].boards[0].side[0];
  const Node& root = engine->layout().streets[0].nodes[0];
  const std::vector<double> best = best_response(*engine, 0, spot.reach);
  std::vector<View> below;
  for (uint32_t c = 0; c < root.num_children; ++c) {
    below.push_back(engine->look(0, 0, root.first_child + c, spot.reach));
  }
  for (size_t i = 0; i < side.count; ++i) {
    double mix = 0, most = -1e9;
    for (size_t a = 0; a < below.size(); ++a) {
      const double value = below[a].best_response[0][side.hand[i]];
      mix += lock.strategy[a * side.width + i] * value;
      most = std::max(most, value);
    }
    EXPECT_NEAR(best[side.hand[i]], i % 2 == 0 ? mix : most, 1e-12);
  }
}

// The locked player's opponent exploits it: solving with a lock is solving the game where the
// locked hands are chance's, so that both best responses close in on the values.
TEST(VectorEngine, SolvesAroundLocks) {
  const Spot spot = turn_spot();
  const auto engine =
      trained(spot, {.storage = Storage::kF64, .locks = {lock_root(spot, true)}}, "pcfr+", 400);
  Vectors values;
  engine->evaluate(spot.reach, values);
  double gap = 0;
  for (int p = 0; p < 2; ++p) {
    const auto own = static_cast<size_t>(p);
    gap += worth(spot.reach[own], best_response(*engine, p, spot.reach)) -
           worth(spot.reach[own], values[own]);
  }
  EXPECT_GE(gap, -1e-9);
  EXPECT_LT(gap, 0.02);
}

// --- the rest

TEST(VectorEngine, PlansTheMemoryOfWhatItLearns) {
  const Layout sketch = sketch_layout(turn_spot().setup);
  for (const Storage storage : {Storage::kF64, Storage::kF32, Storage::kI16}) {
    const auto engine = make_vector_engine(sketch, {.storage = storage});
    size_t bytes = 0;
    for (const auto& array : engine->arrays(true)) bytes += array.bytes.size();
    EXPECT_EQ(plan_memory(sketch, storage, 1).learning, bytes) << to_string(storage);
    EXPECT_EQ(engine->learning_bytes(), bytes) << to_string(storage);
    EXPECT_EQ(engine->storage(), storage);
    EXPECT_EQ(parse_storage(to_string(storage)), storage);
  }
  EXPECT_THROW(parse_storage("f16"), core::InputError);
}

TEST(VectorEngine, CountsCounterfactualReachPairByPair) {
  const Spot spot = turn_spot();
  const auto engine = make(spot, {.storage = Storage::kF64});
  core::Random random(9);
  for (size_t p = 0; p < 2; ++p) {
    std::vector<double> reach(spot.reach[1 - p].size()), rho(spot.reach[p].size());
    for (double& x : reach) x = random.uniform();
    engine->counterfactual_reach(p, reach, rho);
    for (size_t i = 0; i < rho.size(); ++i) {
      double sum = 0;
      for (size_t j = 0; j < reach.size(); ++j) {
        const bool apart = (spot.setup.hands[p][i] & spot.setup.hands[1 - p][j]) == 0;
        sum += apart ? reach[j] * spot.setup.pair_weight : 0;
      }
      EXPECT_NEAR(rho[i], sum, 1e-14);
    }
  }
}

}  // namespace
}  // namespace cleave::hands
