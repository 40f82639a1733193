#include "tree/strategy_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <filesystem>
#include <functional>
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
constexpr std::string_view kCellsHeader = "player,infoset,cell";
constexpr std::string_view kWholeForm = "cleave strategy 1";
constexpr std::string_view kAbstractForm = "cleave abstract strategy 1";
constexpr double kRounding = 1e-12;     // what adding up doubles may be off by
constexpr double kSumTolerance = 1e-6;  // of the probabilities of an information set

// Whether an archive, not .csv.
bool is_archive(const std::string& path) {
  const std::string extension = core::extension_of(path);
  if (extension == ".csv") return false;
  if (extension == ".h5" || extension == ".hdf5") return true;
  core::reject("{}: a strategy file cannot end in '{}'; allowed are .csv, .h5 and .hdf5", path,
               extension);
}

// Empty, or what is wrong with the probabilities of one information set; scales them to sum 1.
std::string settle(std::span<double> probabilities) {
  double sum = 0;
  for (const double p : probabilities) sum += p;
  if (!(std::abs(sum - 1) <= kSumTolerance)) {
    return fmt::format("sum to {}; allowed is 1 with an error of at most {}", sum, kSumTolerance);
  }
  if (std::abs(sum - 1) > kRounding) {
    for (double& p : probabilities) p /= sum;
  }
  return {};
}

// ---- CSV ----

// The header, then what `append_rows` has for each information set.
void write_table(const Tree& tree, std::string_view header, const std::string& path,
                 const std::function<void(std::string& out, uint32_t set)>& append_rows) {
  core::write_file_atomically(path, [&](std::ostream& stream) {
    stream << header << '\n';
    std::string rows;
    for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
      rows.clear();
      append_rows(rows, set);
      stream << rows;
    }
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
        fmt::format("player {} has no information set '{}'; allowed are the {} labels that this "
                    "game's strategy files and its exported .efg have",
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
            fmt::format("the file ends without a row for {} ({} of {} rows are missing); every "
                        "action of every information set needs one",
                        describe(labels, tree, set, slot), std::ranges::count(line_of, size_t{0}),
                        line_of.size()));
      }
      last_line = std::max(last_line, line_of[slot]);
    }
    const std::string wrong =
        settle(std::span(strategy).subspan(tree.slot_begin[set], tree.num_actions(set)));
    if (!wrong.empty()) {
      csv.fail_at(last_line, fmt::format("probabilities of player {}, infoset '{}' {}",
                                         tree.player(set) + 1, labels.infoset[set], wrong));
    }
  }
  return strategy;
}

// ---- HDF5 ----

Archive bound_to(const Tree& tree, std::string_view form) {
  Archive archive;
  archive.texts["format"] = form;
  archive.texts["game"] = tree.name;
  archive.words["fingerprint"] = fingerprint_words(tree);
  return archive;
}

// In the manner of C: a label stays on its line.
void append_line(std::string& out, std::string_view label) {
  constexpr std::string_view kSpecial = "\\\n\r", kEscaped = "\\nr";
  for (const char c : label) {
    const size_t special = kSpecial.find(c);
    if (special != kSpecial.npos) out += '\\';
    out += special == kSpecial.npos ? c : kEscaped[special];
  }
  out += '\n';
}

// Rows `begin` to `end` are the probabilities of one information set or cell.
void settle_rows(std::vector<double>& probability, size_t begin, size_t end) {
  const auto rows = std::span(probability).subspan(begin, end - begin);
  std::string wrong;
  for (const double p : rows) {
    if (!(p >= 0)) wrong = fmt::format("contain {}; allowed are numbers from 0 to 1", p);
  }
  if (wrong.empty()) wrong = settle(rows);
  if (!wrong.empty()) {
    core::reject("probabilities {} to {} {}", begin, end - 1, wrong);
  }
}

Strategy whole_strategy(const Archive& archive, const Tree& tree) {
  Strategy strategy = archive.real("probability", tree.num_slots());
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    settle_rows(strategy, tree.slot_begin[set], tree.slot_begin[set + 1]);
  }
  return strategy;
}

// Throws InputError unless each cell has rows of its own and together they are all there are.
void check_rows(const std::vector<uint64_t>& row_begin, size_t rows) {
  const bool whole = !row_begin.empty() && row_begin.front() == 0 && row_begin.back() == rows;
  if (!whole || std::ranges::adjacent_find(row_begin, std::greater_equal()) != row_begin.end()) {
    core::reject(
        "row_begin does not divide the {} probabilities into cells; allowed are numbers that rise "
        "from 0 to {}",
        rows, rows);
  }
}

