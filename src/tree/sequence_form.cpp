#include "tree/sequence_form.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/groups.h"
#include "core/threads.h"

namespace cleave::tree {
namespace {

// Work, in vector operations, of one part of a matrix stored densely and by rows: a dense strip of
// kLanes rows costs one operation a column; a sparse entry needs an index and a scattered load.
constexpr size_t kBlockOverhead = 8;
constexpr size_t kSparseEntry = 2;
constexpr size_t kPartWork = 1 << 15;  // what one task does, in the same unit

size_t padded(size_t n) { return (n + kernels::kLanes - 1) / kernels::kLanes * kernels::kLanes; }

size_t block_work(size_t rows, size_t columns) {
  return padded(rows) / kernels::kLanes * columns + kBlockOverhead;
}

}  // namespace

// Builds both players' payoff matrices from the terminals of a tree.
class PayoffBuilder {
 public:
  explicit PayoffBuilder(const Tree& tree) {
    std::vector<double> chance_reach(tree.num_histories());
    chance_reach[0] = 1;
    for (size_t h = 0; h < tree.num_histories(); ++h) {
      if (h > 0) chance_reach[h] = chance_reach[tree.parent[h]] * tree.probability[h];
      if (tree.actor[h] != kTerminal) continue;
      const double weight = chance_reach[h] * tree.payoff[tree.infoset[h]];
      if (weight != 0) ends_.push_back({{tree.sequence[0][h], tree.sequence[1][h]}, weight});
    }
    find_components(tree);
  }

  // [slot]: which connected part of the matrix the slot's row (or column) lies in, numbered in the
  // order of terminals; kNone where no terminal follows before the player's next decision.
  const std::vector<uint32_t>& component_of_slot() const { return component_; }

  // Call once: frees what it no longer needs on the way.
  std::array<PayoffMatrix, 2> build(const std::array<Treeplex, 2>& player) {
    std::array<PayoffMatrix, 2> result;
    std::vector<Entry> entries;
    for (size_t p = 0; p < 2; ++p) {
      entries.clear();
      entries.reserve(ends_.size());
      for (const End& end : ends_) {
        const uint32_t own = end.slot[p];
        entries.push_back({own == kNone ? empty_component_[p] : component_[own],
                           player[p].sequence(own), player[1 - p].sequence(end.slot[1 - p]),
                           p == 0 ? end.weight : -end.weight});
      }
      if (p == 1) std::vector<End>().swap(ends_);
      result[p] = build_matrix(entries, player[p].num_sequences);
    }
    return result;
  }

 private:
  struct Entry {
    uint32_t component;
    uint32_t row;
    uint32_t column;
    double weight;
  };
  struct End {  // a terminal: slots of both players (kNone: empty), chance reach * payoff
    uint32_t slot[2];
    double weight;
  };

  // Union-find over rows (player one's slots) and columns (player two's): slots of different
  // players have different numbers; the two empty sequences come last.
  void find_components(const Tree& tree) {
    const size_t num_slots = tree.num_slots();
    core::Groups groups(num_slots + 2);
    const auto node = [&](const End& end, size_t p) {
      return end.slot[p] == kNone ? static_cast<uint32_t>(num_slots + p) : end.slot[p];
    };
    for (const End& end : ends_) groups.join(node(end, 0), node(end, 1));
    std::vector<uint32_t> number(num_slots + 2, kNone);  // [leading node]
    for (const End& end : ends_) {
      uint32_t& n = number[groups.find(node(end, 0))];
      if (n == kNone) n = num_components_++;
    }
    component_.resize(num_slots);
    for (uint32_t s = 0; s < num_slots; ++s) component_[s] = number[groups.find(s)];
    for (uint32_t p = 0; p < 2; ++p) {
      empty_component_[p] = number[groups.find(static_cast<uint32_t>(num_slots) + p)];
    }
  }

