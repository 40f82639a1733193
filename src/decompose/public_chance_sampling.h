#pragma once

#include <memory>

#include "core/random.h"
#include "decompose/tree_engine.h"

namespace cleave::decompose {

// Public chance sampling (Johanson et al. 2012) at the root of a piece. What chance deals there
// splits the piece into components: parts of the game that share no information set, one per
// board in poker. Each iteration draws one, with probability proportional to chance's reach of it,
// and only there both players descend and learn; values at the root are divided by the
// probability, so that they are right on average. With one component it is the tree engine.
//
// An iteration is two descents, one of each player: the first draws. Within a component the
// division would only scale regrets, which regret matching does not see, so it is left out.
class PublicChanceSampling final : public Engine {
 public:
  // `game` is what the piece was made from. Throws InputError for a piece with leaves.
  PublicChanceSampling(const tree::Tree& game, const Piece& piece, uint64_t seed);

  size_t num_states(int player) const override;
  void counterfactual_reach(int player, std::span<const double> other_reach,
                            std::span<double> rho) const override;
  void reset() override;
  void descend(int player, std::span<const double> root_reach, double decay) override;
  void learn(int player, const kernels::RegretUpdate& update, std::span<double> values) override;
  void evaluate(const Vectors& root_reach, Vectors& values) override;
  void best_response(int player, std::span<const double> other_reach,
                     std::span<double> values) override;
  size_t num_leaves() const override { return 0; }
  size_t num_leaf_states(size_t, int) const override { return 0; }
  void leaf_reach(size_t, int, std::span<double>) const override {}
  void set_leaf_values(size_t, int, std::span<const double>) override {}
  size_t learning_bytes() const override;

  void copy_strategy(int player, tree::Strategy& game_strategy) const;

  size_t num_components() const { return components_.size(); }
  double probability(size_t component) const { return components_[component]->probability; }
  size_t drawn() const { return drawn_; }  // the component of the newest iteration

 private:
  struct Component {
    Component(const tree::Tree& game, const Piece& whole, const std::vector<uint32_t>& roots,
              const std::vector<uint32_t>& parents);
    void spread(size_t player, std::span<const double> root);  // reach, to the component's states
    void collect(size_t player, double factor, std::span<double> root) const;  // adds values

    Piece piece;
    TreeEngine engine;
    double probability = 0;
    std::array<std::vector<uint32_t>, 2> state_above;  // [player][state]: at the whole's root
    std::array<double, 2> decay = {1, 1};  // of the average, owed since it was last drawn
    mutable Vectors reach, values;         // scratch, of the component's states
  };

  size_t draw();

  std::array<size_t, 2> num_states_;
  std::vector<std::unique_ptr<Component>> components_;  // engines hold on to their pieces
  uint64_t seed_;
  core::Random random_;
  size_t drawn_ = 0;
  bool begins_ = true;  // the next descent is an iteration's first
};

}  // namespace cleave::decompose
