#include "kernels/hands.h"

#include <limits>

// Rows are at most 256 bits at a time: what is newer than AVX2 would add nothing but compile time.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/hands.cpp"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
//
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

HWY_BEFORE_NAMESPACE();
namespace cleave::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
template <class Real>
using Tag = hn::CappedTag<Real, kHandLanes>;
template <class Real>
using Vec = hn::Vec<Tag<Real>>;

// Asks for memory that need not exist, so that the address is made of numbers.
template <class T>
HWY_INLINE void fetch(const T* from, ptrdiff_t ahead) {
  const auto bytes = static_cast<uintptr_t>(ahead * static_cast<ptrdiff_t>(sizeof(T)));
  const auto address = reinterpret_cast<uintptr_t>(from) + bytes;
  hwy::Prefetch(reinterpret_cast<const T*>(address));  // NOLINT(performance-no-int-to-ptr)
}

// Nodes and meetings are taken by value in what follows: stores of vectors may change anything
// whose address is known elsewhere, so the compiler would load a reference's members again and
// again.

// What a strategy is proportional to, and one over its sum.
template <class Real>
struct Matching {
  Vec<Real> inverse;
  hn::Mask<Tag<Real>> some;  // where a regret is positive
};

template <class Real>
HWY_INLINE Vec<Real> positive_part(const NodeRows<Real>& node, size_t i) {
  const Tag<Real> d;
  Vec<Real> r = hn::LoadU(d, node.regret + i);
  if (node.prediction) r = hn::Add(r, hn::LoadU(d, node.prediction + i));
  return hn::Max(r, hn::Zero(d));
}

template <class Real>
HWY_INLINE Matching<Real> match_sum(Vec<Real> sum) {
  const Tag<Real> d;
  return {hn::Div(hn::Set(d, Real{1}), sum), hn::Gt(sum, hn::Zero(d))};
}

template <class Real>
HWY_INLINE Matching<Real> match_regrets(const NodeRows<Real>& node, size_t m) {
  Vec<Real> sum = hn::Zero(Tag<Real>());
  for (size_t a = 0; a < node.num_actions; ++a) {
    sum = hn::Add(sum, positive_part(node, a * node.width + m));
  }
  return match_sum<Real>(sum);
}

template <class Real>
HWY_INLINE Vec<Real> probability(const NodeRows<Real>& node, size_t i, const Matching<Real>& match,
                                 Vec<Real> uniform) {
  return hn::IfThenElse(match.some, hn::Mul(positive_part(node, i), match.inverse), uniform);
}

template <class Real>
HWY_INLINE Vec<Real> uniform_of(const NodeRows<Real>& node) {
  return hn::Set(Tag<Real>(), Real{1} / static_cast<Real>(node.num_actions));
}

// The current strategy of some hands. kActions: how many actions there are, so that loops over them
// unroll and weights stay in registers; 0: only known at run time, weights are computed again.
template <size_t kActions, class Real>
class Current {
 public:
  HWY_INLINE Current(const NodeRows<Real>& node, size_t m, Vec<Real> uniform) : uniform_(uniform) {
    if constexpr (kActions == 0) {
      match_ = match_regrets(node, m);
    } else {
      Vec<Real> sum = hn::Zero(Tag<Real>());
      for (size_t a = 0; a < kActions; ++a) {
        weight_[a] = positive_part(node, a * node.width + m);
        sum = hn::Add(sum, weight_[a]);
      }
      match_ = match_sum<Real>(sum);
    }
  }
  static HWY_INLINE size_t actions(const NodeRows<Real>& node) {
    return kActions == 0 ? node.num_actions : kActions;
  }
  HWY_INLINE Vec<Real> operator()(const NodeRows<Real>& node, size_t a, size_t i) const {
    if constexpr (kActions == 0) return probability(node, i, match_, uniform_);
    return hn::IfThenElse(match_.some, hn::Mul(weight_[a], match_.inverse), uniform_);
  }

 private:
  Vec<Real> uniform_;
  Matching<Real> match_;
  Vec<Real> weight_[HWY_MAX(kActions, 1)];
};

