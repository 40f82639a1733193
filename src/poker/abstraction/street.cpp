#include "poker/abstraction/street.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "core/random.h"
#include "poker/abstraction/k_means.h"

namespace cleave::poker {
namespace {

// Hands that share buckets: all of them, or those of one class before the flop.
struct Sharing {
  bool by_preflop_class;

  size_t num_groups() const { return by_preflop_class ? kNumPreflopClasses : 1; }
  size_t group(uint16_t combo) const { return by_preflop_class ? preflop_classes()[combo] : 0; }
};

struct Training {
  Points points;               // [place in the sample]
  std::vector<uint8_t> group;  // likewise
};

Training describe_sample(const Street& street, const Features& features, const Sharing& sharing,
                         const Sample& sample, const BucketOptions& options) {
  Training training{.points = Points(sample.size(), features.dimensions),
                    .group = std::vector<uint8_t>(sample.size())};
  describe_hands(street, features, sample, options, "hands to learn from",
                 [&](uint16_t combo, uint32_t class_number, const float* row) {
                   const size_t place = sample.place(class_number);
                   std::copy_n(row, training.points.stride, training.points.row(place));
                   training.group[place] = static_cast<uint8_t>(sharing.group(combo));
                 });
  return training;
}

std::vector<uint64_t> classes_by_group(const Street& street, const Sharing& sharing) {
  std::vector<uint64_t> classes(sharing.num_groups());
  for (size_t board = 0; board < street.boards().size(); ++board) {
    for (const uint16_t combo : hands_on(street.boards()[board])) ++classes[sharing.group(combo)];
  }
  return classes;
}

// Buckets of all groups, one group's after the other's.
struct Centres {
  std::vector<Points> centres;   // [group]
  std::vector<uint32_t> begin;   // [group] = its first bucket
  std::vector<uint32_t> bucket;  // [place in the sample]
};

void cluster_group(const Training& training, size_t group, Metric metric, uint32_t count,
                   int iterations, const BucketOptions& options, Centres& result) {
  std::vector<uint32_t> members;
  for (uint32_t i = 0; i < training.group.size(); ++i) {
    if (training.group[i] == group) members.push_back(i);
  }
  const Points points = rows_at(training.points, members);
  Clusters clusters = k_means(points, metric, count, iterations, options);
  for (size_t i = 0; i < members.size(); ++i) {
    result.bucket[members[i]] = result.begin[group] + clusters.cluster[i];
  }
  result.centres[group] = std::move(clusters.centres);
}

Centres find_centres(const Training& training, Metric metric, std::vector<uint32_t> counts,
                     int iterations, const BucketOptions& options) {
  Centres result;
  if (counts.size() == 1) {
    Clusters clusters = k_means(training.points, metric, counts[0], iterations, options);
    result.centres.push_back(std::move(clusters.centres));
    result.begin = {0};
    result.bucket = std::move(clusters.cluster);
    return result;
  }
  result.begin.resize(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), result.begin.begin(), 0U);
  result.centres.resize(counts.size());
  result.bucket.resize(training.points.count);
  // Many groups: one thread for each.
  BucketOptions alone = options;
  alone.threads = 1;
  alone.progress = nullptr;
  options.for_each_part(counts.size(), "k-means for each hand before the flop", [&](size_t g) {
    cluster_group(training, g, metric, counts[g], iterations, alone, result);
  });
  return result;
}

void assign_all(const Street& street, const Features& features, const Sharing& sharing,
                const Centres& centres, const BucketOptions& options, Buckets& buckets) {
  std::vector<NearestCentre> search;
  for (const Points& points : centres.centres) search.emplace_back(points, features.metric);
  describe_hands(street, features, Sample::everything(street.num_classes()), options,
                 "buckets of all hands",
                 [&](uint16_t combo, uint32_t class_number, const float* row) {
                   const size_t group = sharing.group(combo);
                   buckets.bucket[class_number] =
                       static_cast<uint16_t>(centres.begin[group] + search[group].nearest(row));
                 });
}

void copy_centres(const Centres& centres, Buckets& buckets) {
  for (const Points& points : centres.centres) {
    buckets.dimensions = static_cast<int>(points.dimensions);
    for (size_t c = 0; c < points.count; ++c) {
      buckets.centres.insert(buckets.centres.end(), points.row(c),
                             points.row(c) + points.dimensions);
    }
  }
}

}  // namespace

