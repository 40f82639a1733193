#include "histories/places.h"

#include <algorithm>

namespace cleave::histories {
namespace {

using tree::kNone;
using tree::Tree;

// [infoset - first of the player]: own decisions before it.
std::vector<uint32_t> own_decisions_before(const Tree& tree, size_t player) {
  const uint32_t first = tree.infoset_begin[player];
  std::vector<uint32_t> count(tree.infoset_begin[player + 1] - first, 0);
  for (uint32_t i = 0; i < count.size(); ++i) {
    const uint32_t slot = tree.sequence[player][tree.first_history[first + i]];
    if (slot == kNone) continue;
    const auto above = std::upper_bound(tree.slot_begin.begin(), tree.slot_begin.end(), slot);
    count[i] = count[static_cast<uint32_t>(above - tree.slot_begin.begin()) - 1 - first] + 1;
  }
  return count;
}

Cut cut_at_decision(const Tree& tree, size_t player, const std::vector<uint32_t>& decisions_before,
                    uint32_t number) {
  std::vector<uint32_t> seeds;
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    if (tree.actor[h] != player) continue;
    if (decisions_before[tree.infoset[h] - tree.infoset_begin[player]] == number) {
      seeds.push_back(h);
    }
  }
  return cut_below(tree, seeds, {});
}

// Then entering the cut is nobody's choice, and solving it is solving from the root.
bool only_chance_above(const Tree& tree, const Cut& cut) {
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    if (cut.subgame[h] == kNone && tree.actor[h] < 2) return false;
  }
  return true;
}

void add_stage(Places& places, const Tree& tree, const Cut& cut) {
  const auto stage = static_cast<uint32_t>(places.place_at.size());
  const auto first = static_cast<uint32_t>(places.all.size());
  for (uint32_t s = 0; s < cut.roots.size(); ++s) {
    const uint32_t parent = places.place_at.back()[cut.roots[s].front()];
    places.all.push_back({.parent = parent, .roots = cut.roots[s], .leaves = {}, .children = {}});
    places.all[parent].children.push_back(first + s);
    places.stage_of.push_back(stage);
  }
  auto& at = places.place_at.emplace_back(tree.num_histories(), kNone);
  for (size_t h = 0; h < at.size(); ++h) {
    if (cut.subgame[h] != kNone) at[h] = first + cut.subgame[h];
  }
}

// Leaves of all places of a stage at once.
void add_leaves(Places& places, const Tree& tree, uint32_t stage, uint32_t depth) {
  if (stage + 1 >= places.place_at.size()) return;  // no own decision is left to look beyond
  std::vector<uint32_t> seeds;
  std::vector<uint32_t> moves(tree.num_histories(), 0);  // since the root of the place
  const std::vector<uint32_t>& here = places.place_at[stage];
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    if (here[h] == kNone || tree.actor[h] == tree::kTerminal) continue;
    if (h > 0 && here[tree.parent[h]] != kNone) moves[h] = moves[tree.parent[h]] + 1;
    if (moves[h] >= depth && places.place_at[stage + 1][h] != kNone) seeds.push_back(h);
  }
  Cut cut = cut_below(tree, seeds, {});
  for (auto& leaf : cut.roots) {
    const uint32_t place = here[leaf.front()];
    places.all[place].leaves.push_back(std::move(leaf));
  }
}

}  // namespace

Places find_places(const Tree& tree, size_t p, int depth) {
  const std::vector<uint32_t> before = own_decisions_before(tree, p);
  Places places;
  places.all.push_back({.parent = kNone, .roots = {0}, .leaves = {}, .children = {}});
  places.place_at.emplace_back(tree.num_histories(), 0);
  places.stage_of.push_back(0);
  const uint32_t most = before.empty() ? 0 : *std::ranges::max_element(before) + 1;
  for (uint32_t number = 0; number < most; ++number) {
    const Cut cut = cut_at_decision(tree, p, before, number);
    if (number == 0 && only_chance_above(tree, cut)) continue;
    add_stage(places, tree, cut);
  }
  if (depth > 0) {
    for (uint32_t stage = 0; stage < places.place_at.size(); ++stage) {
      add_leaves(places, tree, stage, static_cast<uint32_t>(depth));
    }
  }
  for (uint32_t i = 0; i < before.size(); ++i) {
    const uint32_t h = tree.first_history[tree.infoset_begin[p] + i];
    size_t stage = places.place_at.size() - 1;
    while (places.place_at[stage][h] == kNone) --stage;
    places.place_of_set.push_back(places.place_at[stage][h]);
  }
  return places;
}

namespace {

TreePiece make_place(const Tree& game, const Places& places, uint32_t place) {
  std::vector<std::vector<uint32_t>> next;
  for (const uint32_t child : places.all[place].children) next.push_back(places.all[child].roots);
  return make_piece(game, places.all[place].roots, next);
}

}  // namespace

PlacePiece::PlacePiece(const Tree& tree, std::shared_ptr<const Places> places, uint32_t place)
    : TreePiece(make_place(tree, *places, place)), places_(std::move(places)), place_(place) {}

decompose::Below PlacePiece::below(size_t leaf, size_t) const {
  return {std::make_shared<const PlacePiece>(*game, places_, here().children[leaf]), {}};
}

std::shared_ptr<const decompose::Piece> PlacePiece::ahead() const {
  return std::make_shared<const TreePiece>(make_piece(*game, here().roots, here().leaves));
}

decompose::Rest PlacePiece::rest(size_t leaf, size_t) const {
  const Place& next = places_->all[here().children[leaf]];
  decompose::Rest rest;
  std::vector<std::vector<uint32_t>> ends;
  for (size_t i = 0; i < here().leaves.size(); ++i) {
    if (places_->child_at(place_, here().leaves[i].front()) != here().children[leaf]) continue;
    ends.push_back(here().leaves[i]);
    rest.horizon.push_back(i);
  }
  rest.is_leaf = ends.size() == 1 && ends[0] == next.roots;
  if (!rest.is_leaf)
    rest.piece = std::make_shared<const TreePiece>(make_piece(*game, next.roots, ends));
  return rest;
}

}  // namespace cleave::histories