template <size_t kActions, class Real>
void descend_node(NodeRows<Real> node, const Real* reach, Real decay, Real* children) {
  using Strategy = Current<kActions, Real>;
  const Tag<Real> d;
  const Vec<Real> uniform = uniform_of(node), decays = hn::Set(d, decay);
  for (size_t m = 0; m < node.width; m += hn::Lanes(d)) {
    const Strategy strategy(node, m, uniform);
    const Vec<Real> from = hn::LoadU(d, reach + m);
    for (size_t a = 0; a < Strategy::actions(node); ++a) {
      const size_t i = a * node.width + m;
      fetch(node.regret + i, node.ahead);
      fetch(node.average + i, node.ahead);
      const Vec<Real> r = hn::Mul(from, strategy(node, a, i));
      hn::StoreU(r, d, children + i);
      hn::StoreU(hn::Add(hn::Mul(hn::LoadU(d, node.average + i), decays), r), d, node.average + i);
    }
  }
}

template <size_t kActions, bool kFloor, class Real>
void learn_node(const RegretUpdate& update, NodeRows<Real> node, const Real* q, Real* value) {
  using Strategy = Current<kActions, Real>;
  const Tag<Real> d;
  const Vec<Real> zero = hn::Zero(d), uniform = uniform_of(node);
  const Vec<Real> positive = hn::Set(d, static_cast<Real>(update.positive_scale));
  const Vec<Real> negative = hn::Set(d, static_cast<Real>(update.negative_scale));
  for (size_t m = 0; m < node.width; m += hn::Lanes(d)) {
    const Strategy strategy(node, m, uniform);
    Vec<Real> v = zero;
    for (size_t a = 0; a < Strategy::actions(node); ++a) {
      const size_t i = a * node.width + m;
      fetch(node.regret + i, node.ahead);
      v = hn::Add(v, hn::Mul(strategy(node, a, i), hn::LoadU(d, q + i)));
    }
    hn::StoreU(v, d, value + m);
    for (size_t a = 0; a < Strategy::actions(node); ++a) {
      const size_t i = a * node.width + m;
      const Vec<Real> newest = hn::Sub(hn::LoadU(d, q + i), v);
      Vec<Real> r = hn::LoadU(d, node.regret + i);
      const Vec<Real> scale =
          kFloor ? positive : hn::IfThenElse(hn::Gt(r, zero), positive, negative);
      r = hn::Add(hn::Mul(r, scale), newest);
      if constexpr (kFloor) r = hn::Max(r, zero);
      hn::StoreU(r, d, node.regret + i);
      if (node.prediction) hn::StoreU(newest, d, node.prediction + i);
    }
  }
}

// weight(a) of the average strategy, or of the current one in lanes where the average is empty.
template <class Real>
struct Average {
  Matching<Real> average, current;
  bool all;  // no lane needs the current strategy
};

template <class Real>
HWY_INLINE Average<Real> match_average(const NodeRows<Real>& node, size_t m) {
  const Tag<Real> d;
  Vec<Real> sum = hn::Zero(d);
  for (size_t a = 0; a < node.num_actions; ++a) {
    sum = hn::Add(sum, hn::LoadU(d, node.average + a * node.width + m));
  }
  const auto some = hn::Gt(sum, hn::Zero(d));
  const Matching<Real> average{hn::Div(hn::Set(d, Real{1}), sum), some};
  if (hn::AllTrue(d, some)) return {average, average, true};
  return {average, match_regrets(node, m), false};
}

template <class Real>
HWY_INLINE Vec<Real> average_probability(const NodeRows<Real>& node, size_t i,
                                         const Average<Real>& match, Vec<Real> uniform) {
  const Tag<Real> d;
  const Vec<Real> own = hn::Mul(hn::LoadU(d, node.average + i), match.average.inverse);
  if (match.all) return own;
  return hn::IfThenElse(match.average.some, own, probability(node, i, match.current, uniform));
}

template <class Real>
void follow(const NodeRows<Real>& node, const Real* reach, Real* children) {
  const Tag<Real> d;
  const Vec<Real> uniform = uniform_of(node);
  for (size_t m = 0; m < node.width; m += hn::Lanes(d)) {
    const Average<Real> match = match_average(node, m);
    const Vec<Real> from = hn::LoadU(d, reach + m);
    for (size_t a = 0; a < node.num_actions; ++a) {
      const size_t i = a * node.width + m;
      hn::StoreU(hn::Mul(from, average_probability(node, i, match, uniform)), d, children + i);
    }
  }
}

