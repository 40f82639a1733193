#include "poker/range_strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

namespace cleave::poker::strip {
namespace {

constexpr size_t kMaxPalette = 5;

enum class Side : uint8_t { kSuited, kOffsuit, kBoth };

struct Colours {
  Weight suited, offsuit;
  friend bool operator==(const Colours&, const Colours&) = default;
};

// The entries that turn one pair of colours into another, in order.
struct Repaint {
  struct Step {
    Side side;
    Weight weight;
  };
  int cost = 0;
  int count = 0;
  std::array<Step, 2> steps{};
};

// Interval painting: of entries that are intervals of kickers, an earlier one that a later one cuts
// can be shortened at the cut without becoming longer as text ("+" keeps its end), so entries nest.
// With cost(i, j, c) the least cost of entries for kickers i to j that are painted with c so far,
//   cost(i, j, c)   = min over c' of repaint(i, j, c, c') + inside(i, j, c')
//   inside(i, j, c) = min over k of cost(i, k, c) + cost(k + 1, j, c), or the exceptions if i == j.
// Colours are pairs, of the suited and of the offsuit hands, as one entry can paint both. Suited
// and offsuit entries need not nest in each other: the two sides each by itself are a further way
// to paint i to j. Colours are taken from the weights that are most frequent in the row; others
// appear where i == j only.
class Painter {
 public:
  // Of one side the other's cells are null, and its colour is the same.
  Painter(Row row, const std::vector<Weight>& weights, Side side, const Painter* suited = nullptr,
          const Painter* offsuit = nullptr)
      : row_(std::move(row)), size_(row_.suited.size()), side_(side), alone_{suited, offsuit} {
    for (size_t s = 0; s < weights.size(); ++s) {  // the base comes first
      for (size_t o = 0; o < weights.size(); ++o) {
        if (!suited && s != o) continue;
        palette_.push_back({weights[s], weights[o]});
        numbers_.emplace_back(s, o);
      }
    }
    cost_.resize(size_ * size_ * palette_.size());
    inside_.resize(cost_.size());
    for (size_t length = 1; length <= size_; ++length) {
      for (size_t i = 0; i + length <= size_; ++i) solve(i, i + length - 1);
    }
  }

  int cost() const { return cost_[at(0, size_ - 1, 0)]; }

  void collect(std::vector<Entry>& entries) const { collect(0, size_ - 1, palette_[0], entries); }

 private:
  struct Choice {
    int cost = std::numeric_limits<int>::max();
    size_t colours = 0;  // where i != j
    Colours to{};
  };

  size_t at(size_t i, size_t j, size_t colours) const {
    return (i * size_ + j) * palette_.size() + colours;
  }

  int cost_of(Side side, size_t i, size_t j, Weight weight) const {
    const int hand = side == Side::kBoth ? 2 : 3;
    const int run = i == j ? hand : j + 1 == size_ ? hand + 1 : 2 * hand + 1;
    return entry_cost(run, weight);
  }

  Repaint repaint(size_t i, size_t j, const Colours& from, const Colours& to) const {
    if (from == to) return {};
    const auto one = [&](Side side, Weight weight) {
      return Repaint{cost_of(side, i, j, weight), 1, {{{side, weight}, {}}}};
    };
    const auto two = [&](const Repaint& first, const Repaint& second) {
      return Repaint{first.cost + second.cost, 2, {{first.steps[0], second.steps[0]}}};
    };
    const auto cheaper = [](const Repaint& a, const Repaint& b) { return b.cost < a.cost ? b : a; };
    if (to.suited == to.offsuit) return one(side_, to.suited);
    const Repaint suited = one(Side::kSuited, to.suited);
    const Repaint offsuit = one(Side::kOffsuit, to.offsuit);
    if (from.offsuit == to.offsuit) return suited;
    if (from.suited == to.suited) return offsuit;
    return cheaper(two(suited, offsuit), cheaper(two(one(Side::kBoth, to.offsuit), suited),
                                                 two(one(Side::kBoth, to.suited), offsuit)));
  }

