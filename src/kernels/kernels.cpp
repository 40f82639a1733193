#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/kernels.cpp"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
//
#include "kernels/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace cleave::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<double, kLanes>;  // layouts are padded to kLanes on every machine
using Vec = hn::Vec<Tag>;

HWY_INLINE Vec load(const double* p) { return hn::Load(Tag(), p); }
HWY_INLINE Vec load(const int16_t* p) {
  const hn::Rebind<int16_t, Tag> narrow;
  const hn::Rebind<int32_t, Tag> wide;
  return hn::PromoteTo(Tag(), hn::PromoteTo(wide, hn::LoadU(narrow, p)));
}

// kRows rows of one block, from `values` on: the accumulators stay in registers.
template <size_t kRows, class Value>
HWY_INLINE void multiply_strip(const Block& block, const Value* values, size_t stride,
                               const uint32_t* columns, const double* x, double* sums) {
  const Tag d;
  constexpr size_t kStep = hn::MaxLanes(d);
  constexpr size_t kVectors = kRows / kStep;
  Vec acc[kVectors];
  for (size_t v = 0; v < kVectors; ++v) acc[v] = hn::Zero(d);
  for (size_t c = 0; c < block.num_columns; ++c) {
    const Vec xc = hn::Set(d, x[columns[c]]);
    const Value* column = values + c * stride;
    for (size_t v = 0; v < kVectors; ++v) {
      acc[v] = hn::Add(acc[v], hn::Mul(load(column + v * kStep), xc));
    }
  }
  for (size_t v = 0; v < kVectors; ++v) {
    if constexpr (sizeof(Value) == sizeof(int16_t)) {
      acc[v] = hn::Mul(acc[v], hn::Set(d, block.unit));
    }
    hn::StoreU(acc[v], d, sums + v * kStep);
  }
}

// Rows from r on, up to kRows of them. A whole strip of neighbours goes to `out` directly.
template <size_t kRows, class Value>
HWY_INLINE void multiply_rows(const Block& block, size_t r, const Value* values, size_t stride,
                              const uint32_t* index, const double* x, double* out) {
  const uint32_t* rows = index + r;
  const uint32_t* columns = index + block.num_rows;
  const size_t count = HWY_MIN(block.num_rows - r, kRows);
  if (count == kRows && rows[kRows - 1] - rows[0] == kRows - 1) {
    multiply_strip<kRows>(block, values + r, stride, columns, x, out + rows[0]);
    return;
  }
  HWY_ALIGN double sums[kRows];
  multiply_strip<kRows>(block, values + r, stride, columns, x, sums);
  for (size_t i = 0; i < count; ++i) out[rows[i]] = sums[i];
}

template <class Value>
HWY_INLINE void multiply_block(const Block& block, const Value* values, const uint32_t* index,
                               const double* x, double* out) {
  constexpr size_t kStrip = 2 * kLanes;
  const size_t stride = (block.num_rows + kLanes - 1) / kLanes * kLanes;
  size_t r = 0;
  for (; r + kLanes < block.num_rows; r += kStrip) {
    multiply_rows<kStrip>(block, r, values, stride, index, x, out);
  }
  if (r < block.num_rows) multiply_rows<kLanes>(block, r, values, stride, index, x, out);
}

void multiply_blocks(const Matrix& matrix, const double* x, double* out) {
  for (const Block& block : matrix.blocks) {
    const uint32_t* index = matrix.index + block.first_index;
    if (block.unit != 0) {
      multiply_block(block, matrix.multiples + block.first_value, index, x, out);
    } else {
      multiply_block(block, matrix.values + block.first_value, index, x, out);
    }
  }
}

