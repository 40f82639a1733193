#include <gtest/gtest.h>

#include <cmath>

#include "cut_game.h"
#include "histories/gadget_game.h"
#include "histories/tree_engine.h"
#include "properties/worst.h"
#include "random_case.h"
#include "solve/evaluate.h"
#include "solve/sequence_lp.h"
#include "solve/solver.h"

// The theorems of Burch et al. (2014) and Brown and Sandholm (2017) on random games, random cuts
// and random trunks, gadget games solved by linear program. 100 combinations in `make test`, 2,000
// in `make test-full`. Each test prints the worst case it has seen.
namespace cleave::histories {
namespace {

constexpr double kTolerance = 1e-7;

// [opponent's state]: best-response value in V units against the hero's strategy in the subgame.
std::vector<double> root_values(const Case& c, size_t subgame, size_t hero,
                                const tree::Strategy& strategy,
                                const decompose::GadgetInput& input) {
  TreeEngine engine(c.game->subgames[subgame]);
  engine.set_strategy(strategy);
  std::vector<double> values(input.trunk_reach.size());
  engine.best_response(1 - hero, c.summaries[subgame].reach[hero], values);
  for (size_t s = 0; s < values.size(); ++s) {
    values[s] = input.counterfactual_reach[s] > 0 ? values[s] / input.counterfactual_reach[s] : 0;
  }
  return values;
}

// Burch theorem 1 and the safety of every method that calls itself safe.
void check_safe_methods(int first, int end) {
  Worst raised("exploitability above the trunk's, safe methods"),
      root("best-response value at a root above the trunk's, resolve");
  for (int i = first; i < end; ++i) {
    const Case c(i);
    if (!c.game) continue;
    for (const std::string& name : decompose::all_methods()) {
      const decompose::Method method = decompose::make_method(name);
      if (!method.safe) continue;
      const tree::Strategy solved =
          resolve_all(*c.game, c.summaries, method, {.exact = true}, c.strategy);
      for (size_t hero = 0; hero < 2; ++hero) {
        const double excess =
            c.best_response(solved, 1 - hero) - c.best_response(c.strategy, 1 - hero);
        raised.see(excess, name + " " + c.name, std::abs(excess) > kTelling);
        ASSERT_LE(excess, kTolerance) << name << " in " << c.name << " case " << i;
        if (name != "resolve") continue;
        for (size_t s = 0; s < c.summaries.size(); ++s) {
          const decompose::GadgetInput input =
              make_gadget_input(*c.game, c.strategy, c.summaries, s, hero, method);
          const auto values = root_values(c, s, hero, solved, input);
          for (size_t k = 0; k < values.size(); ++k) {
            if (input.counterfactual_reach[k] <= 0) continue;
            const double above =
                (values[k] - input.alternatives.mean[k]) * input.counterfactual_reach[k];
            root.see(above, c.name, std::abs(above) > kTelling);
            ASSERT_LE(above, kTolerance) << c.name << " case " << i;
          }
        }
      }
    }
  }
  raised.expect_cases(end - first, 7, 1.5);
  root.expect_cases(end - first, 9, 1.4);
}

// Burch theorem 3: alternatives from the profile's own values, the re-solving game solved to
// epsilon_R only.
void check_burch_3(int first, int end) {
  Worst worst("Burch theorem 3, exploitability above its bound");
  const decompose::Method method = decompose::make_method("estimated");
  for (int i = first; i < end; ++i) {
    const Case c(i);
    if (!c.game) continue;
    for (size_t hero = 0; hero < 2; ++hero) {
      const size_t opp = 1 - hero;
      for (size_t s = 0; s < c.summaries.size(); ++s) {
        const decompose::Summary& summary = c.summaries[s];
        const decompose::GadgetInput input =
            make_gadget_input(*c.game, c.strategy, c.summaries, s, hero, method);
        double epsilon_s = 0;
        for (size_t k = 0; k < summary.value[opp].size(); ++k) {
          epsilon_s = std::max(epsilon_s, summary.best_response[opp][k] - summary.value[opp][k]);
        }
        const auto gadget = decompose::make_gadget(method, input);
        const GadgetGame gadget_game = make_gadget_game(c.problem.tree, c.game->subgames[s], hero,
                                                        summary.reach[hero], gadget->form());
        const auto solver = solve::make_solver("cfr+", gadget_game.problem);
        for (int t = 0; t < 20; ++t) solver->iterate();
        const tree::Strategy approximate = solver->strategy();
        const double value = solve::solve_lp(gadget_game.problem).value;
        const solve::Certificate certificate = solve::certify(gadget_game.problem, approximate);
        const double epsilon_r = certificate.best_response[opp] - (opp == 0 ? value : -value);
        tree::Strategy solved = c.strategy;
        const tree::Tree& tree = gadget_game.problem.tree;
        for (uint32_t slot = tree.slot_begin[tree.infoset_begin[hero]];
             slot < tree.slot_begin[tree.infoset_begin[hero + 1]]; ++slot) {
          solved[gadget_game.source_slot[slot]] = approximate[slot];
        }
        const double states = static_cast<double>(summary.value[opp].size());
        const double rise =
            c.best_response(solved, 1 - hero) - c.best_response(c.strategy, 1 - hero);
        const double excess = rise - (states - 1) * epsilon_s - epsilon_r;
        worst.see(excess, c.name, std::abs(rise) > kTelling);
        ASSERT_LE(excess, kTolerance) << c.name << " case " << i;
      }
    }
  }
  worst.expect_cases(end - first, 3.3, 1);
}

constexpr double kNoMargin = 1e300;  // the hero never comes here

// The smallest margin alt(I) - V(I) over the root's states.
double smallest_margin(const Case& c, size_t s, size_t hero, const tree::Strategy& solved,
                       const decompose::GadgetInput& input) {
  const auto values = root_values(c, s, hero, solved, input);
  double margin = kNoMargin;
  for (size_t k = 0; k < values.size(); ++k) {
    if (input.counterfactual_reach[k] <= 0) continue;
    margin = std::min(margin, input.alternatives.mean[k] - values[k]);
  }
  return margin;
}

// The largest rho(I) of a state that a best response of `player` against `strategy` comes to; 0: it
// does not come to this subgame.
double most_reached(const Case& c, size_t s, size_t player, const tree::Strategy& strategy,
                    const decompose::GadgetInput& input) {
  tree::Strategy response = strategy;
  solve::best_respond(c.problem, player, response);
  const decompose::Vectors reach = border_reach(c.problem.tree, c.game->subgames[s].root, response);
  const std::vector<double>& own = reach[player];
  double most = 0;
  for (size_t k = 0; k < own.size(); ++k) {
    if (own[k] > 0) most = std::max(most, input.counterfactual_reach[k]);
  }
  return most;
}

// Brown and Sandholm theorem 1: one subgame, gifts not split.
void check_theorem_1(int first, int end) {
  Worst worst("Brown & Sandholm theorem 1, exploitability above its bound");
  const decompose::Method method =
      decompose::make_method("reach-maxmargin(gifts=single,bound=false)");
  for (int i = first; i < end; ++i) {
    const Case c(i);
    if (!c.game) continue;
    for (size_t hero = 0; hero < 2; ++hero) {
      for (size_t s = 0; s < c.summaries.size(); ++s) {
        tree::Strategy solved = c.strategy;
        resolve_subgame(*c.game, c.summaries, s, hero, method, {.exact = true}, solved);
        const decompose::GadgetInput input =
            make_gadget_input(*c.game, c.strategy, c.summaries, s, hero, method);
        const double margin = smallest_margin(c, s, hero, solved, input);
        if (margin == kNoMargin) continue;
        ASSERT_GE(margin, -kTolerance) << c.name << " case " << i;
        const double promised = std::max(0.0, margin) * most_reached(c, s, 1 - hero, solved, input);
        const double excess =
            c.best_response(solved, 1 - hero) - c.best_response(c.strategy, 1 - hero) + promised;
        worst.see(excess, c.name, promised > kTelling);
        ASSERT_LE(excess, kTolerance) << c.name << " case " << i;
      }
    }
  }
  worst.expect_cases(end - first, 2.7, 0.55);
}

// Brown and Sandholm theorem 2: all subgames at once, gifts split and bounded; against the
// strategy that has the trunk's part in one of them.
void check_theorem_2(int first, int end) {
  Worst worst("Brown & Sandholm theorem 2, exploitability above its bound");
  const decompose::Method method = decompose::make_method("reach-maxmargin");
  for (int i = first; i < end; ++i) {
    const Case c(i);
    if (!c.game) continue;
    const tree::Strategy solved =
        resolve_all(*c.game, c.summaries, method, {.exact = true}, c.strategy);
    for (size_t hero = 0; hero < 2; ++hero) {
      for (size_t s = 0; s < c.summaries.size(); ++s) {
        const decompose::GadgetInput input =
            make_gadget_input(*c.game, c.strategy, c.summaries, s, hero, method);
        const double margin = smallest_margin(c, s, hero, solved, input);
        if (margin == kNoMargin) continue;
        tree::Strategy without = solved;
        for (const uint32_t slot : c.game->subgames[s].source_slot) {
          if (slot != tree::kNone) without[slot] = c.strategy[slot];
        }
        const double promised = std::max(0.0, margin) * most_reached(c, s, 1 - hero, solved, input);
        if (promised == 0) continue;
        const double excess =
            c.best_response(solved, 1 - hero) - c.best_response(without, 1 - hero) + promised;
        worst.see(excess, c.name, promised > kTelling);
        ASSERT_LE(excess, kTolerance) << c.name << " case " << i;
      }
    }
  }
  worst.expect_cases(end - first, 0.7, 0.6);
}

// The least exploitable strategy of the hero that keeps to the trunk outside the subgames.
tree::Strategy best_within_subgames(const Case& c, size_t hero) {
  tree::Recipe recipe;
  recipe.strategy = &c.strategy;
  recipe.treat = [&](uint32_t h) {
    return c.problem.tree.actor[h] == hero && c.game->cut.subgame[h] == tree::kNone
               ? tree::Treatment::kFix
               : tree::Treatment::kKeep;
  };
  tree::Derived derived = tree::derive(c.problem.tree, recipe);
  const solve::Problem problem = solve::make_problem(std::move(derived.tree));
  const tree::Strategy solution = solve::solve_lp(problem).strategy;
  tree::Strategy best = c.strategy;
  const tree::Tree& tree = problem.tree;
  for (uint32_t slot = tree.slot_begin[tree.infoset_begin[hero]];
       slot < tree.slot_begin[tree.infoset_begin[hero + 1]]; ++slot) {
    best[derived.source_slot[slot]] = solution[slot];
  }
  return best;
}

// Brown and Sandholm theorem 3 in the form its proof gives: estimates that are off by delta(I)
// cost at most the sum over root states of rho(I) * |delta(I)|. Where the opponent's own moves
// are public those rho sum to at most one, which is the theorem's d.
void check_theorem_3(int first, int end) {
  Worst worst("Brown & Sandholm theorem 3, exploitability above its bound");
  const decompose::Method method = decompose::make_method("resolve");
  for (int i = first; i < end; ++i) {
    Case c(i);
    if (!c.game) continue;
    for (size_t hero = 0; hero < 2; ++hero) {
      const size_t opp = 1 - hero;
      const tree::Strategy best = best_within_subgames(c, hero);
      std::vector<decompose::Summary> estimates = summarise(*c.game, best);
      double allowance = 0;
      for (size_t s = 0; s < estimates.size(); ++s) {
        const decompose::GadgetInput input =
            make_gadget_input(*c.game, c.strategy, c.summaries, s, hero, method);
        for (size_t k = 0; k < input.trunk_reach.size(); ++k) {
          const double error = (c.random.uniform() - 0.5) * input.counterfactual_reach[k];
          estimates[s].best_response[opp][k] += error;
          allowance += std::abs(error);
        }
      }
      tree::Strategy solved = c.strategy;
      for (size_t s = 0; s < estimates.size(); ++s) {
        resolve_subgame(*c.game, estimates, s, hero, method, {.exact = true}, solved);
      }
      const double rise = c.best_response(solved, 1 - hero) - c.best_response(best, 1 - hero);
      worst.see(rise - allowance, c.name, std::abs(rise) > kTelling);
      ASSERT_LE(rise - allowance, kTolerance) << c.name << " case " << i;
    }
  }
  worst.expect_cases(end - first, 1.8, 0.55);
}

TEST(SubgameSolving, SafeMethodsNeverRaiseExploitability) { check_safe_methods(0, 100); }
TEST(SubgameSolving, BurchTheorem3) { check_burch_3(0, 100); }
TEST(SubgameSolving, BrownSandholmTheorem1) { check_theorem_1(0, 100); }
TEST(SubgameSolving, BrownSandholmTheorem2) { check_theorem_2(0, 100); }
TEST(SubgameSolving, BrownSandholmTheorem3) { check_theorem_3(0, 100); }
TEST(FullSubgameSolving, SafeMethodsNeverRaiseExploitability) { check_safe_methods(100, 2100); }
TEST(FullSubgameSolving, BurchTheorem3) { check_burch_3(100, 2100); }
TEST(FullSubgameSolving, BrownSandholmTheorem1) { check_theorem_1(100, 2100); }
TEST(FullSubgameSolving, BrownSandholmTheorem2) { check_theorem_2(100, 2100); }
TEST(FullSubgameSolving, BrownSandholmTheorem3) { check_theorem_3(100, 2100); }

}  // namespace
}  // namespace cleave::histories
