#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "core/aligned.h"
#include "core/random.h"
#include "kernels/plain.h"
#include "poker/cards.h"
#include "poker/evaluator.h"

// Fold, showdown and all-in against loops over all pairs of hands.
namespace cleave::kernels {
namespace {

using poker::CardSet;

struct Side {
  std::vector<CardSet> hands;                 // ascending in strength
  std::vector<poker::Strength> strengths;     // [hand]
  std::array<std::vector<uint8_t>, 3> cards;  // first; second as own; second as the other's
  std::vector<uint16_t> row;                  // [hand]: itself
};

Side random_side(core::Random& random, CardSet board, size_t hole_cards, double share) {
  std::vector<std::pair<poker::Strength, CardSet>> found;
  const auto consider = [&](CardSet hand) {
    if ((hand & board) != 0 || random.uniform() >= share) return;
    found.emplace_back(poker::strength_of(hand | board), hand);
  };
  for (poker::Card a = 0; a < poker::kNumCards; ++a) {
    if (hole_cards == 1) consider(poker::set_of(a));
    for (poker::Card b = 0; hole_cards == 2 && b < a; ++b) {
      consider(poker::set_of(a) | poker::set_of(b));
    }
  }
  std::ranges::sort(found);
  Side side;
  for (const auto& [strength, hand] : found) {
    side.hands.push_back(hand);
    side.strengths.push_back(strength);
    const CardSet rest = hand & (hand - 1);
    side.cards[0].push_back(poker::lowest(hand));
    side.cards[1].push_back(rest ? poker::lowest(rest) : kNoOwnCard);
    side.cards[2].push_back(rest ? poker::lowest(rest) : kNoOtherCard);
    side.row.push_back(static_cast<uint16_t>(side.row.size()));
  }
  return side;
}

// Two ranges on one board and how they meet, built as the header describes it.
struct Table {
  Side own, other;
  std::vector<uint16_t> same;
  std::vector<Meeting::Level> levels;

  Table(core::Random& random, size_t hole_cards, size_t board_cards, double own_share,
        double other_share) {
    CardSet board = 0;
    while (static_cast<size_t>(std::popcount(board)) < board_cards) {
      board |= poker::set_of(static_cast<poker::Card>(random.below(poker::kNumCards)));
    }
    own = random_side(random, board, hole_cards, own_share);
    other = random_side(random, board, hole_cards, other_share);
    for (const CardSet hand : own.hands) {
      const auto found = std::ranges::find(other.hands, hand);
      // The same one card is met as little as any other hand with that card.
      same.push_back(static_cast<uint16_t>(hole_cards == 2 ? found - other.hands.begin()
                                                           : std::ssize(other.hands)));
    }
    std::vector<poker::Strength> all = own.strengths;
    all.insert(all.end(), other.strengths.begin(), other.strengths.end());
    std::ranges::sort(all);
    for (const poker::Strength s : all) {
      const auto end = [s](const Side& side) {
        return static_cast<uint16_t>(std::ranges::upper_bound(side.strengths, s) -
                                     side.strengths.begin());
      };
      levels.push_back({end(own), end(other)});  // those that repeat are empty
    }
  }

  Meeting meeting() const {
    return {.own_cards = {own.cards[0], own.cards[1]},
            .other_cards = {other.cards[0], other.cards[2]},
            .other_row = other.row,
            .same = same,
            .levels = levels};
  }
};

struct Outcome {
  double win, lose, tie;
};

template <class Real>
struct Tile {
  core::AlignedVector<Real> reach;  // a zero row behind the hands
  std::array<Outcome, kTile> outcome;
  TilePayoffs<Real> folds = {}, showdowns = {};

