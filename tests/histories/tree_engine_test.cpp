#include "histories/tree_engine.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "cut_game.h"
#include "decompose/resolver.h"
#include "histories/gadget_game.h"
#include "random_case.h"
#include "solve/solver.h"

namespace cleave::histories {
namespace {

// Counterfactual values at the roots of a subgame by walking the whole game's histories.
decompose::Vectors plain_values(const Case& c, size_t subgame) {
  const tree::Tree& tree = c.problem.tree;
  const size_t n = tree.num_histories();
  std::vector<std::array<double, 2>> own(n, {1.0, 1.0});
  std::vector<double> chance(n, 1.0), value(n, 0.0);
  const auto probability = [&](uint32_t h) {
    const uint32_t parent = tree.parent[h];
    return c.strategy[tree.slot_begin[tree.infoset[parent]] + tree.action(h)];
  };
  for (uint32_t h = 1; h < n; ++h) {
    own[h] = own[tree.parent[h]];
    chance[h] = chance[tree.parent[h]] * tree.probability[h];
    const tree::Actor actor = tree.actor[tree.parent[h]];
    if (actor < 2) own[h][actor] *= probability(h);
  }
  for (auto h = static_cast<uint32_t>(n); h-- > 1;) {
    if (tree.actor[h] == tree::kTerminal) value[h] = tree.payoff[tree.infoset[h]];
    const bool played = tree.actor[tree.parent[h]] < 2;
    value[tree.parent[h]] += value[h] * (played ? probability(h) : tree.probability[h]);
  }
  const Border& root = c.game->subgames[subgame].root;
  decompose::Vectors values = {std::vector<double>(root.states[0].size(), 0.0),
                               std::vector<double>(root.states[1].size(), 0.0)};
  for (size_t i = 0; i < root.histories.size(); ++i) {
    const uint32_t h = root.histories[i];
    values[0][root.state_of[0][i]] += chance[h] * own[h][1] * value[h];
    values[1][root.state_of[1][i]] -= chance[h] * own[h][0] * value[h];
  }
  return values;
}

TEST(TreeEngine, ValuesAtRootsEqualAPlainWalk) {
  for (int i = 0; i < 100; ++i) {
    const Case c(i);
    if (!c.game) continue;
    for (size_t s = 0; s < c.summaries.size(); ++s) {
      const decompose::Vectors plain = plain_values(c, s);
      for (size_t p = 0; p < 2; ++p) {
        for (size_t k = 0; k < plain[p].size(); ++k) {
          ASSERT_NEAR(c.summaries[s].value[p][k], plain[p][k], 1e-12) << c.name;
          ASSERT_GE(c.summaries[s].best_response[p][k], plain[p][k] - 1e-12) << c.name;
        }
      }
    }
  }
}

// The trunk with best-response values at its leaves has the whole game's best-response value.
TEST(TreeEngine, TrunkAndLeafValuesMakeTheWholeGame) {
  for (int i = 0; i < 100; ++i) {
    const Case c(i);
    if (!c.game || c.game->cut.roots[0][0] == 0) continue;
    TreeEngine trunk(c.game->trunk);
    trunk.set_strategy(c.strategy);
    const solve::Certificate whole = solve::certify(c.problem, c.strategy);
    for (size_t p = 0; p < 2; ++p) {
      for (size_t leaf = 0; leaf < c.summaries.size(); ++leaf) {
        trunk.set_leaf_values(leaf, p, c.summaries[leaf].best_response[p]);
      }
      std::vector<double> value(1);
      ASSERT_EQ(trunk.num_states(p), 1U);
      trunk.best_response(p, std::vector<double>{1.0}, value);
      ASSERT_NEAR(value[0], whole.best_response[p], 1e-10) << c.name;
    }
  }
}

// The loop over vectors and the same minimiser on the gadget's explicit game must agree.
TEST(Resolver, EqualsTheGadgetsGameSolvedAsAGame) {
  for (const char* name : {"unsafe", "resolve", "maxmargin", "reach-maxmargin", "combined"}) {
    const decompose::Method method = decompose::make_method(name);
    int compared = 0;
    for (int i = 0; i < 60; ++i) {
      const Case c(i);
      if (!c.game) continue;
      for (size_t hero = 0; hero < 2; ++hero) {
        const decompose::GadgetInput input =
            make_gadget_input(*c.game, c.strategy, c.summaries, 0, hero, method);
        const auto& reach = c.summaries[0].reach[hero];
        double mass = 0;
        for (size_t s = 0; s < input.trunk_reach.size(); ++s) {
          mass += input.trunk_reach[s] * input.counterfactual_reach[s];
        }
        // Folded into chance, a hero's reach of zero hides what the hero would do there.
        if (mass == 0 || std::ranges::count(reach, 0.0) > 0) continue;
        ++compared;
        const auto gadget = decompose::make_gadget(method, input);
        TreeEngine engine(c.game->subgames[0]);
        decompose::Resolver resolver(engine, *gadget, hero, reach, solve::make_schedule("cfr+"));
        const GadgetGame game =
            make_gadget_game(c.problem.tree, c.game->subgames[0], hero, reach, gadget->form());
        const auto solver = solve::make_solver("cfr+", game.problem);
        for (int t = 0; t < 30; ++t) {
          resolver.iterate();
          solver->iterate();
        }
        tree::Strategy by_resolver = c.strategy;
        engine.copy_strategy(hero, by_resolver);
        const tree::Strategy by_solver = solver->strategy();
        const tree::Tree& tree = game.problem.tree;
        for (uint32_t slot = tree.slot_begin[tree.infoset_begin[hero]];
             slot < tree.slot_begin[tree.infoset_begin[hero + 1]]; ++slot) {
          ASSERT_NEAR(by_resolver[game.source_slot[slot]], by_solver[slot], 1e-9)
              << name << " " << c.name;
        }
      }
    }
    EXPECT_GT(compared, 20) << name;
  }
}

TEST(Resolve, IterationsApproachTheExactSolution) {
  const Case c(3);
  ASSERT_TRUE(c.game);
  for (const std::string& name : decompose::all_methods()) {
    const decompose::Method method = decompose::make_method(name);
    if (!method.safe) continue;
    const tree::Strategy solved = resolve_all(
        *c.game, c.summaries, method, {.algorithm = "pcfr+", .iterations = 5000}, c.strategy);
    for (size_t p = 0; p < 2; ++p) {
      EXPECT_LE(c.best_response(solved, p), c.best_response(c.strategy, p) + 1e-3) << name;
    }
  }
}

TEST(Resolve, IsTheSameForAnyNumberOfThreads) {
  const Case c(3);
  const decompose::Method method = decompose::make_method("reach-maxmargin");
  const auto one = resolve_all(*c.game, c.summaries, method, {.iterations = 50}, c.strategy);
  const auto two =
      resolve_all(*c.game, c.summaries, method, {.iterations = 50, .threads = 2}, c.strategy);
  EXPECT_EQ(one, two);
}

// Elsewhere, from the key alone: the same bits.
TEST(TreePiece, IsMadeAgainFromItsKey) {
  const Case c(3);
  ASSERT_TRUE(c.game);
  const auto learnt = [](const TreePiece& piece) {
    TreeEngine engine(piece);
    const decompose::Vectors reach = decompose::full_reach(engine);
    for (int t = 1; t <= 5; ++t) {
      decompose::iterate_fixed(engine, reach, solve::make_schedule("cfr+")(t));
    }
    decompose::Vectors values;
    engine.evaluate(reach, values);
    return values;
  };
  ASSERT_FALSE(c.game->subgames.empty());
  for (const TreePiece* piece :
       {&c.game->trunk, &c.game->subgames.front(), &c.game->subgames.back()}) {
    const TreePiece again = remake_piece(c.problem.tree, piece->key());
    EXPECT_EQ(again.key(), piece->key());
    EXPECT_EQ(again.num_leaves(), piece->num_leaves());
    EXPECT_EQ(learnt(again), learnt(*piece));
  }
  const std::string key = c.game->trunk.key();
  for (const std::string& wrong :
       {std::string("hands f32"), "x" + key, key + ",999999999", key + "x"}) {
    EXPECT_THROW(remake_piece(c.problem.tree, wrong), core::InputError) << wrong;
  }
}

// Of subgames that were not solved the profile's own values stand in; those that were count once.
TEST(Resolution, SomeSubgamesLeaveTheOthersAsTheyAre) {
  size_t num_cases = 0;
  for (int seed = 0; seed < 40 && num_cases < 5; ++seed) {
    const Case c(seed);
    if (!c.game || c.game->subgames.size() < 3) continue;
    ++num_cases;
    for (const size_t deals : {size_t{1}, size_t{2}, size_t{0}}) {
      decompose::Resolution::Options options;
      options.passes = {decompose::make_pass("maxmargin")};
      options.solving.iterations = 50;
      options.deals = deals;
      tree::Strategy recombined = c.strategy;
      options.take = [&](size_t hero, size_t, const decompose::Piece& piece,
                         decompose::Engine& engine) {
        copy_strategy(piece, engine, hero, recombined);
      };
      const decompose::Vectors ones = {std::vector<double>{1.0}, std::vector<double>{1.0}};
      decompose::Resolution resolution({std::shared_ptr<void>(), &c.game->trunk},
                                       std::make_shared<TreeProfile>(c.strategy), ones, options);
      resolution.run();
      EXPECT_NEAR(resolution.best_response(0, 0).value,
                  c.best_response(recombined, 0) - c.problem.tree.shift, 1e-5)
          << "seed " << seed << ", " << deals << " deals";
    }
  }
  EXPECT_EQ(num_cases, 5U);
}

}  // namespace
}  // namespace cleave::histories
