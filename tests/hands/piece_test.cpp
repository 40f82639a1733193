#include "hands/piece.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/hash.h"
#include "core/random.h"
#include "decompose/resolver.h"
#include "hands/problem.h"
#include "hands/profile.h"

// Poker cut in every way that it can be: put together again it is the whole.
namespace cleave::hands {
namespace {

using decompose::Follow;
using decompose::Vectors;

// Few cards, three or four streets of which each deals one; all in is possible on every street.
poker::Definition miniature(int ranks, int suits, int hole_cards, int streets, int stack = 6) {
  poker::Definition d;
  d.name = "miniature";
  d.stack = {stack, stack};
  d.blind = {2, 1};
  d.ranks = ranks;
  d.suits = suits;
  d.hole_cards = hole_cards;
  d.rounds = {{0, 1, 1, 0}};
  while (d.num_rounds() < streets) d.rounds.push_back({1, 0, 1, 0});
  return d;
}

const poker::Sizes kPot = {{poker::Size::Kind::kPot, 100}};

// Three suits that nothing tells apart, one that is different; unequal ranges.
constexpr const char* kFlopSpot = R"(
board = "Ts8s5s"
pot = 20
stack = 45
[range]
oop = "TT:0.5,99,AsKs,76"
ip = "88:0.75,QJ,As9s"
[sizes]
bet = "50%,a"
raise = ""
)";
constexpr const char* kTurnSpot = R"(
board = "Ts8s5s5h"
pot = 20
stack = 45
[range]
oop = "TT:0.5,99,AK,AsKs,76"
ip = "88:0.75,QJ,As9s,65s"
[sizes]
bet = "50%,a"
raise = "a"
)";

struct Case {
  std::string name;
  std::shared_ptr<const Problem> problem;
};

Case apart(Case one) {
  auto problem = std::make_shared<Problem>(*one.problem);
  problem->setup.symmetry = {poker::kSameSuits};
  problem->setup.merge_hands = false;
  return {one.name + ", nothing merged", problem};
}

Case game(const std::string& name, const poker::Definition& d,
          const std::optional<poker::Sizes>& sizes = kPot) {
  return {name, std::make_shared<Problem>(make_problem(d, sizes))};
}
Case spot(const std::string& name, const char* text) {
  return {name, std::make_shared<Problem>(make_problem(poker::parse_spot(text, name)))};
}

// Every way to cut streets: before, after, or not, each deal.
std::vector<std::vector<StreetCut>> all_cuts(size_t streets) {
  std::vector<std::vector<StreetCut>> list = {{}};
  for (int s = 0; s + 1 < static_cast<int>(streets); ++s) {
    std::vector<std::vector<StreetCut>> longer = list;
    for (const bool dealt : {false, true}) {
      for (std::vector<StreetCut> cuts : list) {
        cuts.push_back({s, dealt});
        longer.push_back(std::move(cuts));
      }
    }
    list = std::move(longer);
  }
  list.erase(list.begin());
  return list;
}

std::string name_of(const std::vector<StreetCut>& cuts) {
  std::string text;
  for (const StreetCut& cut : cuts) {
    text += fmt::format(" {}:{}", cut.dealt ? "deal" : "street", cut.street + 2);
  }
  return text;
}

// Something different at every decision and for every hand, but for those that suit symmetry makes
// of each other: boards are merged by it even where hands are not.
void play_at_random(VectorEngine& engine, uint64_t seed) {
  const Layout& layout = engine.layout();
  std::vector<std::vector<poker::SuitMap>> groups = {layout.setup.symmetry};  // [board]
  std::vector<double> rows;
  for (size_t s = 0; s < layout.streets.size(); ++s) {
    const Street& street = layout.streets[s];
    std::vector<std::vector<poker::SuitMap>> here;
    for (size_t b = 0; b < street.boards.size(); ++b) {
      const Board& board = street.boards[b];
      here.push_back(poker::keeping(groups[s == 0 ? 0 : board.parent], board.cards));
      for (uint32_t n = 0; n < street.nodes.size(); ++n) {
        const Node& node = street.nodes[n];
        if (node.kind != poker::BettingNode::Kind::kDecision) continue;
        const Side& side = board.side[node.player];
        const size_t decision = engine.decision_at(s, b, n);
        rows.resize(size_t{node.num_children} * side.count);
        for (size_t i = 0; i < side.count; ++i) {
          poker::CardSet first = layout.setup.hands[node.player][side.hand[i]];
          for (const poker::SuitMap& map : here.back()) {
            first =
                std::min(first, poker::rename(map, layout.setup.hands[node.player][side.hand[i]]));
          }
          core::Random random(core::Hasher().add(seed).add(decision).add(first).finish().lo);
          double sum = 0;
          for (size_t a = 0; a < node.num_children; ++a) {
            sum += rows[a * side.count + i] = 0.01 + (random.below(4) == 0 ? 0 : random.uniform());
          }
          for (size_t a = 0; a < node.num_children; ++a) rows[a * side.count + i] /= sum;
        }
        engine.set_strategy(decision, rows);
      }
    }
    groups = std::move(here);
  }
}