  int exceptions(size_t i, const Colours& painted) const {
    const Cell* s = row_.suited[i];
    const Cell* o = row_.offsuit[i];
    return (s ? s->exceptions(painted.suited) : 0) + (o ? o->exceptions(painted.offsuit) : 0);
  }

  Choice choose(size_t i, size_t j, const Colours& from) const {
    Choice best;
    const auto consider = [&](const Colours& to, size_t colours, int rest) {
      const int cost = repaint(i, j, from, to).cost + rest;
      if (cost < best.cost) best = {cost, colours, to};
    };
    for (size_t c = 0; c < palette_.size(); ++c) {
      consider(palette_[c], c, i == j ? exceptions(i, palette_[c]) : inside_[at(i, j, c)]);
    }
    if (i != j) return best;
    // A single kicker may have weights of its own, outside the palette.
    const Weight s = row_.suited[i] ? row_.suited[i]->most_frequent() : from.suited;
    const Weight o = row_.offsuit[i] ? row_.offsuit[i]->most_frequent() : from.offsuit;
    if (alone_[0]) {
      for (const Colours& to : {Colours{s, o}, {s, from.offsuit}, {from.suited, o}}) {
        consider(to, 0, exceptions(i, to));
      }
    } else {
      const Weight own = row_.suited[i] ? s : o;
      consider({own, own}, 0, exceptions(i, {own, own}));
    }
    return best;
  }

  int cost_alone(size_t i, size_t j, size_t colours) const {
    const auto [s, o] = numbers_[colours];
    return alone_[0]->cost_[alone_[0]->at(i, j, s)] + alone_[1]->cost_[alone_[1]->at(i, j, o)];
  }

  void solve(size_t i, size_t j) {
    for (size_t c = 0; c < palette_.size() && i != j; ++c) {
      int best = std::numeric_limits<int>::max();
      for (size_t k = i; k < j; ++k) {
        best = std::min(best, cost_[at(i, k, c)] + cost_[at(k + 1, j, c)]);
      }
      inside_[at(i, j, c)] = best;
    }
    for (size_t c = 0; c < palette_.size(); ++c) {
      int& cost = cost_[at(i, j, c)];
      cost = choose(i, j, palette_[c]).cost;
      if (alone_[0]) cost = std::min(cost, cost_alone(i, j, c));
    }
  }

  void collect(size_t i, size_t j, const Colours& from, std::vector<Entry>& entries) const {
    const Choice choice = choose(i, j, from);
    if (const auto c = std::find(palette_.begin(), palette_.end(), from);
        alone_[0] && c != palette_.end()) {
      const auto colours = static_cast<size_t>(c - palette_.begin());
      if (cost_alone(i, j, colours) <= choice.cost) {
        alone_[0]->collect(i, j, {from.suited, from.suited}, entries);
        alone_[1]->collect(i, j, {from.offsuit, from.offsuit}, entries);
        return;
      }
    }
    const Repaint used = repaint(i, j, from, choice.to);
    for (int step = 0; step < used.count; ++step) {
      entries.push_back(entry(used.steps[static_cast<size_t>(step)], i, j));
    }
    if (i == j) {
      add_exceptions(row_.suited[i], choice.to.suited, entries);
      add_exceptions(row_.offsuit[i], choice.to.offsuit, entries);
      return;
    }
    const size_t c = choice.colours;
    for (size_t k = i; k < j; ++k) {
      if (cost_[at(i, k, c)] + cost_[at(k + 1, j, c)] != inside_[at(i, j, c)]) continue;
      collect(i, k, choice.to, entries);
      collect(k + 1, j, choice.to, entries);
      return;
    }
  }

  static void add_exceptions(const Cell* cell, Weight painted, std::vector<Entry>& entries) {
    if (!cell) return;
    for (const auto& [hand, weight] : cell->hands) {
      if (weight != painted) entries.push_back({hand, weight, {}});
    }
  }