  // Sorts entries and adds up those of equal pairs, in the order of terminals (the sort is stable).
  static void merge(std::vector<Entry>& entries) {
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return std::tie(a.component, a.row, a.column) < std::tie(b.component, b.row, b.column);
    });
    size_t kept = 0;
    for (const Entry& entry : entries) {
      if (kept > 0 && entries[kept - 1].row == entry.row &&
          entries[kept - 1].column == entry.column) {
        entries[kept - 1].weight += entry.weight;
      } else {
        entries[kept++] = entry;
      }
    }
    entries.resize(kept);
  }

  static PayoffMatrix build_matrix(std::vector<Entry>& entries, uint32_t num_rows) {
    merge(entries);
    PayoffMatrix matrix;
    matrix.num_rows_ = num_rows;
    matrix.row_begin_.push_back(0);
    matrix.parts_.push_back({0, 0});
    size_t work = 0;  // of the current part
    const auto end_part = [&] {
      matrix.parts_.push_back({static_cast<uint32_t>(matrix.blocks_.size()),
                               static_cast<uint32_t>(matrix.row_.size())});
      work = 0;
    };
    std::vector<uint32_t> columns;
    for (size_t i = 0; i < entries.size();) {
      size_t j = i;
      size_t rows = 0;
      columns.clear();
      for (; j < entries.size() && entries[j].component == entries[i].component; ++j) {
        if (j == i || entries[j].row != entries[j - 1].row) ++rows;
        columns.push_back(entries[j].column);
      }
      std::sort(columns.begin(), columns.end());
      columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
      const size_t dense_work = block_work(rows, columns.size());
      const auto component = std::span<const Entry>(entries).subspan(i, j - i);
      // Both players' matrices store a part the same way (see PayoffMatrix::multiply_reached).
      if (dense_work + block_work(columns.size(), rows) <=
          kSparseEntry * (2 * component.size() + rows + columns.size())) {
        add_block(matrix, component, rows, columns);
        work += dense_work;
      } else {
        for (size_t k = 0; k < component.size();) {
          if (work >= kPartWork) end_part();
          const size_t first = k;
          while (k < component.size() && component[k].row == component[first].row) ++k;
          add_row(matrix, component.subspan(first, k - first));
          work += kSparseEntry * (k - first + 1);
        }
      }
      if (work >= kPartWork) end_part();
      i = j;
    }
    end_part();
    matrix.sparse_row_.assign(num_rows, kNone);
    for (uint32_t r = 0; r < matrix.row_.size(); ++r) matrix.sparse_row_[matrix.row_[r]] = r;
    return matrix;
  }

  static void add_row(PayoffMatrix& matrix, std::span<const Entry> row) {
    matrix.row_.push_back(row[0].row);
    for (const Entry& entry : row) {
      matrix.column_.push_back(entry.column);
      matrix.weight_.push_back(entry.weight);
    }
    matrix.row_begin_.push_back(static_cast<uint32_t>(matrix.column_.size()));
  }

  static void add_block(PayoffMatrix& matrix, std::span<const Entry> entries, size_t rows,
                        const std::vector<uint32_t>& columns) {
    kernels::Block block;
    block.unit = common_unit(entries);
    block.first_value = block.unit != 0 ? matrix.multiples_.size() : matrix.values_.size();
    block.first_index = matrix.block_index_.size();
    block.num_rows = static_cast<uint32_t>(rows);
    block.num_columns = static_cast<uint32_t>(columns.size());
    const size_t end = block.first_value + padded(rows) * columns.size();
    if (block.unit != 0) {
      matrix.multiples_.resize(end);
    } else {
      matrix.values_.resize(end);
    }
    size_t r = 0;
    for (size_t k = 0; k < entries.size(); ++k) {
      if (k == 0 || entries[k].row != entries[k - 1].row) {
        matrix.block_index_.push_back(entries[k].row);
        ++r;
      }
      const auto c = static_cast<size_t>(
          std::lower_bound(columns.begin(), columns.end(), entries[k].column) - columns.begin());
      const size_t at = block.first_value + c * padded(rows) + r - 1;
      if (block.unit != 0) {
        matrix.multiples_[at] = static_cast<int16_t>(std::lround(entries[k].weight / block.unit));
      } else {
        matrix.values_[at] = entries[k].weight;
      }
    }
    matrix.block_index_.insert(matrix.block_index_.end(), columns.begin(), columns.end());
    matrix.blocks_.push_back(block);
  }

  // The largest number of which all weights are whole multiples that fit 16 bits, to within the
  // rounding of their computation; 0 if there is none. Payoffs are mostly whole chips and deals
  // equally likely, so there mostly is.
  static double common_unit(std::span<const Entry> entries) {
    constexpr int kMostParts = 60;                // of the smallest weight
    constexpr double kRounding = 16 * 0x1.0p-53;  // a few steps of chance, multiplied up
    double smallest = std::abs(entries[0].weight);
    for (const Entry& entry : entries) {
      if (entry.weight != 0) smallest = std::min(smallest, std::abs(entry.weight));
    }
    const auto is_whole = [&](double x) {
      return std::abs(x - std::round(x)) <= kRounding * std::abs(x);
    };
    int parts = 1;
    for (const Entry& entry : entries) {
      const double ratio = entry.weight / smallest;
      const int before = parts;
      while (parts <= kMostParts && !is_whole(ratio * parts)) parts += before;
      if (parts > kMostParts || std::abs(ratio * parts) > INT16_MAX) return 0;
    }
    return smallest / parts;
  }

  std::vector<End> ends_;
  std::vector<uint32_t> component_;
  std::array<uint32_t, 2> empty_component_ = {kNone, kNone};
  uint32_t num_components_ = 0;
};

