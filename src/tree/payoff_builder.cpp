#include "tree/payoff_builder.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace cleave::tree {
namespace {

// Work, in vector operations, of one part of a matrix stored densely and by rows: a dense strip of
// kLanes rows costs one operation a column; a sparse entry needs an index and a scattered load.
constexpr size_t kBlockOverhead = 8;
constexpr size_t kSparseEntry = 2;
constexpr size_t kPartWork = 1 << 15;  // what one task does, in the same unit

size_t padded(size_t n) { return (n + kernels::kLanes - 1) / kernels::kLanes * kernels::kLanes; }

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
  std::vector<uint32_t> lead(num_slots + 2);
  std::iota(lead.begin(), lead.end(), 0U);
  const auto find = [&](uint32_t i) {
    while (lead[i] != i) {
      lead[i] = lead[lead[i]];
      i = lead[i];
    }
    return i;
  };
  const auto node = [&](const End& end, size_t p) {
    return end.slot[p] == kNone ? static_cast<uint32_t>(num_slots + p) : end.slot[p];
  };
  for (const End& end : ends_) {
    const uint32_t a = find(node(end, 0));
    const uint32_t b = find(node(end, 1));
    lead[std::max(a, b)] = std::min(a, b);
  }
  std::vector<uint32_t> number(num_slots + 2, kNone);  // [leading node]
  for (const End& end : ends_) {
    uint32_t& n = number[find(node(end, 0))];
    if (n == kNone) n = num_components_++;
  }
  component_.resize(num_slots);
  for (uint32_t s = 0; s < num_slots; ++s) component_[s] = number[find(s)];
  for (uint32_t p = 0; p < 2; ++p) {
    empty_component_[p] = number[find(static_cast<uint32_t>(num_slots) + p)];
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

PayoffMatrix PayoffBuilder::build_matrix(std::vector<Entry>& entries, uint32_t num_rows) {
  // Stable, so that weights of equal pairs are added in the order of terminals.
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.component, a.row, a.column) < std::tie(b.component, b.row, b.column);
  });
  size_t kept = 0;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (kept > 0 && entries[kept - 1].row == entries[i].row &&
        entries[kept - 1].column == entries[i].column) {
      entries[kept - 1].weight += entries[i].weight;
    } else {
      entries[kept++] = entries[i];
    }
  }
  entries.resize(kept);

  PayoffMatrix matrix;
  matrix.num_rows_ = num_rows;
  matrix.num_entries_ = entries.size();
  matrix.row_begin_.push_back(0);
  matrix.parts_.push_back({0, 0});
  size_t part_work = 0;
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
    const size_t dense_work = padded(rows) / kernels::kLanes * columns.size() + kBlockOverhead;
    const size_t sparse_work = kSparseEntry * (j - i + rows);
    if (dense_work <= sparse_work) {
      kernels::Block block{matrix.values_.size(), matrix.block_index_.size(),
                           static_cast<uint32_t>(rows), static_cast<uint32_t>(columns.size())};
      matrix.values_.resize(matrix.values_.size() + padded(rows) * columns.size());
      size_t r = 0;
      for (size_t k = i; k < j; ++k) {
        if (k == i || entries[k].row != entries[k - 1].row) {
          matrix.block_index_.push_back(entries[k].row);
          ++r;
        }
        const auto c = static_cast<size_t>(
            std::lower_bound(columns.begin(), columns.end(), entries[k].column) - columns.begin());
        matrix.values_[block.first_value + c * padded(rows) + r - 1] = entries[k].weight;
      }
      matrix.block_index_.insert(matrix.block_index_.end(), columns.begin(), columns.end());
      matrix.blocks_.push_back(block);
      part_work += dense_work;
    } else {
      for (size_t k = i; k < j; ++k) {
        if (k == i || entries[k].row != entries[k - 1].row) {
          if (k > i) matrix.row_begin_.push_back(static_cast<uint32_t>(matrix.column_.size()));
          matrix.row_.push_back(entries[k].row);
          if (part_work >= kPartWork) {
            matrix.parts_.push_back({static_cast<uint32_t>(matrix.blocks_.size()),
                                     static_cast<uint32_t>(matrix.row_.size()) - 1});
            part_work = 0;
          }
        }
        matrix.column_.push_back(entries[k].column);
        matrix.weight_.push_back(entries[k].weight);
        part_work += kSparseEntry;
      }
      matrix.row_begin_.push_back(static_cast<uint32_t>(matrix.column_.size()));
    }
    if (part_work >= kPartWork) {
      matrix.parts_.push_back({static_cast<uint32_t>(matrix.blocks_.size()),
                               static_cast<uint32_t>(matrix.row_.size())});
      part_work = 0;
    }
    i = j;
  }
  matrix.parts_.push_back(
      {static_cast<uint32_t>(matrix.blocks_.size()), static_cast<uint32_t>(matrix.row_.size())});
  return matrix;
}

}  // namespace cleave::tree
