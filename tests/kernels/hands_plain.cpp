#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "kernels/plain.h"

namespace cleave::kernels::plain {
namespace {

// The maximum as the vector instruction takes it: b where neither is larger, so never minus zero
// for an empty regret.
template <class Real>
Real larger(Real a, Real b) {
  return a > b ? a : b;
}

template <class Real>
Real positive_part(const NodeRows<Real>& node, size_t i) {
  return larger(node.prediction ? node.regret[i] + node.prediction[i] : node.regret[i], Real{0});
}

// One hand's strategy: weight(a) / sum of weights, uniform where the sum is zero.
template <class Real>
struct Matching {
  Real inverse, uniform;
  bool some;

  Matching(Real sum, size_t num_actions)
      : inverse(1 / sum), uniform(Real{1} / static_cast<Real>(num_actions)), some(sum > 0) {}
  Real operator()(Real weight) const { return some ? weight * inverse : uniform; }
};

template <class Real>
Matching<Real> match_regrets(const NodeRows<Real>& node, size_t m) {
  Real sum = 0;
  for (size_t a = 0; a < node.num_actions; ++a) sum += positive_part(node, a * node.width + m);
  return {sum, node.num_actions};
}

template <class Real>
Matching<Real> match_average(const NodeRows<Real>& node, size_t m) {
  Real sum = 0;
  for (size_t a = 0; a < node.num_actions; ++a) sum += node.average[a * node.width + m];
  return {sum, node.num_actions};
}

template <class Real>
void descend(const NodeRows<Real>& node, const Real* reach, Real decay, Real* children) {
  for (size_t m = 0; m < node.width; ++m) {
    const Matching<Real> match = match_regrets(node, m);
    for (size_t a = 0; a < node.num_actions; ++a) {
      const size_t i = a * node.width + m;
      children[i] = reach[m] * match(positive_part(node, i));
      node.average[i] = node.average[i] * decay + children[i];
    }
  }
}

template <class Real>
void learn(const RegretUpdate& update, const NodeRows<Real>& node, const Real* q, Real* value) {
  const auto positive = static_cast<Real>(update.positive_scale);
  const auto negative = static_cast<Real>(update.negative_scale);
  for (size_t m = 0; m < node.width; ++m) {
    const Matching<Real> match = match_regrets(node, m);
    Real v = 0;
    for (size_t a = 0; a < node.num_actions; ++a) {
      const size_t i = a * node.width + m;
      v += match(positive_part(node, i)) * q[i];
    }
    value[m] = v;
    for (size_t a = 0; a < node.num_actions; ++a) {
      const size_t i = a * node.width + m;
      const Real newest = q[i] - v;
      const Real scale = update.floor || node.regret[i] > 0 ? positive : negative;
      const Real r = node.regret[i] * scale + newest;
      node.regret[i] = update.floor ? larger(r, Real{0}) : r;
      if (node.prediction) node.prediction[i] = newest;
    }
  }
}

template <class Real>
Real average_probability(const NodeRows<Real>& node, size_t m, size_t i) {
  const Matching<Real> average = match_average(node, m);
  return average.some ? average(node.average[i]) : match_regrets(node, m)(positive_part(node, i));
}

template <class Real>
void follow(const NodeRows<Real>& node, const Real* reach, Real* children) {
  for (size_t m = 0; m < node.width; ++m) {
    for (size_t a = 0; a < node.num_actions; ++a) {
      const size_t i = a * node.width + m;
      children[i] = reach[m] * average_probability(node, m, i);
    }
  }
}

template <class Real>
void mix(const NodeRows<Real>& node, const Real* q, Real* value) {
  for (size_t m = 0; m < node.width; ++m) {
    Real v = 0;
    for (size_t a = 0; a < node.num_actions; ++a) {
      const size_t i = a * node.width + m;
      v += average_probability(node, m, i) * q[i];
    }
    value[m] = v;
  }
}

template <class Real>
void add_rows(size_t num_rows, size_t width, const Real* rows, Real* out) {
  for (size_t m = 0; m < width; ++m) {
    out[m] = rows[m];
    for (size_t a = 1; a < num_rows; ++a) out[m] += rows[a * width + m];
  }
}

template <class Real>
void maximise_rows(size_t num_rows, size_t width, const Real* rows, Real* out) {
  for (size_t m = 0; m < width; ++m) {
    out[m] = rows[m];
    for (size_t a = 1; a < num_rows; ++a) out[m] = larger(out[m], rows[a * width + m]);
  }
}

template <class Real>
void gather(size_t count, const uint16_t* index, const Real* in, Real* out) {
  for (size_t i = 0; i < count; ++i) out[i] = in[index[i]];
}

template <class Real>
void gather_add(size_t count, const uint16_t* index, const Real* in, Real* out) {
  for (size_t i = 0; i < count; ++i) out[i] += in[index[i]];
}

template <class Real>
void to_tile(size_t count, const Real* const rows[kTile], Real* tile) {
  for (size_t h = 0; h < count; ++h) {
    for (size_t lane = 0; lane < kTile; ++lane) tile[h * kTile + lane] = rows[lane][h];
  }
}

template <class Real>
void from_tile(size_t count, const Real* tile, Real* const rows[kTile]) {
  for (size_t h = 0; h < count; ++h) {
    for (size_t lane = 0; lane < kTile; ++lane) rows[lane][h] = tile[h * kTile + lane];
  }
}

// One terminal of a tile: the reach taken up so far, in all and by card.
template <class Real>
class Sums {
 public:
  Sums(const Meeting& meeting, const Real* reach, size_t lane)
      : meeting_(meeting), reach_(reach + lane) {}

