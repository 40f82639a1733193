#include "tree/sequence_form.h"

#include <gtest/gtest.h>

#include "games/registry.h"
#include "random_strategy.h"
#include "reference.h"
#include "solve/evaluate.h"

namespace cleave::tree {
namespace {

class SequenceFormTest : public testing::TestWithParam<const char*> {
 protected:
  solve::Problem problem_ = solve::make_problem(*games::make_game(GetParam()));
};

TEST_P(SequenceFormTest, EverySlotHasItsOwnSequence) {
  for (const Treeplex& plex : problem_.form.player) {
    std::vector<int> used(plex.num_sequences, 0);
    for (const uint32_t s : plex.sequence_of_slot) {
      ASSERT_LT(s, plex.num_sequences);
      ++used[s];
    }
    EXPECT_LE(*std::max_element(used.begin(), used.end()), 1);
    for (const Group& group : plex.groups) {
      EXPECT_EQ(group.width % kernels::kLanes, 0U);
      EXPECT_LE(group.width, kGroupWidth);
      for (uint32_t m = 0; m < group.width; ++m) {
        EXPECT_LT(plex.parent[group.first_position + m], group.first_sequence);
      }
    }
  }
}

// Plans that reach little take another way to the same bits.
TEST_P(SequenceFormTest, ProductsWithWhatIsReachedAreTheSame) {
  size_t taken = 0;
  for (const uint64_t one_in : {1, 5, 50}) {
    core::Random random(one_in);
    for (size_t p = 0; p < 2; ++p) {
      const PayoffMatrix& payoff = problem_.form.payoff[p];
      core::Reals plan(problem_.form.player[1 - p].num_sequences);
      for (double& x : plan) x = random.below(one_in) == 0 ? random.uniform() : 0;
      core::Reals expected(problem_.form.player[p].num_sequences);
      core::Reals out(expected.size(), -1.0);
      payoff.multiply(plan.data(), expected.data());
      if (payoff.multiply_reached(problem_.form.payoff[1 - p], plan.data(), out.data())) {
        ++taken;
        EXPECT_EQ(out, expected);
      }
      problem_.form.multiply(p, plan.data(), out.data(), 2);
      EXPECT_EQ(out, expected);
    }
  }
  if (problem_.tree.name.starts_with("random(depth=6")) {
    EXPECT_GT(taken, 0U);
  }
}

// The matrix product with a plan equals sums over terminals.
TEST_P(SequenceFormTest, ProductsEqualSumsOverTerminals) {
  const Tree& tree = problem_.tree;
  const Strategy strategy = random_strategy(tree, 5);
  const auto chance = reference::reach(tree, strategy, kChance);
  for (size_t p = 0; p < 2; ++p) {
    const Treeplex& own = problem_.form.player[p];
    const Treeplex& other = problem_.form.player[1 - p];
    core::Reals plan(other.num_sequences);
    plan_from_strategy(tree, other, strategy, plan);
    core::Reals out(own.num_sequences);
    problem_.form.payoff[p].multiply(plan.data(), out.data());
    const auto reach = reference::reach(tree, strategy, static_cast<Actor>(1 - p));
    std::vector<double> expected(own.num_sequences, 0.0);
    for (uint32_t h = 0; h < tree.num_histories(); ++h) {
      if (tree.actor[h] != kTerminal) continue;
      expected[own.sequence(tree.sequence[p][h])] +=
          (p == 0 ? 1 : -1) * chance[h] * reach[h] * tree.payoff[tree.infoset[h]];
    }
    for (uint32_t s = 0; s < own.num_sequences; ++s) ASSERT_NEAR(out[s], expected[s], 1e-12);
    core::Reals threaded(own.num_sequences);
    problem_.form.payoff[p].multiply(plan.data(), threaded.data(), 3);
    EXPECT_EQ(out, threaded);
  }
}

TEST_P(SequenceFormTest, PlansAndStrategiesAreInverse) {
  const Tree& tree = problem_.tree;
  const Strategy strategy = random_strategy(tree, 6);
  Strategy back = strategy;
  for (size_t p = 0; p < 2; ++p) {
    core::Reals plan(problem_.form.player[p].num_sequences);
    plan_from_strategy(tree, problem_.form.player[p], strategy, plan);
    for (double& x : plan) x *= 3;
    strategy_from_plan(tree, problem_.form.player[p], plan, back);
  }
  for (size_t s = 0; s < strategy.size(); ++s) ASSERT_NEAR(back[s], strategy[s], 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Games, SequenceFormTest,
                         testing::Values("kuhn", "leduc", "coin_toss", "rps", "goofspiel", "nim",
                                         "random(depth=6,branching=4,seed=2)",
                                         "leduc(ranks=4,suits=3,distinct=false)"));

}  // namespace
}  // namespace cleave::tree
