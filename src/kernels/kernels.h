#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

// The only SIMD of the tree engine. Every kernel works lane by lane in a fixed order, without fused
// multiply-add, so that its result is the same to the last bit on every instruction set and equal
// to that of its plain twin (tests/kernels/plain.h, same signature), which is what tests compare.
//
// A group is `width` information sets (a multiple of kLanes) with `num_actions` actions each.
// Arrays over a group are [action][member]: value (a, m) stands at a * width + m.
namespace cleave::kernels {

// Regrets that are only discounted shrink for ever; below this they are zero, before arithmetic on
// them becomes slow (denormal numbers).
inline constexpr double kTiny = 1e-250;
inline constexpr size_t kLanes = 4;  // doubles per vector that layouts are padded to

// A dense block of a payoff matrix: values [column][padded row], rows padded to kLanes with zeros.
// Where all values are whole multiples of one unit they are stored as 16-bit numbers, a quarter of
// the bytes, and the unit is multiplied in at the end.
struct Block {
  uint64_t first_value = 0;  // into values, or into multiples where unit is not 0
  uint64_t first_index = 0;  // into index: num_rows rows, then num_columns columns
  uint32_t num_rows = 0;
  uint32_t num_columns = 0;
  double unit = 0;
};

struct Matrix {
  std::span<const Block> blocks;
  const uint32_t* index = nullptr;
  const double* values = nullptr;
  const int16_t* multiples = nullptr;
};

// out[row] = sum over the columns of a block, in order, of value * x[column]. Rows of different
// blocks are different.
void multiply_blocks(const Matrix& matrix, const double* x, double* out);

// How a minimiser treats the regrets of one iteration; t-dependent numbers are filled in by it.
struct RegretUpdate {
  double positive_scale = 1;  // of positive regrets, before the new ones are added
  double negative_scale = 1;  // of negative regrets, likewise
  bool floor = false;         // cut at zero after adding (regret matching plus)
  bool predict = false;       // strategy from regret + newest regret (predictive)
};

// One group of counterfactual regret minimisation. In: action values q and the strategy they were
// computed with. Out: value[m] = sum over a of strategy * q; regrets updated; strategy from them by
// regret matching (uniform where no regret is positive).
void update_group(const RegretUpdate& update, size_t num_actions, size_t width, const double* q,
                  double* regret, double* strategy, double* value);

// reach(a, m) = reach of the parent sequence * strategy(a, m); `reach` is the array over all
// sequences, the group's part begins at `first`. average = average * decay + reach.
void descend_and_average_group(size_t num_actions, size_t width, const uint32_t* parent,
                               const double* strategy, double* reach, size_t first, double decay,
                               double* average);

// value[m] = max over a of q.
void maximise_group(size_t num_actions, size_t width, const double* q, double* value);

}  // namespace cleave::kernels
