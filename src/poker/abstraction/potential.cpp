#include "poker/abstraction/potential.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "core/random.h"
#include "core/threads.h"
#include "poker/abstraction/work.h"

namespace cleave::poker {
namespace {

class PotentialFeatures final : public Features {
 public:
  explicit PotentialFeatures(const Buckets& next) : next_(next), index_({2, next.board_cards}) {}

  size_t dimensions() const override { return next_.count; }
  Metric metric() const override { return Metric::kManhattan; }

  void describe(CardSet board, std::span<const uint16_t> hands, Points& rows) const override {
    std::array<Card, 7> cards = {};
    size_t count = 2;
    for (const Card card : cards_in(board)) cards[count++] = card;
    const float share = 1.0F / static_cast<float>(kNumCards - 2 - std::popcount(board));
    for (size_t i = 0; i < hands.size(); ++i) {
      const CardSet hand = combo_cards(hands[i]);
      cards[0] = lowest(hand);
      cards[1] = lowest(hand & (hand - 1));
      for (CardSet left = deck() & ~board & ~hand; left != 0; left &= left - 1) {
        cards[count] = lowest(left);
        const uint64_t class_number = index_.index(1, {cards.data(), count + 1});
        rows.row(i)[next_.bucket[class_number]] += share;
      }
    }
  }

 private:
  const Buckets& next_;
  HandIndex index_;
};

std::span<const float> distribution_at(const Points& points, size_t i) {
  return {points.row(i), points.dimensions};
}

Points means_under(const Transport& transport, const Points& distributions, int threads) {
  Points means(distributions.count, transport.dimensions());
  for_each_point(distributions.count, threads, [&](size_t i) {
    transport.mean(distribution_at(distributions, i), means.row(i));
  });
  return means;
}

// The greedy distance, or any number from `limit` up.
float carry(const Transport& transport, std::span<const float> from, std::span<const float> to,
            float limit) {
  thread_local std::vector<Transport::Mass> masses;
  thread_local std::vector<float> room;
  Transport::masses_of(from, masses);
  room.assign(to.begin(), to.end());
  return transport.greedy(masses, room, limit);
}

// k-means++ as in draw_centres().
std::vector<uint32_t> draw_distributions(const Points& points, const Transport& transport,
                                         uint32_t count, const BucketOptions& options) {
  const Points means = means_under(transport, points, options.threads);
  core::Random random(options.seed);
  std::vector<uint32_t> drawn = {static_cast<uint32_t>(random.below(points.count))};
  std::vector<float> nearest(points.count, std::numeric_limits<float>::infinity());
  while (true) {
    check_stop(options, "drawing centres");
    for_each_point(points.count, options.threads, [&](size_t i) {
      const float bound =
          distance(transport.metric(), means.row(i), means.row(drawn.back()), means.stride);
      if (bound >= nearest[i]) return;
      nearest[i] = std::min(nearest[i], carry(transport, distribution_at(points, i),
                                              distribution_at(points, drawn.back()), nearest[i]));
    });
    if (drawn.size() == count) return drawn;
    double total = 0;
    for (const float d : nearest) total += static_cast<double>(d) * d;
    if (!(total > 0)) refuse_count(count, drawn.size());
    double left = random.uniform() * total;
    uint32_t picked = 0;
    for (uint32_t i = 0; i < points.count && left >= 0; ++i) {
      if (nearest[i] > 0) picked = i;
      left -= static_cast<double>(nearest[i]) * nearest[i];
    }
    drawn.push_back(picked);
  }
}

}  // namespace

std::unique_ptr<Features> make_potential_features(const Buckets& next) {
  return std::make_unique<PotentialFeatures>(next);
}

NearestDistribution::NearestDistribution(const Transport& transport, const Points& centres)
    : transport_(transport), centres_(centres), means_(means_under(transport, centres, 1)) {}

NearestDistribution::Found NearestDistribution::nearest(const float* row) const {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::span<const float> from = {row, centres_.dimensions};
  thread_local core::AlignedVector<float> mean;
  thread_local std::vector<float> bound;
  mean.resize(means_.stride);
  transport_.mean(from, mean.data());
  bound.resize(centres_.count);
  for (size_t c = 0; c < bound.size(); ++c) {
    bound[c] = distance(transport_.metric(), mean.data(), means_.row(c), means_.stride);
  }
  // Rounding, and what greedy() leaves where it is.
  const float slack = 4 * rounding_of(mean.data(), means_.stride) + 1e-5F;
  Found found{.centre = 0, .distance = kInfinity};
  while (true) {
    const auto next = std::min_element(bound.begin(), bound.end());
    if (*next == kInfinity || *next > found.distance + slack) return found;
    const uint32_t c = static_cast<uint32_t>(next - bound.begin());
    *next = kInfinity;  // seen
    const float above = std::nextafter(found.distance, kInfinity);
    const float cost = carry(transport_, from, distribution_at(centres_, c), above);
    if (cost < found.distance || (cost == found.distance && c < found.centre)) found = {c, cost};
  }
}

Clusters k_means(const Points& points, const Transport& transport, uint32_t count, int iterations,
                 const BucketOptions& options) {
  Clusters result;
  result.centres = centres_at(points, draw_distributions(points, transport, count, options));
  result.cluster.resize(points.count);
  std::vector<float> own(points.count);
  while (true) {
    check_stop(options, "k-means");
    const std::vector<uint32_t> before = result.cluster;
    const NearestDistribution search(transport, result.centres);
    for_each_point(points.count, options.threads, [&](size_t i) {
      const NearestDistribution::Found found = search.nearest(points.row(i));
      result.cluster[i] = found.centre;
      own[i] = found.distance;
    });
    fill_empty(points, own, result.cluster, result.centres);
    result.settled = result.iterations > 0 && result.cluster == before;
    if (options.progress) {
      options.progress(
          fmt::format("potential-aware k-means into {}: iteration {}", count, result.iterations));
    }
    if (result.settled || result.iterations == iterations) return result;
    result.centres = means_of(points, result.cluster, count, options.threads);
    ++result.iterations;
  }
}

Buckets cluster_by_potential(const Street& street, const Buckets& next,
                             const Clustering& clustering, const BucketOptions& options) {
  Points things(next.count, static_cast<size_t>(next.dimensions));
  for (size_t i = 0; i < things.count; ++i) {
    std::copy_n(next.centres.data() + i * things.dimensions, things.dimensions, things.row(i));
  }
  const Transport transport(std::move(things), Metric::kManhattan);
  const auto features = make_potential_features(next);
  const Sample sample(street.num_classes(), clustering.sample, options.seed);
  Points points(sample.size(), features->dimensions());
  describe_hands(street, *features, sample, options, "hands to learn from",
                 [&](uint16_t, uint32_t class_number, const float* row) {
                   std::copy_n(row, points.stride, points.row(sample.place(class_number)));
                 });
  const Clusters clusters =
      k_means(points, transport, clustering.buckets, clustering.iterations, options);

  Buckets buckets;
  buckets.board_cards = street.boards().cards_per_board();
  buckets.count = clustering.buckets;
  buckets.bucket.resize(street.num_classes());
  const NearestDistribution search(transport, clusters.centres);
  describe_hands(street, *features, Sample::everything(street.num_classes()), options,
                 "buckets of all hands", [&](uint16_t, uint32_t class_number, const float* row) {
                   buckets.bucket[class_number] = static_cast<uint16_t>(search.nearest(row).centre);
                 });
  return buckets;
}

}  // namespace cleave::poker
