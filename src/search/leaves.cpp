#include "search/leaves.h"

#include "decompose/leaves/payoff_leaves.h"
#include "decompose/leaves/solved_leaves.h"
#include "decompose/leaves/stored_leaves.h"
#include "decompose/tree_engine.h"

namespace cleave::search {
namespace {

using decompose::Engine;
using decompose::LeafEvaluator;
using decompose::Piece;
using decompose::TreeEngine;
using decompose::Vectors;

// An evaluator together with the pieces that its engines work on.
class OwningLeaves final : public LeafEvaluator {
 public:
  using Make = std::function<std::unique_ptr<LeafEvaluator>(const std::vector<Piece>& pieces)>;
  OwningLeaves(const tree::Tree& tree, const Piece& lookahead, const Make& make) {
    for (const decompose::Border& leaf : lookahead.leaves) {
      pieces_.push_back(decompose::make_piece(tree, leaf.histories));
    }
    inner_ = make(pieces_);
  }
  void evaluate(size_t leaf, const Vectors& reach, Vectors& values) override {
    inner_->evaluate(leaf, reach, values);
  }
  void reset() override { inner_->reset(); }
  size_t peak_learning_bytes() const override { return inner_->peak_learning_bytes(); }

 private:
  std::vector<Piece> pieces_;
  std::unique_ptr<LeafEvaluator> inner_;
};

}  // namespace

MakeLeaves solved_leaves(const tree::Tree& tree, std::string algorithm, int64_t iterations,
                         bool keep_warm) {
  return [=, &tree, algorithm = std::move(algorithm)](const Piece& lookahead, int) {
    return std::make_unique<OwningLeaves>(tree, lookahead, [&](const std::vector<Piece>& pieces) {
      decompose::SolvedLeavesOptions options;
      // A warm solver's iterations have no limit that a schedule could be planned for.
      options.schedule = solve::make_schedule(algorithm, keep_warm ? 0 : iterations);
      options.iterations = iterations;
      options.keep_warm = keep_warm;
      return std::make_unique<decompose::SolvedLeaves>(
          [&pieces](size_t leaf) { return std::make_unique<TreeEngine>(pieces[leaf]); },
          std::move(options));
    });
  };
}

MakeLeaves blueprint_leaves(const tree::Tree& tree, tree::Strategy blueprint) {
  return [&tree, blueprint = std::move(blueprint)](const Piece& lookahead, int) {
    return std::make_unique<OwningLeaves>(tree, lookahead, [&](const std::vector<Piece>& pieces) {
      std::vector<std::unique_ptr<Engine>> engines;
      for (const Piece& piece : pieces) {
        auto engine = std::make_unique<TreeEngine>(piece);
        engine->set_strategy(blueprint);
        engines.push_back(std::move(engine));
      }
      return std::make_unique<decompose::PayoffLeaves>(std::move(engines));
    });
  };
}

MakeLeaves zero_leaves() {
  return [](const Piece& lookahead, int) {
    std::vector<Vectors> values;
    for (const decompose::Border& leaf : lookahead.leaves) {
      values.push_back({std::vector<double>(leaf.states[0].size(), 0.0),
                        std::vector<double>(leaf.states[1].size(), 0.0)});
    }
    return std::make_unique<decompose::StoredLeaves>(std::move(values));
  };
}

AveragedLeaves::AveragedLeaves(LeafEvaluator& inner, size_t player,
                               std::function<double(int64_t t)> decay, size_t num_leaves)
    : inner_(inner), player_(player), decay_(std::move(decay)), sums_(num_leaves) {}

void AveragedLeaves::evaluate(size_t leaf, const Vectors& reach, Vectors& values) {
  inner_.evaluate(leaf, reach, values);
  Sum& sum = sums_[leaf];
  const double decay = decay_(++sum.iterations);
  sum.weight = sum.weight * decay + 1;
  sum.values.resize(values[player_].size(), 0.0);
  for (size_t s = 0; s < sum.values.size(); ++s) {
    sum.values[s] = sum.values[s] * decay + values[player_][s];
  }
}

void AveragedLeaves::reset() {
  inner_.reset();
  sums_.assign(sums_.size(), {});
}

std::vector<std::vector<double>> AveragedLeaves::averages() const {
  std::vector<std::vector<double>> out;
  for (const Sum& sum : sums_) {
    out.push_back(sum.values);
    for (double& value : out.back()) value /= sum.weight;
  }
  return out;
}

}  // namespace cleave::search
