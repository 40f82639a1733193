#include "tree/payoff_builder.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/groups.h"

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

PayoffBuilder::PayoffBuilder(const Tree& tree) {
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

// Union-find over rows (player one's slots) and columns (player two's): slots of different players
// have different numbers; the two empty sequences come last.
void PayoffBuilder::find_components(const Tree& tree) {
  const size_t num_slots = tree.num_slots();
  core::Groups groups(num_slots + 2);
  const auto node = [&](const End& end, size_t p) {
    return end.slot[p] == kNone ? static_cast<uint32_t>(num_slots + p) : end.slot[p];
  };
  for (const End& end : ends_) {
    groups.join(node(end, 0), node(end, 1));
  }
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

std::array<PayoffMatrix, 2> PayoffBuilder::build(const std::array<Treeplex, 2>& player) {
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

// Sorts entries and adds up those of equal pairs, in the order of terminals (the sort is stable).
void PayoffBuilder::merge(std::vector<Entry>& entries) {
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

PayoffMatrix PayoffBuilder::build_matrix(std::vector<Entry>& entries, uint32_t num_rows) {
  merge(entries);
  PayoffMatrix matrix;
  matrix.num_rows_ = num_rows;
  matrix.num_entries_ = entries.size();
  matrix.row_begin_.push_back(0);
  matrix.parts_.push_back({0, 0});
  size_t work = 0;  // of the current part
  const auto end_part = [&] {
    matrix.parts_.push_back(
        {static_cast<uint32_t>(matrix.blocks_.size()), static_cast<uint32_t>(matrix.row_.size())});
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

void PayoffBuilder::add_row(PayoffMatrix& matrix, std::span<const Entry> row) {
  matrix.row_.push_back(row[0].row);
  for (const Entry& entry : row) {
    matrix.column_.push_back(entry.column);
    matrix.weight_.push_back(entry.weight);
  }
  matrix.row_begin_.push_back(static_cast<uint32_t>(matrix.column_.size()));
}

void PayoffBuilder::add_block(PayoffMatrix& matrix, std::span<const Entry> entries, size_t rows,
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
double PayoffBuilder::common_unit(std::span<const Entry> entries) {
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

}  // namespace cleave::tree
