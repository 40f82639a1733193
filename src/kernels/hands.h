#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/kernels.h"

// The vector engine's SIMD. Two layouts: rows over the hands of one player (one row per action of a
// node, or per node), and tiles of terminal nodes, where kTile terminals lie side by side and each
// hand is one short vector. As elsewhere, lane by lane in a fixed order without fused multiply-add:
// the plain twins give the same bits.
namespace cleave::kernels {

inline constexpr size_t kHandLanes = 8;  // rows are padded to this
inline constexpr size_t kTile = 16;      // terminals side by side
inline constexpr size_t kCardRows = 54;  // 52 cards; what one-card hands have for a second card:
inline constexpr uint8_t kNoOwnCard = 52, kNoOtherCard = 53;  // never the same row

constexpr size_t padded_hands(size_t hands) {
  return (hands + kHandLanes) / kHandLanes * kHandLanes;  // at least one lane that is always zero
}

// What a player has learnt at one node: num_actions rows of `width` each.
template <class Real>
struct NodeRows {
  size_t num_actions = 0;
  size_t width = 0;
  Real* regret = nullptr;
  Real* prediction = nullptr;  // the newest regrets, for predictive minimisers; else null
  Real* average = nullptr;
  // From here to the rows that will be asked for next, which are fetched meanwhile: the memory's
  // own guesses end with a page. 0: unknown.
  ptrdiff_t ahead = 0;
};

// One player's hands at the end of the game, seen against the other's. On the last board both are
// in ascending order of strength.
struct Meeting {
  std::span<const uint8_t> own_cards[2];  // [card of the hand][hand]
  std::span<const uint8_t> other_cards[2];
  std::span<const uint16_t> other_row;  // [other hand]: where its reach is; hands may share a row
  std::span<const uint16_t> same;  // [own hand]: the row of the other's hand of the same cards, or
                                   // one past its rows, whose reach is zero
  // Hands of equal strength end here, in both orders; (own, other) per strength.
  struct Level {
    uint16_t own_end, other_end;
  };
  std::span<const Level> levels;
};

// Payoffs of a tile's terminals in terms of what the kernels sum up, [lane]:
// below * (reach of weaker hands) + up_to * (weaker or equal) + all * (all) + same * (same hand).
// Hands that share a card with one's own do not count; of two cards the same hand counts -1 in the
// first three, once it is among them.
template <class Real>
struct TilePayoffs {
  Real below[kTile], up_to[kTile], all[kTile], same[kTile];
};

template <class Real>
struct HandKernels {
  // children[a] = reach * strategy(a), strategy by regret matching (uniform where no regret is
  // positive); average = average * decay + children.
  void (*descend)(const NodeRows<Real>& node, const Real* reach, Real decay, Real* children);
  // value = sum of strategy * q; regrets and predictions updated.
  void (*learn)(const RegretUpdate& update, const NodeRows<Real>& node, const Real* q, Real* value);
  // The same two with the average strategy and nothing learnt; where the average is empty, the
  // current strategy.
  void (*follow)(const NodeRows<Real>& node, const Real* reach, Real* children);
  void (*mix)(const NodeRows<Real>& node, const Real* q, Real* value);
  // out = sum or maximum of num_rows rows.
  void (*add_rows)(size_t num_rows, size_t width, const Real* rows, Real* out);
  void (*maximise_rows)(size_t num_rows, size_t width, const Real* rows, Real* out);
  // out[i] = in[index[i]]; out[i] += in[index[i]]. `count` is a multiple of kHandLanes.
  void (*gather)(size_t count, const uint16_t* index, const Real* in, Real* out);
  void (*gather_add)(size_t count, const uint16_t* index, const Real* in, Real* out);

  // Rows to a tile and back: tile[hand][lane] = rows[lane][hand]; `count` as above.
  void (*to_tile)(size_t count, const Real* const rows[kTile], Real* tile);
  void (*from_tile)(size_t count, const Real* tile, Real* const rows[kTile]);
  // `reach`: the other's, a tile with a zero row behind its hands; `sums`: kCardRows * kTile of
  // scratch.
  void (*fold)(const Meeting& meeting, const TilePayoffs<Real>& payoffs, const Real* reach,
               Real* sums, Real* out);
  void (*showdown)(const Meeting& meeting, const TilePayoffs<Real>& payoffs, const Real* reach,
                   Real* sums, Real* out);
  // out[own] += factor[lane] * sum over other of matrix[own * own_stride + other * other_stride] *
  // reach[other]: hands all in before the last board.
  void (*all_in)(size_t own, size_t other, const Real* matrix, size_t own_stride,
                 size_t other_stride, const Real factor[kTile], const Real* reach, Real* out);
};

// Compiled for several instruction sets; the machine's best is taken. Real: float or double.
template <class Real>
const HandKernels<Real>& hand_kernels();

// 16-bit storage: value = stored * scale. encode returns the scale: the largest magnitude becomes
// 32767. The rest is rounded down or up at random, to the value on average: rounding to the nearest
// would swallow changes below half a step, iteration after iteration. The random number is a hash
// of the value itself, so that equal runs give equal bits.
inline constexpr uint32_t kHashFirst = 0x9e3779b1, kHashSecond = 0x85ebca6b;
inline constexpr float kHashUnit = 1.0f / (1 << 24);
// `ahead` as in NodeRows.
void decode(size_t count, const int16_t* stored, float scale, float* out, ptrdiff_t ahead = 0);
float encode(size_t count, const float* values, int16_t* stored);

// While it lives, numbers below the normal range count as zero in this thread: discounted regrets
// shrink for ever, and arithmetic on such numbers is slow.
class FlushToZero {
 public:
  FlushToZero();
  ~FlushToZero();
  FlushToZero(const FlushToZero&) = delete;
  FlushToZero& operator=(const FlushToZero&) = delete;

 private:
  unsigned before_;
};

}  // namespace cleave::kernels
