#include "poker/abstraction/buckets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <map>
#include <span>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/random.h"
#include "core/threads.h"
#include "poker/abstraction/potential.h"
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

Features histogram_of(const Bucketing& bucketing, const BucketOptions& options) {
  return make_histogram_features(make_bins(bucketing, options));
}

Features strength_of_hand(const Bucketing&, const BucketOptions&) {
  return make_strength_features();
}

Features equities_of(const Bucketing& bucketing, const BucketOptions& options) {
  return make_opponent_features(make_opponent_groups(*make_bins(bucketing, options), options));
}

// k-means by some features.
template <auto kFeatures, bool kByPreflopClass = false>
Buckets make_by(const Bucketing& bucketing, const BucketOptions& options) {
  Clustering clustering = bucketing.clustering();
  clustering.by_preflop_class = kByPreflopClass;
  return cluster_street(Street(bucketing.board_cards), kFeatures(bucketing, options), clustering,
                        options);
}

Buckets make_potential(const Bucketing& bucketing, const BucketOptions& options) {
  const std::string next = fmt::format("emd(street={},buckets={},bins={})",
                                       kStreets[static_cast<size_t>(bucketing.board_cards - 2)],
                                       bucketing.number.at("next"), bucketing.bins());
  return cluster_by_potential(Street(bucketing.board_cards), make_buckets(next, options),
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
       make_by<histogram_of>},
      {"perfect-recall",
       "as emd, but each of the 169 hands before the flop has buckets of its own",
       {"flop", "turn"},
       kNumPreflopClasses,
       {bins, iterations, sample},
       make_by<histogram_of, true>},
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
       make_by<strength_of_hand>},
      {"ochs",
       "k-means by equities against eight groups of hands (opponent cluster hand strength)",
       {"river"},
       1,
       {bins, iterations, sample},
       make_by<equities_of>},
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

// The file: this, the spec, the buckets, the centres.
struct BucketHeader {
  std::array<char, 16> magic = {'c', 'l', 'e', 'a', 'v', 'e', ' ', 'b',
                                'u', 'c', 'k', 'e', 't', 's', ' ', '1'};
  uint64_t seed = 0;
  uint64_t board_cards = 0;
  uint64_t buckets = 0;
  uint64_t classes = 0;
  uint64_t dimensions = 0;
  uint64_t num_centre_values = 0;
  uint64_t spec_length = 0;
  std::array<uint64_t, 2> checksum = {};  // of everything but itself
};

std::array<uint64_t, 2> checksum_of(BucketHeader header,
                                    std::span<const std::span<const char>> parts) {
  header.checksum = {};
  core::Hasher hasher;
  hasher.add_bytes(std::as_bytes(std::span(&header, 1)));
  for (const std::span<const char> part : parts) hasher.add_bytes(std::as_bytes(part));
  const core::Hash128 hash = hasher.finish();
  return {hash.hi, hash.lo};
}

template <typename T>
std::span<const char> chars_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// What follows the header.
std::array<std::span<const char>, 3> parts_of(std::string_view spec, const Buckets& buckets) {
  return {spec, chars_of(buckets.bucket), chars_of(buckets.centres)};
}

// Takes so many values off the front of `bytes`, if they are there.
template <typename T>
bool take_values(std::string_view& bytes, uint64_t count, std::vector<T>& values) {
  if (count > bytes.size() / sizeof(T)) return false;
  values.resize(count);
  if (count != 0) std::memcpy(values.data(), bytes.data(), count * sizeof(T));
  bytes.remove_prefix(count * sizeof(T));
  return true;
}

std::optional<Buckets> read_buckets(std::string_view bytes, std::string_view spec, uint64_t seed) {
  BucketHeader header;
  if (bytes.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  bytes.remove_prefix(sizeof header);
  if (header.magic != BucketHeader{}.magic || header.seed != seed) return std::nullopt;
  if (header.spec_length != spec.size() || !bytes.starts_with(spec)) return std::nullopt;
  bytes.remove_prefix(spec.size());

  Buckets buckets{.board_cards = static_cast<int>(header.board_cards),
                  .count = static_cast<uint32_t>(header.buckets),
                  .dimensions = static_cast<int>(header.dimensions)};
  if (!take_values(bytes, header.classes, buckets.bucket) ||
      !take_values(bytes, header.num_centre_values, buckets.centres) || !bytes.empty()) {
    return std::nullopt;
  }
  if (header.checksum != checksum_of(header, parts_of(spec, buckets))) return std::nullopt;
  return buckets;
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

std::string bucket_path(const std::string& folder, const std::string& spec, uint64_t seed) {
  std::string name = spec;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '(' || c == ',' || c == '/'; }, '-');
  std::erase(name, ')');
  return fmt::format("{}/{}-seed={}.buckets", folder, name, seed);
}

std::optional<Buckets> load_buckets(const std::string& folder, const std::string& spec,
                                    uint64_t seed) {
  try {
    return read_buckets(core::read_file(bucket_path(folder, spec, seed)), spec, seed);
  } catch (const core::InputError&) {
    return std::nullopt;  // not there, or not to be read: it is made and written again
  }
}

void save_buckets(const std::string& folder, const std::string& spec, uint64_t seed,
                  const Buckets& buckets) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw core::RunError(fmt::format("{}: cannot be made: {}", folder, error.message()));
  }
  BucketHeader header{.seed = seed,
                      .board_cards = static_cast<uint64_t>(buckets.board_cards),
                      .buckets = buckets.count,
                      .classes = buckets.bucket.size(),
                      .dimensions = static_cast<uint64_t>(buckets.dimensions),
                      .num_centre_values = buckets.centres.size(),
                      .spec_length = spec.size()};
  const auto parts = parts_of(spec, buckets);
  header.checksum = checksum_of(header, parts);
  const std::span bytes(reinterpret_cast<const char*>(&header), sizeof header);
  const std::array<std::span<const char>, 4> file = {bytes, parts[0], parts[1], parts[2]};
  core::write_file_atomically(bucket_path(folder, spec, seed), file);
}

}  // namespace cleave::poker
