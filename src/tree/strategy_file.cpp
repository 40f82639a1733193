#include "tree/strategy_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string_view>
#include <unordered_map>

#include "core/csv.h"
#include "core/error.h"
#include "core/file.h"
#include "core/number.h"
#include "tree/strategy_hdf5.h"

namespace cleave::tree {
namespace {

constexpr std::string_view kHeader = "player,infoset,action,probability";
constexpr size_t kColumns = 4;
constexpr std::string_view kCellsHeader = "player,infoset,cell";

enum class Format { kCsv, kHdf5 };

Format format_of(const std::string& path) {
  const std::string extension = core::extension_of(path);
  if (extension == ".csv") return Format::kCsv;
  if (extension == ".h5" || extension == ".hdf5") return Format::kHdf5;
  throw core::InputError(fmt::format(
      "{}: a strategy file cannot end in '{}'; allowed are .csv, .h5 and .hdf5", path, extension));
}

std::span<double> of_set(const Tree& tree, Strategy& strategy, uint32_t set) {
  return std::span(strategy).subspan(tree.slot_begin[set], tree.num_actions(set));
}

// ---- CSV ----

// The header, then what `append_rows` has for each information set.
void write_table(const Tree& tree, std::string_view header, const std::string& path,
                 const std::function<void(std::string& out, uint32_t set)>& append_rows) {
  core::write_file_atomically(path, [&](std::ostream& stream) {
    std::string out;
    const auto pass_on = [&] {
      stream.write(out.data(), static_cast<std::streamsize>(out.size()));
      out.clear();
    };
    out.append(header).push_back('\n');
    for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
      append_rows(out, set);
      if (out.size() > (1 << 16)) pass_on();
    }
    pass_on();
  });
}

// "1,K:cb,": how every row begins.
void append_set(std::string& out, const Labels& labels, const Tree& tree, uint32_t set) {
  fmt::format_to(std::back_inserter(out), "{},", tree.player(set) + 1);
  core::append_csv_field(out, labels.infoset[set]);
  out += ',';
}

void write_csv(const Labels& labels, const Tree& tree, const Strategy& strategy,
               const std::string& path) {
  write_table(tree, kHeader, path, [&](std::string& out, uint32_t set) {
    for (uint32_t slot = tree.slot_begin[set]; slot < tree.slot_begin[set + 1]; ++slot) {
      append_set(out, labels, tree, set);
      core::append_csv_field(out, labels.action[slot]);
      fmt::format_to(std::back_inserter(out), ",{}\n", strategy[slot]);
    }
  });
}

void write_cells(const Labels& labels, const Tree& tree, std::span<const uint32_t> cell,
                 const std::string& path) {
  write_table(tree, kCellsHeader, path, [&](std::string& out, uint32_t set) {
    append_set(out, labels, tree, set);
    fmt::format_to(std::back_inserter(out), "{}\n", cell[set]);
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
  if (!value || !(*value >= 0 && *value <= 1 + kSumTolerance)) {
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

// Cells numbered from 0 in the order of their first sets: the same abstraction gives the same file,
// whatever its cells were called.
std::vector<uint32_t> in_order_of_sets(const Tree& tree, std::span<const uint32_t> cell) {
  std::array<std::unordered_map<uint32_t, uint32_t>, 2> number_of;  // [player]: of a cell
  std::vector<uint32_t> numbered(cell.size());
  uint32_t next = 0;
  for (uint32_t set = 0; set < cell.size(); ++set) {
    auto& numbers = number_of[static_cast<size_t>(tree.player(set))];
    const auto [found, is_new] = numbers.try_emplace(cell[set], next);
    if (is_new) ++next;
    numbered[set] = found->second;
  }
  return numbered;
}

Strategy read_from_archive(const Tree& tree, const std::string& path) {
  const Archive archive = read_archive(path);
  try {
    return strategy_in(archive, tree);
  } catch (const core::InputError& error) {
    throw core::InputError(fmt::format("{}: {}", path, error.what()));
  }
}

}  // namespace

void check_strategy_path(const std::string& path) { format_of(path); }

std::string cells_path(const std::string& path) {
  if (format_of(path) == Format::kHdf5) return {};
  return std::filesystem::path(path).replace_extension(".cells.csv").string();
}

void write_strategy(const games::Game& game, const Tree& tree, const Strategy& strategy,
                    const std::string& path) {
  assert(strategy.size() == tree.num_slots());
  const Format format = format_of(path);
  const Labels labels = make_labels(game, tree);
  if (format == Format::kCsv) {
    write_csv(labels, tree, strategy, path);
  } else {
    write_archive(strategy_archive(labels, tree, strategy), path);
  }
}

void write_abstract_strategy(const games::Game& game, const Tree& tree,
                             std::span<const uint32_t> cell, const Strategy& strategy,
                             const std::string& path) {
  assert(strategy.size() == tree.num_slots() && cell.size() == tree.num_infosets());
  const std::vector<uint32_t> numbered = in_order_of_sets(tree, cell);
  if (format_of(path) == Format::kHdf5) {
    write_archive(abstract_strategy_archive(tree, numbered, strategy), path);
    return;
  }
  const Labels labels = make_labels(game, tree);
  write_cells(labels, tree, numbered, cells_path(path));
  write_csv(labels, tree, strategy, path);
}

Strategy read_strategy(const games::Game& game, const Tree& tree, const std::string& path) {
  if (format_of(path) == Format::kHdf5) return read_from_archive(tree, path);
  return read_csv(make_labels(game, tree), tree, path);
}

}  // namespace cleave::tree