  Entry entry(const Repaint::Step& step, size_t i, size_t j) const {
    const bool pairs = row_.high == kNumRanks;
    const auto hand = [&](size_t kicker) {
      const size_t high = pairs ? kicker : static_cast<size_t>(row_.high);
      const char* side = step.side == Side::kSuited ? "s" : step.side == Side::kOffsuit ? "o" : "";
      return fmt::format("{}{}{}", kRankLetters[high], kRankLetters[kicker], side);
    };
    Entry entry{hand(i), step.weight, {}};
    if (i != j) entry.hands = j + 1 == size_ ? hand(i) + "+" : hand(j) + "-" + hand(i);
    for (size_t k = i; k <= j; ++k) {
      const int kicker = static_cast<int>(k);
      const int high = pairs ? kicker : row_.high;
      if (step.side != Side::kOffsuit) entry.cells.set(cell_number(high, kicker, true));
      if (step.side != Side::kSuited) entry.cells.set(cell_number(high, kicker, false));
    }
    return entry;
  }

  Row row_;
  size_t size_;
  Side side_;
  std::array<const Painter*, 2> alone_;  // null: this is one side, or the pairs
  std::vector<Colours> palette_;
  std::vector<std::pair<size_t, size_t>> numbers_;  // [colours]: which weights they are
  std::vector<int> cost_, inside_;                  // [i, j, colours]
};

// The base first, then the most frequent.
std::vector<Weight> weights_of(const Row& row, Weight base) {
  std::map<Weight, int> count;
  for (const auto* cells : {&row.suited, &row.offsuit}) {
    for (const Cell* cell : *cells) {
      if (cell) ++count[cell->most_frequent()];
    }
  }
  count.erase(base);
  std::vector<std::pair<int, Weight>> order;
  for (const auto& [weight, times] : count) order.emplace_back(-times, weight);
  std::sort(order.begin(), order.end());
  order.resize(std::min(order.size(), kMaxPalette - 1));
  std::vector<Weight> weights = {base};
  for (const auto& [times, weight] : order) weights.push_back(weight);
  return weights;
}

}  // namespace

std::string suffix(Weight weight) {
  if (weight == kOne) return {};
  std::string digits = fmt::format("{:06}", weight);
  while (!digits.empty() && digits.back() == '0') digits.pop_back();
  return digits.empty() ? ":0" : ":0." + digits;
}

int entry_cost(int characters, Weight weight) {
  if (weight == 0) {
    characters += 2;  // ":0"
  } else if (weight != kOne) {
    characters += 9;  // ":0.123456"
    for (; weight % 10 == 0; weight /= 10) --characters;
  }
  return (characters + 1) * kCharacter + 1;  // and a comma
}

std::optional<Weight> Cell::uniform() const {
  const Weight first = hands.front().second;
  for (const auto& [hand, weight] : hands) {
    if (weight != first) return std::nullopt;
  }
  return first;
}

Weight Cell::most_frequent() const {
  Weight best = 0;
  std::ptrdiff_t best_count = 0;
  for (const auto& [hand, weight] : hands) {
    const auto count = std::count_if(hands.begin(), hands.end(),
                                     [w = weight](const auto& other) { return other.second == w; });
    if (count > best_count) {
      best = weight;
      best_count = count;
    }
  }
  return best;
}

int Cell::exceptions(Weight painted) const {
  int cost = 0;
  for (const auto& [hand, weight] : hands) {
    if (weight != painted) cost += entry_cost(4, weight);
  }
  return cost;
}

int paint(const Row& row, Weight base, std::vector<Entry>* entries) {
  const std::vector<Weight> weights = weights_of(row, base);
  const auto run = [&](const Painter& painter) {
    if (entries) painter.collect(*entries);
    return painter.cost();
  };
  if (row.high == kNumRanks) return run(Painter(row, weights, Side::kBoth));
  Row suited = row;
  Row offsuit = row;
  std::fill(suited.offsuit.begin(), suited.offsuit.end(), nullptr);
  std::fill(offsuit.suited.begin(), offsuit.suited.end(), nullptr);
  const Painter alone_suited(std::move(suited), weights, Side::kSuited);
  const Painter alone_offsuit(std::move(offsuit), weights, Side::kOffsuit);
  return run(Painter(row, weights, Side::kBoth, &alone_suited, &alone_offsuit));
}

}  // namespace cleave::poker::strip
