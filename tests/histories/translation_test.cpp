#include "histories/translation.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/error.h"
#include "decompose/translation.h"
#include "games/registry.h"
#include "random_strategy.h"
#include "solve/evaluate.h"

namespace cleave::histories {
namespace {

using testing::HasSubstr;
using tree::Tree;

TEST(Translation, PseudoHarmonicMapping) {
  EXPECT_NEAR(decompose::pseudo_harmonic(0.5, 0.75, 1), 3.0 / 7, 1e-15);
  EXPECT_EQ(decompose::pseudo_harmonic(0.5, 0.5, 1), 1);
  EXPECT_EQ(decompose::pseudo_harmonic(0.5, 1, 1), 0);
  EXPECT_EQ(decompose::pseudo_harmonic(0.5, 0.2, 1), 1);
  EXPECT_EQ(decompose::pseudo_harmonic(0.5, 7, 1), 0);
  // It is even where x = (A + B + 2AB) / (A + B + 2).
  const double a = 0.3, b = 2.5;
  EXPECT_NEAR(decompose::pseudo_harmonic(a, (a + b + 2 * a * b) / (a + b + 2), b), 0.5, 1e-15);
}

uint32_t walk(const games::Game& game, const Tree& tree, std::vector<std::string> labels) {
  std::vector<std::byte> state(game.state_bytes()), next(game.state_bytes());
  game.root(state.data());
  uint32_t h = 0;
  for (const std::string& label : labels) {
    int a = 0;
    while (game.action_label(state.data(), a) != label) ++a;
    h = tree.child_begin[h] + static_cast<uint32_t>(a);
    game.child(state.data(), a, next.data());
    state.swap(next);
  }
  return h;
}

TEST(Translation, SizesOfLeducBetsInPots) {
  const auto game = games::make_game("leduc(ante=2,bets=2:3/4:6,max_raises=1)");
  const Tree tree = tree::compile(*game);
  const auto sizes = bet_sizes(*game, tree);
  EXPECT_NEAR(sizes[walk(*game, tree, {"Js", "Qs", "bet3"})], 3.0 / 4, 1e-15);
  // Called, the bet makes a pot of 2 * (2 + 2).
  EXPECT_NEAR(sizes[walk(*game, tree, {"Js", "Qs", "bet2", "raise3"})], 3.0 / 8, 1e-15);
  EXPECT_NEAR(sizes[walk(*game, tree, {"Js", "Qs", "bet2", "raise3", "call", "Ks", "bet6"})],
              6.0 / 14, 1e-15);
  EXPECT_TRUE(std::isnan(sizes[walk(*game, tree, {"Js", "Qs", "check"})]));
  EXPECT_TRUE(std::isnan(sizes[walk(*game, tree, {"Js", "Qs"})]));
}

// Drawing and sticking to it, played out: a pair of the history that happens and the one that the
// player takes it for. Shares nothing with the mixture of behaviours but the mapping's formula.
class PlayedOut {
 public:
  PlayedOut(const Tree& tree, const tree::Labels& labels, const ActionAbstraction& abstraction,
            const std::vector<double>& sizes, size_t hero, const tree::Strategy& abstract,
            const tree::Strategy& other)
      : tree_(tree),
        labels_(labels),
        abstraction_(abstraction),
        sizes_(sizes),
        hero_(hero),
        abstract_(abstract),
        other_(other) {}

  double value(uint32_t h, uint32_t taken) const {
    if (tree_.actor[h] == tree::kTerminal) return tree_.payoff[tree_.infoset[h]];
    double sum = 0;
    for (uint32_t c = tree_.child_begin[h]; c < tree_.child_begin[h + 1]; ++c) {
      if (tree_.actor[h] == tree::kChance) {
        sum += tree_.probability[c] * value(c, tree_.child_begin[taken] + tree_.action(c));
      } else if (tree_.actor[h] == hero_) {
        const uint32_t g = same_label(c, taken);
        const double p = abstraction_.kept[g] ? abstract_[slot(g)] : 0;
        if (p > 0) sum += p * value(c, g);
      } else {
        sum += other_[slot(c)] * answered(h, c, taken);
      }
    }
    return sum;
  }

 private:
  uint32_t slot(uint32_t c) const {
    return tree_.slot_begin[tree_.infoset[tree_.parent[c]]] + tree_.action(c);
  }
  uint32_t same_label(uint32_t c, uint32_t taken) const {
    uint32_t g = tree_.child_begin[taken];
    while (labels_.action[slot(g)] != labels_.action[slot(c)]) ++g;
    return g;
  }
  double answered(uint32_t h, uint32_t c, uint32_t taken) const {
    if (abstraction_.kept[c]) return value(c, same_label(c, taken));
    std::map<double, uint32_t> bets;
    for (uint32_t s = tree_.child_begin[h]; s < tree_.child_begin[h + 1]; ++s) {
      if (abstraction_.kept[s] && !std::isnan(sizes_[s])) bets[sizes_[s]] = s;
    }
    const auto high = bets.upper_bound(sizes_[c]);
    if (high == bets.begin()) return value(c, same_label(high->second, taken));
    const auto low = std::prev(high);
    if (high == bets.end()) return value(c, same_label(low->second, taken));
    const double p = decompose::pseudo_harmonic(low->first, sizes_[c], high->first);
    return p * value(c, same_label(low->second, taken)) +
           (1 - p) * value(c, same_label(high->second, taken));
  }

