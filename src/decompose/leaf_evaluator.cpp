#include "decompose/leaf_evaluator.h"

#include <cmath>

#include "core/error.h"

namespace cleave::decompose {

LeafEvaluator& no_leaves() {
  static struct NoLeaves final : LeafEvaluator {
    void evaluate(std::span<LeafState>, Players) override {}
  } none;
  return none;
}

std::unique_ptr<Engine> engine_to_the_end(const Piece& piece, int threads) {
  if (piece.num_leaves() > 0) {
    core::reject("leaves are followed to the end of the game; cut it once, not below too");
  }
  return piece.engine(threads);
}

Leaves::Leaves(const Piece& trunk, const Engine& engine) {
  for (size_t leaf = 0; leaf < trunk.num_leaves(); ++leaf) {
    num_above_.push_back({engine.num_leaf_states(leaf, 0), engine.num_leaf_states(leaf, 1)});
    for (size_t i = 0; i < trunk.num_below(leaf); ++i) {
      Below below = trunk.below(leaf, i);
      LeafState& state = states_.emplace_back();
      state.piece = std::move(below.piece);
      leaf_.push_back(leaf);
      auto& counts = num_states_.emplace_back();
      for (size_t p = 0; p < 2; ++p) {
        const std::vector<double> none(num_above_[leaf][p], 0.0);
        state.reach[p] = below.crossing.spread(p, none);
        state.values[p] = state.reach[p];
        counts[p] = state.reach[p].size();
      }
      crossings_.push_back(std::move(below.crossing));
    }
  }
}

void Leaves::take_reach(const Engine& engine) {
  std::vector<double> above;
  size_t newest = engine.num_leaves();
  for (size_t p = 0; p < 2; ++p) {
    for (size_t i = 0; i < states_.size(); ++i) {
      if (i == 0 || leaf_[i] != newest) {
        newest = leaf_[i];
        above.resize(num_above_[newest][p]);
        engine.leaf_reach(newest, p, above);
      }
      states_[i].reach[p] = crossings_[i].spread(p, above);
    }
  }
}

void Leaves::give_values(Engine& engine, size_t player) const {
  std::vector<double> above;
  for (size_t i = 0; i < states_.size();) {
    const size_t leaf = leaf_[i];
    above.assign(num_above_[leaf][player], 0.0);
    for (; i < states_.size() && leaf_[i] == leaf; ++i) {
      crossings_[i].collect(player, states_[i].values[player], above);
    }
    engine.set_leaf_values(leaf, player, above);
  }
}

void Leaves::evaluate(Engine& engine, LeafEvaluator& evaluator, Players wanted) {
  take_reach(engine);
  evaluator.evaluate(states_, wanted);
  for (size_t p = 0; p < 2; ++p) {
    if (!has(wanted, p)) continue;
    for (size_t i = 0; i < states_.size(); ++i) check_answer(i, p);
    give_values(engine, p);
  }
}

void Leaves::check_answer(size_t number, size_t player) const {
  const std::vector<double>& values = states_[number].values[player];
  const size_t states = num_states_[number][player];
  if (values.size() != states) {
    core::reject(
        "the evaluator of leaf {} gave {} values for player {}; the leaf has {} private states",
        number + 1, values.size(), player + 1, states);
  }
  for (size_t s = 0; s < states; ++s) {
    if (std::isfinite(values[s])) continue;
    core::reject(
        "the evaluator of leaf {} gave {} for private state {} of player {}; values must be finite "
        "numbers",
        number + 1, values[s], s + 1, player + 1);
  }
}

}  // namespace cleave::decompose
