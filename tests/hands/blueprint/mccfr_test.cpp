#include "hands/blueprint/mccfr.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "decompose/resolver.h"
#include "hands/vector_engine.h"
#include "poker/hand_index.h"
#include "solve/schedule.h"

// Games are small but exact: every class of hands is its own bucket, so that the vector engine,
// which knows no buckets and draws nothing, says what an answer is worth.
namespace cleave::hands {
namespace {

using decompose::Vectors;
using NodeKind = poker::BettingNode::Kind;

// Blinds of 100 and 50; `board_cards`: dealt for a second street, or 0 for none.
poker::Definition short_holdem(int board_cards) {
  poker::Definition d;
  d.name = "short";
  d.stack = {2000, 2000};
  d.blind = {100, 50};
  d.ranks = poker::kNumRanks;
  d.suits = poker::kNumSuits;
  d.hole_cards = 2;
  d.rounds = {{0, 1, 255, 0}};
  if (board_cards > 0) d.rounds.push_back({board_cards, 0, 255, 0});
  return d;
}

hands::Setup make_game(int board_cards, std::string_view sizes) {
  return hands::make_setup(short_holdem(board_cards), poker::parse_sizes(sizes, "sizes"));
}

// Both are dealt high cards only: less for the vector engine to do.
hands::Setup make_high_game(int board_cards, std::string_view sizes) {
  hands::Setup setup = make_game(board_cards, sizes);
  for (auto& hands : setup.hands) {
    std::erase_if(hands,
                  [](poker::CardSet h) { return poker::lowest(h) < poker::make_card(8, 0); });
  }
  const double hands = hands::choose(20, 2);
  setup.pair_weight = 1 / (hands * hands::choose(18, 2));
  return setup;
}

std::vector<StreetBuckets> own_classes(const hands::Setup& setup) {
  return std::vector<StreetBuckets>(setup.deals.size());
}

poker::HandIndex index_of(size_t board_cards) {
  if (board_cards == 0) return poker::HandIndex({2});
  return poker::HandIndex({2, static_cast<int>(board_cards)});
}

// --- what a strategy is worth, by the vector engine

class Judge {
 public:
  explicit Judge(const hands::Setup& setup)
      : sketch_(hands::sketch_layout(setup)), layout_(hands::make_layout(sketch_, 1)) {
    for (size_t p = 0; p < 2; ++p) reach_[p].assign(setup.hands[p].size(), 1.0);
  }

  // Of the game itself, for player 0, to a small fraction of a chip.
  double game_value(int64_t iterations) const {
    const auto engine = hands::make_vector_engine(sketch_, {.storage = hands::Storage::kF64});
    const auto schedule = solve::make_schedule("dcfr", iterations);
    for (int64_t t = 1; t <= iterations; ++t) {
      decompose::iterate_fixed(*engine, reach_, schedule(t));
    }
    return value(*engine);
  }

  // When both follow the strategy.
  double value_of(const AbstractStrategy& strategy) const {
    std::vector<hands::LockedNode> locks = locked(strategy, 0);
    std::ranges::move(locked(strategy, 1), std::back_inserter(locks));
    return value(
        *hands::make_vector_engine(sketch_, {.storage = hands::Storage::kF64, .locks = locks}));
  }

  // The mean over players of what a best response wins.
  double exploitability(const AbstractStrategy& strategy) const {
    double sum = 0;
    for (size_t p = 0; p < 2; ++p) {
      const auto engine = hands::make_vector_engine(
          sketch_, {.storage = hands::Storage::kF64, .locks = locked(strategy, 1 - p)});
      std::vector<double> values(reach_[p].size());
      engine->best_response(p, reach_[1 - p], values);
      sum += std::reduce(values.begin(), values.end());
    }
    return sum / 2;
  }

 private:
  double value(hands::VectorEngine& engine) const {
    Vectors values = reach_;
    engine.evaluate(reach_, values);
    return std::reduce(values[0].begin(), values[0].end());
  }

