#include "solve/ira/partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "games/registry.h"
#include "random_games.h"
#include "solve/problem.h"

namespace cleave::solve {
namespace {

using tree::Group;
using tree::kNone;
using tree::Treeplex;

struct Kind {
  size_t level;
  uint32_t num_actions;
  friend auto operator<=>(const Kind&, const Kind&) = default;
};

// [position], by walking the groups again.
std::vector<Kind> kinds(const Treeplex& plex) {
  std::vector<Kind> result(plex.infoset.size());
  for (size_t level = 0; level + 1 < plex.level_begin.size(); ++level) {
    for (uint32_t g = plex.level_begin[level]; g < plex.level_begin[level + 1]; ++g) {
      const Group& group = plex.groups[g];
      for (uint32_t m = 0; m < group.width; ++m) {
        result[group.first_position + m] = {level, group.num_actions};
      }
    }
  }
  return result;
}

void expect_coarse(const Treeplex& plex, const Partition& cells, const std::string& name) {
  const std::vector<Kind> kind = kinds(plex);
  std::map<Kind, std::map<uint32_t, size_t>> sets;  // by kind and own sequence before
  std::map<uint32_t, std::set<uint32_t>> parents;   // by cell
  std::map<uint32_t, Kind> kind_of;                 // by cell
  std::map<Kind, std::set<uint32_t>> cells_of;
  for (uint32_t i = 0; i < plex.infoset.size(); ++i) {
    if (plex.infoset[i] == kNone) {
      EXPECT_EQ(cells.cell[i], kNone) << name;
      continue;
    }
    const uint32_t cell = cells.cell[i];
    ASSERT_LT(cell, cells.num_cells()) << name;
    ++sets[kind[i]][plex.parent[i]];
    EXPECT_TRUE(parents[cell].insert(plex.parent[i]).second)
        << name << ": two sets after the same own moves share a cell";
    EXPECT_EQ(kind_of.try_emplace(cell, kind[i]).first->second, kind[i]) << name;
    EXPECT_EQ(cells.num_actions(cell), kind[i].num_actions) << name;
    cells_of[kind[i]].insert(cell);
  }
  size_t fewest = 0;
  for (const auto& [which, by_parent] : sets) {
    size_t most = 0;
    for (const auto& [parent, number] : by_parent) most = std::max(most, number);
    EXPECT_EQ(cells_of[which].size(), most) << name;
    fewest += most;
  }
  EXPECT_EQ(cells.num_cells(), fewest) << name;
}

TEST(CoarsePartition, HasTheFewestCellsWithoutPerfectRecallMerges) {
  std::vector<std::string> names = {"kuhn", "leduc", "liars_dice",
                                    "leduc(ranks=4,suits=3,distinct=false,bets=1:2)"};
  for (int i = 0; i < 50; ++i) names.push_back(random_game_name(i));
  for (const std::string& name : names) {
    const Problem problem = make_problem(*games::make_game(name));
    for (const Treeplex& plex : problem.form.player) {
      expect_coarse(plex, coarse_partition(plex, 7), name);
    }
  }
}

TEST(CoarsePartition, IsDrawnBySeed) {
  const Problem problem = make_problem(*games::make_game("leduc"));
  const Treeplex& plex = problem.form.player[0];
  EXPECT_EQ(coarse_partition(plex, 3).cell, coarse_partition(plex, 3).cell);
  EXPECT_NE(coarse_partition(plex, 3).cell, coarse_partition(plex, 4).cell);
}

TEST(Partition, SplitsAndJoins) {
  const Problem problem = make_problem(*games::make_game("leduc"));
  const Treeplex& plex = problem.form.player[1];
  const Partition coarse = coarse_partition(plex, 1);
  Partition cells = coarse;
  const auto largest =
      static_cast<uint32_t>(std::ranges::max_element(cells.size) - cells.size.begin());
  ASSERT_GT(cells.size[largest], 2U);
  // Every set of a cell but one leaves; joined with it again they are back.
  std::vector<uint32_t> representative(cells.num_cells());
  for (uint32_t c = 0; c < representative.size(); ++c) representative[c] = c;
  for (uint32_t i = 0; i < cells.cell.size() && cells.size[largest] > 1; ++i) {
    if (cells.cell[i] != largest) continue;
    cells.move(i, cells.add_cell(cells.num_actions(largest)));
    representative.push_back(largest);
  }
  EXPECT_EQ(cells.size[largest], 1U);
  EXPECT_EQ(cells.num_cells(), coarse.num_cells() + coarse.size[largest] - 1);
  const std::vector<uint32_t> number = cells.join(representative);
  EXPECT_EQ(cells.cell, coarse.cell);
  EXPECT_EQ(cells.size, coarse.size);
  EXPECT_EQ(cells.first_value, coarse.first_value);
  EXPECT_EQ(number[largest], largest);
  EXPECT_EQ(number.back(), largest);
}

TEST(Partition, ExpandedPlanIsThatOfTheExpandedStrategy) {
  for (int i = 0; i < 20; ++i) {
    const Problem problem = make_problem(*games::make_game(random_game_name(i)));
    core::Random random(static_cast<uint64_t>(i));
    tree::Strategy strategy(problem.tree.num_slots());
    for (size_t p = 0; p < 2; ++p) {
      const Treeplex& plex = problem.form.player[p];
      const Partition cells = coarse_partition(plex, 1);
      Play play{std::vector<double>(cells.num_values()), std::vector<double>(cells.num_cells())};
      for (uint32_t c = 0; c < cells.num_cells(); ++c) {
        for (uint32_t v = cells.first_value[c]; v < cells.first_value[c + 1]; ++v) {
          play.total[c] += play.weight[v] = random.uniform() + 0.01;
        }
      }
      expand_strategy(problem, p, cells, play, strategy);
      core::Reals plan(plex.num_sequences);
      core::Reals expected(plex.num_sequences);
      plan[tree::kEmptySequence] = 1;
      expand_plan(plex, cells, play, 2, plan);
      tree::plan_from_strategy(problem.tree, plex, strategy, expected);
      for (size_t s = 0; s < plan.size(); ++s) ASSERT_NEAR(plan[s], expected[s], 1e-12);
    }
  }
}

}  // namespace
}  // namespace cleave::solve
