#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/hash.h"

namespace cleave::tree {

// Numbers keys in the order of first sight. Open addressing; the table holds numbers only, the keys
// stand in a dense array: 16 bytes a key and 8 to 16 a number.
class InfosetTable {
 public:
  InfosetTable() : table_(1024, 0) {}

  std::pair<uint32_t, bool> insert(core::Hash128 key, uint8_t player) {
    key.hi += player;  // sets of different players never meet
    if ((keys_.size() + 1) * 2 > table_.size()) grow();
    size_t at = key.lo & (table_.size() - 1);
    while (table_[at] != 0) {
      if (keys_[table_[at] - 1] == key) return {table_[at] - 1, false};
      at = (at + 1) & (table_.size() - 1);
    }
    keys_.push_back(key);
    table_[at] = static_cast<uint32_t>(keys_.size());
    return {table_[at] - 1, true};
  }

  size_t bytes() const {
    return keys_.capacity() * sizeof(core::Hash128) + table_.size() * sizeof(uint32_t);
  }

 private:
  void grow() {
    std::vector<uint32_t> larger(table_.size() * 2, 0);
    for (size_t i = 0; i < keys_.size(); ++i) {
      size_t at = keys_[i].lo & (larger.size() - 1);
      while (larger[at] != 0) at = (at + 1) & (larger.size() - 1);
      larger[at] = static_cast<uint32_t>(i) + 1;
    }
    table_ = std::move(larger);
  }

  std::vector<core::Hash128> keys_;  // [number]
  std::vector<uint32_t> table_;      // number + 1, 0 where free; size is a power of two
};

}  // namespace cleave::tree
