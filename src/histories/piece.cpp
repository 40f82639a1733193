#include "histories/piece.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/error.h"
#include "core/number.h"
#include "histories/gadget_game.h"
#include "histories/tree_engine.h"

namespace cleave::histories {

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

TreePiece make_piece(const Tree& game, std::vector<uint32_t> roots,
                     const std::vector<std::vector<uint32_t>>& leaves) {
  TreePiece piece;
  piece.game = &game;
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
  piece.source = std::move(derived.source);
  piece.source_slot = std::move(derived.source_slot);
  piece.problem = solve::make_problem(std::move(derived.tree));

  if (leaves.empty()) return piece;
  std::vector<uint32_t> place(game.num_histories(), kNone);  // of a source history in the piece
  for (size_t h = 0; h < piece.source.size(); ++h) {
    if (piece.source[h] != kNone) place[piece.source[h]] = static_cast<uint32_t>(h);
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

TreePiece make_trunk(const Tree& game, const Cut& cut) { return make_piece(game, {0}, cut.roots); }

TreePiece make_subgame(const Tree& game, const Cut& cut, size_t subgame) {
  return make_piece(game, cut.roots[subgame]);
}

// The entry sets, one per player, are the first of each player's.
size_t TreePiece::num_decisions() const { return problem.tree.num_infosets() - 2; }

uint32_t TreePiece::infoset(size_t decision) const {
  const auto set = static_cast<uint32_t>(decision) + 1;
  return set < problem.tree.infoset_begin[1] ? set : set + 1;
}

size_t TreePiece::decision_of(uint32_t set) const {
  return set < problem.tree.infoset_begin[1] ? set - 1 : set - 2;
}

// "tree NAME\n" and the histories that bound it, root first: "0/3-5,9/12".
std::string TreePiece::key() const {
  std::string text = fmt::format("tree {}\n", game->name);
  const auto add = [&](const std::vector<uint32_t>& histories) {
    for (size_t i = 0; i < histories.size();) {
      size_t last = i;
      while (last + 1 < histories.size() && histories[last + 1] == histories[last] + 1) ++last;
      text += fmt::format("{}{}", i == 0 ? "" : ",", histories[i]);
      if (last > i) text += fmt::format("-{}", histories[last]);
      i = last + 1;
    }
  };
  add(root.histories);
  for (const Border& leaf : leaves) {
    text += '/';
    add(leaf.histories);
  }
  return text;
}

TreePiece remake_piece(const Tree& game, std::string_view key) {
  const std::string head = fmt::format("tree {}\n", game.name);
  const auto fail = [&]() -> uint32_t {
    throw core::InputError(fmt::format("this is not the key of a piece of {}", game.name));
  };
  if (!key.starts_with(head)) fail();
  const auto number = [&](std::string_view text) {
    const auto n = core::parse_number<uint32_t>(text);
    return n && *n < game.num_histories() ? *n : fail();
  };
  std::vector<std::vector<uint32_t>> borders(1);
  std::string_view rest = key.substr(head.size());
  while (!rest.empty()) {
    const size_t end = std::min(rest.find_first_of(",/"), rest.size());
    const std::string_view range = rest.substr(0, end);
    const size_t dash = range.find('-');
    const uint32_t first = number(range.substr(0, dash));
    const uint32_t last = dash == range.npos ? first : number(range.substr(dash + 1));
    for (uint32_t h = first; h <= last; ++h) borders.back().push_back(h);
    if (end < rest.size() && rest[end] == '/') borders.emplace_back();
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const std::vector<uint32_t> roots = borders[0];
  borders.erase(borders.begin());
  return make_piece(game, roots, borders);
}

std::unique_ptr<decompose::Engine> TreePiece::engine(int threads) const {
  return std::make_unique<TreeEngine>(*this, threads);
}

decompose::Below TreePiece::below(size_t leaf, size_t) const {
  if (!subgames.empty()) return {subgames[leaf], {}};
  return {std::make_shared<const TreePiece>(make_piece(*game, leaves[leaf].histories)), {}};
}

std::vector<decompose::Trail> TreePiece::way(size_t leaf, size_t player) const {
  const Tree& tree = problem.tree;
  const tree::Treeplex& plex = problem.form.player[player];
  std::vector<uint32_t> set_of_slot(tree.num_slots());
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    std::fill(set_of_slot.begin() + tree.slot_begin[set],
              set_of_slot.begin() + tree.slot_begin[set + 1], set);
  }
  std::vector<uint32_t> slot_of_sequence(plex.num_sequences, kNone);
  for (uint32_t i = 0; i < plex.sequence_of_slot.size(); ++i) {
    slot_of_sequence[plex.sequence(plex.first_slot + i)] = plex.first_slot + i;
  }
  std::vector<decompose::Trail> trails;
  std::vector<uint32_t> leads_to(tree.num_infosets(), 0);
  for (const uint32_t sequence : leaf_sequence[leaf][player]) {
    decompose::Trail& trail = trails.emplace_back();
    for (uint32_t slot = slot_of_sequence[sequence]; slot != kNone;) {
      const uint32_t set = set_of_slot[slot];
      const uint32_t action = slot - tree.slot_begin[set];
      if (set == tree.infoset_begin[player]) {
        trail.root = action;
        break;
      }
      ++leads_to[set];
      trail.passages.push_back({static_cast<uint32_t>(decision_of(set)), 0, action, false});
      slot = tree.sequence[player][tree.first_history[set]];
    }
    std::ranges::reverse(trail.passages);
  }
  for (decompose::Trail& trail : trails) {
    for (decompose::Passage& passage : trail.passages) {
      passage.sole = leads_to[infoset(passage.decision)] == 1;
    }
  }
  return trails;
}

std::shared_ptr<const decompose::Piece> TreePiece::whole() const {
  return std::make_shared<const TreePiece>(make_piece(*game, {0}));
}

std::vector<size_t> TreePiece::decisions_in_whole() const {
  const TreePiece all = make_piece(*game, {0});
  std::unordered_map<uint32_t, size_t> number;  // by first slot in the game
  const auto first_slot = [](const TreePiece& piece, size_t decision) {
    return piece.source_slot[piece.problem.tree.slot_begin[piece.infoset(decision)]];
  };
  for (size_t d = 0; d < all.num_decisions(); ++d) number[first_slot(all, d)] = d;
  std::vector<size_t> numbers;
  for (size_t d = 0; d < num_decisions(); ++d) numbers.push_back(number.at(first_slot(*this, d)));
  return numbers;
}

void TreePiece::solve_exactly(const decompose::EntryForm& form, size_t hero,
                              std::span<const double> hero_reach, decompose::Engine& engine) const {
  tree::Strategy strategy(game->num_slots(), -1.0);
  solve_gadget_game(
      make_gadget_game(*game, *this, hero, {hero_reach.begin(), hero_reach.end()}, form), hero,
      strategy);
  std::vector<double> rows;
  for (size_t d = 0; d < num_decisions(); ++d) {
    const uint32_t set = infoset(d);
    if (problem.tree.player(set) != hero) continue;
    const uint32_t first = source_slot[problem.tree.slot_begin[set]];
    if (strategy[first] < 0) continue;
    rows.assign(strategy.begin() + first, strategy.begin() + first + problem.tree.num_actions(set));
    engine.set_strategy(d, rows);
  }
}

}  // namespace cleave::histories
