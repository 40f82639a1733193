#include <gtest/gtest.h>

#include "decompose/leaves/function_leaves.h"
#include "hands/piece.h"
#include "search/carried_check.h"
#include "search/continual.h"
#include "search/twins.h"

// Continual re-solving on the pieces of poker.
namespace cleave::search {
namespace {

using decompose::Follow;

// Stops within streets, and where streets begin; all-ins before the last one.
TEST(HandsCarried, ValuesAreThoseOfAnEngineOnTheNextStop) {
  const Twins game(hands::all_in_streets(), "100%,a");
  const auto profile = game.hands->solve("cfr+", 3, {});
  size_t count = 0;
  for (size_t hero = 0; hero < 2; ++hero) {
    for (const int depth : {0, 1}) {
      const auto step = game.hands->steps(hero, depth);
      const Follow how = (hero == 0) == (depth == 0) ? Follow::kAverage : Follow::kBestResponse;
      count += check_carried(*step, *profile, game.hands->root_reach(), 1 - hero, how, 2e-5);
    }
  }
  EXPECT_GT(count, 1000U);
}

// Where the first player thinks, the stops before the first deal are the same on both engines.
// Rounding decides between moves that are worth the same, most of all further down: the largest
// difference seen is 0.0054.
TEST(HandsContinual, AnswersAsOnTheTreeEngine) {
  const Twins game(hands::all_in_streets(), "100%,a");
  const Setting on_tree{*game.tree}, on_hands{*game.hands};
  for (const std::string arguments : {"", ",method=maxmargin"}) {
    const std::string spec = "continual(algorithm=cfr+,iterations=50" + arguments + ")";
    const auto a = make_agent(spec, on_tree), b = make_agent(spec, on_hands);
    size_t pointed = 0;
    for (uint32_t set = 0; set < game.tree->problem().tree.infoset_begin[1]; ++set) {
      const door::Question& question = game.tree->sight().question(set);
      const auto is_deal = [](const door::Event& e) { return e.actor == games::kChance; };
      if (std::ranges::count_if(question.events, is_deal) > 2) continue;
      std::vector<double> one(question.moves.size()), two(one);
      a->act(question, one);
      b->act(question, two);
      for (size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], two[i], 0.01) << spec;
      pointed += std::ranges::max(one) > 1.01 / static_cast<double>(one.size()) ? 1 : 0;
    }
    EXPECT_GT(pointed, 20U) << spec;
  }
}

// Exploitability of the whole strategy that all solves together make.
TEST(HandsContinual, ExploitabilityFallsWithIterations) {
  const Twins game(hands::small_nolimit(), "100%");
  const Setting setting{*game.hands};
  const auto after = [&](const std::string& spec) {
    return game.hands->certify(*make_agent(spec, setting)->complete(), 1).exploitability;
  };
  const double early = after("continual(iterations=30)");
  EXPECT_LT(after("continual(iterations=1000)"), early / 5);
  EXPECT_GT(after("continual(iterations=1000,method=unsafe)"), early);
  const double coarse = after("continual(depth=1,iterations=20)");
  EXPECT_LT(after("continual(depth=1,iterations=300)"), coarse / 3);
  EXPECT_GT(after("continual(depth=1,iterations=300,leaves=zero)"), coarse);
}

TEST(HandsContinual, LooksToTheEndOfTheStreet) {
  const Twins game(hands::all_in_streets(), "100%,a");
  const Setting setting{*game.hands};
  size_t asked = 0;
  ContinualOptions options;
  options.depth = 1;
  options.iterations = 4;
  options.method = decompose::make_method("resolve");
  options.leaves = [&](const decompose::LeafSetting& leaf) {
    EXPECT_GT(leaf.trunk->num_leaves(), 0U);
    EXPECT_EQ(leaf.trunk->below(0, 0).piece->num_leaves(), 0U);
    return std::make_unique<decompose::FunctionLeaves>(
        [&](std::span<decompose::LeafState> leaves, decompose::Players) {
          asked += leaves.size();
          for (auto& state : leaves) {
            for (auto& own : state.values) std::ranges::fill(own, 0.0);
          }
        });
  };
  ContinualAgent agent(setting, options);
  agent.complete();
  EXPECT_GT(agent.num_solves(), 100);
  EXPECT_GT(asked, 1000U);
}

TEST(HandsSteps, AreRemadeFromTheirKeys) {
  const Twins game(hands::all_in_streets(), "100%,a");
  for (const int depth : {0, 1}) {
    auto piece = game.hands->steps(1, depth);
    for (size_t leaf : {size_t{1}, size_t{0}}) {
      piece = piece->below(std::min(leaf, piece->num_leaves() - 1), 0).piece;
    }
    std::vector<std::shared_ptr<const decompose::Piece>> pieces = {piece, piece->ahead()};
    if (pieces[1]->num_leaves() > 0) pieces.push_back(pieces[1]->below(0, 0).piece);
    EXPECT_EQ(pieces.size(), depth > 0 ? 3U : 2U);
    for (const auto& made : pieces) {
      const auto again = hands::HandsPiece::remake(made->key());
      EXPECT_EQ(again->key(), made->key());
      EXPECT_EQ(again->num_leaves(), made->num_leaves());
      EXPECT_EQ(again->engine()->num_decisions(), made->engine()->num_decisions());
    }
  }
  EXPECT_THROW(hands::parse_stops("stops:2:end"), core::InputError);
}

}  // namespace
}  // namespace cleave::search
