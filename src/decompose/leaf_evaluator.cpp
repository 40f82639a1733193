#include "decompose/leaf_evaluator.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"

namespace cleave::decompose {
namespace {

void check_answer(size_t leaf, size_t player, size_t states, const std::vector<double>& values) {
  if (values.size() != states) {
    throw core::InputError(fmt::format(
        "the evaluator of leaf {} gave {} values for player {}; the leaf has {} private states",
        leaf + 1, values.size(), player + 1, states));
  }
  for (size_t s = 0; s < states; ++s) {
    if (std::isfinite(values[s])) continue;
    throw core::InputError(fmt::format(
        "the evaluator of leaf {} gave {} for private state {} of player {}; values must be finite "
        "numbers",
        leaf + 1, values[s], s + 1, player + 1));
  }
}

}  // namespace

void evaluate_leaves(Engine& engine, LeafEvaluator& evaluator, std::vector<Vectors>& reach,
                     std::vector<Vectors>& values) {
  const size_t n = engine.num_leaves();
  reach.resize(n);
  values.resize(n);
  for (size_t leaf = 0; leaf < n; ++leaf) {
    for (int p = 0; p < 2; ++p) {
      const size_t states = engine.num_leaf_states(leaf, p);
      auto& own = reach[leaf][static_cast<size_t>(p)];
      own.resize(states);
      values[leaf][static_cast<size_t>(p)].resize(states);
      engine.leaf_reach(leaf, p, own);
    }
    evaluator.evaluate(leaf, reach[leaf], values[leaf]);
    for (int p = 0; p < 2; ++p) {
      const auto& answer = values[leaf][static_cast<size_t>(p)];
      check_answer(leaf, static_cast<size_t>(p), engine.num_leaf_states(leaf, p), answer);
      engine.set_leaf_values(leaf, p, answer);
    }
  }
}

}  // namespace cleave::decompose
