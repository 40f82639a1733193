#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "decompose/resolver.h"
#include "histories/tree_engine.h"
#include "properties/worst.h"
#include "random_case.h"

// Burch et al., theorem 2, on random games and random cuts: with regret matching in the trunk and
// subgames solved to within epsilon_S at every state of their roots, player p's regret after T
// iterations is at most Delta * |trunk sets| * sqrt(A * T) + T * N_S * epsilon_S. CFR-D is played
// out by hand, and regrets are taken from the strategies that were really played.
namespace cleave::histories {
namespace {

constexpr int kIterations = 20;

struct Bound {
  double payoffs = 0;  // Delta
  double actions = 0;  // A
  std::array<double, 2> trunk_sets = {};
  std::array<double, 2> root_states = {};

  explicit Bound(const Case& c) {
    const tree::Tree& tree = c.problem.tree;
    const auto [low, high] = std::ranges::minmax(tree.payoff);
    payoffs = high - low;
    for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
      actions = std::max<double>(actions, tree.num_actions(set));
      if (c.game->cut.subgame[tree.first_history[set]] == tree::kNone) {
        trunk_sets[static_cast<size_t>(tree.player(set))] += 1;
      }
    }
    for (const TreePiece& piece : c.game->subgames) {
      for (size_t p = 0; p < 2; ++p) {
        root_states[p] += static_cast<double>(piece.root.states[p].size());
      }
    }
  }
  double at(size_t p, double epsilon) const {
    return payoffs * trunk_sets[p] * std::sqrt(actions * kIterations) +
           kIterations * root_states[p] * epsilon;
  }
};

class Play {
 public:
  Play(const Case& c, int subgame_iterations)
      : c_(c), subgame_iterations_(subgame_iterations), trunk_(c.game->trunk), total_(c.problem) {
    for (size_t p = 0; p < 2; ++p) std::ranges::fill(total_.plan[p], 0.0);
  }

  void iterate() {
    const std::vector<double> one = {1};
    tree::Strategy strategy = tree::uniform_strategy(c_.problem.tree);
    for (size_t p = 0; p < 2; ++p) {
      trunk_.descend(p, one, 0);  // the average is the newest strategy
      trunk_.copy_strategy(p, strategy);
    }
    for (size_t leaf = 0; leaf < c_.game->subgames.size(); ++leaf) solve(leaf, strategy);
    solve::Workspace work(c_.problem);
    for (size_t p = 0; p < 2; ++p) {
      tree::plan_from_strategy(c_.problem.tree, c_.problem.form.player[p], strategy, work.plan[p]);
      for (size_t i = 0; i < work.plan[p].size(); ++i) total_.plan[p][i] += work.plan[p][i];
    }
    value_ += solve::expected_value(c_.problem, work.plan[0], work.plan[1], work);
    std::vector<double> root(1);
    for (size_t p = 0; p < 2; ++p) trunk_.learn(p, {}, root);
  }

  double regret(size_t player) {
    const double best = solve::best_response_values(c_.problem, player, total_.plan[1 - player],
                                                    total_, total_.q[player]);
    return best - (player == 0 ? value_ : -value_);
  }
  double epsilon() const { return epsilon_; }

 private:
  void solve(size_t leaf, tree::Strategy& strategy) {
    TreeEngine engine(c_.game->subgames[leaf]);
    decompose::Vectors reach, values, best;
    for (size_t p = 0; p < 2; ++p) {
      reach[p].resize(trunk_.num_leaf_states(leaf, p));
      values[p] = best[p] = reach[p];
      trunk_.leaf_reach(leaf, p, reach[p]);
    }
    for (int t = 0; t < subgame_iterations_; ++t) decompose::iterate_fixed(engine, reach, {});
    engine.evaluate(reach, values);
    for (size_t p = 0; p < 2; ++p) {
      engine.best_response(p, reach[1 - p], best[p]);
      for (size_t s = 0; s < best[p].size(); ++s) {
        epsilon_ = std::max(epsilon_, best[p][s] - values[p][s]);
      }
      trunk_.set_leaf_values(leaf, p, values[p]);
      engine.copy_strategy(p, strategy);
    }
  }

  const Case& c_;
  int subgame_iterations_;
  TreeEngine trunk_;
  solve::Workspace total_;
  double value_ = 0;
  double epsilon_ = 0;
};

void check_theorem_2(int first, int end) {
  Worst worst("Burch theorem 2, regret as a share of its bound");
  for (int i = first; i < end; ++i) {
    const Case c(i);
    if (!c.game || c.game->cut.roots[0][0] == 0) continue;
    const Bound bound(c);
    for (const int subgame_iterations : {1, 20}) {
      Play play(c, subgame_iterations);
      for (int t = 0; t < kIterations; ++t) play.iterate();
      for (size_t p = 0; p < 2; ++p) {
        const double allowed = bound.at(p, play.epsilon());
        const double regret = play.regret(p);
        ASSERT_LE(regret, allowed + 1e-9) << c.name << " case " << i;
        // Where a bound is of rounding's size nothing can be regretted.
        const bool telling = regret > kTelling;
        worst.see(telling ? regret / allowed : 0, c.name, telling);
      }
    }
  }
  worst.expect_cases(end - first, 3.5, 2.5);
}

TEST(CfrDBound, BurchTheorem2) { check_theorem_2(0, 100); }
TEST(FullCfrDBound, BurchTheorem2) { check_theorem_2(100, 2100); }

}  // namespace
}  // namespace cleave::histories
