#include "histories/nested.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "core/error.h"
#include "decompose/resolver.h"
#include "histories/gadget_game.h"
#include "histories/off_tree.h"
#include "histories/tree_engine.h"
#include "solve/evaluate.h"
#include "solve/passes.h"
#include "solve/sequence_lp.h"

namespace cleave::histories {

using tree::kNone;
using tree::kTerminal;
using tree::Tree;

namespace {

// The hero's model at one point of play: the abstraction and the moves of the opponent that were
// added on the way. Values are counterfactual, to the opponent, in Burch's units.
struct Model {
  std::vector<bool> added;            // [slot]
  tree::Strategy opponent;            // the opponent's strategy in it (the hero's part is not read)
  std::vector<double> best_response;  // [slot]: CBV(I, a)
  std::vector<double> estimate;       // [infoset]: when both follow the model
  std::vector<double> reach;          // [history]: the hero's and chance's
};

// A part of a model as a tree, with the way to it from the game's root.
struct Part {
  tree::Derived derived;
  TreePiece piece;
};

class NestedSolver {
 public:
  NestedSolver(const solve::Problem& game, const ActionAbstraction& abstraction, size_t hero,
               const tree::Strategy& strategy, const decompose::Method& method,
               const NestedOptions& options)
      : problem_(game),
        game_(game.tree),
        abstraction_(abstraction),
        hero_(hero),
        opp_(1 - hero_),
        method_(method),
        options_(options),
        off_tree_(find_off_tree(game.tree, abstraction, hero_)),
        work_(game),
        chance_(chance_reach(game.tree)),
        set_of_slot_(game.tree.num_slots()) {
    if (method.gadget->needs_trunk_reach && !options.expensive) {
      throw core::InputError(fmt::format(
          "method '{}' needs the opponent's reach of a move that is not in the hero's model; only "
          "the expensive variant has it",
          method.name));
    }
    result_.strategy = strategy;
    for (uint32_t set = 0; set < game_.num_infosets(); ++set) {
      std::fill(set_of_slot_.begin() + game_.slot_begin[set],
                set_of_slot_.begin() + game_.slot_begin[set + 1], set);
    }
    find_least_and_members();
  }

  NestedResult run() {
    Model model{std::vector<bool>(game_.num_slots(), false), result_.strategy, {}, {}, {}};
    find_values(model);
    for (const size_t subgame : off_tree_.outermost) answer(model, subgame);
    return std::move(result_);
  }

 private:
  bool is_known(const Model& model, uint32_t slot) const {
    return abstraction_.kept_slot[slot] || model.added[slot];
  }

  // least_[history]: the smallest payoff to the opponent that can follow within the abstraction.
  void find_least_and_members() {
    const double sign = opp_ == 0 ? 1 : -1;
    least_.assign(game_.num_histories(), std::numeric_limits<double>::infinity());
    members_.resize(game_.num_infosets());
    for (uint32_t h = static_cast<uint32_t>(game_.num_histories()); h-- > 0;) {
      if (game_.actor[h] == kTerminal) least_[h] = sign * game_.payoff[game_.infoset[h]];
      if (game_.actor[h] == opp_) members_[game_.infoset[h]].push_back(h);
      if (h == 0 || !abstraction_.kept[h]) continue;
      least_[game_.parent[h]] = std::min(least_[game_.parent[h]], least_[h]);
    }
  }

