#pragma once

#include "kernels/hands.h"
#include "kernels/kernels.h"

// Each kernel's twin in plain loops: the same bits, which is what tests and benchmarks compare.
namespace cleave::kernels::plain {

void multiply_blocks(const Matrix& matrix, const double* x, double* out);
void update_group(const RegretUpdate& update, size_t num_actions, size_t width, const double* q,
                  double* regret, double* strategy, double* value);
void descend_and_average_group(size_t num_actions, size_t width, const uint32_t* parent,
                               const double* strategy, double* reach, size_t first, double decay,
                               double* average);
void maximise_group(size_t num_actions, size_t width, const double* q, double* value);

template <class Real>
const HandKernels<Real>& hand_kernels();
void decode(size_t count, const int16_t* stored, float scale, float* out, ptrdiff_t ahead = 0);
float encode(size_t count, const float* values, int16_t* stored);

}  // namespace cleave::kernels::plain