Street::Street(int board_cards) : boards_(board_cards), index_({2, board_cards}) {}

Street::Hands Street::hands(size_t board) const {
  Hands hands{.combos = hands_on(boards_[board]), .classes = {}};
  for (const uint16_t combo : hands.combos) {
    const uint64_t number = index_.index({combo_cards(combo), boards_[board]});
    hands.classes.push_back(static_cast<uint32_t>(number));
  }
  return hands;
}

Sample::Sample(size_t from, size_t size, uint64_t seed)
    : from_(from), size_(std::min(from, size)), words_((from + 63) / 64) {
  core::Random random(seed);
  // Knuth's selection sampling: each number with the chance that is left.
  size_t wanted = size_;
  for (size_t i = 0; i < from && wanted > 0; ++i) {
    if (wanted < from - i && random.below(from - i) >= wanted) continue;
    words_[i / 64] |= uint64_t{1} << (i % 64);
    --wanted;
  }
  uint32_t before = 0;
  for (const uint64_t word : words_) {
    before_.push_back(before);
    before += static_cast<uint32_t>(std::popcount(word));
  }
}

size_t Sample::place(size_t number) const {
  const uint64_t below = words_[number / 64] & ((uint64_t{1} << (number % 64)) - 1);
  return before_[number / 64] + static_cast<size_t>(std::popcount(below));
}

void describe_hands(const Street& street, const Features& features, const Sample& sample,
                    const BucketOptions& options, std::string_view doing, const VisitHand& visit) {
  options.for_each_part(street.boards().size(), doing, [&](size_t board) {
    Street::Hands hands = street.hands(board);
    size_t kept = 0;
    for (size_t i = 0; i < hands.combos.size(); ++i) {
      if (!sample.contains(hands.classes[i])) continue;
      hands.combos[kept] = hands.combos[i];
      hands.classes[kept++] = hands.classes[i];
    }
    if (kept == 0) return;
    hands.combos.resize(kept);
    Points rows(kept, features.dimensions);
    features.describe(street.boards()[board], hands.combos, rows);
    for (size_t i = 0; i < kept; ++i) visit(hands.combos[i], hands.classes[i], rows.row(i));
  });
}

std::vector<uint32_t> share_out(uint32_t total, std::span<const uint64_t> weights) {
  assert(total >= weights.size());
  const uint64_t sum = std::accumulate(weights.begin(), weights.end(), uint64_t{0});
  std::vector<uint32_t> shares(weights.size());
  std::vector<double> missing(weights.size());  // what it should have and has not
  int64_t left = total;
  for (size_t i = 0; i < weights.size(); ++i) {
    const double exact =
        static_cast<double>(total) * static_cast<double>(weights[i]) / static_cast<double>(sum);
    shares[i] = std::max(1U, static_cast<uint32_t>(exact));
    missing[i] = exact - shares[i];
    left -= shares[i];
  }
  for (; left > 0; --left) {
    const size_t i =
        static_cast<size_t>(std::max_element(missing.begin(), missing.end()) - missing.begin());
    ++shares[i];
    --missing[i];
  }
  for (; left < 0; ++left) {
    size_t most = weights.size();
    for (size_t i = 0; i < weights.size(); ++i) {
      if (shares[i] > 1 && (most == weights.size() || missing[i] < missing[most])) most = i;
    }
    --shares[most];
    ++missing[most];
  }
  return shares;
}

Buckets cluster_street(const Street& street, const Features& features, const Clustering& clustering,
                       const BucketOptions& options) {
  const Sharing sharing{clustering.by_preflop_class};
  Buckets buckets{.board_cards = street.boards().cards_per_board(),
                  .count = clustering.buckets,
                  .bucket = std::vector<uint16_t>(street.num_classes())};
  const Sample sample(street.num_classes(), clustering.sample, options.seed);
  Centres centres;
  {
    const Training training = describe_sample(street, features, sharing, sample, options);
    centres = find_centres(training, features.metric,
                           share_out(clustering.buckets, classes_by_group(street, sharing)),
                           clustering.iterations, options);
  }
  if (sample.is_everything()) {
    std::copy(centres.bucket.begin(), centres.bucket.end(), buckets.bucket.begin());
  } else {
    assign_all(street, features, sharing, centres, options, buckets);
  }
  copy_centres(centres, buckets);
  return buckets;
}

}  // namespace cleave::poker
