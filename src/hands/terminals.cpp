#include "hands/terminals.h"

#include "core/threads.h"

namespace cleave::hands {
namespace {

// Tables are needed on a street where somebody is all in, and on those after it up to the last but
// one, which they are summed up from.
std::vector<bool> streets_needed(const Layout& layout, bool everywhere = false) {
  std::vector<bool> needed(layout.streets.size(), false);
  bool so_far = everywhere;
  for (size_t s = 0; s < layout.streets.size(); ++s) {
    so_far |= layout.streets[s].all_in;
    needed[s] = so_far && !layout.streets[s].last;
  }
  return needed;
}

// Strengths under one completed board, by the hands of the board before. A blocked hand of player 0
// is left out; one of player 1 neither wins nor loses: nothing is above `above` or below `below`.
struct Strengths {
  std::vector<int16_t> own;  // -1: blocked
  std::vector<int16_t> above, below;

  Strengths(const Board& board, size_t image, size_t width0, size_t width1)
      : own(width0, -1), above(width1, INT16_MAX), below(width1, INT16_MIN) {
    for (size_t j = 0; j < width0; ++j) {
      const uint16_t i = board.side[0].back[image * width0 + j];
      if (i < board.side[0].count) own[j] = static_cast<int16_t>(board.side[0].level[i]);
    }
    for (size_t j = 0; j < width1; ++j) {
      const uint16_t i = board.side[1].back[image * width1 + j];
      if (i < board.side[1].count) {
        above[j] = below[j] = static_cast<int16_t>(board.side[1].level[i]);
      }
    }
  }
};

// [hand of player 0][padded hand of player 1]: boards won less boards lost.
using LeadCounts = std::vector<int16_t>;

void count_board(const Strengths& s, size_t count0, LeadCounts& counts) {
  const size_t width1 = s.above.size();
  for (size_t i = 0; i < count0; ++i) {
    const int16_t own = s.own[i];
    if (own < 0) continue;
    int16_t* lead = counts.data() + i * width1;
    for (size_t j = 0; j < width1; ++j) {
      lead[j] = static_cast<int16_t>(lead[j] + (own > s.above[j]) - (own < s.below[j]));
    }
  }
}

// Whether two hands of a board share a card.
bool disjoint(const Setup& setup, const Board& board, size_t i, size_t j) {
  return (setup.hands[0][board.side[0].hand[i]] & setup.hands[1][board.side[1].hand[j]]) == 0;
}

// Of one deal among those that two hands leave.
template <class Real>
Real share_of_deal(const Layout& layout, size_t s) {
  return static_cast<Real>(layout.streets[s + 1].weight / layout.streets[s].weight);
}

// Calls use(board of the next street, its number, image) for every board that can be dealt.
template <class Use>
void each_dealt(const Layout& layout, size_t s, const Board& board, const Use& use) {
  for (uint32_t c = board.first_child; c < board.first_child + board.num_children; ++c) {
    const Board& child = layout.streets[s + 1].boards[c];
    for (size_t image = 0; image < child.images.size(); ++image) use(child, c, image);
  }
}

// Where the next deal completes the board.
template <class Real>
AllIn<Real> from_last(const Layout& layout, size_t s, const Board& board) {
  const size_t width0 = board.side[0].width, width1 = board.side[1].width;
  AllIn<Real> out(size_t{board.side[0].count} * width1, 0);
  LeadCounts counts(out.size(), 0);
  each_dealt(layout, s, board, [&](const Board& child, uint32_t, size_t image) {
    count_board(Strengths(child, image, width0, width1), board.side[0].count, counts);
  });
  const Real share = share_of_deal<Real>(layout, s);
  for (size_t i = 0; i < board.side[0].count; ++i) {
    for (size_t j = 0; j < board.side[1].count; ++j) {
      if (!disjoint(layout.setup, board, i, j)) continue;
      const size_t at = i * width1 + j;
      out[at] = static_cast<Real>(counts[at]) * share;
    }
  }
  return out;
}

// From the tables of the boards after the next deal.
template <class Real>
AllIn<Real> from_next(const Layout& layout, size_t s, const Board& board,
                      const std::vector<AllIn<Real>>& next) {
  const size_t width0 = board.side[0].width, width1 = board.side[1].width;
  const Real share = share_of_deal<Real>(layout, s);
  AllIn<Real> out(size_t{board.side[0].count} * width1, 0);
  each_dealt(layout, s, board, [&](const Board& child, uint32_t number, size_t image) {
    const uint16_t* back0 = child.side[0].back.data() + image * width0;
    const uint16_t* back1 = child.side[1].back.data() + image * width1;
    for (size_t i = 0; i < board.side[0].count; ++i) {
      if (back0[i] >= child.side[0].count) continue;
      const Real* row = next[number].data() + size_t{back0[i]} * child.side[1].width;
      Real* to = out.data() + i * width1;
      // A blocked hand reads the padding, which is zero.
      for (size_t j = 0; j < board.side[1].count; ++j) to[j] += row[back1[j]] * share;
    }
  });
  return out;
}

}  // namespace

template <class Real>
std::vector<std::vector<AllIn<Real>>> make_all_in(const Layout& layout, int threads,
                                                  bool everywhere) {
  std::vector<std::vector<AllIn<Real>>> tables(layout.streets.size());
  const std::vector<bool> needed = streets_needed(layout, everywhere);
  for (size_t s = layout.streets.size(); s-- > 0;) {
    if (!needed[s]) continue;
    const auto& boards = layout.streets[s].boards;
    tables[s].resize(boards.size());
    core::parallel_for(boards.size(), threads, [&](size_t b) {
      tables[s][b] = layout.streets[s + 1].last
                         ? from_last<Real>(layout, s, boards[b])
                         : from_next<Real>(layout, s, boards[b], tables[s + 1]);
    });
  }
  return tables;
}
template std::vector<std::vector<AllIn<float>>> make_all_in(const Layout&, int, bool);
template std::vector<std::vector<AllIn<double>>> make_all_in(const Layout&, int, bool);

uint64_t all_in_bytes(const Layout& layout, size_t real_bytes) {
  const std::vector<bool> needed = streets_needed(layout);
  uint64_t bytes = 0;
  for (size_t s = 0; s < layout.streets.size(); ++s) {
    if (!needed[s]) continue;
    for (const Board& board : layout.streets[s].boards) {
      bytes += uint64_t{board.side[0].count} * board.side[1].width * real_bytes;
    }
  }
  return bytes;
}

}  // namespace cleave::hands
