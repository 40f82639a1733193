#include "tree/strategy_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <iterator>
#include <string_view>
#include <unordered_map>

#include "core/csv.h"
#include "core/error.h"
#include "core/file.h"
#include "core/number.h"
#include "tree/archive.h"

namespace cleave::tree {
namespace {

constexpr std::string_view kHeader = "player,infoset,action,probability";
constexpr size_t kColumns = 4;
constexpr std::string_view kFormat = "cleave strategy 1";
constexpr double kTolerance = 1e-6;  // of a sum of probabilities
constexpr double kRounding = 1e-12;  // what adding up doubles may be off by

enum class Format { kCsv, kHdf5 };

Format format_of(const std::string& path) {
  const std::string extension = core::extension_of(path);
  if (extension == ".csv") return Format::kCsv;
  if (extension == ".h5" || extension == ".hdf5") return Format::kHdf5;
  throw core::InputError(fmt::format(
      "{}: a strategy file cannot end in '{}'; allowed are .csv, .h5 and .hdf5", path, extension));
}

// Both formats end up here. Empty or what is wrong with the information set; scales it to sum 1.
std::string settle(std::span<double> probabilities) {
  double sum = 0;
  for (const double p : probabilities) sum += p;
  if (!(std::abs(sum - 1) <= kTolerance)) {
    return fmt::format("sum to {}; allowed is 1 with an error of at most {}", sum, kTolerance);
  }
  if (std::abs(sum - 1) > kRounding) {
    for (double& p : probabilities) p /= sum;
  }
  return {};
}

std::span<double> of_set(const Tree& tree, Strategy& strategy, uint32_t set) {
  return std::span(strategy).subspan(tree.slot_begin[set], tree.num_actions(set));
}

// ---- CSV ----

void write_csv(const Labels& labels, const Tree& tree, const Strategy& strategy,
               const std::string& path) {
  core::write_file_atomically(path, [&](std::ostream& stream) {
    std::string out;
    const auto pass_on = [&] {
      stream.write(out.data(), static_cast<std::streamsize>(out.size()));
      out.clear();
    };
    out.append(kHeader).push_back('\n');
    for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
      for (uint32_t slot = tree.slot_begin[set]; slot < tree.slot_begin[set + 1]; ++slot) {
        fmt::format_to(std::back_inserter(out), "{},", tree.player(set) + 1);
        core::append_csv_field(out, labels.infoset[set]);
        out += ',';
        core::append_csv_field(out, labels.action[slot]);
        fmt::format_to(std::back_inserter(out), ",{}\n", strategy[slot]);
      }
      if (out.size() > (1 << 16)) pass_on();
    }
    pass_on();
  });
}

using SetsByLabel = std::unordered_map<std::string_view, uint32_t>;

std::array<SetsByLabel, 2> index_sets(const Labels& labels, const Tree& tree) {
  std::array<SetsByLabel, 2> index;
  for (size_t player = 0; player < 2; ++player) {
    for (uint32_t set = tree.infoset_begin[player]; set < tree.infoset_begin[player + 1]; ++set) {
      index[player].emplace(labels.infoset[set], set);
    }
  }
  return index;
}

// Player, information set and action of a row, in words.
std::string describe(const Labels& labels, const Tree& tree, uint32_t set, uint32_t slot) {
  return fmt::format("player {}, infoset '{}', action '{}'", tree.player(set) + 1,
                     labels.infoset[set], labels.action[slot]);
}

uint32_t find_set(const core::CsvReader& csv, const std::vector<std::string>& fields,
                  const std::array<SetsByLabel, 2>& index) {
  if (fields[0] != "1" && fields[0] != "2") {
    csv.fail(fmt::format("player '{}'; allowed are 1 and 2", fields[0]));
  }
  const SetsByLabel& sets = index[fields[0] == "1" ? 0 : 1];
  const auto found = sets.find(fields[1]);
  if (found == sets.end()) {
    csv.fail(
        fmt::format("player {} has no information set '{}'; allowed are the {} labels that "
                    "this game's strategy files and its exported .efg have",
                    fields[0], fields[1], sets.size()));
  }
  return found->second;
}

uint32_t find_slot(const core::CsvReader& csv, const std::string& action, const Labels& labels,
                   const Tree& tree, uint32_t set) {
  const auto begin = labels.action.begin() + tree.slot_begin[set];
  const auto end = labels.action.begin() + tree.slot_begin[set + 1];
  const auto found = std::find(begin, end, action);
  if (found == end) {
    csv.fail(fmt::format("information set '{}' has no action '{}'; allowed are {}",
                         labels.infoset[set], action, fmt::join(begin, end, ", ")));
  }
  return static_cast<uint32_t>(found - labels.action.begin());
}

double parse_probability(const core::CsvReader& csv, const std::string& text) {
  const auto value = core::parse_number<double>(text);
  if (!value || !(*value >= 0 && *value <= 1 + kTolerance)) {
    csv.fail(fmt::format("probability '{}'; allowed are numbers from 0 to 1", text));
  }
  return *value + 0.0;  // -0 becomes 0
}

Strategy read_csv(const Labels& labels, const Tree& tree, const std::string& path) {
  const std::string text = core::read_file(path);
  core::CsvReader csv(text, path);
  csv.expect_header(kHeader, "strategy");
  const auto index = index_sets(labels, tree);
  Strategy strategy(tree.num_slots());
  std::vector<size_t> line_of(tree.num_slots(), 0);
  std::vector<std::string> fields;
  while (csv.next(fields)) {
    if (fields.size() != kColumns) {
      csv.fail(fmt::format("{} fields; allowed are {}: {}", fields.size(), kColumns, kHeader));
    }
    const uint32_t set = find_set(csv, fields, index);
    const uint32_t slot = find_slot(csv, fields[2], labels, tree, set);
    if (line_of[slot] != 0) {
      csv.fail(fmt::format("{} is already in line {}; allowed is one row for each action",
                           describe(labels, tree, set, slot), line_of[slot]));
    }
    line_of[slot] = csv.line();
    strategy[slot] = parse_probability(csv, fields[3]);
  }
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    size_t last_line = 0;
    for (uint32_t slot = tree.slot_begin[set]; slot < tree.slot_begin[set + 1]; ++slot) {
      if (line_of[slot] == 0) {
        csv.fail(
            fmt::format("the file ends without a row for {} ({} of {} rows are missing); "
                        "every action of every information set needs one",
                        describe(labels, tree, set, slot), std::ranges::count(line_of, size_t{0}),
                        line_of.size()));
      }
      last_line = std::max(last_line, line_of[slot]);
    }
    const std::string wrong = settle(of_set(tree, strategy, set));
    if (!wrong.empty()) {
      csv.fail_at(last_line, fmt::format("probabilities of player {}, infoset '{}' {}",
                                         tree.player(set) + 1, labels.infoset[set], wrong));
    }
  }
  return strategy;
}

