#include "search/match.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "core/hash.h"

namespace cleave::search {
namespace {

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

core::Random make_stream(uint64_t seed, uint64_t number, uint64_t who) {
  return core::Random(core::Hasher().add(seed).add(number).add(who).finish().lo);
}

// What player one gets, and player two.
std::array<double, 2> play_hand(const door::AnyGame& game, uint64_t seed, uint64_t number,
                                Agent& one, Agent& two) {
  // What the hand draws from: actions of seats one and two, and chance.
  core::Random random[3] = {make_stream(seed, number, 0), make_stream(seed, number, 1),
                            make_stream(seed, number, 2)};
  const auto hand = game.begin_hand();
  std::vector<double> probabilities;
  door::play_on(*hand, random[2], [&](size_t player) {
    door::Question question = hand->question();
    question.hand = number;
    probabilities.resize(question.moves.size());
    (player == 0 ? one : two).act(question, probabilities);
    return std::optional(random[player].draw(probabilities));
  });
  return {hand->payoff(0), hand->payoff(1)};
}

}  // namespace

double Sample::low() const { return mean - kNormal95 * error; }
double Sample::high() const { return mean + kNormal95 * error; }

MatchResult play_match(const door::AnyGame& game, Agent& a, Agent& b, const MatchOptions& options) {
  Tally total;
  std::array<Tally, 2> seat;
  const auto pairs = static_cast<uint64_t>((options.hands + 1) / 2);
  uint64_t pair = 0;
  try {
    for (; pair < pairs; ++pair) {
      if (options.stop && options.stop->load(std::memory_order_relaxed)) break;
      const uint64_t first = 2 * pair;
      const uint64_t second = options.duplicate ? first : first + 1;
      const double as_one = play_hand(game, options.seed, first, a, b)[0];
      const double as_two = play_hand(game, options.seed, second, b, a)[1];
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
  return {.hands = static_cast<int64_t>(2 * pair),
          .total = total.sample(),
          .seat = {seat[0].sample(), seat[1].sample()},
          .stopped = pair < pairs};
}

ExactMatch exact_match(const door::AnyGame& game, const decompose::Profile& a,
                       const decompose::Profile& b) {
  const auto whole = game.piece("");
  const decompose::Vectors& reach = game.root_reach();
  const std::array<std::unique_ptr<decompose::Engine>, 2> engine = {whole->engine(),
                                                                    whole->engine()};
  a.give(*whole, *engine[0]);
  b.give(*whole, *engine[1]);
  ExactMatch out;
  std::vector<double> rows, other;
  for (size_t d = 0; d < engine[0]->num_decisions(); ++d) {
    const decompose::Decision decision = engine[0]->decision(d);
    if (decision.player == 0) continue;
    rows.resize(decision.num_rows());
    other.resize(decision.num_rows());
    engine[0]->strategy(d, rows);
    engine[1]->strategy(d, other);
    engine[0]->set_strategy(d, other);
    engine[1]->set_strategy(d, rows);
  }
  // The first engine has A in seat one, the second B.
  for (size_t seat = 0; seat < 2; ++seat) {
    std::vector<double> values(reach[seat].size());
    engine[seat]->values(seat, decompose::Follow::kAverage, reach[1 - seat], values);
    out.seat[seat] = game.shift() - game.pot() / 2 +
                     std::inner_product(values.begin(), values.end(), reach[seat].begin(), 0.0);
  }
  out.mean = (out.seat[0] + out.seat[1]) / 2;
  return out;
}

}  // namespace cleave::search
