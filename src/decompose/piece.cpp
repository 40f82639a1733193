#include "decompose/piece.h"

#include <algorithm>
#include <unordered_map>

namespace cleave::decompose {

using tree::kNone;
using tree::Tree;

namespace {

// Whether an information set that holds some of the histories holds no others: then it tells the
// player's private states apart. One that goes on below other roots does not.
std::vector<bool> find_whole_sets(const Tree& game, const std::vector<uint32_t>& histories) {
  std::unordered_map<uint32_t, uint32_t> members;
  for (const uint32_t h : histories) {
    if (game.actor[h] < 2) ++members[game.infoset[h]];
  }
  std::vector<bool> whole;
  for (const uint32_t h : histories) {
    whole.push_back(game.actor[h] < 2 &&
                    members[game.infoset[h]] == game.infoset_size[game.infoset[h]]);
  }
  return whole;
}

double chance_reach_of(const Tree& game, uint32_t h) {
  double reach = 1;
  for (; h != 0; h = game.parent[h]) reach *= game.probability[h];
  return reach;
}

}  // namespace

std::vector<double> chance_reach(const Tree& game) {
  std::vector<double> reach(game.num_histories(), 1.0);
  for (size_t h = 1; h < reach.size(); ++h) {
    reach[h] = reach[game.parent[h]] * game.probability[h];
  }
  return reach;
}

Border make_border(const Tree& game, std::vector<uint32_t> histories) {
  Border border;
  border.histories = std::move(histories);
  const std::vector<bool> whole = find_whole_sets(game, border.histories);
  for (size_t p = 0; p < 2; ++p) {
    std::vector<PrivateState> at;
    for (size_t i = 0; i < border.histories.size(); ++i) {
      const uint32_t h = border.histories[i];
      const bool acts = game.actor[h] == p && whole[i];
      at.push_back({acts, acts ? game.infoset[h] : game.sequence[p][h]});
    }
    auto& states = border.states[p];
    states = at;
    std::sort(states.begin(), states.end());
    states.erase(std::unique(states.begin(), states.end()), states.end());
    for (const PrivateState& state : at) {
      const auto place = std::lower_bound(states.begin(), states.end(), state);
      border.state_of[p].push_back(static_cast<uint32_t>(place - states.begin()));
    }
  }
  return border;
}

Piece make_piece(const Tree& game, std::vector<uint32_t> roots,
                 const std::vector<std::vector<uint32_t>>& leaves) {
  Piece piece;
  piece.root = make_border(game, std::move(roots));
  std::vector<bool> is_leaf(leaves.empty() ? 0 : game.num_histories(), false);
  for (const auto& leaf : leaves) {
    for (const uint32_t h : leaf) is_leaf[h] = true;
    piece.leaves.push_back(make_border(game, leaf));
  }
  tree::Recipe recipe;
  for (size_t i = 0; i < piece.root.histories.size(); ++i) {
    const uint32_t h = piece.root.histories[i];
    piece.chance.push_back(chance_reach_of(game, h));
    recipe.roots.push_back(
        {h, piece.chance.back(), {piece.root.state_of[0][i], piece.root.state_of[1][i]}, 0});
  }
  for (size_t p = 0; p < 2; ++p) {
    recipe.entry_sets[p] = {static_cast<uint32_t>(piece.root.states[p].size())};
  }
  if (!leaves.empty()) {
    recipe.treat = [&](uint32_t h) {
      return is_leaf[h] ? tree::Treatment::kEnd : tree::Treatment::kKeep;
    };
  }
  tree::Derived derived = tree::derive(game, recipe);
  piece.source_slot = std::move(derived.source_slot);
  piece.problem = solve::make_problem(std::move(derived.tree));

  if (leaves.empty()) return piece;
  std::vector<uint32_t> place(game.num_histories(), kNone);  // of a source history in the piece
  for (size_t h = 0; h < derived.source.size(); ++h) {
    if (derived.source[h] != kNone) place[derived.source[h]] = static_cast<uint32_t>(h);
  }
  for (const Border& leaf : piece.leaves) {
    auto& sequences = piece.leaf_sequence.emplace_back();
    for (size_t p = 0; p < 2; ++p) {
      sequences[p].resize(leaf.states[p].size());
      for (size_t i = 0; i < leaf.histories.size(); ++i) {
        const uint32_t slot = piece.problem.tree.sequence[p][place[leaf.histories[i]]];
        sequences[p][leaf.state_of[p][i]] = piece.problem.form.player[p].sequence(slot);
      }
    }
  }
  return piece;
}

Piece make_trunk(const Tree& game, const Cut& cut) { return make_piece(game, {0}, cut.roots); }

Piece make_subgame(const Tree& game, const Cut& cut, size_t subgame) {
  return make_piece(game, cut.roots[subgame]);
}

}  // namespace cleave::decompose