namespace {

// Orders the information sets of one player into groups. `component` says, per slot, in which part
// of the payoff matrix the game may end after it: sets that end together stand together, so that a
// block's rows are close in memory.
Treeplex make_treeplex(const Tree& tree, size_t player, const std::vector<uint32_t>& component) {
  Treeplex plex;
  const uint32_t begin = tree.infoset_begin[player];
  const uint32_t end = tree.infoset_begin[player + 1];
  plex.first_slot = tree.slot_begin[begin];
  plex.sequence_of_slot.resize(tree.slot_begin[end] - plex.first_slot);

  const auto& own = tree.sequence[player];
  std::vector<uint32_t> set_of_slot(plex.sequence_of_slot.size());
  std::vector<uint32_t> level(end - begin);
  std::vector<uint32_t> key(end - begin);
  for (uint32_t set = begin; set < end; ++set) {
    key[set - begin] = kNone;
    for (uint32_t slot = tree.slot_begin[set]; slot < tree.slot_begin[set + 1]; ++slot) {
      set_of_slot[slot - plex.first_slot] = set;
      key[set - begin] = std::min(key[set - begin], component[slot]);
    }
  }
  // A set's parent was found at an earlier level of the tree, so it has a smaller number.
  for (uint32_t set = begin; set < end; ++set) {
    const uint32_t slot = own[tree.first_history[set]];
    level[set - begin] = slot == kNone ? 0 : level[set_of_slot[slot - plex.first_slot] - begin] + 1;
  }
  std::vector<uint32_t> order(end - begin);
  std::iota(order.begin(), order.end(), begin);
  const auto rank = [&](uint32_t set) {
    return std::tuple(level[set - begin], tree.num_actions(set), key[set - begin], set);
  };
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return rank(a) < rank(b); });

  uint32_t next_sequence = 2 * kernels::kLanes;  // the two special sequences, padded
  for (size_t i = 0; i < order.size();) {
    const auto [set_level, actions, unused_key, unused_set] = rank(order[i]);
    size_t j = i;
    while (j < order.size() && j - i < kGroupWidth && level[order[j] - begin] == set_level &&
           tree.num_actions(order[j]) == actions) {
      ++j;
    }
    while (plex.level_begin.size() <= set_level) {
      plex.level_begin.push_back(static_cast<uint32_t>(plex.groups.size()));
    }
    const auto width = static_cast<uint32_t>(padded(j - i));
    const Group group{actions, width, static_cast<uint32_t>(plex.infoset.size()), next_sequence};
    for (size_t m = 0; m < width; ++m) {
      const uint32_t set = i + m < j ? order[i + m] : kNone;
      plex.infoset.push_back(set);
      if (set == kNone) {
        plex.parent.push_back(kPadSequence);
        continue;
      }
      plex.parent.push_back(plex.sequence(own[tree.first_history[set]]));
      for (uint32_t a = 0; a < actions; ++a) {
        plex.sequence_of_slot[tree.slot_begin[set] + a - plex.first_slot] =
            next_sequence + a * width + static_cast<uint32_t>(m);
      }
    }
    next_sequence += actions * width;
    plex.groups.push_back(group);
    i = j;
  }
  plex.level_begin.push_back(static_cast<uint32_t>(plex.groups.size()));
  plex.num_sequences = next_sequence;
  return plex;
}

}  // namespace