  // `used` terminals; the other lanes are empty.
  Tile(core::Random& random, size_t hands, size_t used) : reach((hands + 1) * kTile) {
    for (size_t i = 0; i < hands * kTile; ++i) {
      if (i % kTile >= used || random.uniform() < 0.2) continue;
      reach[i] = static_cast<Real>(random.uniform());
    }
    // Nothing taken from the pot; rake; money from before in the pot.
    constexpr Outcome kOutcomes[] = {{10, -10, 0}, {9, -10, -0.5}, {17, -10, 3.5}};
    outcome = {};
    for (size_t lane = 0; lane < used; ++lane) {
      const auto [win, lose, tie] = kOutcomes[lane % 3];
      const double size = 1 + static_cast<double>(random.below(20));
      outcome[lane] = {win * size, lose * size, tie * size};
      folds.all[lane] = folds.same[lane] = static_cast<Real>(win * size);
      showdowns.below[lane] = static_cast<Real>((win - tie) * size);
      showdowns.up_to[lane] = static_cast<Real>((tie - lose) * size);
      showdowns.all[lane] = static_cast<Real>(lose * size);
      showdowns.same[lane] = static_cast<Real>(tie * size);
    }
  }
};

template <class Real>
class HandMeetingTest : public testing::Test {
 protected:
  static constexpr double kTolerance = sizeof(Real) == 4 ? 1e-5 : 1e-12;
  const HandKernels<Real>& fast_ = hand_kernels<Real>();
  const HandKernels<Real>& slow_ = plain::hand_kernels<Real>();
  core::Random random_{8};

  // Against the sum over pairs of hands without a card in common; then against the twin.
  void check(const Table& table, size_t used) {
    const Tile<Real> tile(random_, table.other.hands.size(), used);
    const size_t n = table.own.hands.size() * kTile;
    core::AlignedVector<Real> sums(kCardRows * kTile, Real{5}), fold(n + 8, Real{7});
    auto showdown = fold, fold2 = fold, showdown2 = fold;
    const Meeting meeting = table.meeting();
    fast_.fold(meeting, tile.folds, tile.reach.data(), sums.data(), fold.data());
    slow_.fold(meeting, tile.folds, tile.reach.data(), sums.data(), fold2.data());
    fast_.showdown(meeting, tile.showdowns, tile.reach.data(), sums.data(), showdown.data());
    slow_.showdown(meeting, tile.showdowns, tile.reach.data(), sums.data(), showdown2.data());
    EXPECT_EQ(std::memcmp(fold.data(), fold2.data(), fold.size() * sizeof(Real)), 0);
    EXPECT_EQ(std::memcmp(showdown.data(), showdown2.data(), fold.size() * sizeof(Real)), 0);
    for (size_t i = 0; i < table.own.hands.size(); ++i) {
      for (size_t lane = 0; lane < kTile; ++lane) compare(table, tile, i, lane, fold, showdown);
    }
  }

