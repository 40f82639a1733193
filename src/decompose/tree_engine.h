#pragma once

#include "decompose/piece.h"
#include "solve/learner.h"

namespace cleave::decompose {

// The tree engine at work on a piece, which must outlive it.
class TreeEngine final : public Engine {
 public:
  explicit TreeEngine(const Piece& piece, int threads = 1);

  size_t num_states(int player) const override;
  void counterfactual_reach(int player, std::span<const double> other_reach,
                            std::span<double> rho) const override;
  void reset() override;
  void descend(int player, std::span<const double> root_reach, double decay) override;
  void learn(int player, const kernels::RegretUpdate& update, std::span<double> values) override;
  void evaluate(const Vectors& root_reach, Vectors& values) override;
  void best_response(int player, std::span<const double> other_reach,
                     std::span<double> values) override;
  size_t num_leaves() const override { return piece_.leaves.size(); }
  size_t num_leaf_states(size_t leaf, int player) const override;
  void leaf_reach(size_t leaf, int player, std::span<double> reach) const override;
  void set_leaf_values(size_t leaf, int player, std::span<const double> values) override;
  size_t learning_bytes() const override;

  // The player's average strategy into a strategy of the game, at the information sets of the
  // piece; the current one where the player's own reach is zero.
  void copy_strategy(int player, tree::Strategy& game_strategy) const;
  // The reverse: both players' average strategies from now on are those of the game's strategy.
  void set_strategy(const tree::Strategy& game_strategy);

 private:
  // The player's plan from the average behaviour, entered with the given reach.
  void average_plan(int player, std::span<const double> root_reach, core::Reals& plan) const;
  void add_leaf_values(int player, double* q) const;
  void read_root(int player, const double* q, std::span<double> values) const;

  const Piece& piece_;
  std::array<solve::Learner, 2> learner_;
  solve::Workspace work_;
  std::vector<Vectors> leaf_values_;                    // [leaf]
  std::array<std::vector<uint32_t>, 2> root_sequence_;  // [player][state]
};

}  // namespace cleave::decompose