SequenceForm make_sequence_form(const Tree& tree) {
  PayoffBuilder builder(tree);
  SequenceForm form;
  for (size_t p = 0; p < 2; ++p) {
    form.player[p] = make_treeplex(tree, p, builder.component_of_slot());
  }
  form.payoff = builder.build(form.player);
  return form;
}

size_t SequenceForm::bytes() const {
  size_t total = 0;
  for (const Treeplex& plex : player) {
    const size_t numbers = plex.parent.size() + plex.infoset.size() + plex.sequence_of_slot.size();
    total += plex.groups.size() * sizeof(Group) + numbers * sizeof(uint32_t);
  }
  for (const PayoffMatrix& matrix : payoff) total += matrix.bytes();
  return total;
}

void PayoffMatrix::multiply(const double* reach, double* out, int threads) const {
  std::fill_n(out, num_rows_, 0.0);
  constexpr size_t kParallelParts = 8;  // fewer are done before a second thread is awake
  const size_t num_parts = parts_.size() - 1;
  if (num_parts < kParallelParts) threads = 1;
  core::parallel_for(num_parts, threads, [&](size_t part) { multiply_range(part, reach, out); });
}

bool PayoffMatrix::multiply_reached(const PayoffMatrix& transposed, const double* reach,
                                    double* out) const {
  // A scattered addition costs more than a term of a sum.
  constexpr size_t kScattered = 3;
  const PayoffMatrix& t = transposed;
  if (t.row_.empty()) return false;
  std::vector<uint32_t> rows;  // in the order of the other player's sequences, as rows here have it
  size_t reached = 0;
  for (uint32_t s = 0; s < t.num_rows_; s += kernels::kLanes) {  // padded to a multiple of that
    const double* x = reach + s;
    if (x[0] == 0 && x[1] == 0 && x[2] == 0 && x[3] == 0) continue;
    for (uint32_t i = s; i < s + kernels::kLanes; ++i) {
      const uint32_t r = t.sparse_row_[i];
      if (reach[i] == 0 || r == kNone) continue;
      reached += t.row_begin_[r + 1] - t.row_begin_[r];
      rows.push_back(r);
    }
  }
  if (t.num_rows_ / 2 + kScattered * reached > weight_.size()) return false;
  std::fill_n(out, num_rows_, 0.0);
  kernels::multiply_blocks({blocks_, block_index_.data(), values_.data(), multiples_.data()}, reach,
                           out);
  for (const uint32_t r : rows) {
    const double x = reach[t.row_[r]];
    for (uint32_t k = t.row_begin_[r]; k < t.row_begin_[r + 1]; ++k) {
      out[t.column_[k]] -= t.weight_[k] * x;
    }
  }
  return true;
}

void SequenceForm::multiply(size_t to, const double* reach, double* out, int threads) const {
  if (payoff[to].multiply_reached(payoff[1 - to], reach, out)) return;
  payoff[to].multiply(reach, out, threads);
}

void PayoffMatrix::multiply_range(size_t part, const double* reach, double* out) const {
  const auto [first_block, first_row] = parts_[part];
  const auto [end_block, end_row] = parts_[part + 1];
  const kernels::Matrix matrix{std::span(blocks_).subspan(first_block, end_block - first_block),
                               block_index_.data(), values_.data(), multiples_.data()};
  kernels::multiply_blocks(matrix, reach, out);
  for (uint32_t r = first_row; r < end_row; ++r) {
    double sum = 0;
    for (uint32_t k = row_begin_[r]; k < row_begin_[r + 1]; ++k) {
      sum += weight_[k] * reach[column_[k]];
    }
    out[row_[r]] = sum;
  }
}

size_t PayoffMatrix::bytes() const {
  const auto bytes_of = [](const auto&... v) { return ((v.size() * sizeof(v[0])) + ...); };
  return bytes_of(blocks_, values_, multiples_, block_index_, row_, row_begin_, column_,
                  sparse_row_, weight_);
}

}  // namespace cleave::tree
