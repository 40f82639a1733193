#include "poker/abstraction/buckets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "core/error.h"
#include "core/random.h"
#include "core/threads.h"
#include "poker/abstraction/potential.h"
#include "poker/abstraction/store.h"
#include "poker/abstraction/street.h"

namespace cleave::poker {
namespace {

const std::vector<std::string> kStreets = {"flop", "turn", "river"};  // [board cards - 3]

struct BucketingKind;

// A spec that has been read.
struct Bucketing {
  const BucketingKind& kind;
  int board_cards = 3;
  uint32_t buckets = 0;
  std::string canonical = {};
  std::map<std::string, int64_t> number = {};  // further parameters of the kind

  Clustering clustering() const {
    return {.buckets = buckets,
            .iterations = static_cast<int>(number.at("iterations")),
            .sample = static_cast<size_t>(number.at("sample"))};
  }
  int bins() const { return static_cast<int>(number.at("bins")); }
};

struct NumberParam {
  std::string name;
  int64_t fallback;
  int64_t low;
  int64_t high;
  std::string help;
};

struct BucketingKind {
  std::string name;
  std::string summary;
  std::vector<std::string> streets;  // the first is the default
  int64_t fewest_buckets;
  std::vector<NumberParam> params;
  Buckets (*make)(const Bucketing& bucketing, const BucketOptions& options);
};

std::shared_ptr<const RiverBins> make_bins(const Bucketing& bucketing,
                                           const BucketOptions& options) {
  return std::make_shared<const RiverBins>(bucketing.bins(), options);
}

Buckets make_emd(const Bucketing& bucketing, const BucketOptions& options) {
  return cluster_street(Street(bucketing.board_cards),
                        make_histogram_features(make_bins(bucketing, options)),
                        bucketing.clustering(), options);
}

Buckets make_perfect_recall(const Bucketing& bucketing, const BucketOptions& options) {
  Clustering clustering = bucketing.clustering();
  clustering.by_preflop_class = true;
  return cluster_street(Street(bucketing.board_cards),
                        make_histogram_features(make_bins(bucketing, options)), clustering,
                        options);
}

Buckets make_potential(const Bucketing& bucketing, const BucketOptions& options) {
  const std::string next = fmt::format("emd(street={},buckets={},bins={})",
                                       kStreets[static_cast<size_t>(bucketing.board_cards - 2)],
                                       bucketing.number.at("next"), bucketing.bins());
  return cluster_by_potential(Street(bucketing.board_cards), make_buckets(next, options),
                              bucketing.clustering(), options);
}

Buckets make_strength(const Bucketing& bucketing, const BucketOptions& options) {
  return cluster_street(Street(bucketing.board_cards), make_strength_features(),
                        bucketing.clustering(), options);
}

Buckets make_ochs(const Bucketing& bucketing, const BucketOptions& options) {
  const OpponentGroups groups = make_opponent_groups(*make_bins(bucketing, options), options);
  return cluster_street(Street(bucketing.board_cards), make_opponent_features(groups),
                        bucketing.clustering(), options);
}

Buckets make_random(const Bucketing& bucketing, const BucketOptions& options) {
  core::Random random(options.seed);
  Buckets buckets{.board_cards = bucketing.board_cards, .count = bucketing.buckets};
  buckets.bucket.resize(HandIndex({2, bucketing.board_cards}).size(1));
  for (uint16_t& bucket : buckets.bucket) {
    bucket = static_cast<uint16_t>(random.below(bucketing.buckets));
  }
  return buckets;
}

const std::vector<BucketingKind>& bucketing_kinds() {
  const NumberParam bins = {"bins", 50, 2, 254, "bins of the histogram of equity"};
  const NumberParam iterations = {"iterations", 100, 0, 100'000, "most iterations of k-means"};
  const NumberParam sample = {"sample", 1'500'000, 1, 1'000'000'000,
                              "classes that k-means sees, drawn by the seed; all others go to the "
                              "nearest centre"};
  static const std::vector<BucketingKind> kinds = {
      {"emd",
       "k-means by earth mover's distance between histograms of the equity at the end",
       {"flop", "turn"},
       1,
       {bins, iterations, sample},
       make_emd},
      {"perfect-recall",
       "as emd, but each of the 169 hands before the flop has buckets of its own",
       {"flop", "turn"},
       kNumPreflopClasses,
       {bins, iterations, sample},
       make_perfect_recall},
      {"potential",
       "k-means by the distribution over buckets of the turn, which are made by emd",
       {"flop"},
       1,
       {{"next", 200, 2, 5000, "buckets of the turn"},
        bins,
        {"iterations", 50, 0, 100'000, iterations.help},
        {"sample", 100'000, 1, 1'000'000'000, sample.help}},
       make_potential},
      {"strength",
       "k-means by equity against a random hand if no more cards came",
       {"flop", "turn", "river"},
       1,
       {iterations, sample},
       make_strength},
      {"ochs",
       "k-means by equities against eight groups of hands (opponent cluster hand strength)",
       {"river"},
       1,
       {bins, iterations, sample},
       make_ochs},
      {"random", "a random bucket for each hand", {"flop", "turn", "river"}, 1, {}, make_random}};
  return kinds;
}

const BucketingKind& find_kind(const std::string& name) {
  std::vector<std::string> names;
  for (const BucketingKind& kind : bucketing_kinds()) {
    if (kind.name == name) return kind;
    names.push_back(kind.name);
  }
  throw core::InputError(
      fmt::format("there is no bucketing '{}'; there are {}", name, fmt::join(names, ", ")));
}

std::vector<core::ParamInfo> params_of(const BucketingKind& kind) {
  std::vector<core::ParamInfo> params = {
      {"street", kind.streets[0], fmt::format("{}", fmt::join(kind.streets, ", "))},
      {"buckets", "200", fmt::format("how many, from {} to 65535", kind.fewest_buckets)}};
  for (const NumberParam& param : kind.params) {
    params.push_back({param.name, std::to_string(param.fallback), param.help});
  }
  return params;
}

Bucketing read_spec(std::string_view text) {
  core::Call call = core::parse_call(text);
  const BucketingKind& kind = find_kind(call.name);
  core::Params params(fmt::format("bucketing '{}'", kind.name), std::move(call.arguments));
  const std::string street = params.choice("street", kind.streets[0], kind.streets);
  const auto place = std::find(kStreets.begin(), kStreets.end(), street) - kStreets.begin();
  const int64_t buckets = params.integer("buckets", 200, kind.fewest_buckets, 65535);
  Bucketing bucketing{
      .kind = kind,
      .board_cards = 3 + static_cast<int>(place),
      .buckets = static_cast<uint32_t>(buckets),
      .canonical = fmt::format("{}(street={},buckets={}", kind.name, street, buckets)};
  for (const NumberParam& param : kind.params) {
    const int64_t value = params.integer(param.name, param.fallback, param.low, param.high);
    bucketing.number[param.name] = value;
    bucketing.canonical += fmt::format(",{}={}", param.name, value);
  }
  params.finish(params_of(kind));
  bucketing.canonical += ")";
  return bucketing;
}

}  // namespace

const std::vector<BucketingInfo>& all_bucketings() {
  static const std::vector<BucketingInfo> infos = [] {
    std::vector<BucketingInfo> list;
    for (const BucketingKind& kind : bucketing_kinds()) {
      list.push_back({.name = kind.name, .summary = kind.summary, .params = params_of(kind)});
    }
    return list;
  }();
  return infos;
}

std::string canonical_bucketing(std::string_view spec) { return read_spec(spec).canonical; }

Buckets make_buckets(std::string_view text, const BucketOptions& options) {
  const Bucketing spec = read_spec(text);
  if (options.folder.empty()) return spec.kind.make(spec, options);
  if (auto stored = load_buckets(options.folder, spec.canonical, options.seed)) {
    return *std::move(stored);
  }
  Buckets buckets = spec.kind.make(spec, options);
  save_buckets(options.folder, spec.canonical, options.seed, buckets);
  return buckets;
}

void BucketOptions::check_stop(std::string_view doing) const {
  if (is_stopped()) throw core::RunError(fmt::format("stopped while making buckets: {}", doing));
}

void BucketOptions::for_each_part(size_t count, std::string_view doing,
                                  const std::function<void(size_t)>& task) const {
  if (progress) progress(std::string(doing));
  core::parallel_for(count, threads, [&](size_t i) {
    if (!is_stopped()) task(i);
  });
  check_stop(doing);
}

}  // namespace cleave::poker