// --- the whole from its pieces

void expect_the_whole(const Case& one, size_t stride = 1) {
  std::shared_ptr<VectorEngine> whole =
      make_vector_engine(sketch_layout(one.problem->setup), {.storage = Storage::kF64});
  play_at_random(*whole, 5);
  const EngineProfile profile(whole);
  const Vectors& reach = one.problem->reach;
  const auto all = all_cuts(one.problem->setup.deals.size());
  for (size_t i = 0; i < all.size(); i += stride) {
    const HandsPiece trunk(one.problem, all[i], Storage::kF64);
    const auto engine = trunk.engine();
    profile.give(trunk, *engine);
    ASSERT_GT(trunk.num_leaves(), 0u);
    ASSERT_EQ(trunk.num_leaves(), engine->num_leaves());
    for (const Follow how : {Follow::kAverage, Follow::kBestResponse}) {
      const Vectors found = values_of(profile, trunk, *engine, reach, how, 1);
      for (size_t p = 0; p < 2; ++p) {
        std::vector<double> expected(reach[p].size());
        whole->values(p, how, reach[1 - p], expected);
        double largest = 0;
        for (size_t h = 0; h < expected.size(); ++h) {
          largest = std::max(largest, std::abs(found[p][h] - expected[h]));
        }
        EXPECT_LT(largest, 1e-12) << one.name << name_of(all[i]) << ", player " << p
                                  << (how == Follow::kAverage ? ", values" : ", best response");
      }
    }
  }
}

TEST(HandsPiece, MiniaturesArePutTogetherAgain) {
  for (const Case& one : {game("one card, three streets", miniature(5, 2, 1, 3)),
                          game("two cards, three streets", miniature(3, 2, 2, 3)),
                          game("three suits", miniature(3, 3, 1, 3))}) {
    expect_the_whole(one);
    expect_the_whole(apart(one));
  }
}
// Limits instead of stacks: nobody is all in, and hands are merged on all streets.
TEST(HandsPiece, HandsThatShareRowsArePutTogetherAgain) {
  for (poker::Definition d : {miniature(4, 2, 1, 3), miniature(3, 3, 2, 3)}) {
    d.stack = {1000, 1000};
    const Case one = game(fmt::format("{} ranks, {} cards", d.ranks, d.hole_cards), d);
    const Layout layout = sketch_layout(one.problem->setup);
    ASSERT_LT(layout.streets[0].boards[0].side[0].count, one.problem->setup.hands[0].size());
    expect_the_whole(one);
    expect_the_whole(apart(one));
  }
}
TEST(HandsPiece, FourStreetsArePutTogetherAgain) {
  const Case one = game("four streets", miniature(4, 2, 1, 4));
  expect_the_whole(one);
  expect_the_whole(apart(one));
}
TEST(HandsPiece, SpotsArePutTogetherAgain) {
  expect_the_whole(spot("turn", kTurnSpot));
  expect_the_whole(apart(spot("turn", kTurnSpot)));
  const Case flop = spot("flop", kFlopSpot);
  ASSERT_EQ(flop.problem->setup.symmetry.size(), 6u);
  expect_the_whole(flop, 3);
}

// --- keys

