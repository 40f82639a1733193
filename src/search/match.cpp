#include "search/match.h"

#include <cmath>
#include <limits>

#include "core/hash.h"
#include "search/hand.h"
#include "solve/evaluate.h"

namespace cleave::search {
namespace {

using tree::Tree;

constexpr double kNormal95 = 1.959963984540054;  // 97.5% quantile of the normal distribution

// Running mean and variance (Welford).
class Tally {
 public:
  void add(double value) {
    ++count_;
    const double delta = value - mean_;
    mean_ += delta / static_cast<double>(count_);
    squares_ += delta * (value - mean_);
  }
  Sample sample() const {
    Sample out{count_, mean_, std::numeric_limits<double>::infinity()};
    const auto n = static_cast<double>(count_);
    if (count_ > 1) out.error = std::sqrt(squares_ / (n - 1) / n);
    return out;
  }

 private:
  int64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

// What a hand draws from: actions of seats one and two, and chance.
struct Streams {
  core::Random random[3];
  Streams(uint64_t seed, uint64_t number)
      : random{stream(seed, number, 0), stream(seed, number, 1), stream(seed, number, 2)} {}
  static core::Random stream(uint64_t seed, uint64_t number, uint64_t who) {
    return core::Random(core::Hasher().add(seed).add(number).add(who).finish().lo);
  }
};

// The payoff to player one, without the shift.
double play_hand(const Tree& tree, Streams streams, Agent& one, Agent& two) {
  TreeHand hand(tree);
  std::vector<double> probabilities;
  play_on(hand, streams.random[2], [&](size_t player) {
    const uint32_t set = tree.infoset[hand.history()];
    probabilities.resize(tree.num_actions(set));
    (player == 0 ? one : two).act(set, probabilities);
    return std::optional(streams.random[player].draw(probabilities));
  });
  return tree.payoff[tree.infoset[hand.history()]];
}

}  // namespace

double Sample::low() const { return mean - kNormal95 * error; }
double Sample::high() const { return mean + kNormal95 * error; }

MatchResult play_match(const Tree& tree, Agent& a, Agent& b, const MatchOptions& options) {
  MatchResult result;
  Tally total;
  std::array<Tally, 2> seat;
  const auto pairs = static_cast<uint64_t>((options.hands + 1) / 2);
  uint64_t pair = 0;
  try {
    for (; pair < pairs; ++pair) {
      if (options.stop && options.stop->load(std::memory_order_relaxed)) break;
      const uint64_t first = 2 * pair;
      const uint64_t second = options.duplicate ? first : first + 1;
      // In the second seat A has minus player one's payoff; the shift is the same for both seats.
      const double as_one = tree.shift + play_hand(tree, {options.seed, first}, a, b);
      const double as_two = tree.shift - play_hand(tree, {options.seed, second}, b, a);
      seat[0].add(as_one);
      seat[1].add(as_two);
      total.add((as_one + as_two) / 2);
      if (options.progress) {
        const Sample now = total.sample();
        options.progress(static_cast<int64_t>(first) + 2, now.mean, now.error);
      }
    }
  } catch (const Interrupted&) {
    // An agent was thinking; the pair it was thinking in does not count.
  }
  result.hands = static_cast<int64_t>(2 * pair);
  result.stopped = pair < pairs;
  result.total = total.sample();
  for (size_t s = 0; s < 2; ++s) result.seat[s] = seat[s].sample();
  return result;
}

ExactMatch exact_match(const solve::Problem& problem, const tree::Strategy& a,
                       const tree::Strategy& b) {
  solve::Workspace work(problem);
  const auto value = [&](const tree::Strategy& one, const tree::Strategy& two) {
    tree::plan_from_strategy(problem.tree, problem.form.player[0], one, work.plan[0]);
    tree::plan_from_strategy(problem.tree, problem.form.player[1], two, work.plan[1]);
    return solve::expected_value(problem, work.plan[0], work.plan[1], work);
  };
  ExactMatch out;
  out.seat = {problem.tree.shift + value(a, b), problem.tree.shift - value(b, a)};
  out.mean = (out.seat[0] + out.seat[1]) / 2;
  return out;
}

}  // namespace cleave::search
