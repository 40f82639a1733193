#include <gtest/gtest.h>

#include <cmath>

#include "games/registry.h"
#include "random_games.h"
#include "random_strategy.h"
#include "reference.h"
#include "solve/evaluate.h"

namespace cleave::solve {
namespace {

// Counterfactual values by the book: sums over the set's histories, others' reach divided out.
TEST(Worth, SetValuesByTheBook) {
  size_t unreached = 0;
  for (const std::string& name : {std::string("leduc"), random_game_name(2)}) {
    const Problem problem = make_problem(*games::make_game(name));
    const tree::Tree& tree = problem.tree;
    const auto strategy = random_strategy(tree, 11);
    const Worth worth = find_worth(problem, strategy);
    const auto values = reference::values(tree, strategy);
    const auto chance = reference::reach(tree, strategy, tree::kChance);
    const std::array<std::vector<double>, 2> reach = {reference::reach(tree, strategy, 0),
                                                      reference::reach(tree, strategy, 1)};
    for (uint32_t h = 0; h < tree.num_histories(); ++h) {
      EXPECT_NEAR(worth.value[h], values[h] + tree.shift, 1e-12);
      EXPECT_NEAR(worth.reach[h], chance[h] * reach[0][h] * reach[1][h], 1e-12);
    }
    for (uint32_t set = 0; set < tree.num_infosets(); set += 7) {
      const auto player = static_cast<size_t>(tree.player(set));
      const double sign = player == 0 ? 1 : -1;
      double others = 0;
      double value = 0;
      std::vector<double> actions(tree.num_actions(set), 0);
      for (uint32_t h = 0; h < tree.num_histories(); ++h) {
        if (tree.actor[h] != player || tree.infoset[h] != set) continue;
        const double weight = chance[h] * reach[1 - player][h];
        others += weight;
        value += weight * sign * values[h];
        for (uint32_t a = 0; a < actions.size(); ++a) {
          actions[a] += weight * sign * values[tree.child_begin[h] + a];
        }
      }
      EXPECT_DOUBLE_EQ(worth.own_reach[set], reach[player][tree.first_history[set]]);
      EXPECT_EQ(std::isnan(worth.set_value[set]), others == 0);
      EXPECT_EQ(std::isnan(worth.best[set]), others == 0);
      unreached += others == 0 ? 1 : 0;
      if (others == 0) continue;
      EXPECT_NEAR(worth.set_value[set], value / others + tree.shift, 1e-10);
      for (uint32_t a = 0; a < actions.size(); ++a) {
        EXPECT_NEAR(worth.action_value[tree.slot_begin[set] + a], actions[a] / others + tree.shift,
                    1e-10);
      }
      EXPECT_GE(worth.best[set], worth.set_value[set] - 1e-10);
    }
  }
  EXPECT_GT(unreached, 0U);
}

// At the first decision of a player nothing but chance came before: the mean of the best responses
// over these sets is the certificate's.
TEST(Worth, BestResponsesAreTheCertificates) {
  const Problem problem = make_problem(*games::make_game("kuhn"));
  const tree::Tree& tree = problem.tree;
  const auto strategy = random_strategy(tree, 5);
  const Worth worth = find_worth(problem, strategy);
  double mean = 0;
  size_t first = 0;
  for (uint32_t set = 0; set < tree.infoset_begin[1]; ++set) {
    if (tree.sequence[0][tree.first_history[set]] != tree::kNone) continue;
    mean += worth.best[set] / 3;  // cards are equally likely
    ++first;
  }
  EXPECT_EQ(first, 3U);
  EXPECT_NEAR(mean, certify(problem, strategy).best_response[0], 1e-12);
}

TEST(Worth, WithoutAProblemBestResponsesAreUnknown) {
  const Problem problem = make_problem(*games::make_game("kuhn"));
  const auto strategy = random_strategy(problem.tree, 5);
  const Worth with = find_worth(problem, strategy);
  const Worth without = find_worth(problem.tree, strategy);
  EXPECT_EQ(without.value, with.value);
  EXPECT_EQ(without.reach, with.reach);
  for (const double best : without.best) EXPECT_TRUE(std::isnan(best));
}

}  // namespace
}  // namespace cleave::solve