  // What lies behind moves that the model lacks is not looked at: they are never the best.
  void find_values(Model& model) {
    const tree::Treeplex& plex = problem_.form.player[opp_];
    core::Reals& q = work_.q[opp_];
    tree::plan_from_strategy(game_, problem_.form.player[hero_], result_.strategy,
                             work_.plan[hero_]);
    problem_.form.payoff[opp_].multiply(work_.plan[hero_].data(), q.data(), work_.threads);
    const core::Reals payoffs = q;
    const auto pass = [&](const auto& value_at) {
      std::ranges::copy(payoffs, q.begin());
      solve::ascend(plex, 1, q.data(), work_.value.data(),
                    [&](const tree::Group& group, double* value) {
                      for (uint32_t m = 0; m < group.width; ++m) {
                        const uint32_t set = plex.infoset[group.first_position + m];
                        value[m] = set == kNone ? 0 : value_at(set);
                      }
                    });
    };
    const auto q_of = [&](uint32_t slot) { return q[plex.sequence(slot)]; };
    model.estimate.assign(game_.num_infosets(), 0.0);
    pass([&](uint32_t set) {
      double value = 0;
      for (uint32_t slot = game_.slot_begin[set]; slot < game_.slot_begin[set + 1]; ++slot) {
        value += model.opponent[slot] * q_of(slot);
      }
      return model.estimate[set] = value;
    });
    model.best_response.assign(game_.num_slots(), 0.0);
    pass([&](uint32_t set) {
      double best = -std::numeric_limits<double>::infinity();
      for (uint32_t slot = game_.slot_begin[set]; slot < game_.slot_begin[set + 1]; ++slot) {
        model.best_response[slot] = q_of(slot);
        if (is_known(model, slot)) best = std::max(best, q_of(slot));
      }
      return best;
    });
    model.reach = chance_;
    for (uint32_t h = 1; h < game_.num_histories(); ++h) {
      const uint32_t parent = game_.parent[h];
      model.reach[h] = model.reach[parent] * game_.probability[h];
      if (game_.actor[parent] == hero_) model.reach[h] *= result_.strategy[slot_into(h)];
    }
  }

  uint32_t slot_into(uint32_t h) const {
    return game_.slot_begin[game_.infoset[game_.parent[h]]] + game_.action(h);
  }

  double best_value(const Model& model, uint32_t set) const {
    double best = -std::numeric_limits<double>::infinity();
    for (uint32_t slot = game_.slot_begin[set]; slot < game_.slot_begin[set + 1]; ++slot) {
      if (is_known(model, slot)) best = std::max(best, model.best_response[slot]);
    }
    return best;
  }

  double rho(const Model& model, uint32_t set) const {
    double sum = 0;
    for (const uint32_t h : members_[set]) sum += model.reach[h];
    return sum;
  }

  void answer(const Model& before, size_t subgame) {
    check_stop();
    const OffTree::Subgame& here = off_tree_.subgames[subgame];
    Model after{before.added, before.opponent, {}, {}, {}};
    std::vector<uint32_t> sets;  // where the opponent moves
    for (const uint32_t h : here.heads) {
      after.added[slot_into(h)] = true;
      sets.push_back(game_.infoset[game_.parent[h]]);
    }
    std::ranges::sort(sets);
    sets.erase(std::unique(sets.begin(), sets.end()), sets.end());

    NestedStep step;
    step.heads = here.heads;
    step.depth = here.depth;
    double mass = 0;
    for (const uint32_t h : here.heads) mass += before.reach[h];
    step.reached = mass > 0;
    if (!step.reached) {
      fill_uniformly(subgame);
    } else if (here.is_played) {
      solve(before, subgame, after);
    }
    find_values(after);
    step.margin = std::numeric_limits<double>::infinity();
    for (const uint32_t set : sets) {
      const double gain = new_value(after, set, here.heads) - best_value(before, set);
      const double reach = rho(before, set);
      step.gain += std::max(0.0, gain);
      if (reach > 0) step.margin = std::min(step.margin, -gain / reach);
    }
    result_.steps.push_back(std::move(step));
    if (options_.solving.progress) {
      options_.solving.progress(result_.steps.size(), off_tree_.subgames.size());
    }
    for (const size_t inner : here.inside) answer(after, inner);
  }

  // The best of the moves that lead from the set to these heads.
  double new_value(const Model& after, uint32_t set, const std::vector<uint32_t>& heads) const {
    double best = -std::numeric_limits<double>::infinity();
    for (const uint32_t h : heads) {
      if (game_.infoset[game_.parent[h]] != set) continue;
      best = std::max(best, after.best_response[slot_into(h)]);
    }
    return best;
  }

  void check_stop() const {
    const std::atomic<bool>* stop = options_.solving.stop;
    if (stop && stop->load(std::memory_order_relaxed)) {
      throw core::RunError("stopped while solving nested subgames");
    }
  }