  const Tree& tree_;
  const tree::Labels& labels_;
  const ActionAbstraction& abstraction_;
  const std::vector<double>& sizes_;
  size_t hero_;
  const tree::Strategy& abstract_;
  const tree::Strategy& other_;
};

void compare_with_played_out(const std::string& name, const std::string& dropped) {
  const auto game = games::make_game(name);
  const solve::Problem large = solve::make_problem(*game);
  const Tree& tree = large.tree;
  const auto abstraction = drop_actions(*game, tree, dropped);
  const SmallGame small = make_small_game(tree, abstraction);
  const auto sizes = bet_sizes(*game, tree);
  const auto labels = tree::make_labels(*game, tree);
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const auto abstract =
        expand_strategy(tree, abstraction, small, random_strategy(small.problem.tree, seed));
    const auto translated = translate(
        *game, tree, abstraction, [&](uint32_t h) { return sizes[h]; }, abstract);
    for (size_t hero = 0; hero < 2; ++hero) {
      tree::Strategy profile = random_strategy(tree, seed + 100);
      const PlayedOut reference(tree, labels, abstraction, sizes, hero, abstract, profile);
      const double expected = reference.value(0, 0) + tree.shift;
      for (uint32_t s = tree.slot_begin[tree.infoset_begin[hero]];
           s < tree.slot_begin[tree.infoset_begin[hero + 1]]; ++s) {
        profile[s] = translated[s];
      }
      EXPECT_NEAR(solve::certify(large, profile).value, expected, 1e-12) << name;
    }
  }
}

TEST(Translation, EqualsDrawingAndStickingToIt) {
  compare_with_played_out("leduc(ranks=2,distinct=false,bets=2:3:4,max_raises=1)", "bet3,raise3");
  // Two between kept ones, and beyond both ends.
  compare_with_played_out("leduc(ranks=2,distinct=false,bets=1:2:3:5,max_raises=1)",
                          "bet2,bet3,raise1,raise5");
  compare_with_played_out("leduc(suits=1,bets=1:2:4/2:3,max_raises=1)", "bet1,bet3,raise2");
}

TEST(Translation, NothingDroppedChangesNothing) {
  const auto game = games::make_game("leduc(ranks=2,bets=2:3)");
  const Tree tree = tree::compile(*game);
  const auto all = keep_slots(tree, std::vector<bool>(tree.num_slots(), true), "everything");
  const auto sizes = bet_sizes(*game, tree);
  const auto strategy = random_strategy(tree, 3);
  EXPECT_EQ(translate(
                *game, tree, all, [&](uint32_t h) { return sizes[h]; }, strategy),
            strategy);
}

TEST(Translation, MovesThatNobodySeesNeedNone) {
  const auto game = games::make_game("random(depth=3,branching=3,observations=1,seed=4)");
  const Tree tree = tree::compile(*game);
  const auto abstraction = drop_actions(*game, tree, "b");
  const SmallGame small = make_small_game(tree, abstraction);
  const auto abstract =
      expand_strategy(tree, abstraction, small, random_strategy(small.problem.tree, 2));
  const auto translated = translate(
      *game, tree, abstraction, [&](uint32_t h) { return tree.action(h) + 1.0; }, abstract);
  for (const uint32_t slot : small.source_slot) EXPECT_EQ(translated[slot], abstract[slot]);
}

std::string error_of(const std::string& name, const std::string& dropped) {
  const auto game = games::make_game(name);
  const Tree tree = tree::compile(*game);
  try {
    const auto abstraction = drop_actions(*game, tree, dropped);
    const auto sizes = name.starts_with("leduc") ? bet_sizes(*game, tree)
                                                 : std::vector<double>(tree.num_histories(), 1.0);
    translate(
        *game, tree, abstraction, [&](uint32_t h) { return sizes[h]; },
        tree::uniform_strategy(tree));
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Translation, SaysWhatIsWrong) {
  EXPECT_THAT(error_of("leduc(ranks=2,bets=2:3)", "fold"), HasSubstr("'fold'"));
  EXPECT_THAT(error_of("leduc(ranks=2,bets=2:3)", "bet2,bet3"), HasSubstr("no kept bet"));
  // Signals that show some of the moves and not others.
  bool any = false;
  for (int seed = 1; seed <= 20; ++seed) {
    const std::string error =
        error_of(fmt::format("random(depth=3,branching=3,observations=2,seed={})", seed), "b");
    any = any || error.find("cannot see") != std::string::npos;
  }
  EXPECT_TRUE(any);
  const auto coin = games::make_game("coin_toss");
  EXPECT_THROW(bet_sizes(*coin, tree::compile(*coin)), core::InputError);
}

}  // namespace
}  // namespace cleave::histories
