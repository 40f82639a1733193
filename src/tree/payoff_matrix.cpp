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
         (block_index_.size() + row_.size() + row_begin_.size() + column_.size()) *
             sizeof(uint32_t) +
         weight_.size() * sizeof(double);
}

}  // namespace cleave::tree