// Throws InputError unless all sets of a cell can play as the cell does.
void check_cells(const std::vector<uint64_t>& cell, const std::vector<uint64_t>& row_begin,
                 const Tree& tree) {
  const size_t cells = row_begin.size() - 1;
  std::vector<uint32_t> first_set(cells, kNone);
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    const uint64_t c = cell[set];
    if (c >= cells) {
      core::reject("information set {} is in cell {}; allowed are cells 0 to {}", set, c,
                   cells - 1);
    }
    if (row_begin[c + 1] - row_begin[c] != tree.num_actions(set)) {
      core::reject(
          "cell {} has {} probabilities, but information set {} in it has {} actions; allowed are "
          "sets with one action for each probability of their cell",
          c, row_begin[c + 1] - row_begin[c], set, tree.num_actions(set));
    }
    if (first_set[c] == kNone) first_set[c] = set;
    if (tree.player(first_set[c]) != tree.player(set)) {
      core::reject(
          "cell {} has information sets of both players, {} and {}; allowed are sets of one player",
          c, first_set[c], set);
    }
  }
}

Strategy expanded_strategy(const Archive& archive, const Tree& tree) {
  const auto& cell = archive.word("cell", tree.num_infosets());
  const auto& row_begin = archive.word("row_begin");
  std::vector<double> probability = archive.real("probability");
  check_rows(row_begin, probability.size());
  check_cells(cell, row_begin, tree);
  for (size_t c = 0; c + 1 < row_begin.size(); ++c) {
    settle_rows(probability, row_begin[c], row_begin[c + 1]);
  }
  Strategy strategy(tree.num_slots());
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    std::copy_n(probability.begin() + static_cast<ptrdiff_t>(row_begin[cell[set]]),
                tree.num_actions(set), strategy.begin() + tree.slot_begin[set]);
  }
  return strategy;
}

Archive strategy_archive(const Labels& labels, const Tree& tree, const Strategy& strategy) {
  Archive archive = bound_to(tree, kWholeForm);
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
  return archive;
}

// Cells are numbered in the order of their first sets.
Archive abstract_strategy_archive(const Tree& tree, std::span<const uint32_t> cell,
                                  const Strategy& strategy) {
  Archive archive = bound_to(tree, kAbstractForm);
  archive.words["cell"].assign(cell.begin(), cell.end());
  std::vector<double>& probability = archive.reals["probability"];
  std::vector<uint64_t>& row_begin = archive.words["row_begin"];
  row_begin = {0};
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    const auto begin = strategy.begin() + tree.slot_begin[set];
    const auto end = strategy.begin() + tree.slot_begin[set + 1];
    if (cell[set] + 1 == row_begin.size()) {
      probability.insert(probability.end(), begin, end);
      row_begin.push_back(probability.size());
    }
    assert(std::equal(begin, end,
                      probability.begin() + static_cast<ptrdiff_t>(row_begin[cell[set]]),
                      probability.begin() + static_cast<ptrdiff_t>(row_begin[cell[set] + 1])));
  }
  return archive;
}

Strategy strategy_in(const Archive& archive, const Tree& tree) {
  const std::string& form = archive.text("format");
  if (form != kWholeForm && form != kAbstractForm) {
    core::reject("format '{}'; allowed are '{}' and '{}'", form, kWholeForm, kAbstractForm);
  }
  if (archive.word("fingerprint") != fingerprint_words(tree)) {
    core::reject(
        "the strategy is for '{}', not for this game ('{}') or not for its present rules; allowed "
        "is a strategy of the same game",
        archive.text("game"), tree.name);
  }
  return form == kWholeForm ? whole_strategy(archive, tree) : expanded_strategy(archive, tree);
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

}  // namespace

void check_strategy_path(const std::string& path) { is_archive(path); }

std::string cells_path(const std::string& path) {
  if (is_archive(path)) return {};
  return std::filesystem::path(path).replace_extension(".cells.csv").string();
}

void write_strategy(const games::Game& game, const Tree& tree, const Strategy& strategy,
                    const std::string& path) {
  assert(strategy.size() == tree.num_slots());
  const bool archive = is_archive(path);  // refuses other files before the labels are made
  const Labels labels = make_labels(game, tree);
  if (archive) {
    write_archive(strategy_archive(labels, tree, strategy), path);
  } else {
    write_csv(labels, tree, strategy, path);
  }
}

void write_abstract_strategy(const games::Game& game, const Tree& tree,
                             std::span<const uint32_t> cell, const Strategy& strategy,
                             const std::string& path) {
  assert(strategy.size() == tree.num_slots() && cell.size() == tree.num_infosets());
  const std::vector<uint32_t> numbered = in_order_of_sets(tree, cell);
  if (is_archive(path)) {
    write_archive(abstract_strategy_archive(tree, numbered, strategy), path);
    return;
  }
  const Labels labels = make_labels(game, tree);
  write_table(tree, kCellsHeader, cells_path(path), [&](std::string& out, uint32_t set) {
    append_set(out, labels, tree, set);
    fmt::format_to(std::back_inserter(out), "{}\n", numbered[set]);
  });
  write_csv(labels, tree, strategy, path);
}

Strategy read_strategy(const games::Game& game, const Tree& tree, const std::string& path) {
  if (!is_archive(path)) return read_csv(make_labels(game, tree), tree, path);
  const Archive archive = read_archive(path);
  try {
    return strategy_in(archive, tree);
  } catch (const core::InputError& error) {
    core::reject("{}: {}", path, error.what());
  }
}

}  // namespace cleave::tree
