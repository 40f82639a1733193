#include "tree/lines.h"

#include <algorithm>

namespace cleave::tree {

std::vector<uint32_t> path_to(const Tree& tree, uint32_t history) {
  std::vector<uint32_t> path;
  for (uint32_t h = history; h != kNone; h = tree.parent[h]) path.push_back(h);
  std::ranges::reverse(path);
  return path;
}

std::vector<std::string> line_to(const games::Game& game, const Tree& tree, uint32_t history) {
  const std::vector<uint32_t> way = path_to(tree, history);
  std::vector<std::string> out;
  replay(game, tree, std::span(way).first(way.size() - 1), [&](uint32_t, const std::byte* state) {
    const uint32_t child = way[out.size() + 1];
    out.push_back(game.action_label(state, static_cast<int>(tree.action(child))));
  });
  return out;
}

std::array<double, 2> payoffs_at(const games::Game& game, const Tree& tree, uint32_t history) {
  std::array<double, 2> out = {};
  replay(game, tree, std::span(&history, 1), [&](uint32_t, const std::byte* state) {
    for (size_t p = 0; p < 2; ++p) out[p] = game.payoff(state, static_cast<int>(p)).to_double();
  });
  return out;
}

Members::Members(const Tree& tree) : begin_(1, 0) {
  for (const uint32_t size : tree.infoset_size) begin_.push_back(begin_.back() + size);
  member_.resize(begin_.back());
  std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    if (tree.actor[h] < 2) member_[next[tree.infoset[h]]++] = h;
  }
}

}  // namespace cleave::tree
