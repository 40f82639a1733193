#include "histories/piece.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "core/error.h"
#include "core/number.h"
#include "histories/gadget_game.h"
#include "histories/profile.h"
#include "histories/tree_engine.h"
#include "solve/sequence_lp.h"

namespace cleave::histories {

using tree::kNone;
using tree::Tree;

namespace {

// Whether an information set that holds some of the histories holds no others: then it tells the
// player's private states apart. One that goes on below other roots does not.
std::vector<bool> find_whole_sets(const Tree& game, const std::vector<uint32_t>& histories,
                                  const std::vector<uint32_t>& set_sizes) {
  std::unordered_map<uint32_t, uint32_t> members;
  for (const uint32_t h : histories) {
    if (game.actor[h] < 2) ++members[game.infoset[h]];
  }
  std::vector<bool> whole;
  for (const uint32_t h : histories) {
    whole.push_back(game.actor[h] < 2 && members[game.infoset[h]] == set_sizes[game.infoset[h]]);
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

Border make_border(const Tree& game, std::vector<uint32_t> histories,
                   const std::vector<uint32_t>* set_sizes) {
  Border border;
  border.histories = std::move(histories);
  const std::vector<bool> whole =
      find_whole_sets(game, border.histories, set_sizes ? *set_sizes : game.infoset_size);
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
                     const std::vector<std::vector<uint32_t>>& leaves, std::vector<bool> kept,
                     const std::vector<uint32_t>* set_sizes) {
  TreePiece piece;
  piece.game = &game;
  piece.kept = std::move(kept);
  piece.root = make_border(game, std::move(roots), set_sizes);
  std::vector<bool> is_leaf(leaves.empty() ? 0 : game.num_histories(), false);
  for (const auto& leaf : leaves) {
    for (const uint32_t h : leaf) is_leaf[h] = true;
    piece.leaves.push_back(make_border(game, leaf, set_sizes));
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
  if (!piece.kept.empty()) recipe.keeps = [&](uint32_t child) { return piece.has_move(child); };
  tree::Derived derived = tree::derive(game, recipe);
  // A leaf is worth what it is given, also where the game ends there.
  for (size_t h = 0; h < derived.source.size() && !leaves.empty(); ++h) {
    const uint32_t source = derived.source[h];
    if (source != kNone && is_leaf[source]) derived.tree.payoff[derived.tree.infoset[h]] = 0;
  }
  piece.source = std::move(derived.source);
  piece.source_slot = std::move(derived.source_slot);
  piece.problem = solve::make_problem(std::move(derived.tree));

  for (const Border& leaf : piece.leaves) piece.leaf_sequence.push_back(piece.sequences_to(leaf));
  piece.number_places();
  return piece;
}

void TreePiece::number_places() {
  for (size_t d = 0; d < num_decisions(); ++d) {
    const uint32_t slot = source_slot[problem.tree.slot_begin[infoset(d)]];
    decision_numbers.emplace_back(game->set_of_slot(slot), static_cast<uint32_t>(d));
  }
  for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    for (const uint32_t h : leaves[leaf].histories) {
      leaf_numbers.emplace_back(h, static_cast<uint32_t>(leaf));
    }
  }
  std::ranges::sort(decision_numbers);
  std::ranges::sort(leaf_numbers);
}

namespace {

std::optional<size_t> look_up(const std::vector<std::pair<uint32_t, uint32_t>>& numbers,
                              uint32_t wanted) {
  const auto at = std::ranges::lower_bound(numbers, std::pair(wanted, 0U));
  if (at == numbers.end() || at->first != wanted) return std::nullopt;
  return at->second;
}

}  // namespace

std::optional<size_t> TreePiece::decision_at(uint32_t game_infoset) const {
  return look_up(decision_numbers, game_infoset);
}

std::optional<size_t> TreePiece::leaf_at(uint32_t game_history) const {
  return look_up(leaf_numbers, game_history);
}

std::array<std::vector<uint32_t>, 2> TreePiece::sequences_to(const Border& border) const {
  std::unordered_map<uint32_t, size_t> wanted;
  for (size_t i = 0; i < border.histories.size(); ++i) wanted[border.histories[i]] = i;
  std::array<std::vector<uint32_t>, 2> sequences;
  for (size_t p = 0; p < 2; ++p) sequences[p].resize(border.states[p].size());
  for (size_t h = 0; h < source.size(); ++h) {
    const auto at = wanted.find(source[h]);
    if (at == wanted.end()) continue;
    for (size_t p = 0; p < 2; ++p) {
      sequences[p][border.state_of[p][at->second]] =
          problem.form.player[p].sequence(problem.tree.sequence[p][h]);
    }
  }
  return sequences;
}

namespace {

// A subgame must hold its information sets wholly.
void check_closed(const TreePiece& piece, const OffTree& off_tree) {
  const Tree& tree = piece.problem.tree;
  std::vector<uint32_t> count(tree.num_infosets(), 0);
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    if (tree.actor[h] < 2) ++count[tree.infoset[h]];
  }
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    if (tree.actor[h] >= 2) continue;
    const uint32_t source = piece.game->infoset[piece.source[h]];
    if (count[tree.infoset[h]] == off_tree.num_known[source]) continue;
    throw core::InputError(fmt::format(
        "nested solving of {}: the moves that lead to information set {} of player {} are not "
        "public, so no subgame begins where the opponent moves",
        piece.game->name, source + 1, piece.game->player(source) + 1));
  }
}

}  // namespace

TreePiece make_nested_piece(const Tree& game, std::shared_ptr<const OffTree> off_tree,
                            uint32_t subgame) {
  const bool whole = subgame == kNone;
  std::vector<bool> kept = off_tree->kept_slot;
  std::vector<std::vector<uint32_t>> leaves;
  for (const size_t inner : whole ? off_tree->outermost : off_tree->subgames[subgame].inside) {
    leaves.push_back(off_tree->subgames[inner].heads);
    for (const uint32_t h : leaves.back()) kept[game.slot_into(h)] = true;
  }
  TreePiece piece =
      make_piece(game, whole ? std::vector<uint32_t>{0} : off_tree->subgames[subgame].heads, leaves,
                 std::move(kept), &off_tree->num_known);
  piece.off_tree = std::move(off_tree);
  piece.off_subgame = subgame;
  return piece;
}

std::shared_ptr<const decompose::Piece> TreePiece::model() const {
  if (!off_tree) return Piece::model();
  auto piece = std::make_shared<TreePiece>(
      make_piece(*game, root.histories, {}, off_tree->kept_slot, &off_tree->num_known));
  piece->off_tree = off_tree;
  check_closed(*piece, *off_tree);
  return piece;
}

// The smallest subgames that hold the opponent's moves to the leaf.
decompose::Around TreePiece::around(size_t leaf) const {
  std::set<uint32_t> places;
  std::vector<bool> with_move = off_tree->kept_slot;
  for (const uint32_t h : leaves[leaf].histories) {
    places.insert(off_tree->place[game->parent[h]]);
    with_move[game->slot_into(h)] = true;
  }
  std::vector<uint32_t> roots;
  for (const uint32_t place : places) {
    const std::vector<uint32_t>& moves = off_tree->places[place];
    roots.insert(roots.end(), moves.begin(), moves.end());
  }
  std::ranges::sort(roots);
  auto piece = std::make_shared<TreePiece>(
      make_piece(*game, roots, {}, std::move(with_move), &off_tree->num_known));
  piece->off_tree = off_tree;
  check_closed(*piece, *off_tree);
  decompose::Around around;
  const auto sequences = sequences_to(piece->root);
  for (size_t p = 0; p < 2; ++p) around.trails[p] = trails_to(sequences[p], p);
  // Every state of the mover is one of its information sets: the decision that it is at.
  const size_t mover = 1 - off_tree->hero;
  std::unordered_map<uint32_t, uint32_t> decision_at;  // by information set of the game
  for (uint32_t d = 0; d < num_decisions(); ++d) {
    const uint32_t slot = source_slot[problem.tree.slot_begin[infoset(d)]];
    decision_at[game->set_of_slot(slot)] = d;
  }
  for (const PrivateState& state : piece->root.states[mover]) {
    around.at.push_back({decision_at.at(state.id), 0, 0, false});
  }
  around.piece = std::move(piece);
  return around;
}

std::shared_ptr<const decompose::Profile> TreePiece::profile(
    std::shared_ptr<decompose::Engine> engine) const {
  tree::Strategy strategy(game->num_slots(), TreeProfile::kNothing);
  for (size_t p = 0; p < 2; ++p) copy_strategy(*this, *engine, p, strategy);
  return std::make_shared<TreeProfile>(std::move(strategy));
}

TreePiece make_trunk(const Tree& game, const Cut& cut) {
  TreePiece trunk = make_piece(game, {0}, cut.roots);
  for (const std::vector<uint32_t>& roots : cut.roots) {
    trunk.subgames.push_back(std::make_shared<const TreePiece>(make_piece(game, roots)));
  }
  return trunk;
}

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

// A card that is dealt to everybody counts in Tree::public_state only once both players have moved:
// the public state that follows tells these places apart.
size_t TreePiece::place_of(size_t decision) const {
  const std::vector<uint32_t>& state = game->public_state;
  if (state.empty()) return decision;
  const uint32_t h = source[problem.tree.first_history[infoset(decision)]];
  uint32_t next = kNone;
  for (uint32_t c = game->child_begin[h]; c < game->child_begin[h + 1]; ++c) {
    next = std::min(next, state[c]);
  }
  return size_t{state[h]} << 32 | next;
}

// "tree NAME HASH\n" and the histories that bound it, root first: "0/3-5,9/12". The hash is of the
// piece itself: another game of the same name, or other moves, are another piece.
std::string TreePiece::key() const {
  const core::Hash128 hash = problem.tree.fingerprint();
  std::string text = fmt::format("tree {} {:016x}{:016x}\n", game->name, hash.hi, hash.lo);
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
  const std::string head = fmt::format("tree {} ", game.name);
  const auto fail = [&]() -> uint32_t {
    throw core::InputError(fmt::format("this is not the key of a piece of {}", game.name));
  };
  const size_t line = key.find('\n');
  if (!key.starts_with(head) || line == key.npos || line + 1 == key.size()) fail();
  const auto number = [&](std::string_view text) {
    const auto n = core::parse_number<uint32_t>(text);
    return n && *n < game.num_histories() ? *n : fail();
  };
  std::vector<std::vector<uint32_t>> borders(1);
  std::string_view rest = key.substr(line + 1);
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
  TreePiece piece = make_piece(game, roots, borders);
  if (piece.key() != key) fail();
  return piece;
}

std::unique_ptr<decompose::Engine> TreePiece::engine(int threads) const {
  return std::make_unique<TreeEngine>(*this, threads);
}

decompose::Below TreePiece::below(size_t leaf, size_t) const {
  if (!subgames.empty()) return {subgames[leaf], {}};
  if (off_tree) {
    const auto& inner =
        off_subgame == kNone ? off_tree->outermost : off_tree->subgames[off_subgame].inside;
    return {std::make_shared<const TreePiece>(
                make_nested_piece(*game, off_tree, static_cast<uint32_t>(inner[leaf]))),
            {}};
  }
  return {std::make_shared<const TreePiece>(make_piece(*game, leaves[leaf].histories)), {}};
}

std::vector<decompose::Trail> TreePiece::way(size_t leaf, size_t player) const {
  return trails_to(leaf_sequence[leaf][player], player);
}

std::vector<decompose::Trail> TreePiece::trails_to(const std::vector<uint32_t>& sequences,
                                                   size_t player) const {
  const Tree& tree = problem.tree;
  const tree::Treeplex& plex = problem.form.player[player];
  std::vector<uint32_t> slot_of_sequence(plex.num_sequences, kNone);
  for (uint32_t i = 0; i < plex.sequence_of_slot.size(); ++i) {
    slot_of_sequence[plex.sequence(plex.first_slot + i)] = plex.first_slot + i;
  }
  std::vector<decompose::Trail> trails;
  std::vector<uint32_t> leads_to(tree.num_infosets(), 0);
  for (const uint32_t sequence : sequences) {
    decompose::Trail& trail = trails.emplace_back();
    for (uint32_t slot = slot_of_sequence[sequence]; slot != kNone;) {
      const uint32_t set = tree.set_of_slot(slot);
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

std::vector<size_t> TreePiece::trunk_decisions() const {
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
  tree::Strategy strategy(game->num_slots(), TreeProfile::kNothing);
  const GadgetGame gadget =
      make_gadget_game(*game, *this, hero, {hero_reach.begin(), hero_reach.end()}, form);
  const solve::LpSolution solution = solve::solve_lp(gadget.problem);
  for (size_t slot = 0; slot < gadget.source_slot.size(); ++slot) {
    if (gadget.source_slot[slot] == kNone) continue;
    strategy[gadget.source_slot[slot]] = solution.strategy[slot];
  }
  TreeProfile(std::move(strategy)).give(*this, engine);
}

}  // namespace cleave::histories