template <bool kFloor, bool kPredict>
void update(const RegretUpdate& update, size_t num_actions, size_t width, const double* q,
            double* regret, double* strategy, double* value) {
  const Tag d;
  const Vec zero = hn::Zero(d);
  const Vec positive = hn::Set(d, update.positive_scale);
  const Vec negative = hn::Set(d, update.negative_scale);
  const Vec tiny = hn::Set(d, kTiny);
  const Vec uniform = hn::Set(d, 1.0 / static_cast<double>(num_actions));
  for (size_t m = 0; m < width; m += hn::Lanes(d)) {
    Vec v = zero;
    for (size_t a = 0; a < num_actions; ++a) {
      const size_t i = a * width + m;
      v = hn::Add(v, hn::Mul(hn::Load(d, strategy + i), hn::Load(d, q + i)));
    }
    hn::Store(v, d, value + m);
    Vec sum = zero;
    for (size_t a = 0; a < num_actions; ++a) {
      const size_t i = a * width + m;
      const Vec newest = hn::Sub(hn::Load(d, q + i), v);
      Vec r = hn::Load(d, regret + i);
      // Floored regrets are never negative.
      const Vec scale = kFloor ? positive : hn::IfThenElse(hn::Gt(r, zero), positive, negative);
      r = hn::Add(hn::Mul(r, scale), newest);
      if constexpr (kFloor) {
        r = hn::Max(r, zero);
      } else {
        r = hn::IfThenZeroElse(hn::Lt(hn::Abs(r), tiny), r);
      }
      hn::Store(r, d, regret + i);
      const Vec s = hn::Max(kPredict ? hn::Add(r, newest) : r, zero);
      hn::Store(s, d, strategy + i);
      sum = hn::Add(sum, s);
    }
    const auto some = hn::Gt(sum, zero);
    for (size_t a = 0; a < num_actions; ++a) {
      const size_t i = a * width + m;
      hn::Store(hn::IfThenElse(some, hn::Div(hn::Load(d, strategy + i), sum), uniform), d,
                strategy + i);
    }
  }
}

void update_group(const RegretUpdate& u, size_t num_actions, size_t width, const double* q,
                  double* regret, double* strategy, double* value) {
  const auto run = u.floor ? (u.predict ? update<true, true> : update<true, false>)
                           : (u.predict ? update<false, true> : update<false, false>);
  run(u, num_actions, width, q, regret, strategy, value);
}

void descend_and_average_group(size_t num_actions, size_t width, const uint32_t* parent,
                               const double* strategy, double* reach, size_t first, double decay,
                               double* average) {
  const Tag d;
  const Vec decays = hn::Set(d, decay);
  HWY_ALIGN double above[kLanes];
  for (size_t m = 0; m < width; m += hn::Lanes(d)) {
    for (size_t i = 0; i < hn::Lanes(d); ++i) above[i] = reach[parent[m + i]];
    const Vec from = hn::Load(d, above);
    for (size_t a = 0; a < num_actions; ++a) {
      const size_t i = a * width + m;
      const Vec r = hn::Mul(from, hn::Load(d, strategy + i));
      hn::Store(r, d, reach + first + i);
      hn::Store(hn::Add(hn::Mul(hn::Load(d, average + i), decays), r), d, average + i);
    }
  }
}

void maximise_group(size_t num_actions, size_t width, const double* q, double* value) {
  const Tag d;
  for (size_t m = 0; m < width; m += hn::Lanes(d)) {
    Vec v = hn::Load(d, q + m);
    for (size_t a = 1; a < num_actions; ++a) v = hn::Max(v, hn::Load(d, q + a * width + m));
    hn::Store(v, d, value + m);
  }
}

}  // namespace cleave::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cleave::kernels {

HWY_EXPORT(multiply_blocks);
HWY_EXPORT(update_group);
HWY_EXPORT(descend_and_average_group);
HWY_EXPORT(maximise_group);

void multiply_blocks(const Matrix& matrix, const double* x, double* out) {
  HWY_DYNAMIC_DISPATCH(multiply_blocks)(matrix, x, out);
}
void update_group(const RegretUpdate& update, size_t num_actions, size_t width, const double* q,
                  double* regret, double* strategy, double* value) {
  HWY_DYNAMIC_DISPATCH(update_group)(update, num_actions, width, q, regret, strategy, value);
}
void descend_and_average_group(size_t num_actions, size_t width, const uint32_t* parent,
                               const double* strategy, double* reach, size_t first, double decay,
                               double* average) {
  HWY_DYNAMIC_DISPATCH(descend_and_average_group)
  (num_actions, width, parent, strategy, reach, first, decay, average);
}
void maximise_group(size_t num_actions, size_t width, const double* q, double* value) {
  HWY_DYNAMIC_DISPATCH(maximise_group)(num_actions, width, q, value);
}

}  // namespace cleave::kernels
#endif  // HWY_ONCE
