#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cleave::decompose {

// How private states go over a cut or a deal: reach is spread to the states below, values are
// collected from them. A state above may be blocked by what is dealt, or be many states below that
// play alike; what is below may stand for several deals that mirror each other (its images).
class Crossing {
 public:
  static constexpr uint32_t kBlocked = ~uint32_t{0};

  // One player's part.
  struct Side {
    std::vector<uint32_t> from;  // [state below]: above
    std::vector<uint32_t> back;  // [image][state above]: below, or kBlocked
  };

  // Nothing changes.
  Crossing() = default;
  // Throws nothing: `back` of both sides must have a whole number of images.
  Crossing(std::array<Side, 2> sides, size_t num_images)
      : sides_(std::move(sides)), num_images_(num_images), changes_(true) {}

  size_t num_images() const { return num_images_; }
  uint32_t above(size_t player, size_t below) const {
    return changes_ ? sides_[player].from[below] : static_cast<uint32_t>(below);
  }
  std::vector<double> spread(size_t player, std::span<const double> above) const;
  // Of both players.
  std::array<std::vector<double>, 2> spread(const std::array<std::vector<double>, 2>& above) const {
    return {spread(0, above[0]), spread(1, above[1])};
  }
  // Adds.
  void collect(size_t player, std::span<const double> below, std::span<double> above) const;

 private:
  std::array<Side, 2> sides_;
  size_t num_images_ = 1;
  bool changes_ = false;
};

}  // namespace cleave::decompose
