#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "poker/range.h"

// The shortest notation of a range. parse_range lets later entries replace earlier ones, so the
// text is a painting: "22+,77:0.5" paints over, and "A2s+,A9s:0" is shorter than its two runs. Rows
// of the grid (one high card, all kickers) are painted optimally by Painter. What crosses rows
// is chosen by search: runs along diagonals ("T9s-65s"), painted after the rows, and "100%"
// before them.
namespace cleave::poker {
namespace {

using Weight = int;  // in millionths: what six decimals can say
constexpr Weight kOne = 1'000'000;
constexpr size_t kMaxPalette = 5;
constexpr int kPairRow = kNumRanks;  // rows 1 to 12 are high cards, 13 holds the pairs

// ":0.5"; nothing for 1.
std::string suffix(Weight weight) {
  if (weight == kOne) return {};
  std::string digits = fmt::format("{:06}", weight);
  while (!digits.empty() && digits.back() == '0') digits.pop_back();
  return digits.empty() ? ":0" : ":0." + digits;
}

// Of an entry without its weight. Of equally long texts the one with fewer entries costs less.
int entry_cost(int characters, Weight weight) {
  constexpr int kCharacter = 2048;
  if (weight == 0) {
    characters += 2;  // ":0"
  } else if (weight != kOne) {
    characters += 9;  // ":0.123456"
    for (; weight % 10 == 0; weight /= 10) --characters;
  }
  return (characters + 1) * kCharacter + 1;  // and a comma
}

// The hands of a class: "AKs".
struct Cell {
  std::vector<std::pair<std::string, Weight>> hands;

  // The weight of all hands.
  std::optional<Weight> uniform() const {
    const Weight first = hands.front().second;
    const bool all = std::ranges::all_of(hands, [&](const auto& it) { return it.second == first; });
    return all ? std::optional(first) : std::nullopt;
  }
  Weight most_frequent() const {
    const auto times = [&](const std::pair<std::string, Weight>& hand) {
      return std::ranges::count(hands, hand.second, &std::pair<std::string, Weight>::second);
    };
    return hands.empty() ? 0 : std::ranges::max_element(hands, {}, times)->second;
  }
  // Of the entries for single hands that are not of the weight the class was painted with.
  int exceptions(Weight painted) const {
    int cost = 0;
    for (const auto& [hand, weight] : hands) cost += weight != painted ? entry_cost(4, weight) : 0;
    return cost;
  }
};

size_t cell_number(int high, int low, bool suited) {
  return static_cast<size_t>(suited ? high * kNumRanks + low : low * kNumRanks + high);
}

struct Entry {
  std::string hands;  // "A8s+"
  Weight weight;
  std::bitset<static_cast<size_t>(kNumRanks* kNumRanks)> cells;  // none for a single hand
};

// [kicker from the deuce up]; of pairs only `suited` is used. Null: painted later, any weight will
// do.
struct Row {
  int high = 0;  // kPairRow: the pairs
  std::vector<const Cell*> suited, offsuit;
};

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
    const bool pairs = row_.high == kPairRow;
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

// The least cost of entries that turn a row painted with `base` into what it is; adds them to
// `entries` if that is given.
int paint(const Row& row, Weight base, std::vector<Entry>* entries) {
  const std::vector<Weight> weights = weights_of(row, base);
  const auto run = [&](const Painter& painter) {
    if (entries) painter.collect(*entries);
    return painter.cost();
  };
  if (row.high == kPairRow) return run(Painter(row, weights, Side::kBoth));
  Row suited = row;
  Row offsuit = row;
  std::fill(suited.offsuit.begin(), suited.offsuit.end(), nullptr);
  std::fill(offsuit.suited.begin(), offsuit.suited.end(), nullptr);
  const Painter alone_suited(std::move(suited), weights, Side::kSuited);
  const Painter alone_offsuit(std::move(offsuit), weights, Side::kOffsuit);
  return run(Painter(row, weights, Side::kBoth, &alone_suited, &alone_offsuit));
}

struct Grid {
  // [high][low]: pairs where both are equal, suited hands where not; offsuit the same way round.
  std::array<std::array<Cell, kNumRanks>, kNumRanks> suited, offsuit;
};

Grid make_grid(const Range& range) {
  Grid grid;
  for (Card high = 1; high < kNumCards; ++high) {
    for (Card low = 0; low < high; ++low) {
      const auto h = static_cast<size_t>(rank_of(high));
      const auto l = static_cast<size_t>(rank_of(low));
      Cell& cell = h == l || suit_of(high) == suit_of(low) ? grid.suited[h][l] : grid.offsuit[h][l];
      const double weight = static_cast<double>(range.weight[combo_index(high, low)]);
      cell.hands.emplace_back(to_text(high) + to_text(low),
                              static_cast<Weight>(std::lround(weight * kOne)));
    }
  }
  return grid;
}

// "T9s-65s": hands with the same gap between their cards, all of one weight.
struct Diagonal {
  int high_from, high_to, gap;
  bool suited, offsuit;
  Weight weight;