  // The way to `roots` and all that the model has below them.
  Part take_part(const Model& model, const std::vector<uint32_t>& roots) const {
    enum : uint8_t { kAway, kOnTheWay, kBelow };
    std::vector<uint8_t> place(game_.num_histories(), kAway);
    std::vector<bool> way_slot(game_.num_slots(), false);
    for (const uint32_t root : roots) {
      place[root] = kBelow;
      for (uint32_t h = root; h != 0; h = game_.parent[h]) {
        if (game_.actor[game_.parent[h]] < 2) way_slot[slot_into(h)] = true;
        if (place[game_.parent[h]] == kOnTheWay) break;
        place[game_.parent[h]] = kOnTheWay;
      }
    }
    tree::Recipe recipe;
    recipe.name = game_.name;
    recipe.keeps = [&](uint32_t child) {
      const uint32_t parent = game_.parent[child];
      if (place[parent] == kBelow) place[child] = kBelow;
      if (game_.actor[parent] >= 2) return true;
      // By slots, so that all histories of a set keep the same moves.
      const uint32_t slot = slot_into(child);
      return place[parent] == kBelow ? is_known(model, slot) : bool{way_slot[slot]};
    };
    recipe.treat = [&](uint32_t h) {
      return place[h] == kAway ? tree::Treatment::kEnd : tree::Treatment::kKeep;
    };
    Part part;
    part.derived = tree::derive(game_, recipe);
    std::vector<bool> is_root(game_.num_histories(), false);
    for (const uint32_t root : roots) is_root[root] = true;
    std::vector<uint32_t> new_roots;
    for (uint32_t h = 0; h < part.derived.source.size(); ++h) {
      if (is_root[part.derived.source[h]]) new_roots.push_back(h);
    }
    part.piece = make_piece(part.derived.tree, std::move(new_roots));
    return part;
  }

  // A subgame must hold its information sets wholly.
  void check_closed(const Part& part) const {
    const Tree& tree = part.piece.problem.tree;
    std::vector<uint32_t> count(tree.num_infosets(), 0);
    for (uint32_t h = 0; h < tree.num_histories(); ++h) {
      if (tree.actor[h] < 2) ++count[tree.infoset[h]];
    }
    for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
      const uint32_t slot = part.piece.source_slot[tree.slot_begin[set]];
      if (slot == kNone) continue;
      const uint32_t source = set_of_slot_[part.derived.source_slot[slot]];
      if (count[set] == off_tree_.num_known[source]) continue;
      throw core::InputError(fmt::format(
          "nested solving of {}: the moves that lead to information set {} of player {} are not "
          "public, so no subgame begins where the opponent moves",
          game_.name, source + 1, game_.player(source) + 1));
    }
  }

  // The smallest subgames that hold the opponent's moves to these heads.
  std::vector<uint32_t> moves_around(const std::vector<uint32_t>& heads) const {
    std::set<uint32_t> places;
    for (const uint32_t h : heads) places.insert(off_tree_.place[game_.parent[h]]);
    std::vector<uint32_t> roots;
    for (const uint32_t place : places) {
      const std::vector<uint32_t>& moves = off_tree_.places[place];
      roots.insert(roots.end(), moves.begin(), moves.end());
    }
    std::ranges::sort(roots);
    return roots;
  }

  // The hero never goes there: any answer will do.
  void fill_uniformly(size_t subgame) {
    for (uint32_t set = game_.infoset_begin[hero_]; set < game_.infoset_begin[hero_ + 1]; ++set) {
      if (off_tree_.of_set[set] != subgame) continue;
      const auto first = abstraction_.kept_slot.begin() + game_.slot_begin[set];
      const auto end = abstraction_.kept_slot.begin() + game_.slot_begin[set + 1];
      const auto kept = static_cast<double>(std::count(first, end, true));
      for (uint32_t slot = game_.slot_begin[set]; slot < game_.slot_begin[set + 1]; ++slot) {
        result_.strategy[slot] = abstraction_.kept_slot[slot] ? 1 / kept : 0;
      }
    }
  }

