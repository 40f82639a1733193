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
    std::vector<uint16_t>& table = tables.emplace_back(kNumCombos);
    for (Card high = 1; high < kNumCards; ++high) {
      for (Card low = 0; low < high; ++low) {
        table[combo_index(high, low)] =
            static_cast<uint16_t>(combo_index(rename(map, high), rename(map, low)));
      }
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

std::vector<uint32_t> maps_keeping(CardSet cards) {
  std::vector<uint32_t> kept;
  for (uint32_t map = 0; map < suit_maps().size(); ++map) {
    if (rename(suit_maps()[map], cards) == cards) kept.push_back(map);
  }
  return kept;
}

std::vector<uint16_t> hands_on(CardSet board) {
  std::vector<std::span<const uint16_t>> keep;
  for (const uint32_t map : maps_keeping(board)) keep.push_back(renamed_combos(map));
  std::vector<uint16_t> hands;
  hands.reserve(kNumCombos);
  for (Card high = 1; high < kNumCards; ++high) {
    if ((board & set_of(high)) != 0) continue;
    for (Card low = 0; low < high; ++low) {
      if ((board & set_of(low)) != 0) continue;
      const uint16_t combo = static_cast<uint16_t>(combo_index(high, low));
      // A class is met first at its smallest member.
      const bool first = std::all_of(keep.begin(), keep.end(), [&](std::span<const uint16_t> map) {
        return map[combo] >= combo;
      });
      if (first) hands.push_back(combo);
    }
  }
  return hands;
}

uint32_t num_images(CardSet board) {
  return static_cast<uint32_t>(suit_maps().size() / maps_keeping(board).size());
}

const std::vector<uint8_t>& preflop_classes() {
  static const std::vector<uint8_t> classes = make_preflop_classes();
  return classes;
}

}  // namespace cleave::poker
