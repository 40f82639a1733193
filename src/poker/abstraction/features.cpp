#include "poker/abstraction/features.h"

#include <algorithm>
#include <cassert>

#include "poker/abstraction/k_means.h"

namespace cleave::poker {
namespace {

// counts[bin] -> what is below the upper end of each bin but the last, over which all of it is.
void accumulate(std::span<const uint32_t> counts, float* row) {
  uint64_t total = 0;
  for (const uint32_t count : counts) total += count;
  const double scale = 1.0 / (static_cast<double>(total) * static_cast<double>(counts.size()));
  uint64_t below = 0;
  for (size_t bin = 0; bin + 1 < counts.size(); ++bin) {
    below += counts[bin];
    row[bin] = static_cast<float>(static_cast<double>(below) * scale);
  }
}

}  // namespace

Features make_histogram_features(const std::shared_ptr<const RiverBins>& river) {
  const size_t bins = static_cast<size_t>(river->bins());
  const auto describe = [=](CardSet board, std::span<const uint16_t> hands, Points& rows) {
    std::vector<uint16_t> counts(hands.size() * (bins + 1));
    count_bins(*river, board, hands, counts);
    std::vector<uint32_t> histogram(bins);
    for (size_t i = 0; i < hands.size(); ++i) {
      std::copy_n(counts.begin() + static_cast<ptrdiff_t>(i * (bins + 1)), bins, histogram.begin());
      accumulate(histogram, rows.row(i));
    }
  };
  return {bins - 1, Metric::kManhattan, describe};
}

Features make_strength_features() {
  const auto describe = [](CardSet board, std::span<const uint16_t> hands, Points& rows) {
    Scores scores;
    showdown_scores(rank_hands(board), scores);
    const float most = static_cast<float>(2 * num_opponents(std::popcount(board)));
    for (size_t i = 0; i < hands.size(); ++i) {
      rows.row(i)[0] = static_cast<float>(scores[hands[i]]) / most;
    }
  };
  return {1, Metric::kEuclidean, describe};
}

Features make_opponent_features(const OpponentGroups& groups) {
  const auto describe = [=](CardSet board, std::span<const uint16_t> hands, Points& rows) {
    GroupEquities equities;
    group_equities(rank_hands(board), groups, equities);
    for (size_t i = 0; i < hands.size(); ++i) {
      std::copy(equities[hands[i]].begin(), equities[hands[i]].end(), rows.row(i));
    }
  };
  return {kNumOpponentGroups, Metric::kEuclidean, describe};
}

void count_bins(const RiverBins& bins, CardSet board, std::span<const uint16_t> hands,
                std::span<uint16_t> counts) {
  const size_t width = static_cast<size_t>(bins.bins()) + 1;
  assert(counts.size() == hands.size() * width);
  for (const Deal& deal : deals(deck() & ~board, 5 - std::popcount(board), {kSameSuits})) {
    const Boards::Place place = bins.boards().find(board | deal.cards);
    const uint8_t* bin = bins.row(place.number);
    const uint16_t* renamed = renamed_combos(place.map).data();
    uint16_t* count = counts.data();
    for (const uint16_t hand : hands) {
      ++count[bin[renamed[hand]]];
      count += width;
    }
  }
}

OpponentGroups make_opponent_groups(const RiverBins& bins, const BucketOptions& options) {
  const size_t width = static_cast<size_t>(bins.bins());
  std::vector<uint32_t> counts(kNumPreflopClasses * width);
  for (size_t b = 0; b < bins.boards().size(); ++b) {
    const uint32_t times = num_images(bins.boards()[b]);
    for (size_t combo = 0; combo < kNumCombos; ++combo) {
      const size_t bin = bins.row(b)[combo];
      if (bin < width) counts[preflop_classes()[combo] * width + bin] += times;
    }
  }
  Points points(kNumPreflopClasses, width - 1);
  for (size_t i = 0; i < kNumPreflopClasses; ++i) {
    accumulate({counts.data() + i * width, width}, points.row(i));
  }
  const Clusters clusters = k_means(points, Metric::kManhattan, kNumOpponentGroups, 1000, options);
  OpponentGroups groups;
  for (size_t combo = 0; combo < kNumCombos; ++combo) {
    groups[combo] = static_cast<uint8_t>(clusters.cluster[preflop_classes()[combo]]);
  }
  return groups;
}

}  // namespace cleave::poker
