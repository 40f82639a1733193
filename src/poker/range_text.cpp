#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "poker/range.h"
#include "poker/range_strip.h"

// The shortest notation of a range. parse_range lets later entries replace earlier ones, so the
// text is a painting: "22+,77:0.5" paints over, and "A2s+,A9s:0" is shorter than its two runs. Rows
// of the grid (one high card, all kickers) are painted optimally by range_strip.cpp. What crosses
// rows is chosen by search: runs along diagonals ("T9s-65s"), painted after the rows, and "100%"
// before them.
namespace cleave::poker {
namespace {

using strip::Cell;
using strip::Entry;
using strip::Row;
using strip::Weight;

constexpr int kPairRow = kNumRanks;  // rows 1 to 12 are high cards, 13 holds the pairs

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
                              static_cast<Weight>(std::lround(weight * strip::kOne)));
    }
  }
  return grid;
}

// "T9s-65s": hands with the same gap between their cards, all of one weight.
struct Diagonal {
  int high_from, high_to, gap;
  bool suited, offsuit;
  Weight weight;

  int cost() const { return strip::entry_cost(suited && offsuit ? 5 : 7, weight); }
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
    if (base_ != 0) all.push_back(everything());
    const Masks masks = masks_of(diagonals_);
    for (int r = 1; r <= kPairRow; ++r) {
      Row row = make_row(r, masks[static_cast<size_t>(r)]);
      strip::paint(row, base_, &all);
    }
    for (const Diagonal& d : diagonals_) {
      Entry entry{d.hand(d.high_to) + "-" + d.hand(d.high_from), d.weight, {}};
      for (int high = d.high_from; high <= d.high_to; ++high) {
        if (d.suited) entry.cells.set(strip::cell_number(high, high - d.gap, true));
        if (d.offsuit) entry.cells.set(strip::cell_number(high, high - d.gap, false));
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

  Entry everything() const {
    Entry entry{"100%", base_, {}};
    entry.cells.set();
    return entry;
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
    int cost = base_ == 0 ? 0 : strip::entry_cost(4, base_);
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (!chosen[i]) continue;
      used.push_back(candidates[i]);
      cost += candidates[i].cost();
    }
    const Masks masks = masks_of(used);
    for (int r = 1; r <= kPairRow; ++r) {
      const auto& mask = masks[static_cast<size_t>(r)];
      const auto [known, fresh] = row_costs_.try_emplace({r, mask}, 0);
      if (fresh) known->second = strip::paint(make_row(r, mask), base_, nullptr);
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
    ++hands_of[static_cast<Weight>(std::lround(static_cast<double>(weight) * strip::kOne))];
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
    text += entry.hands + strip::suffix(entry.weight);
  }
  return text;
}

}  // namespace cleave::poker
