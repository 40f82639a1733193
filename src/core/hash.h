#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace cleave::core {

// A 128-bit hash that stands for what was added to it. Ten million different keys collide with
// probability below 1e-24, so equal hashes are taken as equal keys.
struct Hash128 {
  uint64_t hi = 0;
  uint64_t lo = 0;
  friend bool operator==(const Hash128&, const Hash128&) = default;
};

// Adds 64-bit words to two independent lanes (multiply-xorshift, as in wyhash and splitmix64).
class Hasher {
 public:
  Hasher& add(uint64_t word) {
    a_ = mix(a_ ^ word, 0x9e3779b97f4a7c15ULL);
    b_ = mix(b_ + word, 0xd6e8feb86659fd93ULL);
    return *this;
  }
  Hasher& add_bytes(std::span<const std::byte> bytes) { return add(bytes.size()).add_words(bytes); }
  // Without their number; of several pieces all but the last are to be whole words.
  Hasher& add_words(std::span<const std::byte> bytes) {
    for (size_t i = 0; i < bytes.size(); i += 8) {
      uint64_t word = 0;
      std::memcpy(&word, bytes.data() + i, bytes.size() - i < 8 ? bytes.size() - i : 8);
      add(word);
    }
    return *this;
  }
  Hash128 finish() const {
    return {mix(a_ ^ b_, 0xa0761d6478bd642fULL),
            mix(b_ ^ std::rotl(a_, 29), 0xe7037ed1a0b428dbULL)};
  }

 private:
  static uint64_t mix(uint64_t x, uint64_t k) {
    x = (x ^ (x >> 32)) * k;
    x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9ULL;
    return x ^ (x >> 32);
  }
  uint64_t a_ = 0x243f6a8885a308d3ULL;
  uint64_t b_ = 0x13198a2e03707344ULL;
};

}  // namespace cleave::core
