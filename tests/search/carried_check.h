#pragma once

#include <gtest/gtest.h>

#include "decompose/leaf_evaluator.h"
#include "decompose/stretch.h"
#include "search/continual.h"

namespace cleave::search {

// What is below a stop, to the end of the game, with both playing by the profile.
inline std::vector<double> values_at(const decompose::Piece& stop,
                                     const decompose::Profile& profile, size_t player,
                                     decompose::Follow how, const decompose::Vectors& reach) {
  const auto engine = stop.engine();
  profile.give(stop, *engine);
  return decompose::values_of(profile, stop, *engine, reach, how, 1)[player];
}

inline decompose::Vectors spread(const decompose::Below& below, const decompose::Vectors& above) {
  return {below.crossing.spread(0, above[0]), below.crossing.spread(1, above[1])};
}

// The other route: an engine on each next stop, and on all that follows it, given the same
// strategies. Returns how many stops were compared.
inline size_t check_carried(const decompose::Piece& step, const decompose::Profile& profile,
                            const decompose::Vectors& reach, size_t opp, decompose::Follow how,
                            double tolerance) {
  const auto ahead = step.ahead();
  const auto looking = ahead->engine();
  profile.give(*ahead, *looking);
  for (size_t p = 0; p < 2; ++p) looking->follow(p, reach[p]);
  decompose::Leaves below_horizon(*ahead, *looking);
  below_horizon.take_reach(*looking);
  std::vector<decompose::Vectors> horizon;
  for (const auto& below : below_horizon.states()) {
    horizon.emplace_back()[opp] = values_at(*below.piece, profile, opp, how, below.reach);
  }
  size_t count = 0;
  const auto stretch = decompose::begin_stretch(profile, step, reach);
  for (size_t leaf = 0; leaf < step.num_leaves(); ++leaf) {
    for (size_t number = 0; number < step.num_below(leaf); ++number) {
      const decompose::Below below = step.below(leaf, number);
      const decompose::Vectors arriving = spread(below, stretch.reach[leaf]);
      const auto expected = values_at(*below.piece, profile, opp, how, arriving);
      const auto found = carry({step, profile, horizon}, leaf, number, opp, how, arriving);
      EXPECT_EQ(found.size(), expected.size());
      for (size_t s = 0; s < expected.size(); ++s) EXPECT_NEAR(found[s], expected[s], tolerance);
      count += 1 + check_carried(*below.piece, profile, arriving, opp, how, tolerance);
    }
  }
  return count;
}

}  // namespace cleave::search