 private:
  // Sums of reach are the scale of rounding errors: hands that are met are all less those that
  // share a card.
  void compare(const Table& table, const Tile<Real>& tile, size_t i, size_t lane,
               const core::AlignedVector<Real>& fold, const core::AlignedVector<Real>& showdown) {
    double met = 0, won = 0, total = 0;
    const auto [win, lose, tie] = tile.outcome[lane];
    for (size_t j = 0; j < table.other.hands.size(); ++j) {
      const double x = tile.reach[j * kTile + lane];
      total += x;
      if ((table.own.hands[i] & table.other.hands[j]) != 0) continue;
      met += x;
      const poker::Strength a = table.own.strengths[i], b = table.other.strengths[j];
      won += x * (a > b ? win : a < b ? lose : tie);
    }
    const double scale = kTolerance * std::max(win, -lose) * std::max(total, 1.0);
    ASSERT_NEAR(fold[i * kTile + lane], win * met, scale) << "hand " << i << ", lane " << lane;
    ASSERT_NEAR(showdown[i * kTile + lane], won, scale) << "hand " << i << ", lane " << lane;
  }
};

using RealTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(HandMeetingTest, RealTypes);

TYPED_TEST(HandMeetingTest, EqualsTheSumOverPairs) {
  for (size_t used = 1; used <= kTile; ++used) {
    for (const double share : {0.02, 0.1, 0.2}) {
      this->check(Table(this->random_, 2, 5, share, 2 * share), used);
      this->check(Table(this->random_, 2, 5, 3 * share, share), used);
    }
  }
  // All hands of both.
  this->check(Table(this->random_, 2, 5, 1, 1), kTile);
}

TYPED_TEST(HandMeetingTest, HandsOfOneCard) {
  for (const size_t board_cards : {0, 1, 5}) {
    this->check(Table(this->random_, 1, board_cards, 1, 1), kTile);
    this->check(Table(this->random_, 1, board_cards, 0.5, 0.7), 3);
  }
}

TYPED_TEST(HandMeetingTest, NobodyThere) {
  this->check(Table(this->random_, 2, 5, 0.1, 0), kTile);
  this->check(Table(this->random_, 2, 5, 0, 0.1), kTile);
}

// Hands that share a row of reach meet as if each had its own.
TYPED_TEST(HandMeetingTest, RowsMayBeShared) {
  using Real = TypeParam;
  const Table table(this->random_, 2, 5, 0.5, 0.5);
  const size_t hands = table.other.hands.size(), rows = hands / 3;
  std::vector<uint16_t> row(hands);
  for (uint16_t& r : row) r = static_cast<uint16_t>(this->random_.below(rows));
  const Tile<Real> tile(this->random_, rows, kTile);
  core::AlignedVector<Real> apart((hands + 1) * kTile, 0);
  for (size_t j = 0; j < hands; ++j) {
    std::copy_n(tile.reach.data() + row[j] * kTile, kTile, apart.data() + j * kTile);
  }
  std::vector<uint16_t> same;
  for (const uint16_t j : table.same) {
    same.push_back(j < hands ? row[j] : static_cast<uint16_t>(rows));
  }
  Meeting shared = table.meeting();
  shared.other_row = row;
  shared.same = same;
  const size_t n = table.own.hands.size() * kTile;
  core::AlignedVector<Real> sums(kCardRows * kTile), expected(n), out(n);
  this->fast_.showdown(table.meeting(), tile.showdowns, apart.data(), sums.data(), expected.data());
  for (const auto* kernel : {&this->fast_, &this->slow_}) {
    kernel->showdown(shared, tile.showdowns, tile.reach.data(), sums.data(), out.data());
    EXPECT_EQ(out, expected);
  }
}

TYPED_TEST(HandMeetingTest, AllInIsAProductWithAMatrix) {
  using Real = TypeParam;
  for (const size_t own : {1, 3, 4, 5, 37, 64}) {
    for (const size_t other : {0, 1, 6, 50}) {
      core::AlignedVector<Real> matrix(own * other), reach(other * kTile);
      for (Real& x : matrix) x = static_cast<Real>(2 * this->random_.uniform() - 1);
      for (Real& x : reach) x = static_cast<Real>(this->random_.uniform());
      Real factor[kTile];
      for (Real& x : factor) x = static_cast<Real>(10 * this->random_.uniform());
      for (const bool by_rows : {true, false}) {
        const size_t own_stride = by_rows ? other : 1, other_stride = by_rows ? 1 : own;
        core::AlignedVector<Real> out(own * kTile + 8, Real{7});
        auto out2 = out;
        this->fast_.all_in(own, other, matrix.data(), own_stride, other_stride, factor,
                           reach.data(), out.data());
        this->slow_.all_in(own, other, matrix.data(), own_stride, other_stride, factor,
                           reach.data(), out2.data());
        EXPECT_EQ(std::memcmp(out.data(), out2.data(), out.size() * sizeof(Real)), 0);
        for (size_t i = 0; i < own * kTile; ++i) {
          double sum = 0;
          for (size_t j = 0; j < other; ++j) {
            sum += static_cast<double>(matrix[i / kTile * own_stride + j * other_stride]) *
                   reach[j * kTile + i % kTile];
          }
          ASSERT_NEAR(out[i], 7 + factor[i % kTile] * sum, this->kTolerance * 10 * (other + 1.0));
        }
      }
    }
  }
}

}  // namespace
}  // namespace cleave::kernels
