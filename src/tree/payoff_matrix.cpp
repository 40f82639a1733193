#include <algorithm>

#include "core/threads.h"
#include "tree/sequence_form.h"

namespace cleave::tree {

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
  return blocks_.size() * sizeof(kernels::Block) + values_.size() * sizeof(double) +
         multiples_.size() * sizeof(int16_t) +
         (block_index_.size() + row_.size() + row_begin_.size() + column_.size() +
          sparse_row_.size()) *
             sizeof(uint32_t) +
         weight_.size() * sizeof(double);
}

}  // namespace cleave::tree
