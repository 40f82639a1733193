#include "search/match.h"

#include <cmath>
#include <limits>

#include "core/hash.h"
#include "core/random.h"
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

// The last positive one where rounding leaves the sum below the random number.
template <class Probability>
uint32_t draw(core::Random& random, uint32_t count, const Probability& probability) {
  double left = random.uniform();
  uint32_t last = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const double p = probability(i);
    if (p <= 0) continue;
    if (left < p) return i;
    left -= p;
    last = i;
  }
  return last;
}

class Table {
 public:
  explicit Table(const Tree& tree) : tree_(tree) {}

  // The payoff to player one, without the shift.
  double play(Streams streams, Agent& one, Agent& two) {
    uint32_t h = 0;
    while (tree_.actor[h] != tree::kTerminal) {
      const uint32_t first = tree_.child_begin[h];
      const uint32_t count = tree_.child_begin[h + 1] - first;
      if (tree_.actor[h] == tree::kChance) {
        h = first + draw(streams.random[2], count,
                         [&](uint32_t i) { return tree_.probability[first + i]; });
      } else {
        probabilities_.resize(count);
        (tree_.actor[h] == 0 ? one : two).act(tree_.infoset[h], probabilities_);
        h = first + draw(streams.random[tree_.actor[h]], count,
                         [&](uint32_t i) { return probabilities_[i]; });
      }
    }
    return tree_.payoff[tree_.infoset[h]];
  }

 private:
  const Tree& tree_;
  std::vector<double> probabilities_;
};

}  // namespace

double Sample::low() const { return mean - kNormal95 * error; }
double Sample::high() const { return mean + kNormal95 * error; }

MatchResult play_match(const Tree& tree, Agent& a, Agent& b, const MatchOptions& options) {
  MatchResult result;
  Table table(tree);
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
      const double as_one = tree.shift + table.play({options.seed, first}, a, b);
      const double as_two = tree.shift - table.play({options.seed, second}, b, a);
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
