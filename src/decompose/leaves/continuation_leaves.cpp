#include "decompose/leaves/continuation_leaves.h"

#include <algorithm>
#include <limits>

#include "core/error.h"

namespace cleave::decompose {
namespace {

class BentProfile final : public Profile {
 public:
  // `towards`: the number of an action; the last one where there are fewer.
  BentProfile(std::shared_ptr<const Profile> blueprint, size_t towards, double factor)
      : blueprint_(std::move(blueprint)), towards_(towards), factor_(factor) {}

  void give(const Piece& piece, Engine& engine) const override {
    blueprint_->give(piece, engine);
    std::vector<double> rows;
    for (size_t d = 0; d < engine.num_decisions(); ++d) {
      const Decision decision = engine.decision(d);
      const size_t favoured = std::min(towards_, decision.num_actions - 1), n = decision.num_states;
      rows.resize(decision.num_rows());
      engine.strategy(d, rows);
      for (size_t s = 0; s < n; ++s) {
        const double sum = 1 + (factor_ - 1) * rows[favoured * n + s];
        rows[favoured * n + s] *= factor_;
        for (size_t a = 0; a < decision.num_actions; ++a) rows[a * n + s] /= sum;
      }
      engine.set_strategy(d, rows);
    }
  }

 private:
  std::shared_ptr<const Profile> blueprint_;
  size_t towards_;
  double factor_;
};

}  // namespace

std::vector<std::shared_ptr<const Profile>> bent_profiles(
    const std::shared_ptr<const Profile>& blueprint, double factor) {
  std::vector<std::shared_ptr<const Profile>> out = {blueprint};
  for (const size_t towards : {size_t{0}, size_t{1}, std::numeric_limits<size_t>::max()}) {
    out.push_back(std::make_shared<BentProfile>(blueprint, towards, factor));
  }
  return out;
}

ContinuationLeaves::ContinuationLeaves(size_t hero, std::shared_ptr<const Profile> blueprint,
                                       std::vector<std::shared_ptr<const Profile>> continuations)
    : hero_(hero), blueprint_(std::move(blueprint)), continuations_(std::move(continuations)) {
  if (continuations_.empty()) {
    core::reject("there is no continuation strategy; at least one is needed");
  }
}

void ContinuationLeaves::add_engines(const Piece& piece) {
  const auto own = engine_to_the_end(piece);
  blueprint_->give(piece, *own);
  auto& engines = engines_.emplace_back();
  std::vector<double> rows;
  for (const auto& continuation : continuations_) {
    engines.push_back(piece.engine());
    continuation->give(piece, *engines.back());
    for (size_t d = 0; d < own->num_decisions(); ++d) {
      if (own->decision(d).player != hero_) continue;
      rows.resize(own->decision(d).num_rows());
      own->strategy(d, rows);
      engines.back()->set_strategy(d, rows);
    }
  }
}

void ContinuationLeaves::evaluate(std::span<LeafState> leaves, Players) {
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (i == engines_.size()) add_engines(*leaves[i].piece);
    if (i == choices_.size()) {
      choices_.emplace_back(continuations_.size(), leaves[i].reach[1 - hero_].size());
    }
    evaluate(i, leaves[i]);
  }
}

void ContinuationLeaves::evaluate(size_t number, LeafState& leaf) {
  const size_t opponent = 1 - hero_;
  Choices& choices = choices_[number];
  entry_ = leaf.reach;
  answer_ = leaf.values;
  std::ranges::fill(leaf.values[hero_], 0.0);
  for (size_t k = 0; k < continuations_.size(); ++k) {
    for (size_t s = 0; s < entry_[opponent].size(); ++s) {
      entry_[opponent][s] = leaf.reach[opponent][s] * choices.probability(k, s);
    }
    engines_[number][k]->evaluate(entry_, answer_);
    // The opponent's own reach does not enter its counterfactual values; the hero's are sums.
    for (size_t s = 0; s < answer_[opponent].size(); ++s) choices.q(k, s) = answer_[opponent][s];
    for (size_t s = 0; s < answer_[hero_].size(); ++s) leaf.values[hero_][s] += answer_[hero_][s];
  }
  choices.learn({.floor = true});
  for (size_t s = 0; s < leaf.values[opponent].size(); ++s) {
    leaf.values[opponent][s] = choices.value(s);
  }
}

size_t ContinuationLeaves::peak_learning_bytes() const {
  size_t bytes = 0;
  for (const auto& engines : engines_) {
    for (const auto& engine : engines) bytes += engine->learning_bytes();
  }
  for (const Choices& choices : choices_) bytes += choices.bytes();
  return bytes;
}

double ContinuationLeaves::choice(size_t leaf, size_t state, size_t continuation) const {
  if (leaf >= choices_.size()) return 1 / static_cast<double>(continuations_.size());
  return choices_[leaf].probability(continuation, state);
}

}  // namespace cleave::decompose