  void take_up(size_t end) {
    for (; taken_ < end; ++taken_) {
      const Real x = reach_[meeting_.other_row[taken_] * kTile];
      total_ += x;
      for (const auto& cards : meeting_.other_cards) by_card_[cards[taken_]] += x;
    }
  }
  Real met(size_t own) const {
    return total_ - by_card_[meeting_.own_cards[0][own]] - by_card_[meeting_.own_cards[1][own]];
  }
  Real same(size_t own) const { return reach_[meeting_.same[own] * kTile]; }

 private:
  const Meeting& meeting_;
  const Real* reach_;
  size_t taken_ = 0;
  Real total_ = 0;
  std::array<Real, kCardRows> by_card_ = {};
};

template <class Real>
void fold(const Meeting& meeting, const TilePayoffs<Real>& payoffs, const Real* reach,
          Real* /*sums*/, Real* out) {
  for (size_t lane = 0; lane < kTile; ++lane) {
    Sums<Real> sums(meeting, reach, lane);
    sums.take_up(meeting.other_cards[0].size());
    for (size_t i = 0; i < meeting.own_cards[0].size(); ++i) {
      out[i * kTile + lane] = payoffs.all[lane] * sums.met(i) + payoffs.same[lane] * sums.same(i);
    }
  }
}

template <class Real>
void showdown(const Meeting& meeting, const TilePayoffs<Real>& payoffs, const Real* reach,
              Real* /*sums*/, Real* out) {
  for (size_t lane = 0; lane < kTile; ++lane) {
    Sums<Real> sums(meeting, reach, lane);
    size_t begin = 0;
    for (const Meeting::Level& level : meeting.levels) {
      for (size_t i = begin; i < level.own_end; ++i) {
        out[i * kTile + lane] = payoffs.below[lane] * sums.met(i);
      }
      sums.take_up(level.other_end);
      for (size_t i = begin; i < level.own_end; ++i) {
        out[i * kTile + lane] += payoffs.up_to[lane] * sums.met(i);
      }
      begin = level.own_end;
    }
    for (size_t i = 0; i < meeting.own_cards[0].size(); ++i) {
      out[i * kTile + lane] += payoffs.all[lane] * sums.met(i) + payoffs.same[lane] * sums.same(i);
    }
  }
}

template <class Real>
void all_in(size_t own, size_t other, const Real* matrix, size_t own_stride, size_t other_stride,
            const Real factor[kTile], const Real* reach, Real* out) {
  for (size_t i = 0; i < own; ++i) {
    for (size_t lane = 0; lane < kTile; ++lane) {
      Real sum = 0;
      for (size_t j = 0; j < other; ++j) {
        sum += matrix[i * own_stride + j * other_stride] * reach[j * kTile + lane];
      }
      out[i * kTile + lane] += factor[lane] * sum;
    }
  }
}

template <class Real>
constexpr HandKernels<Real> kTable = {.descend = descend<Real>,
                                      .learn = learn<Real>,
                                      .follow = follow<Real>,
                                      .mix = mix<Real>,
                                      .add_rows = add_rows<Real>,
                                      .maximise_rows = maximise_rows<Real>,
                                      .gather = gather<Real>,
                                      .gather_add = gather_add<Real>,
                                      .to_tile = to_tile<Real>,
                                      .from_tile = from_tile<Real>,
                                      .fold = fold<Real>,
                                      .showdown = showdown<Real>,
                                      .all_in = all_in<Real>};

}  // namespace

template <>
const HandKernels<float>& hand_kernels<float>() {
  return kTable<float>;
}
template <>
const HandKernels<double>& hand_kernels<double>() {
  return kTable<double>;
}

void decode(size_t count, const int16_t* stored, float scale, float* out, ptrdiff_t) {
  for (size_t i = 0; i < count; ++i) out[i] = static_cast<float>(stored[i]) * scale;
}

float encode(size_t count, const float* values, int16_t* stored) {
  float top = 0;
  for (size_t i = 0; i < count; ++i) top = std::max(top, std::abs(values[i]));
  // Below this the scale is not a normal number, and one over it is infinite.
  if (top < 32767 * std::numeric_limits<float>::min()) top = 0;
  const float factor = top > 0 ? 32767 / top : 0;
  for (size_t i = 0; i < count; ++i) {
    const float scaled = values[i] * factor;
    uint32_t hash = std::bit_cast<uint32_t>(scaled) * kHashFirst;
    hash = (hash ^ (hash >> 15)) * kHashSecond;
    const float random = static_cast<float>(hash >> 8) * kHashUnit;
    const float rounded = std::floor(scaled + random);
    stored[i] = static_cast<int16_t>(std::clamp(rounded, -32768.0f, 32767.0f));
  }
  return top / 32767;
}

}  // namespace cleave::kernels::plain
