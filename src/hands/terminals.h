#pragma once

#include "core/aligned.h"
#include "hands/layout.h"

namespace cleave::hands {

// The probability that player 0 wins less that it loses when both are all in, over the deals to
// come: of a street's board, [hand of player 0][hand of player 1], rows as long as player 1's
// padded hands; zero for hands that share a card.
template <class Real>
using AllIn = core::AlignedVector<Real>;

// [street][board]; empty where nobody is all in on the street or before, unless `everywhere`. Real:
// float or double.
template <class Real>
std::vector<std::vector<AllIn<Real>>> make_all_in(const Layout& layout, int threads,
                                                  bool everywhere = false);

// Bytes of the above, before they are there.
uint64_t all_in_bytes(const Layout& layout, size_t real_bytes);

// The ends of the game: values of tiles of them from the other player's reach.
template <class Real>
class Terminals {
 public:
  static constexpr size_t kTile = kernels::kTile;

  Terminals(const Layout& layout, int threads)
      : layout_(layout), all_in_(make_all_in<Real>(layout, threads)) {
    for (const Street& street : layout_.streets) {
      auto& numbers = numbers_.emplace_back();
      for (const Tile& tile : street.tiles) {
        for (size_t p = 0; p < 2; ++p) numbers.push_back(make_numbers(street, tile, p));
      }
    }
  }

  // Working memory of one thread, for hands up to the given padded number.
  struct Scratch {
    explicit Scratch(size_t width)
        : tile(width * kTile, 0),
          out(width * kTile, 0),
          sums(kernels::kCardRows * kTile, 0),
          zeros(width, 0),
          sink(width, 0) {}
    core::AlignedVector<Real> tile, out, sums, zeros, sink;
  };

  // Of one chunk under one board: rows of reach in, rows of values (by node of the chunk) out.
  void evaluate(size_t s, size_t b, const Chunk& chunk, size_t player, const Real* reach,
                Real* values, Scratch& scratch) const {
    const Street& street = layout_.streets[s];
    const Board& board = street.boards[b];
    const size_t q = 1 - player;
    const size_t width = board.side[player].width, other_width = board.side[q].width;
    const kernels::Meeting meeting = board.meeting(player);
    Real* out = scratch.out.data();
    for (size_t t = chunk.first_tile; t < chunk.first_tile + chunk.num_tiles; ++t) {
      const Tile& tile = street.tiles[t];
      const Real* from[kTile];
      Real* to[kTile];
      for (size_t lane = 0; lane < kTile; ++lane) {
        const bool used = lane < tile.count;
        from[lane] = used ? reach + street.nodes[tile.nodes[lane]].reach_row[q] * other_width
                          : scratch.zeros.data();
        to[lane] =
            used ? values + (tile.nodes[lane] - chunk.first_node) * width : scratch.sink.data();
      }
      kernel_.to_tile(other_width, from, scratch.tile.data());
      meet(s, b, tile.kind, numbers_[s][2 * t + player], meeting, player, scratch);
      std::fill(out + board.side[player].count * kTile, out + width * kTile, Real{0});
      kernel_.from_tile(width, out, to);
    }
  }

  // Probability that player 0's hand wins less that it loses, by hands of a board before the last.
  const AllIn<Real>& lead(size_t s, size_t b, int threads) {
    if (all_in_[s].empty()) all_in_ = make_all_in<Real>(layout_, threads, true);
    return all_in_[s][b];
  }

 private:
  struct Numbers {
    kernels::TilePayoffs<Real> payoffs;
    Real lead[kTile];  // all in
  };

  Numbers make_numbers(const Street& street, const Tile& tile, size_t player) const {
    Numbers out = {};
    for (size_t lane = 0; lane < tile.count; ++lane) {
      auto [win, lose, tie] =
          layout_.setup.tree.payoffs(street.nodes[tile.nodes[lane]].source, player);
      for (double* x : {&win, &lose, &tie}) *x *= street.weight;
      const auto set = [lane](Real* to, double x) { to[lane] = static_cast<Real>(x); };
      kernels::TilePayoffs<Real>& t = out.payoffs;
      if (tile.kind == Tile::Kind::kShowdown) {
        set(t.below, win - tie);
        set(t.up_to, tie - lose);
        set(t.all, lose);
        set(t.same, tie);
        continue;
      }
      // A fold: all payoffs are one. All in: win * W + lose * L + tie * T, where W + L + T is all
      // that is met, W - L the lead and a tie, raked or not, the middle of winning and losing.
      set(t.all, tie);
      set(t.same, tie);
      set(out.lead, (player == 0 ? 1 : -1) * (win - lose) / 2);
    }
    return out;
  }

  void meet(size_t s, size_t b, Tile::Kind kind, const Numbers& numbers,
            const kernels::Meeting& meeting, size_t player, Scratch& scratch) const {
    const Real* tile = scratch.tile.data();
    Real *sums = scratch.sums.data(), *out = scratch.out.data();
    if (kind == Tile::Kind::kShowdown) {
      kernel_.showdown(meeting, numbers.payoffs, tile, sums, out);
      return;
    }
    kernel_.fold(meeting, numbers.payoffs, tile, sums, out);
    if (kind == Tile::Kind::kFold) return;
    const Board& board = layout_.streets[s].boards[b];
    const size_t row = board.side[1].width;
    const size_t own_stride = player == 0 ? row : 1, other_stride = player == 0 ? 1 : row;
    kernel_.all_in(board.side[player].count, board.side[1 - player].count, all_in_[s][b].data(),
                   own_stride, other_stride, numbers.lead, tile, out);
  }

  const Layout& layout_;
  const kernels::HandKernels<Real>& kernel_ = kernels::hand_kernels<Real>();
  std::vector<std::vector<AllIn<Real>>> all_in_;  // [street][board]
  std::vector<std::vector<Numbers>> numbers_;     // [street][2 * tile + player]
};

}  // namespace cleave::hands