  // The player's part of it, at every node under every board.
  std::vector<hands::LockedNode> locked(const AbstractStrategy& strategy, size_t player) const {
    std::vector<hands::LockedNode> locks;
    for (size_t s = 0; s < layout_.streets.size(); ++s) {
      const hands::Street& street = layout_.streets[s];
      for (uint32_t board = 0; board < street.boards.size(); ++board) {
        const hands::Side& side = street.boards[board].side[player];
        const std::vector<size_t> classes = classes_of(street.boards[board], player);
        for (uint32_t n = 0; n < street.nodes.size(); ++n) {
          const hands::Node& node = street.nodes[n];
          if (node.kind != NodeKind::kDecision || node.player != player) continue;
          hands::LockedNode lock{static_cast<int>(s), board, n, {}};
          lock.strategy.assign(size_t{node.num_children} * side.width, -1);
          const float* weight = strategy.weight.data() + strategy.first[node.source];
          const size_t buckets = strategy.num_buckets[s];
          for (size_t i = 0; i < side.count; ++i) {
            double sum = 0;
            for (size_t a = 0; a < node.num_children; ++a) sum += weight[a * buckets + classes[i]];
            for (size_t a = 0; a < node.num_children; ++a) {
              lock.strategy[a * side.width + i] =
                  sum > 0 ? weight[a * buckets + classes[i]] / sum : 1.0 / node.num_children;
            }
          }
          locks.push_back(std::move(lock));
        }
      }
    }
    return locks;
  }

  std::vector<size_t> classes_of(const hands::Board& board, size_t player) const {
    const std::vector<poker::Card> on_board = poker::cards_in(board.cards);
    const poker::HandIndex index = index_of(on_board.size());
    std::vector<size_t> classes;
    for (size_t i = 0; i < board.side[player].count; ++i) {
      const poker::CardSet hole = layout_.setup.hands[player][board.side[player].hand[i]];
      std::vector<poker::Card> cards = poker::cards_in(hole);
      cards.insert(cards.end(), on_board.begin(), on_board.end());
      classes.push_back(index.index(index.num_rounds() - 1, cards));
    }
    return classes;
  }

