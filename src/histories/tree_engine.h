#pragma once

#include "histories/piece.h"
#include "solve/learner.h"

namespace cleave::histories {

// The tree engine at work on a piece, which must outlive it.
class TreeEngine final : public decompose::Engine {
 public:
  explicit TreeEngine(const TreePiece& piece, int threads = 1);

  size_t num_states(size_t player) const override { return root_sequence_[player].size(); }
  void counterfactual_reach(size_t player, std::span<const double> other_reach,
                            std::span<double> rho) const override;
  void reset() override;
  void descend(size_t player, std::span<const double> root_reach, double decay) override;
  void learn(size_t player, const kernels::RegretUpdate& update, std::span<double> values) override;
  void follow(size_t player, std::span<const double> root_reach) override;
  void values(size_t player, decompose::Follow how, std::span<const double> other_reach,
              std::span<double> values) override;
  decompose::DecisionValues decision_values(size_t player, decompose::Follow how,
                                            std::span<const double> other_reach) override;
  size_t num_leaves() const override { return piece_.leaves.size(); }
  size_t num_leaf_states(size_t leaf, size_t player) const override {
    return piece_.leaves[leaf].states[player].size();
  }
  void leaf_reach(size_t leaf, size_t player, std::span<double> reach) const override;
  void set_leaf_values(size_t leaf, size_t player, std::span<const double> values) override;
  size_t num_decisions() const override { return piece_.num_decisions(); }
  decompose::Decision decision(size_t number) const override;
  void strategy(size_t decision, std::span<double> rows) override;
  void set_strategy(size_t decision, std::span<const double> rows) override;
  void fix(size_t decision, std::span<const double> rows) override;
  size_t learning_bytes() const override;
  std::vector<std::span<std::byte>> learnt() override;

  // The player's average strategy into a strategy of the game, at the information sets of the
  // piece; the current one where the player's own reach is zero.
  void copy_strategy(size_t player, tree::Strategy& game_strategy);
  // The reverse: both players' average strategies from now on are those of the game's strategy.
  void set_strategy(const tree::Strategy& game_strategy);

 private:
  // The player's plan from the average behaviour, entered with the given reach.
  void average_plan(size_t player, std::span<const double> root_reach, core::Reals& plan) const;
  void add_leaf_values(size_t player, double* q) const;
  // Action values into work_.q[player], for what the player then does.
  void ascend(size_t player, decompose::Follow how, std::span<const double> other_reach);
  void overlay_fixed(size_t player);
  void read_root(size_t player, const double* q, std::span<double> values) const;
  size_t player_of(size_t decision) const {
    return piece_.problem.tree.player(piece_.infoset(decision));
  }
  // Of an action of a decision, among its player's.
  uint32_t sequence_of(size_t decision, size_t action) const;

  const TreePiece& piece_;
  std::array<solve::Learner, 2> learner_;
  solve::Workspace work_;
  std::vector<decompose::Vectors> leaf_values_;         // [leaf]
  std::array<std::vector<uint32_t>, 2> root_sequence_;  // [player][state]
  // [player][sequence]: what is fixed; empty: nothing is, negative: free
  std::array<std::vector<double>, 2> fixed_;
};

// Bytes of regrets, strategies and averages of a full-width solver of the whole game.
inline size_t whole_game_learning_bytes(const solve::Problem& game) {
  constexpr size_t kArrays = 4;  // of a solve::Learner: regrets, strategy, average, reach
  const auto& [one, two] = game.form.player;
  return kArrays * (one.num_sequences + two.num_sequences) * sizeof(double);
}

}  // namespace cleave::histories