  int cost() const { return entry_cost(suited && offsuit ? 5 : 7, weight); }
  std::string hand(int high) const {
    return fmt::format("{}{}{}", kRankLetters[static_cast<size_t>(high)],
                       kRankLetters[static_cast<size_t>(high - gap)],
                       suited && offsuit ? ""
                       : suited          ? "s"
                                         : "o");
  }
};

// The weight that all hands have there; none if they differ or if there is no such rank.
std::optional<Weight> weight_of(const Grid& grid, const Diagonal& along, int high) {
  if (high >= kNumRanks) return std::nullopt;
  const auto h = static_cast<size_t>(high);
  const auto l = static_cast<size_t>(high - along.gap);
  const auto suited = grid.suited[h][l].uniform();
  const auto offsuit = grid.offsuit[h][l].uniform();
  if (along.suited && along.offsuit) return suited == offsuit ? suited : std::nullopt;
  return along.suited ? suited : offsuit;
}

// The longest ones.
std::vector<Diagonal> find_diagonals(const Grid& grid, Weight base) {
  std::vector<Diagonal> found;
  for (int gap = 1; gap < kNumRanks; ++gap) {
    for (Diagonal d : {Diagonal{0, 0, gap, true, true, 0}, Diagonal{0, 0, gap, true, false, 0},
                       Diagonal{0, 0, gap, false, true, 0}}) {
      for (d.high_from = gap; d.high_from < kNumRanks; d.high_from = d.high_to + 1) {
        d.high_to = d.high_from;
        const auto weight = weight_of(grid, d, d.high_from);
        if (!weight) continue;
        d.weight = *weight;
        while (weight_of(grid, d, d.high_to + 1) == weight) ++d.high_to;
        if (d.weight != base && d.high_to > d.high_from) found.push_back(d);
      }
    }
  }
  return found;
}

// A painting whose first entry, if any, is "100%" with the weight `base`.
class Painting {
 public:
  Painting(const Grid& grid, Weight base) : grid_(grid), base_(base) {
    const std::vector<Diagonal> candidates = find_diagonals(grid, base);
    std::vector<bool> chosen(candidates.size(), false);
    cost_ = cost_with(candidates, chosen);
    // Steepest descent over which diagonals are used, adding or leaving out one at a time.
    while (true) {
      int best_cost = cost_;
      size_t best = candidates.size();
      for (size_t i = 0; i < candidates.size(); ++i) {
        chosen[i] = !chosen[i];
        const int cost = cost_with(candidates, chosen);
        if (cost < best_cost) {
          best_cost = cost;
          best = i;
        }
        chosen[i] = !chosen[i];
      }
      if (best == candidates.size()) break;
      chosen[best] = !chosen[best];
      cost_ = best_cost;
    }
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (chosen[i]) diagonals_.push_back(candidates[i]);
    }
  }

  int cost() const { return cost_; }

  std::vector<Entry> entries() const {
    std::vector<Entry> all;
    if (base_ != 0) all.emplace_back(Entry{"100%", base_, {}}).cells.set();
    const Masks masks = masks_of(diagonals_);
    for (int r = 1; r <= kPairRow; ++r) {
      paint(make_row(r, masks[static_cast<size_t>(r)]), base_, &all);
    }
    for (const Diagonal& d : diagonals_) {
      Entry entry{d.hand(d.high_to) + "-" + d.hand(d.high_from), d.weight, {}};
      for (int high = d.high_from; high <= d.high_to; ++high) {
        if (d.suited) entry.cells.set(cell_number(high, high - d.gap, true));
        if (d.offsuit) entry.cells.set(cell_number(high, high - d.gap, false));
      }
      all.push_back(std::move(entry));
    }
    return all;
  }

 private:
  // [row]: kickers whose suited (.first) and offsuit (.second) hands a diagonal paints afterwards.
  using Masks = std::array<std::pair<uint32_t, uint32_t>, kPairRow + 1>;

