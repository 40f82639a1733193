#include "histories/gadget_game.h"

#include "solve/sequence_lp.h"

namespace cleave::histories {

using tree::kNone;

namespace {

// The subgame's roots once more, those of one opponent state only (kNone: of all).
void add_roots(const TreePiece& subgame, size_t hero, const std::vector<double>& hero_reach,
               uint32_t copy, uint32_t entry, const auto& weight, tree::Recipe& recipe) {
  const size_t opp = 1 - hero;
  for (size_t i = 0; i < subgame.root.histories.size(); ++i) {
    const double w = weight(subgame.root.state_of[opp][i]);
    if (w == 0) continue;
    tree::DerivedRoot& root = recipe.roots.emplace_back();
    root.history = subgame.root.histories[i];
    root.weight = w * subgame.chance[i] * hero_reach[subgame.root.state_of[hero][i]];
    root.entry[opp] = entry;
    root.copy = copy;
  }
}

}  // namespace

GadgetGame make_gadget_game(const tree::Tree& game, const TreePiece& subgame, size_t hero,
                            const std::vector<double>& hero_reach,
                            const decompose::EntryForm& form) {
  const size_t opp = 1 - hero;
  const double sign = opp == 0 ? 1 : -1;  // payoffs of ends are to player one
  std::vector<double> rho(subgame.root.states[opp].size(), 0.0);
  for (size_t i = 0; i < subgame.root.histories.size(); ++i) {
    rho[subgame.root.state_of[opp][i]] +=
        subgame.chance[i] * hero_reach[subgame.root.state_of[hero][i]];
  }
  tree::Recipe recipe;
  recipe.name = "gadget game of " + game.name;
  if (!form.always.empty()) {
    add_roots(
        subgame, hero, hero_reach, 0, kNone, [&](uint32_t s) { return form.always[s]; }, recipe);
  }
  // Copies tell the doors of one state apart: the opponent knows which it came through.
  std::vector<uint32_t> doors_of_state(rho.size(), 0);
  for (uint32_t d = 0; d < form.doors.size(); ++d) {
    const decompose::EntryForm::Door& door = form.doors[d];
    const uint32_t enter = form.one_door ? d : 2 * d;
    add_roots(
        subgame, hero, hero_reach, ++doors_of_state[door.state], enter,
        [&](uint32_t s) { return s == door.state ? door.weight : 0.0; }, recipe);
    tree::DerivedEnd& end = recipe.ends.emplace_back();
    end.weight = form.one_door ? 1 : door.weight * rho[door.state];
    end.payoff = sign * (form.one_door ? -door.alternative : door.alternative);
    end.entry[opp] = form.one_door ? d : 2 * d + 1;
    if (!form.one_door) recipe.entry_sets[opp].push_back(2);
  }
  if (form.one_door) recipe.entry_sets[opp] = {static_cast<uint32_t>(form.doors.size())};
  recipe.cell = [&](uint32_t set, uint32_t copy) {
    return set + (game.player(set) == hero ? 0 : uint64_t{copy} * game.num_infosets());
  };
  if (!subgame.kept.empty()) {
    recipe.keeps = [&](uint32_t child) { return subgame.has_move(child); };
  }
  tree::Derived derived = tree::derive(game, recipe);
  return {solve::make_problem(std::move(derived.tree)), std::move(derived.source_slot)};
}

double solve_gadget_game(const GadgetGame& game, size_t p, tree::Strategy& strategy) {
  const solve::LpSolution solution = solve::solve_lp(game.problem);
  const tree::Tree& tree = game.problem.tree;
  for (uint32_t slot = tree.slot_begin[tree.infoset_begin[p]];
       slot < tree.slot_begin[tree.infoset_begin[p + 1]]; ++slot) {
    strategy[game.source_slot[slot]] = solution.strategy[slot];
  }
  return p == 0 ? -solution.value : solution.value;
}

}  // namespace cleave::histories
