#include "kernels/plain.h"

#include <algorithm>
#include <cmath>

namespace cleave::kernels::plain {

void multiply_blocks(const Matrix& matrix, const double* x, double* out) {
  for (const Block& block : matrix.blocks) {
    const uint32_t* rows = matrix.index + block.first_index;
    const uint32_t* columns = rows + block.num_rows;
    const size_t stride = (block.num_rows + kLanes - 1) / kLanes * kLanes;
    for (size_t r = 0; r < block.num_rows; ++r) {
      double sum = 0;
      for (size_t c = 0; c < block.num_columns; ++c) {
        const size_t at = block.first_value + c * stride + r;
        sum += (block.unit != 0 ? matrix.multiples[at] : matrix.values[at]) * x[columns[c]];
      }
      out[rows[r]] = block.unit != 0 ? sum * block.unit : sum;
    }
  }
}

void update_group(const RegretUpdate& update, size_t num_actions, size_t width, const double* q,
                  double* regret, double* strategy, double* value) {
  for (size_t m = 0; m < width; ++m) {
    double v = 0;
    for (size_t a = 0; a < num_actions; ++a) v += strategy[a * width + m] * q[a * width + m];
    value[m] = v;
    double sum = 0;
    for (size_t a = 0; a < num_actions; ++a) {
      const size_t i = a * width + m;
      const double newest = q[i] - v;
      double r = regret[i];
      r = r * (r > 0 ? update.positive_scale : update.negative_scale) + newest;
      if (update.floor) {
        r = std::max(r, 0.0);
      } else if (std::abs(r) < kTiny) {
        r = 0;
      }
      regret[i] = r;
      strategy[i] = std::max(update.predict ? r + newest : r, 0.0);
      sum += strategy[i];
    }
    for (size_t a = 0; a < num_actions; ++a) {
      const size_t i = a * width + m;
      strategy[i] = sum > 0 ? strategy[i] / sum : 1.0 / static_cast<double>(num_actions);
    }
  }
}

void descend_and_average_group(size_t num_actions, size_t width, const uint32_t* parent,
                               const double* strategy, double* reach, size_t first, double decay,
                               double* average) {
  for (size_t a = 0; a < num_actions; ++a) {
    for (size_t m = 0; m < width; ++m) {
      const size_t i = a * width + m;
      reach[first + i] = reach[parent[m]] * strategy[i];
      average[i] = average[i] * decay + reach[first + i];
    }
  }
}

void maximise_group(size_t num_actions, size_t width, const double* q, double* value) {
  for (size_t m = 0; m < width; ++m) {
    value[m] = q[m];
    for (size_t a = 1; a < num_actions; ++a) value[m] = std::max(value[m], q[a * width + m]);
  }
}

}  // namespace cleave::kernels::plain
