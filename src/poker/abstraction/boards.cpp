#include "poker/abstraction/boards.h"

#include <algorithm>
#include <array>

namespace cleave::poker {
namespace {

const std::vector<SuitMap>& suit_maps() {
  static const std::vector<SuitMap> maps = all_suit_maps();
  return maps;
}

// The map that puts the suits' sets of ranks in descending order: all boards of a class become one.
SuitMap sorting_map(CardSet board) {
  std::array<uint64_t, kNumSuits> key = {};
  for (size_t suit = 0; suit < kNumSuits; ++suit) {
    key[suit] = ((board >> suit) & kFirstSuit) << 2 | suit;
  }
  std::sort(key.begin(), key.end(), std::greater<>());
  SuitMap map = kSameSuits;
  for (size_t place = 0; place < kNumSuits; ++place) {
    map[key[place] & 3] = static_cast<uint8_t>(place);
  }
  return map;
}

// The place of a map in all_suit_maps(), whose order is that of the maps as words.
uint32_t number_of(const SuitMap& map) {
  const auto& maps = suit_maps();
  return static_cast<uint32_t>(std::lower_bound(maps.begin(), maps.end(), map) - maps.begin());
}

std::vector<std::vector<uint16_t>> make_renamed_combos() {
  std::vector<std::vector<uint16_t>> tables;
  for (const SuitMap& map : suit_maps()) {
    std::vector<uint16_t>& table = tables.emplace_back();
    for (size_t combo = 0; combo < kNumCombos; ++combo) {
      table.push_back(static_cast<uint16_t>(combo_of(rename(map, combo_cards(combo)))));
    }
  }
  return tables;
}

std::vector<uint8_t> make_preflop_classes() {
  const HandIndex index({2});
  std::vector<uint8_t> classes;
  for (size_t combo = 0; combo < kNumCombos; ++combo) {
    classes.push_back(static_cast<uint8_t>(index.index({combo_cards(combo)})));
  }
  return classes;
}

}  // namespace

Boards::Boards(int cards) : cards_(cards), index_({cards}), boards_(index_.size(0)) {
  for (size_t i = 0; i < boards_.size(); ++i) {
    const CardSet board = set_of(index_.cards(0, i));
    boards_[i] = rename(sorting_map(board), board);
  }
}

Boards::Place Boards::find(CardSet board) const {
  return {.number = static_cast<uint32_t>(index_.index({board})),
          .map = number_of(sorting_map(board))};
}

std::span<const uint16_t> renamed_combos(size_t map) {
  static const std::vector<std::vector<uint16_t>> tables = make_renamed_combos();
  return tables[map];
}

std::vector<uint16_t> hands_on(CardSet board) {
  std::vector<std::span<const uint16_t>> keep;
  for (size_t map = 0; map < suit_maps().size(); ++map) {
    if (rename(suit_maps()[map], board) == board) keep.push_back(renamed_combos(map));
  }
  std::vector<uint16_t> hands;
  for (uint16_t combo = 0; combo < kNumCombos; ++combo) {
    if ((combo_cards(combo) & board) != 0) continue;
    // A class is met first at its smallest member.
    const bool first =
        std::ranges::all_of(keep, [&](const auto& map) { return map[combo] >= combo; });
    if (first) hands.push_back(combo);
  }
  return hands;
}

uint32_t num_images(CardSet board) {
  return static_cast<uint32_t>(suit_maps().size() / keeping(suit_maps(), board).size());
}

const std::vector<uint8_t>& preflop_classes() {
  static const std::vector<uint8_t> classes = make_preflop_classes();
  return classes;
}

}  // namespace cleave::poker
