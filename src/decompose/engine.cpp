#include "decompose/engine.h"

#include "core/error.h"

namespace cleave::decompose {

std::vector<std::span<std::byte>> Engine::learnt() {
  throw core::RunError("what this engine has learnt cannot be put away");
}

void Engine::evaluate(const Vectors& root_reach, Vectors& values) {
  for (size_t p = 0; p < 2; ++p) {
    values[p].resize(num_states(p));
    this->values(p, Follow::kAverage, root_reach[1 - p], values[p]);
  }
}

std::vector<std::vector<double>> leaf_reaches(const Engine& engine, size_t player) {
  std::vector<std::vector<double>> reach(engine.num_leaves());
  for (size_t leaf = 0; leaf < reach.size(); ++leaf) {
    reach[leaf].resize(engine.num_leaf_states(leaf, player));
    engine.leaf_reach(leaf, player, reach[leaf]);
  }
  return reach;
}

std::vector<Vectors> leaf_reaches(const Engine& engine) {
  std::vector<Vectors> reach(engine.num_leaves());
  for (size_t p = 0; p < 2; ++p) {
    auto own = leaf_reaches(engine, p);
    for (size_t leaf = 0; leaf < reach.size(); ++leaf) reach[leaf][p] = std::move(own[leaf]);
  }
  return reach;
}

Vectors full_reach(const Engine& engine) {
  return {std::vector<double>(engine.num_states(0), 1.0),
          std::vector<double>(engine.num_states(1), 1.0)};
}

}  // namespace cleave::decompose