// All that engines have after some lessons.
std::vector<double> learnt(const decompose::Piece& piece) {
  const auto engine = piece.engine();
  Vectors reach = full_reach(*engine);
  core::Random random(9);
  for (auto& own : reach) {
    for (double& x : own) x = 0.1 + random.uniform();
  }
  const auto schedule = solve::make_schedule("dcfr");
  for (int64_t t = 1; t <= 4; ++t) iterate_fixed(*engine, reach, schedule(t));
  std::vector<double> all, rows;
  for (size_t d = 0; d < engine->num_decisions(); ++d) {
    rows.resize(engine->decision(d).num_rows());
    engine->strategy(d, rows);
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

void expect_remade(const HandsPiece& piece, const std::string& what, size_t& count) {
  const auto again = HandsPiece::remake(piece.key());
  ASSERT_EQ(again->key(), piece.key()) << what;
  ASSERT_EQ(again->first_street(), piece.first_street()) << what;
  ASSERT_EQ(again->num_leaves(), piece.num_leaves()) << what;
  const std::vector<double> expected = learnt(piece);
  ASSERT_FALSE(expected.empty()) << what;
  ASSERT_EQ(learnt(*again), expected) << what;
  ++count;
  for (size_t leaf = 0; leaf < piece.num_leaves(); leaf += 2) {
    ASSERT_EQ(again->num_below(leaf), piece.num_below(leaf)) << what;
    for (size_t n = piece.num_below(leaf) / 2; n < piece.num_below(leaf); n += 7) {
      const auto below = std::dynamic_pointer_cast<const HandsPiece>(piece.below(leaf, n).piece);
      expect_remade(*below, fmt::format("{}/{}.{}", what, leaf, n), count);
    }
  }
}

TEST(HandsPiece, IsMadeAgainFromItsKey) {
  for (const Storage storage : {Storage::kF64, Storage::kF32, Storage::kI16}) {
    for (const Case& one :
         {game("miniature", miniature(3, 2, 1, 3)),
          game("any bet", miniature(3, 2, 1, 2), std::nullopt), spot("turn", kTurnSpot)}) {
      size_t count = 0;
      for (const auto& cuts : all_cuts(one.problem->setup.deals.size())) {
        const HandsPiece trunk(one.problem, cuts, storage);
        expect_remade(trunk, one.name + name_of(cuts), count);
      }
      expect_remade(HandsPiece(one.problem, {}, storage), one.name, count);
      EXPECT_GE(count, 8u) << one.name;
    }
  }
}

TEST(HandsPiece, WholeGamesOfSomeDealsAreMadeAgain) {
  auto problem = std::make_shared<Problem>(parse_game(R"(
stack = 2000
blinds = [100, 50]
[preflop]
bets = 1
bet = "100%"
[flop]
bets = 1
bet = "75%"
)",
                                                      "small.toml"));
  sample_deals(problem->setup, 2, 3);
  const HandsPiece trunk(problem, {{0, true}});
  const auto again = HandsPiece::remake(trunk.key());
  ASSERT_EQ(again->num_deals(), 2u);
  EXPECT_EQ(again->num_possible_deals(), 1755u);
  EXPECT_EQ(learnt(*again), learnt(trunk));
  for (size_t n = 0; n < 2; ++n) {
    EXPECT_EQ(learnt(*again->below(1, n).piece), learnt(*trunk.below(1, n).piece));
  }
}

// A line of play: the street above it is whole but for what lies behind the node.
TEST(HandsPiece, EndsAtALineOfPlay) {
  const Case turn = spot("turn", kTurnSpot);
  const auto cut = [&](const char* line) {
    return HandsPiece(turn.problem, parse_cuts(*turn.problem, line), Storage::kF64);
  };
  const auto wanted = [](const HandsPiece& piece) {
    size_t count = 0;
    for (size_t leaf = 0; leaf < piece.num_leaves(); ++leaf) count += piece.is_wanted(leaf);
    return count;
  };
  size_t count = 0;
  const HandsPiece middle = cut("line:check/bet 10"), all = cut("history:check/check/*/bet_10"),
                   one = cut("line:check/check/2c/bet 10");
  EXPECT_EQ(wanted(middle), 1u);
  EXPECT_EQ(wanted(one), 1u);
  EXPECT_EQ(wanted(all), all.leaf_street().boards.size());
  EXPECT_EQ(middle.num_leaves(), 3u);        // beside it: both check, a bet is called
  EXPECT_EQ(all.num_leaves(), wanted(all));  // nothing is dealt any more
  for (const HandsPiece* piece : {&middle, &all, &one}) expect_remade(*piece, "line", count);
  const auto error_of = [&](const char* line) -> std::string {
    try {
      cut(line);
    } catch (const core::InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(error_of("line:check/bet 11"), testing::HasSubstr("allowed are check, bet 10"));
  EXPECT_THAT(error_of("line:check/check/Ts"), testing::HasSubstr("not out yet, or *"));
  EXPECT_THAT(error_of("line:check/check/2c/fold"),
              testing::HasSubstr("allowed are check, bet 10"));
  EXPECT_THAT(error_of("line:bet 10/fold"), testing::HasSubstr("nobody acts any more"));
  EXPECT_THAT(error_of("line:bet 10/fold/check"), testing::HasSubstr("the hand is over"));
  EXPECT_THAT(error_of("line:"), testing::HasSubstr("at least one"));
  EXPECT_THAT(error_of("line:check,deal:river"), testing::HasSubstr("alone"));
  EXPECT_THAT(error_of("deal:river,line:check"), testing::HasSubstr("alone"));
}

TEST(HandsPiece, RefusesOtherKeys) {
  const std::string key = HandsPiece(game("", miniature(3, 2, 1, 2)).problem, {{0, true}}).key();
  EXPECT_NO_THROW(HandsPiece::remake(key));
  EXPECT_THROW(HandsPiece::remake("leduc#1x00"), core::InputError);
  EXPECT_THROW(HandsPiece::remake(""), core::InputError);
  for (const auto& [from, to] :
       {std::pair{" / ", " /99.0 "}, std::pair{" /\n", " /0.99\n"}, std::pair{" /\n", " /x\n"},
        std::pair{"deal:2", "deal:9"}, std::pair{"f32", "f16"}}) {
    std::string other = key;
    const size_t at = other.find(from);
    if (at == other.npos) continue;
    EXPECT_THROW(HandsPiece::remake(other.replace(at, std::string_view(from).size(), to)),
                 core::InputError)
        << to;
  }
}

// --- cuts by name

TEST(StreetCuts, AreNamedByStreets) {
  const auto flop = spot("flop", kFlopSpot).problem;
  const auto cuts = parse_cuts(*flop, "street:turn,deal:river");
  ASSERT_EQ(cuts.size(), 2u);
  EXPECT_EQ(cuts[0].street, 0);
  EXPECT_FALSE(cuts[0].dealt);
  EXPECT_EQ(cuts[1].street, 1);
  EXPECT_TRUE(cuts[1].dealt);
  EXPECT_EQ(parse_cuts(*flop, "deal:3")[0].street, 1);
  for (const char* wrong : {"", "turn", "deal:", "deal:flop", "deal:1", "deal:4", "round:1",
                            "deal:river,deal:turn", "deal:turn,street:turn", "deal:turn,"}) {
    EXPECT_THROW(parse_cuts(*flop, wrong), core::InputError) << wrong;
  }
}

// --- what stands below

// Hands that the deal blocks get nothing; every other hand gets what all images bring to it.
TEST(HandsPiece, DealsCoverEveryBoard) {
  for (const Case& one : {game("miniature", miniature(3, 3, 1, 2)), spot("turn", kTurnSpot)}) {
    const hands::Setup& setup = one.problem->setup;
    const HandsPiece trunk(one.problem, {{0, true}}, Storage::kF64);
    const auto engine = trunk.engine();
    for (size_t leaf = 0; leaf < trunk.num_leaves(); ++leaf) {
      for (size_t p = 0; p < 2; ++p) {
        std::vector<double> met(engine->num_leaf_states(leaf, p), 0.0);
        for (size_t n = 0; n < trunk.num_below(leaf); ++n) {
          const decompose::Below below = trunk.below(leaf, n);
          const auto& hands = dynamic_cast<const HandsPiece&>(*below.piece).setup().hands[p];
          below.crossing.collect(p, std::vector<double>(hands.size(), 1.0), met);
        }
        // One for every card that is dealt and not held.
        const int cards = std::popcount(setup.deck & ~setup.board) - setup.hole_cards;
        for (const double x : met) ASSERT_EQ(x, cards) << one.name;
      }
    }
  }
}

}  // namespace
}  // namespace cleave::hands
