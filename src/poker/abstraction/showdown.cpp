#include "poker/abstraction/showdown.h"

#include <algorithm>
#include <cassert>

#include "poker/evaluator.h"

namespace cleave::poker {
namespace {

// How many of the hands passed so far are in each group, and how many of them have a card.
template <size_t kGroups>
struct HandCounts {
  using Counts = std::array<int32_t, kGroups>;
  Counts all = {};
  std::array<Counts, kNumCards> with = {};

  void add(const RankedHand& hand, size_t group) {
    ++all[group];
    ++with[hand.high][group];
    ++with[hand.low][group];
  }
  // Those that share no card with a hand, if they do not include the hand itself.
  Counts beside(const RankedHand& hand) const {
    Counts result;
    for (size_t g = 0; g < kGroups; ++g) {
      result[g] = all[g] - with[hand.high][g] - with[hand.low][g];
    }
    return result;
  }
};

// Calls visit(hand, doubled) with twice the wins plus the ties of each hand, by groups. In order of
// strength the hands passed are those beaten before the hands that tie are counted, and those not
// lost to afterwards: the sum of both is twice the wins plus the ties.
template <size_t kGroups, typename GroupOf, typename Visit>
HandCounts<kGroups> count_showdowns(std::span<const RankedHand> ranking, const GroupOf& group_of,
                                    const Visit& visit) {
  HandCounts<kGroups> passed;
  std::vector<typename HandCounts<kGroups>::Counts> beaten(ranking.size());
  for (size_t first = 0, last = 0; first < ranking.size(); first = last) {
    for (; last < ranking.size() && ranking[last].strength == ranking[first].strength; ++last) {
      beaten[last] = passed.beside(ranking[last]);
    }
    for (size_t i = first; i < last; ++i) passed.add(ranking[i], group_of(ranking[i]));
    for (size_t i = first; i < last; ++i) {
      auto doubled = passed.beside(ranking[i]);
      ++doubled[group_of(ranking[i])];  // the hand itself was taken off for both of its cards
      for (size_t g = 0; g < kGroups; ++g) doubled[g] += beaten[i][g];
      visit(ranking[i], doubled);
    }
  }
  return passed;
}

}  // namespace

std::vector<RankedHand> rank_hands(CardSet board) {
  std::vector<RankedHand> hands;
  hands.reserve(kNumCombos);
  std::vector<uint64_t> order;  // strength, then combo
  order.reserve(kNumCombos);
  for (Card high = 1; high < kNumCards; ++high) {
    if ((board & set_of(high)) != 0) continue;
    for (Card low = 0; low < high; ++low) {
      if ((board & set_of(low)) != 0) continue;
      const uint64_t strength = strength_of(board | set_of(high) | set_of(low));
      order.push_back(strength << 32 | uint64_t{high} << 8 | low);
    }
  }
  std::sort(order.begin(), order.end());
  for (const uint64_t key : order) {
    const Card high = static_cast<Card>(key >> 8 & 0xff);
    const Card low = static_cast<Card>(key & 0xff);
    hands.push_back({.strength = static_cast<uint32_t>(key >> 32),
                     .combo = static_cast<uint16_t>(combo_index(high, low)),
                     .high = high,
                     .low = low});
  }
  return hands;
}

void showdown_scores(std::span<const RankedHand> ranking, Scores& scores) {
  scores.fill(kBlocked);
  count_showdowns<1>(
      ranking, [](const RankedHand&) { return size_t{0}; },
      [&](const RankedHand& hand, const std::array<int32_t, 1>& doubled) {
        scores[hand.combo] = static_cast<uint16_t>(doubled[0]);
      });
}

void group_equities(std::span<const RankedHand> ranking, const OpponentGroups& groups,
                    GroupEquities& equities) {
  const auto group_of = [&](const RankedHand& hand) { return size_t{groups[hand.combo]}; };
  equities.resize(kNumCombos);
  const auto counts = count_showdowns<kNumOpponentGroups>(
      ranking, group_of, [&](const RankedHand& hand, const auto& doubled) {
        for (size_t g = 0; g < kNumOpponentGroups; ++g) {
          equities[hand.combo][g] = static_cast<float>(doubled[g]);
        }
      });
  for (const RankedHand& hand : ranking) {
    auto opponents = counts.beside(hand);
    ++opponents[group_of(hand)];
    for (size_t g = 0; g < kNumOpponentGroups; ++g) {
      float& equity = equities[hand.combo][g];
      equity = opponents[g] == 0 ? 0.5F : equity / static_cast<float>(2 * opponents[g]);
    }
  }
}

RiverBins::RiverBins(int bins, const BucketOptions& options)
    : bins_(bins), boards_(5), bin_(boards_.size() * kNumCombos) {
  assert(bins >= 1 && bins <= 254);
  options.for_each_part(boards_.size(), "equities on the river", [&](size_t i) { fill(i); });
}

RiverBins::RiverBins(int bins, std::span<const CardSet> boards)
    : bins_(bins), boards_(5), bin_(boards_.size() * kNumCombos) {
  for (const CardSet board : boards) fill(boards_.find(board).number);
}

void RiverBins::fill(size_t board) {
  constexpr uint32_t kMostPoints = 2 * num_opponents(5);
  Scores scores;
  showdown_scores(rank_hands(boards_[board]), scores);
  const uint32_t bins = static_cast<uint32_t>(bins_);
  for (size_t combo = 0; combo < kNumCombos; ++combo) {
    const uint32_t bin = std::min(scores[combo] * bins / kMostPoints, bins - 1);
    bin_[board * kNumCombos + combo] = static_cast<uint8_t>(scores[combo] == kBlocked ? bins : bin);
  }
}

}  // namespace cleave::poker
