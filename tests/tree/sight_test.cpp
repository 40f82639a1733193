#include "tree/sight.h"

#include <gmock/gmock.h>

#include "games/chip_counter.h"
#include "games/registry.h"
#include "tree/strategy.h"

namespace cleave::tree {
namespace {

using By = SeenStep::By;
using testing::ElementsAre;

struct Seen {
  explicit Seen(const std::string& name)
      : game(games::make_game(name)), tree(compile(*game)), members(tree) {}

  uint32_t find(const std::vector<std::string>& line) const {
    for (uint32_t h = 0; h < tree.num_histories(); ++h) {
      if (line_to(*game, tree, h) == line) return h;
    }
    ADD_FAILURE();
    return 0;
  }
  std::vector<By> sight(uint32_t history) const {
    std::vector<By> out;
    for (const SeenStep& step : make_sight(*game, tree, members, tree.infoset[history])) {
      out.push_back(step.seen);
    }
    return out;
  }
  std::vector<Actor> holders(uint32_t history) const {
    std::vector<Actor> out;
    for (const ShownStep& step : show_all(*game, tree, members, history)) {
      out.push_back(step.holder);
    }
    return out;
  }

  std::unique_ptr<games::Game> game;
  Tree tree;
  Members members;
};

TEST(Lines, PathsMembersAndPayoffs) {
  const Seen kuhn("kuhn");
  const uint32_t end = kuhn.find({"K", "Q", "bet", "call"});
  const auto path = path_to(kuhn.tree, end);
  ASSERT_EQ(path.size(), 5U);
  EXPECT_EQ(path.front(), 0U);
  EXPECT_EQ(path.back(), end);
  EXPECT_EQ(payoffs_at(*kuhn.game, kuhn.tree, end), (std::array{2.0, -2.0}));
  size_t all = 0;
  for (uint32_t set = 0; set < kuhn.tree.num_infosets(); ++set) {
    EXPECT_EQ(kuhn.members[set].size(), kuhn.tree.infoset_size[set]);
    EXPECT_TRUE(std::ranges::is_sorted(kuhn.members[set]));
    for (const uint32_t h : kuhn.members[set]) EXPECT_EQ(kuhn.tree.infoset[h], set);
    all += kuhn.members[set].size();
  }
  EXPECT_EQ(all, 24U);  // decisions of Kuhn's game
}

TEST(Sight, OwnCardBoardAndActions) {
  const Seen kuhn("kuhn");
  EXPECT_THAT(kuhn.sight(kuhn.find({"K", "Q"})), ElementsAre(By::kMe, By::kNobody));
  EXPECT_THAT(kuhn.sight(kuhn.find({"K", "Q", "bet"})),
              ElementsAre(By::kNobody, By::kMe, By::kAll));
  const Seen leduc("leduc");
  const auto line = line_to(*leduc.game, leduc.tree, [&] {
    for (uint32_t h = 0;; ++h) {  // the first decision of the second round
      const auto path = path_to(leduc.tree, h);
      if (path.size() == 6 && leduc.tree.actor[h] == 0 && leduc.tree.actor[path[4]] == kChance) {
        return h;
      }
    }
  }());
  EXPECT_THAT(leduc.sight(leduc.find(line)),
              ElementsAre(By::kMe, By::kNobody, By::kAll, By::kAll, By::kAll));
}

TEST(Sight, AtTheEndEveryCardHasItsHolder) {
  const Seen kuhn("kuhn");
  const auto end = kuhn.find({"K", "Q", "bet", "call"});
  EXPECT_THAT(kuhn.holders(end), ElementsAre(0, 1, kChance, kChance));
  EXPECT_EQ(last_set(kuhn.tree, end, 0), kuhn.tree.infoset[kuhn.find({"K", "Q"})]);
  EXPECT_EQ(last_set(kuhn.tree, kuhn.find({"K", "Q"}), 1), kNone);
}

TEST(ChipCounter, CountsWhatIsPutIn) {
  const Seen kuhn("kuhn");
  const games::ChipCounter chips(*kuhn.game);
  EXPECT_TRUE(chips.known());
  EXPECT_EQ(chips.put({kChance, kChance, 0, 1}, {"K", "Q", "bet", "fold"}), (std::array{2.0, 1.0}));
  EXPECT_EQ(chips.put({kChance, kChance, 0, 1}, {"K", "Q", "bet", "call"}), (std::array{2.0, 2.0}));
  EXPECT_FALSE(games::ChipCounter(*games::make_game("rps")).known());
}

TEST(Strategies, StepsAndChanges) {
  const Seen kuhn("kuhn");
  const Strategy before = uniform_strategy(kuhn.tree);
  Strategy after = before;
  const uint32_t h = kuhn.find({"K", "Q", "bet"});
  const uint32_t sets[] = {kuhn.tree.infoset[kuhn.tree.parent[h]], kuhn.tree.infoset[h]};
  after[kuhn.tree.slot_begin[sets[0]]] = 0.25;
  after[kuhn.tree.slot_begin[sets[0]] + 1] = 0.75;
  after[kuhn.tree.slot_begin[sets[1]]] = 0;
  after[kuhn.tree.slot_begin[sets[1]] + 1] = 1;
  EXPECT_EQ(probability_of_step(kuhn.tree, after, h), 0.75);
  EXPECT_DOUBLE_EQ(probability_of_step(kuhn.tree, after, kuhn.find({"K", "Q"})), 0.5);
  EXPECT_THAT(changed_sets(kuhn.tree, before, after, 0.1),
              ElementsAre(std::pair(0.5, sets[1]), std::pair(0.25, sets[0])));
  EXPECT_THAT(changed_sets(kuhn.tree, before, after, 0.3), ElementsAre(std::pair(0.5, sets[1])));
}

TEST(Compile, RefusesMoreHistoriesThanAllowed) {
  const auto game = games::make_game("kuhn");
  const size_t all = compile(*game).num_histories();
  EXPECT_EQ(compile(*game, {.max_histories = all}).num_histories(), all);
  EXPECT_THROW(compile(*game, {.max_histories = all - 1}), TooManyHistories);
}

}  // namespace
}  // namespace cleave::tree
