#include "tree/strategy_hdf5.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <string_view>
#include <unordered_map>

#include "core/error.h"

namespace cleave::tree {
namespace {

constexpr std::string_view kWholeForm = "cleave strategy 1";
constexpr std::string_view kAbstractForm = "cleave abstract strategy 1";
constexpr double kRounding = 1e-12;  // what adding up doubles may be off by

Archive bound_to(const Tree& tree, std::string_view form) {
  Archive archive;
  archive.texts["format"] = form;
  archive.texts["game"] = tree.name;
  archive.words["fingerprint"] = fingerprint_words(tree);
  return archive;
}

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

// Rows `begin` to `end` are the probabilities of one information set or cell.
void settle_rows(std::vector<double>& probability, size_t begin, size_t end) {
  const auto rows = std::span(probability).subspan(begin, end - begin);
  std::string wrong;
  for (const double p : rows) {
    if (!(p >= 0)) wrong = fmt::format("contain {}; allowed are numbers from 0 to 1", p);
  }
  if (wrong.empty()) wrong = settle(rows);
  if (!wrong.empty()) {
    throw core::InputError(fmt::format("probabilities {} to {} {}", begin, end - 1, wrong));
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
    throw core::InputError(
        fmt::format("row_begin does not divide the {} probabilities into cells; allowed are "
                    "numbers that rise from 0 to {}",
                    rows, rows));
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
      throw core::InputError(fmt::format(
          "information set {} is in cell {}; allowed are cells 0 to {}", set, c, cells - 1));
    }
    if (row_begin[c + 1] - row_begin[c] != tree.num_actions(set)) {
      throw core::InputError(fmt::format(
          "cell {} has {} probabilities, but information set {} in it has {} actions; allowed are "
          "sets with one action for each probability of their cell",
          c, row_begin[c + 1] - row_begin[c], set, tree.num_actions(set)));
    }
    if (first_set[c] == kNone) first_set[c] = set;
    if (tree.player(first_set[c]) != tree.player(set)) {
      throw core::InputError(
          fmt::format("cell {} has information sets of both players, {} and {}; allowed are sets "
                      "of one player",
                      c, first_set[c], set));
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

}  // namespace

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
    throw core::InputError(
        fmt::format("format '{}'; allowed are '{}' and '{}'", form, kWholeForm, kAbstractForm));
  }
  if (archive.word("fingerprint") != fingerprint_words(tree)) {
    throw core::InputError(fmt::format(
        "the strategy is for '{}', not for this game ('{}') or not for its present rules; allowed "
        "is a strategy of the same game",
        archive.text("game"), tree.name));
  }
  return form == kWholeForm ? whole_strategy(archive, tree) : expanded_strategy(archive, tree);
}

}  // namespace cleave::tree