template <class Real>
void mix(const NodeRows<Real>& node, const Real* q, Real* value) {
  const Tag<Real> d;
  const Vec<Real> uniform = uniform_of(node);
  for (size_t m = 0; m < node.width; m += hn::Lanes(d)) {
    const Average<Real> match = match_average(node, m);
    Vec<Real> v = hn::Zero(d);
    for (size_t a = 0; a < node.num_actions; ++a) {
      const size_t i = a * node.width + m;
      v = hn::Add(v, hn::Mul(average_probability(node, i, match, uniform), hn::LoadU(d, q + i)));
    }
    hn::StoreU(v, d, value + m);
  }
}

// Switches, not pointers to functions: nodes are then copied once.
template <class Real>
void descend(const NodeRows<Real>& node, const Real* reach, Real decay, Real* children) {
  switch (node.num_actions) {
    case 2:
      return descend_node<2>(node, reach, decay, children);
    case 3:
      return descend_node<3>(node, reach, decay, children);
    case 4:
      return descend_node<4>(node, reach, decay, children);
    default:
      return descend_node<0>(node, reach, decay, children);
  }
}

template <bool kFloor, class Real>
void learn_any(const RegretUpdate& update, const NodeRows<Real>& node, const Real* q, Real* value) {
  switch (node.num_actions) {
    case 2:
      return learn_node<2, kFloor>(update, node, q, value);
    case 3:
      return learn_node<3, kFloor>(update, node, q, value);
    case 4:
      return learn_node<4, kFloor>(update, node, q, value);
    default:
      return learn_node<0, kFloor>(update, node, q, value);
  }
}

template <class Real>
void learn(const RegretUpdate& update, const NodeRows<Real>& node, const Real* q, Real* value) {
  update.floor ? learn_any<true>(update, node, q, value) : learn_any<false>(update, node, q, value);
}

// The sum or the maximum.
template <bool kMaximum, class Real>
void combine_rows(size_t num_rows, size_t width, const Real* rows, Real* out) {
  const Tag<Real> d;
  for (size_t m = 0; m < width; m += hn::Lanes(d)) {
    Vec<Real> v = hn::LoadU(d, rows + m);
    for (size_t a = 1; a < num_rows; ++a) {
      const Vec<Real> x = hn::LoadU(d, rows + a * width + m);
      v = kMaximum ? hn::Max(v, x) : hn::Add(v, x);
    }
    hn::StoreU(v, d, out + m);
  }
}

// Scalar loads are as fast as the gather instruction here (docs/performance.md).
template <class Real>
void gather(size_t count, const uint16_t* index, const Real* in, Real* out) {
  for (size_t i = 0; i < count; ++i) out[i] = in[index[i]];
}

template <class Real>
void gather_add(size_t count, const uint16_t* index, const Real* in, Real* out) {
  for (size_t i = 0; i < count; ++i) out[i] += in[index[i]];
}

// A square of 16 bytes to a row, transposed: four rows of four floats, two of two doubles.
#if HWY_TARGET == HWY_SCALAR
template <class Real>
inline constexpr size_t kSquare = 1;
template <class Real>
HWY_INLINE void transpose(const Real* const* rows, size_t at, Real* const* out, size_t to) {
  out[0][to] = rows[0][at];
}
#else
template <class Real>
inline constexpr size_t kSquare = 16 / sizeof(Real);
HWY_INLINE void transpose(const float* const rows[4], size_t at, float* const out[4], size_t to) {
  const hn::CappedTag<float, 4> d;
  const hn::CappedTag<double, 2> wide;
  const auto r0 = hn::LoadU(d, rows[0] + at), r1 = hn::LoadU(d, rows[1] + at);
  const auto r2 = hn::LoadU(d, rows[2] + at), r3 = hn::LoadU(d, rows[3] + at);
  const auto low01 = hn::BitCast(wide, hn::InterleaveLower(d, r0, r1));
  const auto low23 = hn::BitCast(wide, hn::InterleaveLower(d, r2, r3));
  const auto high01 = hn::BitCast(wide, hn::InterleaveUpper(d, r0, r1));
  const auto high23 = hn::BitCast(wide, hn::InterleaveUpper(d, r2, r3));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(wide, low01, low23)), d, out[0] + to);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(wide, low01, low23)), d, out[1] + to);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(wide, high01, high23)), d, out[2] + to);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(wide, high01, high23)), d, out[3] + to);
}
HWY_INLINE void transpose(const double* const rows[2], size_t at, double* const out[2], size_t to) {
  const hn::CappedTag<double, 2> d;
  const auto a = hn::LoadU(d, rows[0] + at), b = hn::LoadU(d, rows[1] + at);
  hn::StoreU(hn::InterleaveLower(d, a, b), d, out[0] + to);
  hn::StoreU(hn::InterleaveUpper(d, a, b), d, out[1] + to);
}
#endif