// ---- HDF5 ----

void append_line(std::string& out, std::string_view label) {
  for (const char c : label) {
    switch (c) {
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        out += c;
    }
  }
  out += '\n';
}

void write_hdf5(const Labels& labels, const Tree& tree, const Strategy& strategy,
                const std::string& path) {
  Archive archive;
  archive.texts["format"] = kFormat;
  archive.texts["game"] = tree.name;
  archive.words["fingerprint"] = fingerprint_words(tree);
  archive.reals["probability"] = strategy;
  archive.words["row_begin"].assign(tree.slot_begin.begin(), tree.slot_begin.end());

  std::vector<uint64_t>& player = archive.words["player"];
  std::string& infosets = archive.texts["infosets"];
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    player.push_back(static_cast<uint64_t>(tree.player(set)) + 1);
    append_line(infosets, labels.infoset[set]);
  }
  // A game has few different actions at its many information sets: each is written once.
  std::vector<uint64_t>& action = archive.words["action"];
  std::string& actions = archive.texts["actions"];
  std::unordered_map<std::string_view, uint64_t> line_of;
  for (const std::string& label : labels.action) {
    const auto [found, is_new] = line_of.emplace(label, line_of.size());
    if (is_new) append_line(actions, label);
    action.push_back(found->second);
  }
  write_archive(archive, path);
}

Strategy from_archive(const Archive& archive, const Tree& tree) {
  if (archive.text("format") != kFormat) {
    throw core::InputError(
        fmt::format("format '{}'; allowed is '{}'", archive.text("format"), kFormat));
  }
  if (archive.word("fingerprint") != fingerprint_words(tree)) {
    throw core::InputError(fmt::format(
        "the strategy is for '{}', not for this game ('{}') or not for its present rules; allowed "
        "is a strategy of the same game",
        archive.text("game"), tree.name));
  }
  Strategy strategy = archive.real("probability", tree.num_slots());
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    const auto probabilities = of_set(tree, strategy, set);
    std::string wrong;
    for (double& p : probabilities) {
      if (!(p >= 0)) wrong = fmt::format("contain {}; allowed are numbers from 0 to 1", p);
    }
    if (wrong.empty()) wrong = settle(probabilities);
    if (!wrong.empty()) {
      throw core::InputError(fmt::format("probabilities {} to {} {}", tree.slot_begin[set],
                                         tree.slot_begin[set + 1] - 1, wrong));
    }
  }
  return strategy;
}

Strategy read_hdf5(const Tree& tree, const std::string& path) {
  const Archive archive = read_archive(path);
  try {
    return from_archive(archive, tree);
  } catch (const core::InputError& error) {
    throw core::InputError(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace

void check_strategy_path(const std::string& path) { format_of(path); }

void write_strategy(const games::Game& game, const Tree& tree, const Strategy& strategy,
                    const std::string& path) {
  assert(strategy.size() == tree.num_slots());
  const Format format = format_of(path);
  const Labels labels = make_labels(game, tree);
  if (format == Format::kCsv) {
    write_csv(labels, tree, strategy, path);
  } else {
    write_hdf5(labels, tree, strategy, path);
  }
}

Strategy read_strategy(const games::Game& game, const Tree& tree, const std::string& path) {
  if (format_of(path) == Format::kHdf5) return read_hdf5(tree, path);
  return read_csv(make_labels(game, tree), tree, path);
}

}  // namespace cleave::tree
