#include "histories/tree_engine.h"

#include <algorithm>
#include <limits>

#include "histories/profile.h"
#include "solve/passes.h"
#include "tree/strategy.h"

namespace cleave::histories {

using tree::Group;

namespace {

// The entry sets are alone on level 0 of each player: what the engine sees to itself.
constexpr size_t kTop = 1;

// [history of the piece]: the smallest payoff to the player that can follow in the game, or in the
// abstraction that is looked at.
std::vector<double> least_payoffs(const TreePiece& piece, size_t player) {
  const tree::Tree& game = *piece.game;
  const double sign = player == 0 ? 1 : -1;
  std::vector<double> least(game.num_histories(), std::numeric_limits<double>::infinity());
  for (auto h = static_cast<uint32_t>(game.num_histories()); h-- > 0;) {
    if (game.actor[h] == tree::kTerminal) least[h] = sign * game.payoff[game.infoset[h]];
    if (h == 0) break;
    const bool is_outside = piece.off_tree && game.actor[game.parent[h]] < 2 &&
                            !piece.off_tree->kept_slot[game.slot_into(h)];
    if (!is_outside) least[game.parent[h]] = std::min(least[game.parent[h]], least[h]);
  }
  std::vector<double> out;
  for (const uint32_t h : piece.source) out.push_back(h == tree::kNone ? 0 : least[h]);
  return out;
}

}  // namespace

TreeEngine::TreeEngine(const TreePiece& piece, int threads)
    : piece_(piece),
      learner_{solve::Learner(piece.problem.form.player[0]),
               solve::Learner(piece.problem.form.player[1])},
      work_(piece.problem) {
  work_.threads = threads;
  for (size_t p = 0; p < 2; ++p) {
    const tree::Treeplex& plex = piece.problem.form.player[p];
    for (uint32_t s = 0; s < piece.root.states[p].size(); ++s) {
      root_sequence_[p].push_back(plex.sequence(plex.first_slot + s));
    }
  }
  for (const Border& leaf : piece.leaves) {
    leaf_values_.push_back({std::vector<double>(leaf.states[0].size(), 0.0),
                            std::vector<double>(leaf.states[1].size(), 0.0)});
  }
}

void TreeEngine::counterfactual_reach(size_t p, std::span<const double> other_reach,
                                      std::span<double> rho) const {
  std::ranges::fill(rho, 0.0);
  for (size_t i = 0; i < piece_.root.histories.size(); ++i) {
    rho[piece_.root.state_of[p][i]] +=
        piece_.chance[i] * other_reach[piece_.root.state_of[1 - p][i]];
  }
}

void TreeEngine::reset() {
  for (size_t p = 0; p < 2; ++p) {
    learner_[p] = solve::Learner(piece_.problem.form.player[p]);
    overlay_fixed(p);
  }
}

void TreeEngine::descend(size_t p, std::span<const double> root_reach, double decay) {
  solve::Learner& learner = learner_[p];
  for (size_t s = 0; s < root_reach.size(); ++s) {
    const uint32_t sequence = root_sequence_[p][s];
    learner.reach[sequence] = root_reach[s];
    learner.average[sequence] = learner.average[sequence] * decay + root_reach[s];
  }
  solve::descend_and_average(piece_.problem.form.player[p], work_.threads, decay, learner, kTop);
}

void TreeEngine::learn(size_t p, const kernels::RegretUpdate& update, std::span<double> values) {
  double* q = work_.q[p].data();
  piece_.problem.form.payoff[p].multiply(learner_[1 - p].reach.data(), q, work_.threads);
  add_leaf_values(p, q);
  solve::learn_from_values(piece_.problem, p, update, work_, learner_[p], kTop);
  overlay_fixed(p);
  read_root(p, q, values);
}

void TreeEngine::add_leaf_values(size_t p, double* q) const {
  for (size_t leaf = 0; leaf < leaf_values_.size(); ++leaf) {
    const auto& sequences = piece_.leaf_sequence[leaf][p];
    for (size_t s = 0; s < sequences.size(); ++s) q[sequences[s]] += leaf_values_[leaf][p][s];
  }
}

void TreeEngine::read_root(size_t player, const double* q, std::span<double> values) const {
  const auto& sequences = root_sequence_[player];
  for (size_t s = 0; s < sequences.size(); ++s) values[s] = q[sequences[s]];
}

void TreeEngine::average_plan(size_t p, std::span<const double> root_reach,
                              core::Reals& plan) const {
  const tree::Treeplex& plex = piece_.problem.form.player[p];
  const solve::Learner& learner = learner_[p];
  std::ranges::fill(plan, 0.0);
  plan[tree::kEmptySequence] = 1;
  for (size_t s = 0; s < root_reach.size(); ++s) plan[root_sequence_[p][s]] = root_reach[s];
  solve::descend(
      plex, 1,
      [&](const Group& group) {
        for (uint32_t m = 0; m < group.width; ++m) {
          const double reach = plan[plex.parent[group.first_position + m]];
          if (reach == 0) continue;
          double sum = 0;
          for (uint32_t a = 0; a < group.num_actions; ++a) {
            sum += learner.average[group.first_sequence + a * group.width + m];
          }
          for (uint32_t a = 0; a < group.num_actions; ++a) {
            const size_t i = group.first_sequence + a * group.width + m;
            plan[i] = reach * (sum > 0 ? learner.average[i] / sum : learner.strategy[i]);
          }
        }
      },
      kTop);
}

void TreeEngine::follow(size_t player, std::span<const double> root_reach) {
  average_plan(player, root_reach, learner_[player].reach);
}

void TreeEngine::ascend(size_t player, decompose::Follow how, std::span<const double> other_reach) {
  average_plan(1 - player, other_reach, work_.plan[1 - player]);
  double* q = work_.q[player].data();
  piece_.problem.form.payoff[player].multiply(work_.plan[1 - player].data(), q, work_.threads);
  add_leaf_values(player, q);
  const solve::Learner& learner = learner_[player];
  // Values with the average behaviour; its plan alone would lose states of zero reach.
  const auto follow_average = [&](const Group& group, double* value) {
    for (uint32_t m = 0; m < group.width; ++m) {
      double sum = 0, weighted = 0, current = 0;
      for (uint32_t a = 0; a < group.num_actions; ++a) {
        const size_t i = group.first_sequence + a * group.width + m;
        sum += learner.average[i];
        weighted += learner.average[i] * q[i];
        current += learner.strategy[i] * q[i];
      }
      value[m] = sum > 0 ? weighted / sum : current;
    }
  };
  const std::vector<double>& fixed = fixed_[player];
  const auto respond = [&](const Group& group, double* value) {
    kernels::maximise_group(group.num_actions, group.width, q + group.first_sequence, value);
    if (fixed.empty()) return;
    for (uint32_t m = 0; m < group.width; ++m) {
      if (fixed[group.first_sequence + m] < 0) continue;
      value[m] = 0;
      for (uint32_t a = 0; a < group.num_actions; ++a) {
        const size_t i = group.first_sequence + a * group.width + m;
        value[m] += fixed[i] * q[i];
      }
    }
  };
  const tree::Treeplex& plex = piece_.problem.form.player[player];
  if (how == decompose::Follow::kAverage) {
    solve::ascend(plex, work_.threads, q, work_.value.data(), follow_average, kTop);
  } else {
    solve::ascend(plex, work_.threads, q, work_.value.data(), respond, kTop);
  }
}

void TreeEngine::values(size_t player, decompose::Follow how, std::span<const double> other_reach,
                        std::span<double> values) {
  ascend(player, how, other_reach);
  read_root(player, work_.q[player].data(), values);
}

// rho(I') = sum over h in I' of chance's and the other's reach; guaranteed(I', b) = sum over h in
// I' of that reach times the smallest payoff that can follow h, b.
decompose::DecisionValues TreeEngine::decision_values(size_t player, decompose::Follow how,
                                                      std::span<const double> other_reach) {
  ascend(player, how, other_reach);
  const tree::Tree& tree = piece_.problem.tree;
  const std::vector<double> least = least_payoffs(piece_, player);
  const std::vector<double> chance = chance_reach(tree);
  const tree::Treeplex &own = piece_.problem.form.player[player],
                       &other = piece_.problem.form.player[1 - player];
  std::vector<double> rho(tree.num_infosets(), 0.0), after(tree.num_slots(), 0.0);
  for (uint32_t h = 0; h < tree.num_histories(); ++h) {
    if (tree.actor[h] != player) continue;
    const uint32_t slot = tree.sequence[1 - player][h];
    const double reach =
        chance[h] *
        work_.plan[1 - player][slot == tree::kNone ? tree::kEmptySequence : other.sequence(slot)];
    rho[tree.infoset[h]] += reach;
    for (uint32_t c = tree.child_begin[h]; c < tree.child_begin[h + 1]; ++c) {
      after[tree.slot_begin[tree.infoset[h]] + tree.action(c)] += reach * least[c];
    }
  }
  decompose::DecisionValues out;
  for (size_t d = 0; d < num_decisions(); ++d) {
    const uint32_t set = piece_.infoset(d);
    auto& action = out.action.emplace_back();
    out.reach.emplace_back();
    out.guaranteed.emplace_back();
    if (tree.player(set) != player) continue;
    for (uint32_t slot = tree.slot_begin[set]; slot < tree.slot_begin[set + 1]; ++slot) {
      action.push_back(work_.q[player][own.sequence(slot)]);
    }
    out.reach.back() = {rho[set]};
    out.guaranteed.back().assign(after.begin() + tree.slot_begin[set],
                                 after.begin() + tree.slot_begin[set + 1]);
  }
  return out;
}

void TreeEngine::leaf_reach(size_t leaf, size_t p, std::span<double> reach) const {
  const auto& sequences = piece_.leaf_sequence[leaf][p];
  for (size_t s = 0; s < sequences.size(); ++s) reach[s] = learner_[p].reach[sequences[s]];
}

void TreeEngine::set_leaf_values(size_t leaf, size_t player, std::span<const double> values) {
  std::ranges::copy(values, leaf_values_[leaf][player].begin());
}

std::vector<std::span<std::byte>> TreeEngine::learnt() {
  std::vector<std::span<std::byte>> out;
  for (solve::Learner& learner : learner_) {
    for (core::Reals* array : {&learner.regret, &learner.strategy, &learner.average}) {
      out.push_back(std::as_writable_bytes(std::span(*array)));
    }
  }
  return out;
}

size_t TreeEngine::learning_bytes() const {
  size_t bytes = 0;
  for (const solve::Learner& learner : learner_) {
    bytes += (learner.regret.size() + learner.strategy.size() + learner.average.size() +
              learner.reach.size()) *
             sizeof(double);
  }
  return bytes;
}

decompose::Decision TreeEngine::decision(size_t number) const {
  const uint32_t set = piece_.infoset(number);
  return {piece_.problem.tree.player(set), piece_.problem.tree.num_actions(set), 1};
}

uint32_t TreeEngine::sequence_of(size_t decision, size_t action) const {
  const uint32_t slot = piece_.problem.tree.slot_begin[piece_.infoset(decision)];
  return piece_.problem.form.player[player_of(decision)].sequence(slot +
                                                                  static_cast<uint32_t>(action));
}

void TreeEngine::strategy(size_t decision, std::span<double> rows) {
  const solve::Learner& learner = learner_[player_of(decision)];
  double sum = 0;
  for (size_t a = 0; a < rows.size(); ++a) sum += learner.average[sequence_of(decision, a)];
  for (size_t a = 0; a < rows.size(); ++a) {
    const uint32_t i = sequence_of(decision, a);
    rows[a] = sum > 0 ? learner.average[i] / sum : learner.strategy[i];
  }
}

// As an average it needs no reach: only proportions within a set are ever read.
void TreeEngine::set_strategy(size_t decision, std::span<const double> rows) {
  solve::Learner& learner = learner_[player_of(decision)];
  for (size_t a = 0; a < rows.size(); ++a) {
    const uint32_t i = sequence_of(decision, a);
    learner.strategy[i] = learner.average[i] = rows[a];
  }
}

void TreeEngine::fix(size_t decision, std::span<const double> rows) {
  set_strategy(decision, rows);
  std::vector<double>& fixed = fixed_[player_of(decision)];
  fixed.resize(learner_[player_of(decision)].strategy.size(), -1.0);
  for (size_t a = 0; a < rows.size(); ++a) fixed[sequence_of(decision, a)] = rows[a];
}

void TreeEngine::overlay_fixed(size_t player) {
  for (size_t i = 0; i < fixed_[player].size(); ++i) {
    if (fixed_[player][i] >= 0) learner_[player].strategy[i] = fixed_[player][i];
  }
}

void TreeEngine::copy_strategy(size_t player, tree::Strategy& game_strategy) {
  histories::copy_strategy(piece_, *this, player, game_strategy);
}

void TreeEngine::set_strategy(const tree::Strategy& game_strategy) {
  TreeProfile(game_strategy).give(piece_, *this);
}

}  // namespace cleave::histories