template <class Real>
void to_tile(size_t count, const Real* const rows[kTile], Real* tile) {
  Real* out[kSquare<Real>];
  for (size_t i = 0; i < kSquare<Real>; ++i) out[i] = tile + i * kTile;
  for (size_t h = 0; h < count; h += kSquare<Real>) {
    for (size_t lane = 0; lane < kTile; lane += kSquare<Real>) {
      transpose(rows + lane, h, out, h * kTile + lane);
    }
  }
}

template <class Real>
void from_tile(size_t count, const Real* tile, Real* const rows[kTile]) {
  const Real* from[kSquare<Real>];
  for (size_t i = 0; i < kSquare<Real>; ++i) from[i] = tile + i * kTile;
  for (size_t h = 0; h < count; h += kSquare<Real>) {
    for (size_t lane = 0; lane < kTile; lane += kSquare<Real>) {
      transpose(from, h * kTile + lane, rows + lane, h);
    }
  }
}

// A row of a tile in as many vectors as it takes, side by side: each hand's cards are looked up
// once for all of them.
template <class Real>
inline constexpr size_t kParts = kTile / hn::MaxLanes(Tag<Real>());

template <class Real>
struct TileRow {
  Vec<Real> part[kParts<Real>];
};

template <class Real>
HWY_INLINE TileRow<Real> load_row(const Real* from) {
  const Tag<Real> d;
  TileRow<Real> row;
  for (size_t k = 0; k < kParts<Real>; ++k) row.part[k] = hn::LoadU(d, from + k * hn::Lanes(d));
  return row;
}

template <class Real>
HWY_INLINE void store_row(const TileRow<Real>& row, Real* to) {
  const Tag<Real> d;
  for (size_t k = 0; k < kParts<Real>; ++k) hn::StoreU(row.part[k], d, to + k * hn::Lanes(d));
}

template <class Real>
HWY_INLINE TileRow<Real> add(TileRow<Real> a, const TileRow<Real>& b) {
  for (size_t k = 0; k < kParts<Real>; ++k) a.part[k] = hn::Add(a.part[k], b.part[k]);
  return a;
}

template <class Real>
HWY_INLINE TileRow<Real> subtract(TileRow<Real> a, const TileRow<Real>& b) {
  for (size_t k = 0; k < kParts<Real>; ++k) a.part[k] = hn::Sub(a.part[k], b.part[k]);
  return a;
}

template <class Real>
HWY_INLINE TileRow<Real> multiply(TileRow<Real> a, const TileRow<Real>& b) {
  for (size_t k = 0; k < kParts<Real>; ++k) a.part[k] = hn::Mul(a.part[k], b.part[k]);
  return a;
}

// The other's hands as they are taken up: their reach in all and by card.
template <class Real>
class Sums {
 public:
  HWY_INLINE Sums(const Meeting& m, const Real* reach, Real* by_card)
      : own0_(m.own_cards[0].data()),
        own1_(m.own_cards[1].data()),
        other0_(m.other_cards[0].data()),
        other1_(m.other_cards[1].data()),
        row_(m.other_row.data()),
        same_(m.same.data()),
        reach_(reach),
        by_card_(by_card) {
    const Tag<Real> d;
    for (size_t k = 0; k < kParts<Real>; ++k) total_.part[k] = hn::Zero(d);
    for (size_t c = 0; c < kCardRows; ++c) store_row(total_, by_card_ + c * kTile);
  }
  HWY_INLINE void take_up(size_t end) {
    size_t j = taken_;
    TileRow<Real> total = total_;
    for (; j < end; ++j) {
      const TileRow<Real> x = load_row(reach_ + row_[j] * kTile);
      Real* first = by_card_ + other0_[j] * kTile;
      Real* second = by_card_ + other1_[j] * kTile;
      total = add(total, x);
      store_row(add(load_row(first), x), first);
      store_row(add(load_row(second), x), second);
    }
    taken_ = end;
    total_ = total;
  }
  HWY_INLINE TileRow<Real> met(size_t i) const {
    return subtract(subtract(total_, load_row(by_card_ + own0_[i] * kTile)),
                    load_row(by_card_ + own1_[i] * kTile));
  }
  HWY_INLINE TileRow<Real> same(size_t i) const { return load_row(reach_ + same_[i] * kTile); }

