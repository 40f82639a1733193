#pragma once

#include <bitset>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "poker/cards.h"

// One row of the grid of hands, painted with as few characters as possible. Part of range_text.cpp.
namespace cleave::poker::strip {

using Weight = int;  // in millionths: what six decimals can say
inline constexpr Weight kOne = 1'000'000;

std::string suffix(Weight weight);  // ":0.5"; nothing for 1

// Of equally long texts the one with fewer entries costs less.
inline constexpr int kCharacter = 2048;
int entry_cost(int characters, Weight weight);  // of an entry without its weight

// The hands of a class: "AKs".
struct Cell {
  std::vector<std::pair<std::string, Weight>> hands;

  std::optional<Weight> uniform() const;  // the weight of all hands
  Weight most_frequent() const;
  // Of the entries for single hands that are not of the weight the class was painted with.
  int exceptions(Weight painted) const;
};

inline size_t cell_number(int high, int low, bool suited) {
  return static_cast<size_t>(suited ? high * kNumRanks + low : low * kNumRanks + high);
}

struct Entry {
  std::string hands;  // "A8s+"
  Weight weight;
  std::bitset<static_cast<size_t>(kNumRanks* kNumRanks)> cells;  // none for a single hand
};

// [kicker from the deuce up]; of pairs only `suited` is used. Null: painted later, any weight will
// do.
struct Row {
  int high = 0;  // kNumRanks: the pairs
  std::vector<const Cell*> suited, offsuit;
};

// The least cost of entries that turn a row painted with `base` into what it is; adds them to
// `entries` if that is given.
int paint(const Row& row, Weight base, std::vector<Entry>* entries);

}  // namespace cleave::poker::strip
