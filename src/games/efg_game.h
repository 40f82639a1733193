#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/number_index.h"
#include "core/rational.h"
#include "games/game.h"

namespace cleave::games {

// Every distinct label once, by number: a large game has millions of nodes and few labels.
class LabelPool {
 public:
  LabelPool() { intern(""); }
  uint32_t intern(std::string_view label);  // 0 is the empty label
  std::string_view operator[](uint32_t id) const {
    return std::string_view(chars_).substr(ends_[id], ends_[id + 1] - ends_[id]);
  }
  void drop_index() { index_.reset(); }  // no intern() after this

 private:
  std::string chars_;
  std::vector<uint64_t> ends_ = {0};  // label i is chars_[ends_[i], ends_[i + 1])
  std::optional<core::NumberIndex> index_ = core::NumberIndex();
};

// One information set, or one set of chance nodes with the same distribution.
struct EfgSet {
  uint64_t first_action = 0;       // into EfgTables::action_labels
  uint64_t first_probability = 0;  // into EfgTables::probabilities, chance only
  uint32_t num_actions = 0;
  uint32_t label = 0;
  uint32_t number = 0;  // in the file; unique per player
  Actor actor = kChance;
};

struct EfgNode {
  static constexpr uint32_t kNoSet = std::numeric_limits<uint32_t>::max();
  uint32_t set = kNoSet;  // kNoSet at terminal nodes
  uint32_t first = 0;     // inner: into EfgTables::children; terminal: row of EfgTables::payoffs
};

struct EfgTables {
  int num_players = 0;
  std::vector<EfgNode> nodes;  // prefix order, root first
  std::vector<uint32_t> children;
  std::vector<EfgSet> sets;
  std::vector<uint32_t> action_labels;
  std::vector<core::Rational> probabilities;
  std::vector<core::Rational> payoffs;  // [row, player]; row 0 is all zero
  LabelPool labels;
};

// Makes set labels unique per player and action labels unique per set, none of them empty.
void make_labels_unique(EfgTables& tables);

std::unique_ptr<Game> make_efg_game(EfgTables tables, std::string name);

}  // namespace cleave::games
