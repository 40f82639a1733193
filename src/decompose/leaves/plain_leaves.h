#pragma once

#include <functional>

#include "decompose/leaf_evaluator.h"
#include "decompose/profile.h"
#include "decompose/summary.h"

// Leaf evaluators that learn nothing.
namespace cleave::decompose {

// Subgames in which nobody decides any more, or in which both players follow a profile: values are
// linear in the other's reach. Terminal payoffs are the case without decisions.
class PayoffLeaves final : public LeafEvaluator {
 public:
  explicit PayoffLeaves(std::shared_ptr<const Profile> profile) : profile_(std::move(profile)) {}

  void evaluate(std::span<LeafState> leaves, Players wanted) override;
  size_t peak_learning_bytes() const override;

 private:
  std::shared_ptr<const Profile> profile_;
  std::vector<std::unique_ptr<Engine>> engines_;  // [leaf]
};

// Values that were kept of the pieces, whatever the reach: those of an earlier CFR-D, of a profile,
// or a table of any other origin.
class StoredLeaves final : public LeafEvaluator {
 public:
  explicit StoredLeaves(KeptSummaries kept) : kept_(std::move(kept)) {}

  void evaluate(std::span<LeafState> leaves, Players wanted) override;

 private:
  KeptSummaries kept_;
  std::vector<const Vectors*> values_;  // [leaf]
};

// Everything is worth nothing: what searching without knowledge comes to.
class ZeroLeaves final : public LeafEvaluator {
 public:
  void evaluate(std::span<LeafState> leaves, Players wanted) override;
};

// Runs two evaluators side by side, answers with the first's values and remembers where the two
// differed most.
class CheckingLeaves final : public LeafEvaluator {
 public:
  struct Difference {
    double size = 0;
    size_t leaf = 0;
    size_t player = 0;
    size_t state = 0;
    double first = 0;
    double second = 0;
  };

  CheckingLeaves(std::unique_ptr<LeafEvaluator> first, std::unique_ptr<LeafEvaluator> second)
      : first_(std::move(first)), second_(std::move(second)) {}

  void evaluate(std::span<LeafState> leaves, Players wanted) override;
  void reset() override;
  size_t peak_learning_bytes() const override;
  std::string report() const override;
  const Difference& largest() const { return largest_; }

 private:
  std::unique_ptr<LeafEvaluator> first_, second_;
  std::vector<LeafState> other_;  // scratch
  Difference largest_;
};

// Answers with another evaluator's values and keeps averages of them and of the reach, with the
// weights of the average strategy: the values that belong to the average strategies above (Burch et
// al. 2014: what CFR-D keeps for re-solving). Both players' values must be asked for at once.
class AveragedLeaves final : public LeafEvaluator {
 public:
  // `decay(t)`: of the average strategy at iteration t. `inner` must outlive it.
  AveragedLeaves(LeafEvaluator& inner, std::function<double(int64_t t)> decay)
      : inner_(inner), decay_(std::move(decay)) {}

  void evaluate(std::span<LeafState> leaves, Players wanted) override;
  void reset() override;
  size_t peak_learning_bytes() const override;

  std::vector<Vectors> reach() const { return averages(reach_); }    // [leaf]
  std::vector<Vectors> values() const { return averages(values_); }  // [leaf]

 private:
  std::vector<Vectors> averages(const std::vector<Vectors>& sums) const;

  LeafEvaluator& inner_;
  std::function<double(int64_t t)> decay_;
  int64_t iterations_ = 0;
  double weight_ = 0;
  std::vector<Vectors> reach_, values_;  // [leaf], times weight_
};

}  // namespace cleave::decompose
