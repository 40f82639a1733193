#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace cleave::core {

// xoshiro256** (Blackman and Vigna), seeded by splitmix64. Plain data: a checkpoint stores it.
class Random {
 public:
  using State = std::array<uint64_t, 4>;

  explicit Random(uint64_t seed = 1) {
    for (uint64_t& word : state_) {
      seed += 0x9e3779b97f4a7c15ULL;
      uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
      word = z ^ (z >> 31);
    }
  }

  uint64_t next() {
    const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform in [0, 1) with 53 bits.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  // Uniform in {0, ..., n - 1} without bias (Lemire's method).
  uint64_t below(uint64_t n) {
    Wide product = static_cast<Wide>(next()) * n;
    if (static_cast<uint64_t>(product) < n) {
      const uint64_t threshold = (0 - n) % n;
      while (static_cast<uint64_t>(product) < threshold) {
        product = static_cast<Wide>(next()) * n;
      }
    }
    return static_cast<uint64_t>(product >> 64);
  }

  // A number with these chances, which need not sum to one; the last that can come where rounding
  // leaves a rest.
  size_t draw(std::span<const double> weights) {
    double total = 0;
    for (const double weight : weights) total += weight;
    double left = uniform() * total;
    size_t last = 0;
    for (size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] <= 0) continue;
      last = i;
      left -= weights[i];
      if (left < 0) break;
    }
    return last;
  }

  const State& state() const { return state_; }
  void set_state(const State& state) { state_ = state; }

 private:
  __extension__ typedef unsigned __int128 Wide;  // NOLINT: not ISO C++, so no alias
  State state_;
};

}  // namespace cleave::core