  hands::Layout sketch_, layout_;
  Vectors reach_;
};

AbstractStrategy learnt(const hands::Setup& setup, int64_t deals, const MccfrOptions& options = {},
                        const std::vector<StreetBuckets>& streets = {}) {
  Mccfr mccfr(setup, streets.empty() ? own_classes(setup) : streets, options);
  mccfr.run(deals, nullptr, {});
  return mccfr.average();
}

double probability(const AbstractStrategy& s, uint32_t node, size_t action, size_t num_actions,
                   size_t bucket, size_t street) {
  const auto weight = [&](size_t a) {
    return double{s.weight[s.first[node] + a * s.num_buckets[street] + bucket]};
  };
  double sum = 0;
  for (size_t a = 0; a < num_actions; ++a) sum += weight(a);
  return sum > 0 ? weight(action) / sum : 1.0 / static_cast<double>(num_actions);
}

bool is_weight(float x) { return std::isfinite(x) && x >= 0; }

poker::CardSet cards(std::string_view text) {
  poker::CardSet set = 0;
  for (const poker::Card card : poker::parse_cards(text, "cards")) set |= poker::set_of(card);
  return set;
}

// Of the weights that all classes have together at a node, those of one class.
double share(const AbstractStrategy& s, uint32_t node, size_t num_actions, size_t street,
             size_t bucket) {
  const size_t buckets = s.num_buckets[street];
  double part = 0, whole = 0;
  for (size_t i = 0; i < num_actions * buckets; ++i) {
    whole += s.weight[s.first[node] + i];
    if (i % buckets == bucket) part += s.weight[s.first[node] + i];
  }
  return part / whole;
}

// --- answers

// The game ends with the first bets: a showdown is of the hole cards.
TEST(Mccfr, SolvesOneStreet) {
  const hands::Setup setup = make_game(0, "50%,100%,a");
  const Judge judge(setup);
  const AbstractStrategy strategy = learnt(setup, 500'000);
  EXPECT_LT(judge.exploitability(strategy), 5);
  EXPECT_NEAR(judge.value_of(strategy), judge.game_value(300), 1);
  // Better with more deals, and much better than what is played at first.
  EXPECT_LT(judge.exploitability(strategy), 0.25 * judge.exploitability(learnt(setup, 20'000)));
}

// All in before the board is complete, boards that hands are blocked by, classes on two streets.
TEST(Mccfr, SolvesTwoStreetsWithAndWithoutPruning) {
  const hands::Setup setup = make_high_game(1, "100%,a");
  const Judge judge(setup);
  const double value = judge.game_value(150);
  std::array<Mccfr::Counts, 2> counts;
  for (const size_t on : {0, 1}) {
    const Pruning pruning{.on = on == 1, .warm_up = 50'000, .threshold = 10};
    Mccfr mccfr(setup, own_classes(setup), {.pruning = pruning});
    mccfr.run(800'000, nullptr, {});
    const AbstractStrategy strategy = mccfr.average();
    EXPECT_LT(judge.exploitability(strategy), 12) << on;
    EXPECT_NEAR(judge.value_of(strategy), value, 1.5) << on;
    counts[on] = mccfr.counts();
  }
  EXPECT_EQ(counts[0].pruned, 0U);
  EXPECT_GT(counts[1].pruned, 100'000U);
  EXPECT_LT(static_cast<double>(counts[1].nodes), 0.9 * static_cast<double>(counts[0].nodes));
}

// Where nobody can tell hands apart, a showdown is worth nothing on average, so that folding, which
// loses the blind or more, is the only mistake there is.
TEST(Mccfr, NeverFoldsWhenAllHandsLookAlike) {
  const hands::Setup setup = make_game(0, "100%,a");
  const AbstractStrategy strategy =
      learnt(setup, 200'000, {}, {{1, std::vector<uint32_t>(169, 0)}});
  ASSERT_EQ(strategy.num_buckets, std::vector<uint32_t>{1});
  for (const uint32_t node : {0U, poker::find_node(setup.tree, "allin 2000")}) {
    const poker::BettingNode& at = setup.tree.nodes[node];
    ASSERT_EQ(setup.tree.nodes[at.first_child].action.kind, poker::Action::Kind::kFold);
    EXPECT_LT(probability(strategy, node, 0, at.num_children, 0, 0), 0.03) << node;
  }
}

// Ace and king against an all-in bet: a call splits the pot with ace and king and loses to aces. It
// is right where the other can only have the one, and wrong where he may have both.
TEST(Mccfr, SplitsThePot) {
  hands::Setup setup = make_game(0, "a");
  const uint32_t all_in = poker::find_node(setup.tree, "allin 2000");
  const size_t bucket = index_of(0).index(0, poker::cards_in(cards("AcKd")));
  const auto fold = [&](std::vector<poker::CardSet> others) {
    setup.hands = {{{cards("AcKd")}, std::move(others)}};
    return probability(learnt(setup, 20'000), all_in, 0, 2, bucket, 0);
  };
  EXPECT_LT(fold({cards("AsKh")}), 0.01);
  EXPECT_GT(fold({cards("AsKh"), cards("AhAd")}), 0.9);
}

// Player two has aces in one of three deals: not when player one has them.
TEST(Mccfr, DealsDifferentHands) {
  hands::Setup setup = make_game(0, "a");
  setup.hands = {{{cards("AcAd"), cards("KcKd")}, {cards("AcAd"), cards("QcQd")}}};
  const AbstractStrategy strategy = learnt(setup, 20'000);
  ASSERT_EQ(setup.tree.nodes[0].player, 1);
  const size_t aces = index_of(0).index(0, poker::cards_in(cards("AcAd")));
  EXPECT_NEAR(share(strategy, 0, setup.tree.nodes[0].num_children, 0, aces), 1.0 / 3, 0.02);
}

// The first bets are called and checked; after them player one acts first.
TEST(Mccfr, DealsBoardsFromWhatIsLeft) {
  hands::Setup setup = make_game(1, "a");
  setup.tree = build_betting_tree(setup.tree.betting,
                                  {.removed = {"fold", "allin 2000", "call/allin 2000"}});
  setup.hands = {{{cards("AcAd")}, {cards("AhAs")}}};
  const AbstractStrategy strategy = learnt(setup, 20'000);
  const uint32_t node = poker::find_node(setup.tree, "call/check/deal");
  const poker::HandIndex index = index_of(1);
  const auto share_of = [&](std::string_view board) {
    std::vector<poker::Card> seen = poker::cards_in(setup.hands[0][0]);
    seen.push_back(poker::lowest(cards(board)));
    return share(strategy, node, setup.tree.nodes[node].num_children, 1, index.index(1, seen));
  };
  EXPECT_EQ(share_of("Ah"), 0);
  EXPECT_NEAR(share_of("Kc"), 2.0 / 48, 0.005);  // or Kd, which looks the same
  EXPECT_NEAR(share_of("7h"), 2.0 / 48, 0.005);
}

TEST(Mccfr, FindsHandsInTheTables) {
  const hands::Setup setup = make_game(1, "a");
  const AbstractStrategy plain = learnt(setup, 5'000);
  // The same buckets in another order.
  std::vector<StreetBuckets> streets;
  for (size_t s = 0; s < 2; ++s) {
    const uint32_t count = plain.num_buckets[s];
    streets.push_back({count, std::vector<uint32_t>(count)});
    for (uint32_t c = 0; c < count; ++c) streets[s].bucket[c] = count - 1 - c;
  }
  const AbstractStrategy turned = learnt(setup, 5'000, {}, streets);
  ASSERT_EQ(plain.first, turned.first);
  for (size_t n = 0; n < setup.tree.nodes.size(); ++n) {
    const poker::BettingNode& node = setup.tree.nodes[n];
    if (node.kind != NodeKind::kDecision) continue;
    const size_t count = plain.num_buckets[node.street];
    for (size_t a = 0; a < node.num_children; ++a) {
      const float* row = plain.weight.data() + plain.first[n] + a * count;
      const float* turned_row = turned.weight.data() + turned.first[n] + a * count;
      ASSERT_TRUE(std::equal(row, row + count, std::reverse_iterator(turned_row + count)));
    }
  }
}

TEST(Mccfr, HasWeightsForEveryDecision) {
  const hands::Setup setup = make_game(1, "100%,a");
  const AbstractStrategy strategy = learnt(setup, 20'000);
  EXPECT_EQ(strategy.num_buckets[0], 169);
  EXPECT_EQ(strategy.num_buckets[1], index_of(1).size(1));
  uint64_t next = 0;
  for (size_t n = 0; n < setup.tree.nodes.size(); ++n) {
    const poker::BettingNode& node = setup.tree.nodes[n];
    if (node.kind != NodeKind::kDecision) {
      EXPECT_EQ(strategy.first[n], AbstractStrategy::kNone);
      continue;
    }
    EXPECT_EQ(strategy.first[n], next);
    next += uint64_t{node.num_children} * strategy.num_buckets[node.street];
  }
  EXPECT_EQ(strategy.weight.size(), next);
  EXPECT_EQ(learning_bytes(setup, own_classes(setup)), next * 2 * sizeof(float));
  EXPECT_TRUE(std::ranges::all_of(strategy.weight, is_weight));
  // Every hand has been dealt, and weights are those of a sum of distributions: t for deal t.
  const size_t actions = setup.tree.nodes[0].num_children;
  for (size_t b = 0; b < 169; ++b) {
    double sum = 0;
    for (size_t a = 0; a < actions; ++a) sum += strategy.weight[a * 169 + b];
    EXPECT_GT(sum, 0) << b;
  }
  const double all = std::accumulate(
      strategy.weight.begin(), strategy.weight.begin() + static_cast<int64_t>(actions * 169), 0.0);
  const double deals = std::ceil(20'000.0 / Mccfr::kBatch) * Mccfr::kBatch;
  EXPECT_NEAR(all / (deals * (deals + 1) / 2), 1, 1e-4);
}

// --- pruning

TEST(Mccfr, NeverPrunesTheLastStreet) {
  const hands::Setup setup = make_game(0, "50%,100%,a");
  Mccfr mccfr(setup, own_classes(setup), {.pruning = {.warm_up = 0, .threshold = 0.01}});
  mccfr.run(20'000, nullptr, {});
  EXPECT_EQ(mccfr.counts().pruned, 0U);
}

// Aces that have only to go all in against hands that cannot beat them: the only bad actions, to
// fold here and to call there, end the game.
TEST(Mccfr, NeverPrunesWhatEndsTheGame) {
  hands::Setup setup = make_game(1, "a");
  setup.tree = build_betting_tree(setup.tree.betting, {.removed = {"call"}});
  const poker::CardSet all_aces = poker::CardSet{0xf} << poker::make_card(12, 0);
  std::erase_if(setup.hands[1], [&](poker::CardSet h) { return (h & ~all_aces) != 0; });
  std::erase_if(setup.hands[0], [&](poker::CardSet h) {
    const std::vector<poker::Card> cards = poker::cards_in(h);
    return (h & all_aces) != 0 || poker::rank_of(cards[0]) == poker::rank_of(cards[1]);
  });
  Mccfr mccfr(setup, own_classes(setup), {.pruning = {.warm_up = 0, .threshold = 0.01}});
  mccfr.run(20'000, nullptr, {});
  EXPECT_EQ(mccfr.counts().pruned, 0U);
  const size_t aces = index_of(0).index(0, poker::cards_in(setup.hands[1][0]));
  EXPECT_LT(probability(mccfr.average(), 0, 0, 2, aces, 0), 0.01);
}

// The floor is a little below the threshold: where that is nothing, no regret is below it.
TEST(Mccfr, KeepsRegretsAboveTheFloor) {
  const hands::Setup setup = make_game(1, "100%,a");
  Mccfr mccfr(setup, own_classes(setup), {.pruning = {.warm_up = 0, .threshold = 0}});
  mccfr.run(20'000, nullptr, {});
  EXPECT_EQ(mccfr.counts().pruned, 0U);
}

TEST(Mccfr, PrunesAfterWarmingUpOnly) {
  const hands::Setup setup = make_game(1, "100%,a");
  Mccfr mccfr(setup, own_classes(setup),
              {.pruning = {.warm_up = 20 * Mccfr::kBatch, .threshold = 0.01}});
  mccfr.run(20 * Mccfr::kBatch, nullptr, {});
  EXPECT_EQ(mccfr.counts().pruned, 0U);
  mccfr.run(100 * Mccfr::kBatch, nullptr, {});
  EXPECT_GT(mccfr.counts().pruned, 0U);
  EXPECT_TRUE(std::ranges::all_of(mccfr.average().weight, is_weight));
}

// --- running

TEST(Mccfr, GivesTheSameBitsForTheSameSeed) {
  const hands::Setup setup = make_game(1, "100%,a");
  const Pruning pruning{.warm_up = 5'000, .threshold = 1};
  const AbstractStrategy once = learnt(setup, 30'000, {.seed = 7, .pruning = pruning});
  for (const int threads : {1, 2, 3}) {
    const AbstractStrategy again =
        learnt(setup, 30'000, {.seed = 7, .threads = threads, .pruning = pruning});
    EXPECT_EQ(once.weight, again.weight) << threads;
  }
  EXPECT_NE(once.weight, learnt(setup, 30'000, {.seed = 8, .pruning = pruning}).weight);
}

TEST(Mccfr, GoesOnWhereItWas) {
  const hands::Setup setup = make_game(1, "a");
  Mccfr mccfr(setup, own_classes(setup), {});
  mccfr.run(10 * Mccfr::kBatch, nullptr, {});
  mccfr.run(7 * Mccfr::kBatch - 1, nullptr, {});  // batches are whole
  EXPECT_EQ(mccfr.counts().deals, 17 * Mccfr::kBatch);
  EXPECT_EQ(mccfr.average().weight, learnt(setup, 17 * Mccfr::kBatch).weight);
}

TEST(Mccfr, StopsWhenAsked) {
  const hands::Setup setup = make_game(1, "a");
  Mccfr mccfr(setup, own_classes(setup), {});
  std::atomic<bool> stop = false;
  std::vector<int64_t> told;
  mccfr.run(1'000'000, &stop, [&](int64_t deals) {
    told.push_back(deals);
    stop = told.size() == 3;
  });
  EXPECT_EQ(told, (std::vector<int64_t>{Mccfr::kBatch, 2 * Mccfr::kBatch, 3 * Mccfr::kBatch}));
  EXPECT_EQ(mccfr.counts().deals, 3 * Mccfr::kBatch);
  EXPECT_EQ(mccfr.bytes(), learning_bytes(setup, own_classes(setup)));
}

// After one batch all averages are uniform: nothing else has been played. A decision that its
// player has not come to in the other's walks has no average, but it has regrets.
TEST(Mccfr, AnswersWithTheCurrentStrategyWhereTheAverageIsEmpty) {
  const hands::Setup setup = make_game(1, "100%,a");
  const AbstractStrategy strategy = learnt(setup, Mccfr::kBatch);
  size_t averages = 0, regrets = 0;
  for (size_t n = 0; n < setup.tree.nodes.size(); ++n) {
    const poker::BettingNode& node = setup.tree.nodes[n];
    if (node.kind != NodeKind::kDecision) continue;
    const size_t buckets = strategy.num_buckets[node.street];
    for (size_t b = 0; b < buckets; ++b) {
      std::vector<float> weight;
      for (size_t a = 0; a < node.num_children; ++a) {
        weight.push_back(strategy.weight[strategy.first[n] + a * buckets + b]);
      }
      const auto [least, most] = std::ranges::minmax(weight);
      if (most == 0) continue;
      // Regrets against a uniform strategy add up to nothing, so that some are not positive.
      EXPECT_TRUE(least == most || least == 0);
      ++(least == most ? averages : regrets);
    }
  }
  EXPECT_GT(averages, 500U);
  EXPECT_GT(regrets, 500U);
}

// --- what it refuses

TEST(Mccfr, RefusesOtherGamesAndBuckets) {
  const hands::Setup setup = make_game(1, "a");
  const auto refuses = [&](const hands::Setup& game, std::vector<StreetBuckets> streets,
                           const Pruning& pruning = {}) {
    EXPECT_THROW(Mccfr(game, std::move(streets), {.pruning = pruning}), core::InputError);
  };
  refuses(setup, {{}});                                      // one street
  refuses(setup, {{2, std::vector<uint32_t>(100, 0)}, {}});  // too few classes
  refuses(setup, {{2, std::vector<uint32_t>(169, 2)}, {}});  // no such bucket
  refuses(setup, own_classes(setup), {.probability = 1.5});
  refuses(setup, own_classes(setup), {.threshold = -1});
  hands::Setup cut = setup;
  cut.last_street = 0;
  refuses(cut, own_classes(cut));
  hands::Setup blocked = setup;
  blocked.hands[1] = blocked.hands[0] = {setup.hands[0][0]};
  refuses(blocked, own_classes(blocked));
  poker::Definition small = short_holdem(1);
  small.ranks = 6;
  const hands::Setup short_deck = hands::make_setup(small, poker::parse_sizes("a", "sizes"));
  refuses(short_deck, own_classes(short_deck));
}

}  // namespace
}  // namespace cleave::hands
