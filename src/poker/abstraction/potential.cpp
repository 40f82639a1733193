#include "poker/abstraction/potential.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/random.h"
#include "core/threads.h"

namespace cleave::poker {
namespace {

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

// k-means++ as in draw_centres().
std::vector<uint32_t> draw_distributions(const Points& points, const Transport& transport,
                                         uint32_t count, const BucketOptions& options) {
  const Points means = means_under(transport, points, options.threads);
  core::Random random(options.seed);
  std::vector<uint32_t> drawn = {static_cast<uint32_t>(random.below(points.count))};
  std::vector<float> nearest(points.count, std::numeric_limits<float>::infinity());
  while (true) {
    options.check_stop("drawing centres");
    for_each_point(points.count, options.threads, [&](size_t i) {
      const float bound =
          distance(transport.metric(), means.row(i), means.row(drawn.back()), means.stride);
      if (bound >= nearest[i]) return;
      nearest[i] =
          std::min(nearest[i], transport.greedy(distribution_at(points, i),
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

Transport::Transport(Points things, Metric metric)
    : things_(std::move(things)), metric_(metric), neighbours_(things_.count * things_.count) {
  for (size_t i = 0; i < things_.count; ++i) {
    const std::span row(neighbours_.data() + i * things_.count, things_.count);
    for (uint32_t j = 0; j < things_.count; ++j) {
      row[j] = {distance(metric, things_.row(i), things_.row(j), things_.stride), j};
    }
    // The thing itself comes first, even if another is at the same place.
    std::ranges::sort(row, {}, [&](const Neighbour& to) {
      return std::pair(to.distance, to.thing != i ? to.thing + 1 : 0);
    });
  }
}

float Transport::greedy(std::span<const float> from, std::span<const float> to, float limit) const {
  constexpr float kNothing = 2e-7F;  // what rounding leaves over is not carried through all rounds
  struct Mass {
    uint32_t thing;
    float amount;
  };
  thread_local std::vector<Mass> masses;
  thread_local std::vector<float> room;
  masses.clear();
  for (uint32_t thing = 0; thing < from.size(); ++thing) {
    if (from[thing] > 0) masses.push_back({thing, from[thing]});
  }
  room.assign(to.begin(), to.end());
  float cost = 0;
  size_t left = masses.size();
  for (size_t rank = 0; rank < things_.count && left > 0; ++rank) {
    size_t kept = 0;
    for (size_t i = 0; i < left; ++i) {
      Mass mass = masses[i];
      const Neighbour& next = neighbours_[mass.thing * things_.count + rank];
      const float carried = std::min(mass.amount, room[next.thing]);
      cost += carried * next.distance;
      room[next.thing] -= carried;
      mass.amount -= carried;
      masses[kept] = mass;
      kept += mass.amount > kNothing ? 1 : 0;
    }
    left = kept;
    if (cost >= limit) break;
  }
  return cost;
}

void Transport::mean(std::span<const float> distribution, float* row) const {
  std::fill_n(row, things_.stride, 0.0F);
  for (size_t thing = 0; thing < distribution.size(); ++thing) {
    if (distribution[thing] == 0) continue;
    for (size_t d = 0; d < things_.stride; ++d) {
      row[d] += distribution[thing] * things_.row(thing)[d];
    }
  }
}

Features make_potential_features(const Buckets& next) {
  const auto index = std::make_shared<const HandIndex>(std::vector{2, next.board_cards});
  const auto describe = [=, &next](CardSet board, std::span<const uint16_t> hands, Points& rows) {
    const float share = 1.0F / static_cast<float>(kNumCards - 2 - std::popcount(board));
    for (size_t i = 0; i < hands.size(); ++i) {
      const CardSet hand = combo_cards(hands[i]);
      for (CardSet left = deck() & ~board & ~hand; left != 0; left &= left - 1) {
        const uint64_t class_number = index->index({hand, board | set_of(lowest(left))});
        rows.row(i)[next.bucket[class_number]] += share;
      }
    }
  };
  return {next.count, Metric::kManhattan, describe};
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
    const float cost = transport_.greedy(from, distribution_at(centres_, c), above);
    if (cost < found.distance || (cost == found.distance && c < found.centre)) found = {c, cost};
  }
}

Clusters k_means(const Points& points, const Transport& transport, uint32_t count, int iterations,
                 const BucketOptions& options) {
  Clusters result{.centres = rows_at(points, draw_distributions(points, transport, count, options)),
                  .cluster = std::vector<uint32_t>(points.count)};
  std::vector<float> own(points.count);
  for (int iteration = 0;; ++iteration) {
    options.check_stop("k-means");
    const std::vector<uint32_t> before = result.cluster;
    const NearestDistribution search(transport, result.centres);
    for_each_point(points.count, options.threads, [&](size_t i) {
      const NearestDistribution::Found found = search.nearest(points.row(i));
      result.cluster[i] = found.centre;
      own[i] = found.distance;
    });
    fill_empty(points, own, result.cluster, result.centres);
    result.settled = iteration > 0 && result.cluster == before;
    if (options.progress) {
      options.progress(
          fmt::format("potential-aware k-means into {}: iteration {}", count, iteration));
    }
    if (result.settled || iteration == iterations) return result;
    result.centres = means_of(points, result.cluster, count, options.threads);
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
  Points points(sample.size(), features.dimensions);
  describe_hands(street, features, sample, options, "hands to learn from",
                 [&](uint16_t, uint32_t class_number, const float* row) {
                   std::copy_n(row, points.stride, points.row(sample.place(class_number)));
                 });
  const Clusters clusters =
      k_means(points, transport, clustering.buckets, clustering.iterations, options);

  Buckets buckets{.board_cards = street.boards().cards_per_board(),
                  .count = clustering.buckets,
                  .bucket = std::vector<uint16_t>(street.num_classes())};
  const NearestDistribution search(transport, clusters.centres);
  describe_hands(street, features, Sample::everything(street.num_classes()), options,
                 "buckets of all hands", [&](uint16_t, uint32_t class_number, const float* row) {
                   buckets.bucket[class_number] = static_cast<uint16_t>(search.nearest(row).centre);
                 });
  return buckets;
}

}  // namespace cleave::poker
