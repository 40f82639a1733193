#include "hands/all_in.h"

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

template <class Real>
class Builder {
 public:
  Builder(const Layout& layout, int threads)
      : layout_(layout), threads_(threads), tables_(layout.streets.size()) {}

  std::vector<std::vector<AllIn<Real>>> build(bool everywhere) {
    const std::vector<bool> needed = streets_needed(layout_, everywhere);
    for (size_t s = layout_.streets.size(); s-- > 0;) {
      if (!needed[s]) continue;
      const Street& street = layout_.streets[s];
      tables_[s].resize(street.boards.size());
      core::parallel_for(street.boards.size(), threads_, [&](size_t b) {
        const bool complete_next = layout_.streets[s + 1].last;
        complete_next ? from_last(s, b) : from_next(s, b);
      });
    }
    return std::move(tables_);
  }

 private:
  Real share(size_t s) const {  // of one deal among those that two hands leave
    return static_cast<Real>(layout_.streets[s + 1].weight / layout_.streets[s].weight);
  }

  void from_last(size_t s, size_t b) {
    const Board& board = layout_.streets[s].boards[b];
    AllIn<Real>& out = tables_[s][b];
    out.assign(size_t{board.side[0].count} * board.side[1].width, 0);
    LeadCounts counts(out.size(), 0);
    const size_t width0 = board.side[0].width, width1 = board.side[1].width;
    for (uint32_t c = 0; c < board.num_children; ++c) {
      const Board& child = layout_.streets[s + 1].boards[board.first_child + c];
      for (size_t image = 0; image < child.images.size(); ++image) {
        count_board(Strengths(child, image, width0, width1), board.side[0].count, counts);
      }
    }
    for (size_t i = 0; i < board.side[0].count; ++i) {
      for (size_t j = 0; j < board.side[1].count; ++j) {
        if (!disjoint(layout_.setup, board, i, j)) continue;
        const size_t at = i * width1 + j;
        out[at] = static_cast<Real>(counts[at]) * share(s);
      }
    }
  }

  void from_next(size_t s, size_t b) {
    const Board& board = layout_.streets[s].boards[b];
    AllIn<Real>& out = tables_[s][b];
    out.assign(size_t{board.side[0].count} * board.side[1].width, 0);
    for (uint32_t c = 0; c < board.num_children; ++c) {
      const Board& child = layout_.streets[s + 1].boards[board.first_child + c];
      const AllIn<Real>& below = tables_[s + 1][board.first_child + c];
      for (size_t image = 0; image < child.images.size(); ++image) {
        add_image(s, board, child, image, below, out);
      }
    }
  }

  void add_image(size_t s, const Board& board, const Board& child, size_t image,
                 const AllIn<Real>& below, AllIn<Real>& out) const {
    const size_t width0 = board.side[0].width, width1 = board.side[1].width;
    const uint16_t* back0 = child.side[0].back.data() + image * width0;
    const uint16_t* back1 = child.side[1].back.data() + image * width1;
    for (size_t i = 0; i < board.side[0].count; ++i) {
      if (back0[i] >= child.side[0].count) continue;
      const Real* row = below.data() + size_t{back0[i]} * child.side[1].width;
      Real* to = out.data() + i * width1;
      // A blocked hand reads the padding, which is zero.
      for (size_t j = 0; j < board.side[1].count; ++j) to[j] += row[back1[j]] * share(s);
    }
  }

  const Layout& layout_;
  int threads_;
  std::vector<std::vector<AllIn<Real>>> tables_;
};

}  // namespace

template <class Real>
std::vector<std::vector<AllIn<Real>>> make_all_in(const Layout& layout, int threads,
                                                  bool everywhere) {
  return Builder<Real>(layout, threads).build(everywhere);
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