 private:
  const uint8_t *own0_, *own1_, *other0_, *other1_;
  const uint16_t *row_, *same_;
  const Real* reach_;
  Real* by_card_;
  size_t taken_ = 0;
  TileRow<Real> total_;
};

template <class Real>
void fold(const Meeting& m, const TilePayoffs<Real>& payoffs, const Real* reach, Real* by_card,
          Real* out) {
  Sums<Real> sums(m, reach, by_card);
  sums.take_up(m.other_cards[0].size());
  const TileRow<Real> all = load_row(payoffs.all), same = load_row(payoffs.same);
  const size_t count = m.own_cards[0].size();
  for (size_t i = 0; i < count; ++i) {
    store_row(add(multiply(all, sums.met(i)), multiply(same, sums.same(i))), out + i * kTile);
  }
}

template <class Real>
void showdown(const Meeting& m, const TilePayoffs<Real>& payoffs, const Real* reach, Real* by_card,
              Real* out) {
  Sums<Real> sums(m, reach, by_card);
  const TileRow<Real> below = load_row(payoffs.below), up_to = load_row(payoffs.up_to);
  size_t i = 0;
  for (const Meeting::Level *l = m.levels.data(), *end = l + m.levels.size(); l != end; ++l) {
    const size_t own_end = l->own_end;
    for (size_t k = i; k < own_end; ++k) {
      store_row(multiply(below, sums.met(k)), out + k * kTile);
    }
    sums.take_up(l->other_end);
    for (; i < own_end; ++i) {
      Real* at = out + i * kTile;
      store_row(add(load_row(at), multiply(up_to, sums.met(i))), at);
    }
  }
  const TileRow<Real> all = load_row(payoffs.all), same = load_row(payoffs.same);
  const size_t count = m.own_cards[0].size();
  for (i = 0; i < count; ++i) {
    Real* at = out + i * kTile;
    const TileRow<Real> rest = add(multiply(all, sums.met(i)), multiply(same, sums.same(i)));
    store_row(add(load_row(at), rest), at);
  }
}

template <class Real>
void all_in(size_t own, size_t other, const Real* matrix, size_t own_stride, size_t other_stride,
            const Real factor[kTile], const Real* reach, Real* out) {
  const Tag<Real> d;
  constexpr size_t kRows = 8;  // own hands at once, so that a row of reach is loaded once for them
  for (size_t lane = 0; lane < kTile; lane += hn::Lanes(d)) {
    const Vec<Real> factors = hn::LoadU(d, factor + lane);
    for (size_t i = 0; i < own; i += kRows) {
      const size_t rows = HWY_MIN(kRows, own - i);
      const Real* from[kRows];
      Vec<Real> sum[kRows];
      for (size_t k = 0; k < kRows; ++k) {
        from[k] = matrix + (i + HWY_MIN(k, rows - 1)) * own_stride;
        sum[k] = hn::Zero(d);
      }
      for (size_t j = 0; j < other; ++j) {
        const Vec<Real> x = hn::LoadU(d, reach + lane + j * kTile);
        for (size_t k = 0; k < kRows; ++k) {
          sum[k] = hn::Add(sum[k], hn::Mul(hn::Set(d, from[k][j * other_stride]), x));
        }
      }
      for (size_t k = 0; k < rows; ++k) {
        Real* at = out + lane + (i + k) * kTile;
        hn::StoreU(hn::Add(hn::LoadU(d, at), hn::Mul(factors, sum[k])), d, at);
      }
    }
  }
}

