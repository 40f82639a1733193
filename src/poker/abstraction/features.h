#pragma once

#include <functional>
#include <memory>
#include <span>

#include "poker/abstraction/points.h"
#include "poker/abstraction/showdown.h"

namespace cleave::poker {

// Numbers that describe a hand on a board, for k-means to compare. Renamed suits do not change
// them.
struct Features {
  size_t dimensions = 0;
  Metric metric = Metric::kManhattan;
  // Row i of `rows`, zeros so far, becomes that of the i-th hand (a combo); none is blocked.
  std::function<void(CardSet board, std::span<const uint16_t> hands, Points& rows)> describe;
};

// The distribution over the boards to come of the equity at the end, against a random hand: rows
// are cumulative histograms, scaled so that their distance is the earth mover's distance in equity.
Features make_histogram_features(const std::shared_ptr<const RiverBins>& bins);

// One number: the equity against a random hand if no more cards came.
Features make_strength_features();

// The equities against each group of opponents on a board of five cards.
Features make_opponent_features(const OpponentGroups& groups);

// How often each hand's equity is in each bin, over all boards of five cards that contain `board`:
// counts[i * (bins + 1) + bin] for the i-th hand. The place beyond the bins is for boards that have
// one of the hand's cards.
void count_bins(const RiverBins& bins, CardSet board, std::span<const uint16_t> hands,
                std::span<uint16_t> counts);

// The 169 hands before the flop in groups, by k-means on their histograms over all boards.
OpponentGroups make_opponent_groups(const RiverBins& bins, const BucketOptions& options);

}  // namespace cleave::poker