  void solve(const Model& before, size_t subgame, Model& after) {
    std::vector<uint32_t> roots = off_tree_.subgames[subgame].heads;
    if (options_.expensive) roots = moves_around(roots);
    const Part part = take_part(after, roots);
    check_closed(part);
    const Border& root = part.piece.root;
    std::vector<double> hero_reach(root.states[hero_].size(), 0.0);
    for (size_t i = 0; i < root.histories.size(); ++i) {
      hero_reach[root.state_of[hero_][i]] =
          own_reach(hero_, result_.strategy, part.derived.source[root.histories[i]]);
    }
    const auto gadget = decompose::make_gadget(method_, gadget_input(before, part, hero_reach));
    const tree::Strategy solved = options_.solving.exact ? solve_exactly(part, hero_reach, *gadget)
                                                         : iterate(part, hero_reach, *gadget);
    const auto each = [&](const auto& visit) {
      for (size_t slot = 0; slot < solved.size(); ++slot) {
        if (solved[slot] < 0) continue;
        const uint32_t source = part.derived.source_slot[slot];
        const uint32_t set = set_of_slot_[source];
        if (game_.player(set) == opp_) {
          visit(after.opponent, set, source, solved[slot]);
        } else if (off_tree_.of_set[set] == subgame) {
          visit(result_.strategy, set, source, solved[slot]);
        }
      }
    };
    // First all moves of a set, so that those outside the model have probability zero.
    each([&](tree::Strategy& strategy, uint32_t set, uint32_t, double) {
      std::fill(strategy.begin() + game_.slot_begin[set],
                strategy.begin() + game_.slot_begin[set + 1], 0.0);
    });
    each([](tree::Strategy& strategy, uint32_t, uint32_t slot, double probability) {
      strategy[slot] = probability;
    });
  }

  double own_reach(size_t player, const tree::Strategy& strategy, uint32_t h) const {
    double reach = 1;
    for (uint32_t slot = game_.sequence[player][h]; slot != kNone;) {
      reach *= strategy[slot];
      slot = game_.sequence[player][game_.first_history[set_of_slot_[slot]]];
    }
    return reach;
  }

  // The opponent's private states at the root are its information sets I in the expensive variant,
  // (I, a) in the other; alternatives are those of I in both.
  decompose::GadgetInput gadget_input(const Model& before, const Part& part,
                                      const std::vector<double>& hero_reach) {
    const Border& root = part.piece.root;
    const size_t n = root.states[opp_].size();
    decompose::Entrance entrance;
    decompose::Summary& summary = entrance.summary;
    summary.reach[hero_] = hero_reach;
    summary.reach[opp_].assign(n, 0.0);
    std::vector<uint32_t> sets(n, kNone);
    double mass = 0;
    for (size_t i = 0; i < root.histories.size(); ++i) {
      const uint32_t h = part.derived.source[root.histories[i]];
      const uint32_t s = root.state_of[opp_][i];
      sets[s] = game_.infoset[options_.expensive ? h : game_.parent[h]];
      if (!options_.expensive) continue;
      summary.reach[opp_][s] = own_reach(opp_, before.opponent, h);
      mass += part.piece.chance[i] * hero_reach[root.state_of[hero_][i]] * summary.reach[opp_][s];
    }
    if (method_.gadget->needs_trunk_reach && mass <= 0) ++result_.num_assumed;
    const std::vector<uint32_t> leads_to = count_states(sets);
    for (size_t s = 0; s < n; ++s) {
      summary.best_response[opp_].push_back(best_value(before, sets[s]));
      summary.value[opp_].push_back(before.estimate[sets[s]]);
      entrance.way.push_back(find_way(before, sets[s], leads_to));
    }
    return decompose::make_gadget_input(method_, TreeEngine(part.piece), hero_, entrance);
  }

  void visit_way(uint32_t set, const auto& visit) const {
    for (uint32_t slot = game_.sequence[opp_][game_.first_history[set]]; slot != kNone;) {
      visit(set_of_slot_[slot], slot);
      slot = game_.sequence[opp_][game_.first_history[set_of_slot_[slot]]];
    }
  }