  static Masks masks_of(const std::vector<Diagonal>& diagonals) {
    Masks masks{};
    for (const Diagonal& d : diagonals) {
      for (int high = d.high_from; high <= d.high_to; ++high) {
        const uint32_t bit = 1u << (high - d.gap);
        auto& [suited, offsuit] = masks[static_cast<size_t>(high)];
        if (d.suited) suited |= bit;
        if (d.offsuit) offsuit |= bit;
      }
    }
    return masks;
  }

  Row make_row(int r, const std::pair<uint32_t, uint32_t>& mask) const {
    Row row;
    row.high = r;
    const auto count = static_cast<size_t>(r);
    for (size_t kicker = 0; kicker < count; ++kicker) {
      const auto& cells = r == kPairRow ? grid_.suited[kicker] : grid_.suited[count];
      row.suited.push_back(mask.first >> kicker & 1 ? nullptr : &cells[kicker]);
      row.offsuit.push_back(
          r == kPairRow || (mask.second >> kicker & 1) ? nullptr : &grid_.offsuit[count][kicker]);
    }
    return row;
  }

  int cost_with(const std::vector<Diagonal>& candidates, const std::vector<bool>& chosen) {
    std::vector<Diagonal> used;
    int cost = base_ == 0 ? 0 : entry_cost(4, base_);
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (!chosen[i]) continue;
      used.push_back(candidates[i]);
      cost += candidates[i].cost();
    }
    const Masks masks = masks_of(used);
    for (int r = 1; r <= kPairRow; ++r) {
      const auto& mask = masks[static_cast<size_t>(r)];
      const auto [known, fresh] = row_costs_.try_emplace({r, mask}, 0);
      if (fresh) known->second = paint(make_row(r, mask), base_, nullptr);
      cost += known->second;
    }
    return cost;
  }

  const Grid& grid_;
  Weight base_;
  int cost_ = 0;
  std::vector<Diagonal> diagonals_;
  std::map<std::pair<int, std::pair<uint32_t, uint32_t>>, int> row_costs_;
};

// As players list them: pairs, then by high card, suited before offsuit, single hands last; but
// what paints over another entry stays behind it.
void sort_entries(std::vector<Entry>& entries) {
  const auto key = [](const Entry& entry) {
    const auto rank = [&](size_t i) {
      return kRankLetters.size() - 1 -
             std::min(kRankLetters.find(entry.hands[i]), kRankLetters.size() - 1);
    };
    const bool all = entry.cells.all();
    const bool pair = entry.hands[0] == entry.hands[1];
    const bool offsuit = entry.hands.size() > 2 && entry.hands[2] == 'o';
    return std::tuple(!all, entry.cells.none(), !pair, rank(0), offsuit,
                      rank(entry.cells.none() ? 2 : 1), entry.hands);
  };
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.cells.none() < b.cells.none(); });
  const auto singles = std::find_if(entries.begin(), entries.end(),
                                    [](const Entry& entry) { return entry.cells.none(); });
  std::sort(singles, entries.end(),
            [&](const Entry& a, const Entry& b) { return key(a) < key(b); });
  // Few entries: repeatedly take the first in players' order of those that nothing holds back.
  for (auto next = entries.begin(); next != singles; ++next) {
    auto best = next;
    for (auto it = next + 1; it != singles; ++it) {
      const bool free = std::none_of(
          next, it, [&](const Entry& before) { return (before.cells & it->cells).any(); });
      if (free && key(*it) < key(*best)) best = it;
    }
    std::rotate(next, best, best + 1);
  }
}

}  // namespace

std::string to_text(const Range& range) {
  const Grid grid = make_grid(range);
  std::map<Weight, int> hands_of;
  for (const float weight : range.weight) {
    ++hands_of[static_cast<Weight>(std::lround(static_cast<double>(weight) * kOne))];
  }
  std::optional<Painting> best;
  best.emplace(grid, 0);
  // "100%" pays for itself only with a weight that many hands have.
  for (const auto& [weight, hands] : hands_of) {
    if (weight == 0 || hands < static_cast<int>(kNumCombos) / 5) continue;
    Painting other(grid, weight);
    if (other.cost() < best->cost()) best.emplace(std::move(other));
  }
  std::vector<Entry> entries = best->entries();
  sort_entries(entries);
  std::string text;
  for (const Entry& entry : entries) {
    if (!text.empty()) text += ',';
    text += entry.hands + suffix(entry.weight);
  }
  return text;
}

}  // namespace cleave::poker
