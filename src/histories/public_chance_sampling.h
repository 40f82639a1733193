#pragma once

#include <memory>

#include "core/random.h"
#include "histories/tree_engine.h"

namespace cleave::histories {

// Public chance sampling (Johanson et al. 2012) at the root of a piece. What chance deals there
// splits the piece into components: parts of the game that share no information set, one per
// board in poker. Each iteration draws one, with probability proportional to chance's reach of it,
// and only there both players descend and learn; values at the root are divided by the
// probability, so that they are right on average. With one component it is the tree engine.
//
// An iteration is two descents, one of each player: the first draws. Within a component the
// division would only scale regrets, which regret matching does not see, so it is left out.
class PublicChanceSampling final : public decompose::Engine {
 public:
  // `game` is what the piece was made from. Throws InputError for a piece with leaves.
  PublicChanceSampling(const tree::Tree& game, const TreePiece& piece, uint64_t seed);

  size_t num_states(size_t player) const override { return num_states_[player]; }
  void counterfactual_reach(size_t player, std::span<const double> other_reach,
                            std::span<double> rho) const override;
  void reset() override;
  void descend(size_t player, std::span<const double> root_reach, double decay) override;
  void learn(size_t player, const kernels::RegretUpdate& update, std::span<double> values) override;
  void follow(size_t player, std::span<const double> root_reach) override;
  void values(size_t player, decompose::Follow how, std::span<const double> other_reach,
              std::span<double> values) override;
  // Throws RunError: nobody stands above a piece without leaves.
  decompose::DecisionValues decision_values(size_t player, decompose::Follow how,
                                            std::span<const double> other_reach) override;
  size_t num_leaves() const override { return 0; }
  size_t num_leaf_states(size_t, size_t) const override { return 0; }
  void leaf_reach(size_t, size_t, std::span<double>) const override {}
  void set_leaf_values(size_t, size_t, std::span<const double>) override {}
  size_t num_decisions() const override { return sum_over(&TreeEngine::num_decisions); }
  decompose::Decision decision(size_t d) const override { return engine_of(d).decision(d); }
  void strategy(size_t d, std::span<double> rows) override { engine_of(d).strategy(d, rows); }
  void set_strategy(size_t d, std::span<const double> rows) override {
    engine_of(d).set_strategy(d, rows);
  }
  void fix(size_t d, std::span<const double> rows) override { engine_of(d).fix(d, rows); }
  size_t learning_bytes() const override { return sum_over(&TreeEngine::learning_bytes); }

  void copy_strategy(size_t player, tree::Strategy& game_strategy) {
    for (const auto& c : components_) c->engine.copy_strategy(player, game_strategy);
  }

  size_t num_components() const { return components_.size(); }
  double probability(size_t component) const { return components_[component]->probability; }
  size_t drawn() const { return drawn_; }  // the component of the newest iteration

 private:
  struct Component {
    Component(const tree::Tree& game, const TreePiece& whole, const std::vector<uint32_t>& roots,
              const std::vector<uint32_t>& parents);
    // Reach, to the component's states.
    void spread(size_t player, std::span<const double> root) const {
      for (size_t s = 0; s < reach[player].size(); ++s) {
        reach[player][s] = root[state_above[player][s]];
      }
    }
    // Adds values.
    void collect(size_t player, double factor, std::span<double> root) const {
      for (size_t s = 0; s < values[player].size(); ++s) {
        root[state_above[player][s]] += factor * values[player][s];
      }
    }

    TreePiece piece;
    TreeEngine engine;
    double probability = 0;
    std::array<std::vector<uint32_t>, 2> state_above;  // [player][state]: at the whole's root
    std::array<double, 2> decay = {1, 1};      // of the average, owed since it was last drawn
    mutable decompose::Vectors reach, values;  // scratch, of the component's states
  };

  size_t draw();
  size_t sum_over(size_t (TreeEngine::*count)() const) const;
  TreeEngine& engine_of(size_t& decision) const;  // and its number there

  std::array<size_t, 2> num_states_;
  std::vector<std::unique_ptr<Component>> components_;  // engines hold on to their pieces
  uint64_t seed_;
  core::Random random_;
  size_t drawn_ = 0;
  bool begins_ = true;  // the next descent is an iteration's first
};

}  // namespace cleave::histories
