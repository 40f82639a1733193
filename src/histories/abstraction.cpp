#include "histories/abstraction.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "core/csv.h"
#include "core/error.h"
#include "core/file.h"
#include "tree/derive.h"

namespace cleave::histories {

using tree::kNone;
using tree::Labels;
using tree::Tree;

namespace {

constexpr std::string_view kHeader = "player,infoset,cell";
constexpr size_t kColumns = 3;

// Numbers cells by their names, apart from the sets' own numbers.
class Cells {
 public:
  explicit Cells(const Tree& game) : next_(static_cast<uint32_t>(game.num_infosets())) {}
  uint32_t number(const std::string& name) {
    const auto [place, is_new] = numbers_.try_emplace(name, next_);
    if (is_new) ++next_;
    return place->second;
  }

 private:
  std::unordered_map<std::string, uint32_t> numbers_;
  uint32_t next_;
};

using SetsByLabel = std::array<std::unordered_map<std::string, uint32_t>, 2>;  // [player]

// "Js:crc|Qh:r": own card, betting, board, betting; without suits where cards are not distinct.
// Returns the label with the board's rank replaced by where it lies; empty in round one.
std::string strength_cell(std::string_view label) {
  constexpr std::string_view kRanks = "23456789TJQKA";
  const size_t bar = label.find('|');
  if (bar == std::string_view::npos) return {};
  const size_t own = kRanks.find(label[0]);
  const size_t board = kRanks.find(label[bar + 1]);
  const char* side = board == own ? "pair" : board > own ? "above" : "below";
  return fmt::format("{}{}{}", label.substr(0, bar + 1), side, label.substr(bar + 2));
}

bool same_actions(const Tree& game, const Labels& labels, uint32_t a, uint32_t b) {
  return std::equal(
      labels.action.begin() + game.slot_begin[a], labels.action.begin() + game.slot_begin[a + 1],
      labels.action.begin() + game.slot_begin[b], labels.action.begin() + game.slot_begin[b + 1]);
}

// The set of a row of the file, and a check that it is one.
uint32_t find_set(const Tree& tree, const SetsByLabel& by_label,
                  const std::vector<std::string>& fields, const core::CsvReader& reader) {
  if (fields.size() != kColumns) {
    reader.fail(fmt::format("{} fields; allowed are {}: {}", fields.size(), kColumns, kHeader));
  }
  if (fields[0] != "1" && fields[0] != "2") {
    reader.fail(fmt::format("player '{}'; allowed are 1 and 2", fields[0]));
  }
  if (fields[2].empty()) reader.fail("an empty cell; allowed is any other text");
  const auto& sets = by_label[fields[0] == "1" ? 0 : 1];
  const auto found = sets.find(fields[1]);
  if (found != sets.end()) return found->second;
  reader.fail(fmt::format("{} has no information set '{}' of player {}; allowed are its labels",
                          tree.name, fields[1], fields[0]));
}

}  // namespace

InfosetMap identity_map(const Tree& game) {
  InfosetMap map(game.num_infosets());
  std::iota(map.begin(), map.end(), 0U);
  return map;
}

InfosetMap leduc_strength_map(const games::Game& game, const Tree& tree) {
  if (tree.name != "leduc" && !tree.name.starts_with("leduc(")) {
    throw core::InputError(fmt::format(
        "the abstraction by hand strength is one of leduc; for {} give a map as a file '{}'",
        tree.name, kHeader));
  }
  const Labels labels = tree::make_labels(game, tree);
  InfosetMap map = identity_map(tree);
  Cells cells(tree);
  for (uint32_t set = 0; set < map.size(); ++set) {
    const std::string cell = strength_cell(labels.infoset[set]);
    if (!cell.empty()) map[set] = cells.number(cell);
  }
  return map;
}

InfosetMap read_infoset_map(const games::Game& game, const Tree& tree, const std::string& path) {
  const std::string text = core::read_file(path);
  core::CsvReader reader(text, path);
  const Labels labels = tree::make_labels(game, tree);
  SetsByLabel by_label;
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    by_label[tree.player(set)].emplace(labels.infoset[set], set);
  }
  InfosetMap map = identity_map(tree);
  std::array<Cells, 2> cells = {Cells(tree), Cells(tree)};
  std::array<std::unordered_map<uint32_t, uint32_t>, 2> first_in;  // [player]: cell -> set
  std::vector<size_t> listed_on(tree.num_infosets(), 0);           // [infoset]: line, 0: none
  reader.expect_header(kHeader, "map of information sets");
  std::vector<std::string> fields;
  while (reader.next(fields)) {
    const uint32_t set = find_set(tree, by_label, fields, reader);
    if (listed_on[set] != 0) {
      reader.fail(
          fmt::format("information set '{}' of player {} stands on line {} already; "
                      "allowed is once",
                      fields[1], fields[0], listed_on[set]));
    }
    listed_on[set] = reader.line();
    map[set] = cells[tree.player(set)].number(fields[2]);
    const uint32_t first = first_in[tree.player(set)].try_emplace(map[set], set).first->second;
    if (!same_actions(tree, labels, first, set)) {
      reader.fail(fmt::format(
          "cell '{}' has information sets with different actions, '{}' (line {}) and '{}'; "
          "allowed are sets with the same actions",
          fields[2], labels.infoset[first], listed_on[first], labels.infoset[set]));
    }
  }
  return map;
}

AbstractGame make_abstract_game(const games::Game& game, const Tree& tree, const InfosetMap& map) {
  if (map.size() != tree.num_infosets()) {
    throw core::InputError(fmt::format("a map of {} information sets does not fit {}, which has {}",
                                       map.size(), tree.name, tree.num_infosets()));
  }
  tree::Recipe recipe;
  recipe.name = tree.name + " (abstract)";
  recipe.cell = [&](uint32_t set, uint32_t) { return uint64_t{map[set]}; };
  tree::Derived derived = tree::derive(tree, recipe);
  const Tree& abstract = derived.tree;
  if (!abstract.perfect_recall()) {
    const uint32_t h = abstract.first_history[abstract.imperfect_recall_infoset];
    std::string label;
    tree::replay(game, tree, std::span(&derived.source[h], 1),
                 [&](uint32_t, const std::byte* state) { label = game.infoset_label(state); });
    throw core::InputError(fmt::format(
        "the abstraction of {} has imperfect recall: what player {} cannot tell apart at "
        "information set '{}' the player could tell apart before; allowed are maps that never "
        "separate sets and then merge what follows them",
        tree.name, abstract.player(abstract.imperfect_recall_infoset) + 1, label));
  }
  std::vector<uint32_t> infoset(tree.num_infosets(), kNone);
  for (size_t h = 0; h < derived.source.size(); ++h) {
    if (abstract.actor[h] < 2) infoset[tree.infoset[derived.source[h]]] = abstract.infoset[h];
  }
  return {solve::make_problem(std::move(derived.tree)), std::move(infoset)};
}

tree::Strategy expand(const Tree& game, const AbstractGame& abstract,
                      const tree::Strategy& strategy) {
  tree::Strategy result(game.num_slots());
  const Tree& small = abstract.problem.tree;
  for (uint32_t set = 0; set < game.num_infosets(); ++set) {
    const uint32_t first = small.slot_begin[abstract.infoset[set]];
    std::copy_n(strategy.begin() + first, game.num_actions(set),
                result.begin() + game.slot_begin[set]);
  }
  return result;
}

}  // namespace cleave::histories
