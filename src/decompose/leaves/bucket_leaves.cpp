#include "decompose/leaves/bucket_leaves.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/threads.h"

namespace cleave::decompose {
namespace {

// Classes do not begin at a round share of the range: values that should be equal are often there.
constexpr double kOffset = 0.382;

}  // namespace

BucketLeaves::Learnt BucketLeaves::find_buckets(const Piece& piece, Engine& engine) const {
  Learnt learnt;
  learnt.bucket.resize(engine.num_decisions());
  std::array<std::map<size_t, std::vector<size_t>>, 2> places;  // [player]: decisions of each
  for (size_t d = 0; d < engine.num_decisions(); ++d) {
    places[engine.decision(d).player][piece.place_of(d)].push_back(d);
  }
  const Vectors everybody = full_reach(engine);
  for (size_t p = 0; p < 2; ++p) {
    DecisionValues seen = engine.decision_values(p, Follow::kAverage, everybody[1 - p]);
    std::map<size_t, uint32_t> count;  // [actions]: buckets
    for (const auto& [place, decisions] : places[p]) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (const size_t d : decisions) {
        const std::vector<double>& reach = seen.reach[d];
        for (size_t row = 0; row < seen.action[d].size(); ++row) {
          double& worth = seen.action[d][row];
          const double rho = reach[row % reach.size()];
          worth = rho > 0 ? worth / rho : 0;
          low = std::min(low, worth);
          high = std::max(high, worth);
        }
      }
      const double scale =
          high > low ? static_cast<double>(options_.classes - 1) / (high - low) : 0;
      const size_t actions = engine.decision(decisions[0]).num_actions;
      std::map<std::vector<int64_t>, uint32_t> number;  // by classes of the actions
      std::vector<int64_t> classes(actions);
      for (const size_t d : decisions) {
        const size_t n = seen.reach[d].size();
        for (size_t s = 0; s < n; ++s) {
          for (size_t a = 0; a < actions; ++a) {
            classes[a] = std::llround((seen.action[d][a * n + s] - low) * scale + kOffset);
          }
          const auto [at, is_new] = number.try_emplace(classes, count[actions]);
          if (is_new) ++count[actions];
          learnt.bucket[d].push_back(at->second);
        }
      }
    }
    for (const auto& [actions, buckets] : count) {
      learnt.choices.try_emplace({p, actions}, actions, buckets);
      learnt.num_buckets += buckets;
    }
  }
  for (const auto& states : learnt.bucket) learnt.bytes += states.size() * sizeof(uint32_t);
  for (const auto& [of, choices] : learnt.choices) learnt.bytes += choices.bytes();
  return learnt;
}

void BucketLeaves::learn(Learnt& learnt, LeafState& leaf, Players wanted) const {
  const auto engine = engine_to_the_end(*leaf.piece);
  if (learnt.bucket.empty()) learnt = find_buckets(*leaf.piece, *engine);
  std::vector<double> rows;
  for (size_t d = 0; d < engine->num_decisions(); ++d) {
    const Decision decision = engine->decision(d);
    const Choices& choices = learnt.choices.at({decision.player, decision.num_actions});
    rows.clear();
    for (size_t a = 0; a < decision.num_actions; ++a) {
      for (const uint32_t bucket : learnt.bucket[d]) rows.push_back(choices.probability(a, bucket));
    }
    engine->set_strategy(d, rows);
  }
  for (size_t p = 0; p < 2; ++p) {
    if (!has(wanted, p)) continue;
    engine->values(p, Follow::kAverage, leaf.reach[1 - p], leaf.values[p]);
    const DecisionValues seen = engine->decision_values(p, Follow::kAverage, leaf.reach[1 - p]);
    for (auto& [of, choices] : learnt.choices) {
      if (of.first == p) choices.clear_q();
    }
    for (size_t d = 0; d < seen.action.size(); ++d) {
      const std::vector<uint32_t>& bucket = learnt.bucket[d];
      if (seen.action[d].empty()) continue;
      Choices& choices = learnt.choices.at({p, seen.action[d].size() / bucket.size()});
      for (size_t row = 0; row < seen.action[d].size(); ++row) {
        choices.q(row / bucket.size(), bucket[row % bucket.size()]) += seen.action[d][row];
      }
    }
    for (auto& [of, choices] : learnt.choices) {
      if (of.first == p) choices.learn(options_.schedule(iterations_[p]).regret);
    }
  }
}

void BucketLeaves::evaluate(std::span<LeafState> leaves, Players wanted) {
  for (size_t p = 0; p < 2; ++p) iterations_[p] += has(wanted, p) ? 1 : 0;
  leaves_.resize(leaves.size());
  core::parallel_for(leaves.size(), options_.threads,
                     [&](size_t i) { learn(leaves_[i], leaves[i], wanted); });
  if (peak_bytes_ > 0) return;
  std::vector<size_t> engines;
  for (size_t i = 0; i < leaves.size(); ++i) {
    peak_bytes_ += leaves_[i].bytes;
    engines.push_back(leaves[i].piece->engine()->learning_bytes());
  }
  std::ranges::sort(engines, std::greater<>());
  engines.resize(std::min(engines.size(), static_cast<size_t>(options_.threads)));
  for (const size_t bytes : engines) peak_bytes_ += bytes;
}

void BucketLeaves::reset() {
  leaves_.clear();
  iterations_ = {};
  peak_bytes_ = 0;
}

size_t BucketLeaves::num_buckets() const {
  size_t sum = 0;
  for (const Learnt& leaf : leaves_) sum += leaf.num_buckets;
  return sum;
}

}  // namespace cleave::decompose