  std::vector<uint32_t> count_states(const std::vector<uint32_t>& sets) const {
    std::vector<uint32_t> leads_to(game_.num_infosets(), 0);
    for (const uint32_t set : sets) {
      visit_way(set, [&](uint32_t above, uint32_t) { ++leads_to[above]; });
    }
    return leads_to;
  }

  // On the way to I, not at I itself: CBV(I) for CBV(I, a) has given that one already.
  std::vector<decompose::Passed> find_way(const Model& before, uint32_t set,
                                          const std::vector<uint32_t>& leads_to) const {
    std::vector<decompose::Passed> way;
    if (method_.gifts.kind == decompose::GiftRule::Kind::kNoGifts) return way;
    visit_way(set, [&](uint32_t above, uint32_t slot) {
      way.push_back({.rho = rho(before, above),
                     .best = best_value(before, above),
                     .best_taken = before.best_response[slot],
                     .guaranteed = guaranteed_value(before, above),
                     .sole = leads_to[above] == 1});
    });
    return way;
  }

  // max over moves b of the model of the sum over h in I' of reach times the least after h, b.
  double guaranteed_value(const Model& model, uint32_t set) const {
    double best = -std::numeric_limits<double>::infinity();
    for (uint32_t a = 0; a < game_.num_actions(set); ++a) {
      if (!is_known(model, game_.slot_begin[set] + a)) continue;
      double sum = 0;
      for (const uint32_t h : members_[set]) {
        sum += model.reach[h] * least_[game_.child_begin[h] + a];
      }
      best = std::max(best, sum);
    }
    return best;
  }

  // [slot of the part]: probability; -1 where the subgame has none.
  tree::Strategy iterate(const Part& part, const std::vector<double>& hero_reach,
                         decompose::Gadget& gadget) const {
    TreeEngine engine(part.piece, options_.solving.threads);
    decompose::Resolver resolver(
        engine, gadget, hero_, hero_reach,
        solve::make_schedule(options_.solving.algorithm, options_.solving.iterations));
    while (resolver.iterations() < options_.solving.iterations) {
      check_stop();
      resolver.iterate();
    }
    tree::Strategy solved(part.derived.tree.num_slots(), -1.0);
    for (size_t p = 0; p < 2; ++p) engine.copy_strategy(p, solved);
    return solved;
  }

  tree::Strategy solve_exactly(const Part& part, const std::vector<double>& hero_reach,
                               const decompose::Gadget& gadget) const {
    const GadgetGame game =
        make_gadget_game(part.derived.tree, part.piece, hero_, hero_reach, gadget.form());
    const solve::LpSolution solution = solve::solve_lp(game.problem);
    tree::Strategy solved(part.derived.tree.num_slots(), -1.0);
    for (size_t slot = 0; slot < game.source_slot.size(); ++slot) {
      if (game.source_slot[slot] != kNone) solved[game.source_slot[slot]] = solution.strategy[slot];
    }
    return solved;
  }

  const solve::Problem& problem_;
  const Tree& game_;
  const ActionAbstraction& abstraction_;
  size_t hero_, opp_;
  const decompose::Method& method_;
  const NestedOptions& options_;
  OffTree off_tree_;
  solve::Workspace work_;
  std::vector<double> chance_;
  std::vector<uint32_t> set_of_slot_;           // [slot]
  std::vector<double> least_;                   // [history]
  std::vector<std::vector<uint32_t>> members_;  // [infoset of the opponent]
  NestedResult result_;
};

}  // namespace

double NestedResult::total_gain() const {
  double sum = 0;
  for (const NestedStep& step : steps) sum += step.gain;
  return sum;
}

NestedResult solve_nested(const solve::Problem& game, const ActionAbstraction& abstraction,
                          size_t hero, const tree::Strategy& strategy,
                          const decompose::Method& method, const NestedOptions& options) {
  return NestedSolver(game, abstraction, hero, strategy, method, options).run();
}

}  // namespace cleave::histories
