#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace cleave::core {

// Finds the number of a key among keys that stand in the caller's arrays, numbered from 0 in the
// order of first sight. Open addressing; 8 to 16 bytes a key.
class NumberIndex {
 public:
  // `count` keys are there; hash_of(number) is the hash of one of them, is_key(number) whether it
  // is the one that is looked for. Returns its number, `count` where it is new, and whether it is.
  template <class HashOf, class IsKey>
  std::pair<uint32_t, bool> insert(size_t hash, uint32_t count, const HashOf& hash_of,
                                   const IsKey& is_key) {
    if ((size_t{count} + 1) * 2 > slots_.size()) {
      slots_.assign(slots_.size() * 2, 0);
      for (uint32_t number = 0; number < count; ++number) {
        size_t at = hash_of(number) & (slots_.size() - 1);
        while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = number + 1;
      }
    }
    size_t at = hash & (slots_.size() - 1);
    for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
      if (is_key(slots_[at] - 1)) return {slots_[at] - 1, false};
    }
    slots_[at] = count + 1;
    return {count, true};
  }

  size_t bytes() const { return slots_.size() * sizeof(uint32_t); }

 private:
  std::vector<uint32_t> slots_ = std::vector<uint32_t>(1024);  // number + 1, 0 where free
};

}  // namespace cleave::core
