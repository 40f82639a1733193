#include "decompose/profile.h"

#include "core/threads.h"

namespace cleave::decompose {

std::shared_ptr<const Profile> uniform_profile() {
  struct Uniform final : Profile {
    void give(const Piece&, Engine& engine) const override {
      for (size_t d = 0; d < engine.num_decisions(); ++d) {
        const Decision decision = engine.decision(d);
        const double probability = 1 / static_cast<double>(decision.num_actions);
        engine.set_strategy(d, std::vector<double>(decision.num_rows(), probability));
      }
    }
  };
  return std::make_shared<Uniform>();
}

std::vector<Vectors> Profile::values_below(const Piece& piece, const std::vector<Vectors>& reach,
                                           Follow how, int threads) const {
  std::vector<Vectors> out(reach.size());
  for (size_t leaf = 0; leaf < out.size(); ++leaf) {
    for (size_t p = 0; p < 2; ++p) out[leaf][p].assign(reach[leaf][p].size(), 0.0);
    // Deals side by side; what they bring is added up in their order.
    std::vector<Vectors> values(piece.num_below(leaf));
    std::vector<Crossing> crossings(values.size());
    core::parallel_for(values.size(), threads, [&](size_t i) {
      Below below = piece.below(leaf, i);
      const Vectors arriving = below.crossing.spread(reach[leaf]);
      const auto engine = below.piece->engine();
      give(*below.piece, *engine);
      values[i] = values_of(*this, *below.piece, *engine, arriving, how, 1);
      crossings[i] = std::move(below.crossing);
    });
    for (size_t i = 0; i < values.size(); ++i) {
      for (size_t p = 0; p < 2; ++p) crossings[i].collect(p, values[i][p], out[leaf][p]);
    }
  }
  return out;
}

Vectors values_of(const Profile& profile, const Piece& piece, Engine& engine, const Vectors& reach,
                  Follow how, int threads) {
  if (engine.num_leaves() > 0) {
    for (size_t p = 0; p < 2; ++p) engine.follow(p, reach[p]);
    const auto below = profile.values_below(piece, leaf_reaches(engine), how, threads);
    for (size_t leaf = 0; leaf < below.size(); ++leaf) {
      for (size_t p = 0; p < 2; ++p) engine.set_leaf_values(leaf, p, below[leaf][p]);
    }
  }
  Vectors values;
  for (size_t p = 0; p < 2; ++p) {
    values[p].resize(reach[p].size());
    engine.values(p, how, reach[1 - p], values[p]);
  }
  return values;
}

}  // namespace cleave::decompose