void decode(size_t count, const int16_t* stored, float scale, float* out, ptrdiff_t ahead) {
  const hn::CappedTag<float, kHandLanes> d;
  const hn::Rebind<int16_t, decltype(d)> narrow;
  const hn::Rebind<int32_t, decltype(d)> wide;
  const auto factor = hn::Set(d, scale);
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    fetch(stored + i, ahead);
    const auto value = hn::ConvertTo(d, hn::PromoteTo(wide, hn::LoadU(narrow, stored + i)));
    hn::StoreU(hn::Mul(value, factor), d, out + i);
  }
}

float encode(size_t count, const float* values, int16_t* stored) {
  const hn::CappedTag<float, kHandLanes> d;
  const hn::Rebind<int16_t, decltype(d)> narrow;
  const hn::Rebind<int32_t, decltype(d)> wholes;
  const hn::Rebind<uint32_t, decltype(d)> words;
  auto largest = hn::Zero(d);
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    largest = hn::Max(largest, hn::Abs(hn::LoadU(d, values + i)));
  }
  float top = hn::GetLane(hn::MaxOfLanes(d, largest));
  // Below this the scale is not a normal number, and one over it is infinite.
  if (top < 32767 * std::numeric_limits<float>::min()) top = 0;
  const auto factor = hn::Set(d, top > 0 ? 32767 / top : 0);
  for (size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto scaled = hn::Mul(hn::LoadU(d, values + i), factor);
    auto hash = hn::Mul(hn::BitCast(words, scaled), hn::Set(words, kHashFirst));
    hash = hn::Xor(hash, hn::ShiftRight<15>(hash));
    hash = hn::Mul(hash, hn::Set(words, kHashSecond));
    const auto bits = hn::BitCast(wholes, hn::ShiftRight<8>(hash));
    const auto random = hn::Mul(hn::ConvertTo(d, bits), hn::Set(d, kHashUnit));
    const auto rounded = hn::ConvertTo(wholes, hn::Floor(hn::Add(scaled, random)));
    hn::StoreU(hn::DemoteTo(narrow, rounded), narrow, stored + i);
  }
  return top / 32767;
}

template <class Real>
HandKernels<Real> table() {
  return {.descend = descend<Real>,
          .learn = learn<Real>,
          .follow = follow<Real>,
          .mix = mix<Real>,
          .add_rows = combine_rows<false, Real>,
          .maximise_rows = combine_rows<true, Real>,
          .gather = gather<Real>,
          .gather_add = gather_add<Real>,
          .to_tile = to_tile<Real>,
          .from_tile = from_tile<Real>,
          .fold = fold<Real>,
          .showdown = showdown<Real>,
          .all_in = all_in<Real>};
}
HandKernels<float> float_table() { return table<float>(); }
HandKernels<double> double_table() { return table<double>(); }

}  // namespace cleave::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cleave::kernels {

HWY_EXPORT(float_table);
HWY_EXPORT(double_table);
HWY_EXPORT(decode);
HWY_EXPORT(encode);

template <>
const HandKernels<float>& hand_kernels<float>() {
  static const HandKernels<float> table = HWY_DYNAMIC_DISPATCH(float_table)();
  return table;
}
template <>
const HandKernels<double>& hand_kernels<double>() {
  static const HandKernels<double> table = HWY_DYNAMIC_DISPATCH(double_table)();
  return table;
}
void decode(size_t count, const int16_t* stored, float scale, float* out, ptrdiff_t ahead) {
  HWY_DYNAMIC_DISPATCH(decode)(count, stored, scale, out, ahead);
}
float encode(size_t count, const float* values, int16_t* stored) {
  return HWY_DYNAMIC_DISPATCH(encode)(count, values, stored);
}

#if defined(__SSE2__)
FlushToZero::FlushToZero() : before_(_mm_getcsr()) {
  constexpr unsigned kFlushResults = 1u << 15, kTakeAsZero = 1u << 6;
  _mm_setcsr(before_ | kFlushResults | kTakeAsZero);
}
FlushToZero::~FlushToZero() { _mm_setcsr(before_); }
#else
FlushToZero::FlushToZero() : before_(0) {}
FlushToZero::~FlushToZero() = default;
#endif

}  // namespace cleave::kernels
#endif  // HWY_ONCE
