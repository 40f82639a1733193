#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/aligned.h"
#include "kernels/hands.h"
#include "tree/archive.h"

// Where regrets and averages are kept: plain numbers, or 16 bits with one scale per node and board.
namespace cleave::hands {

// A node under a board: where its rows are among those of its player.
struct Place {
  size_t player;
  size_t cell;   // first cell
  size_t scale;  // number among all (decision, board) of the player
  size_t num_actions, width;
  bool backwards = false;  // the next node asked for stands before this one, not behind
  ptrdiff_t ahead() const {
    const auto cells = static_cast<ptrdiff_t>(size());  // the next one is about as large
    return backwards ? -cells : cells;
  }
  size_t size() const { return num_actions * width; }
};

template <class T>
tree::BulkArray stored(std::string name, std::span<T> data) {
  return {std::move(name), std::as_writable_bytes(data), sizeof(T)};
}

// Where averages stand: numbers of the store's own, or somebody else's that are only read.
template <class T>
class Numbers {
 public:
  Numbers() = default;
  Numbers(Numbers&&) noexcept = default;
  Numbers& operator=(Numbers&&) noexcept = default;

  void resize(size_t size) {
    own_.assign(size, T{0});
    all_ = own_;
  }
  void borrow(std::span<const T> numbers) {
    own_ = {};
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): nothing is learnt from then on
    all_ = {const_cast<T*>(numbers.data()), numbers.size()};
  }
  T* data() const { return all_.data(); }
  std::span<T> all() const { return all_; }
  const core::AlignedVector<T>& own() const { return own_; }

 private:
  core::AlignedVector<T> own_;
  std::span<T> all_;
};

// A strategy to look at, where it stands: the arrays that arrays(false) names, in that order.
using BorrowedArrays = std::vector<std::span<const std::byte>>;
template <class T>
std::span<const T> numbers_in(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

template <class Number>
class PlainStore {
 public:
  using Real = Number;
  // Nothing has to be unpacked; where no regrets are kept, zeros stand for a node's.
  struct Buffer {
    core::AlignedVector<Real> regret;
  };

  // Borrowed averages are looked at only: nothing is kept beside them.
  PlainStore(std::array<uint64_t, 2> cells, std::array<uint64_t, 2>,
             const BorrowedArrays& borrowed) {
    for (size_t p = 0; p < 2; ++p) {
      if (borrowed.empty()) {
        regret_[p].resize(cells[p]);
        average_[p].resize(cells[p]);
      } else {
        average_[p].borrow(numbers_in<Real>(borrowed[p]));
      }
    }
  }
  static uint64_t bytes(uint64_t cells, uint64_t) { return cells * 2 * sizeof(Real); }

  void add_predictions() {
    for (size_t p = 0; p < 2; ++p) prediction_[p].resize(regret_[p].size());
  }
  bool has_predictions() const { return !prediction_[0].empty() || !prediction_[1].empty(); }
  void clear() {
    for (auto* arrays : {&regret_, &prediction_}) {
      for (auto& array : *arrays) std::fill(array.begin(), array.end(), Real{0});
    }
    for (const auto& array : average_) std::ranges::fill(array.all(), Real{0});
  }

  // As if regrets were zero: where the average is empty, play is uniform, as it will be read from a
  // file.
  void set_averages_only(bool only) { averages_only_ = only; }

  // Regret matching gives a strategy back that stands where regrets do.
  void freeze() {
    for (size_t p = 0; p < 2; ++p) regret_[p] = average_[p].own();
    prediction_ = {};
  }

  kernels::NodeRows<Real> open(const Place& at, Buffer& buffer) {
    return {at.num_actions,
            at.width,
            regret_rows(at, buffer),
            prediction_[at.player].empty() || averages_only_
                ? nullptr
                : prediction_[at.player].data() + at.cell,
            average_[at.player].data() + at.cell,
            at.ahead()};
  }
  kernels::NodeRows<Real> open_regret(const Place& at, Buffer& buffer) { return open(at, buffer); }
  void close_regret(const Place&, Buffer&) {}
  void close_average(const Place&, Buffer&) {}

  std::vector<tree::BulkArray> arrays(bool all) {
    std::vector<tree::BulkArray> out;
    for (size_t p = 0; p < 2; ++p) {
      const std::string player = std::to_string(p + 1);
      out.push_back(stored("average" + player, average_[p].all()));
      if (!all) continue;
      out.push_back(stored("regret" + player, std::span(regret_[p])));
      if (has_predictions()) {
        out.push_back(stored("prediction" + player, std::span(prediction_[p])));
      }
    }
    return out;
  }

 private:
  Real* regret_rows(const Place& at, Buffer& buffer) {
    if (!regret_[at.player].empty() && !averages_only_) {
      return regret_[at.player].data() + at.cell;
    }
    buffer.regret.assign(at.size(), Real{0});
    return buffer.regret.data();
  }

  std::array<core::AlignedVector<Real>, 2> regret_, prediction_;
  std::array<Numbers<Real>, 2> average_;
  bool averages_only_ = false;
};

class PackedStore {
 public:
  using Real = float;
  struct Buffer {
    core::AlignedVector<float> regret, prediction, average;
  };

  PackedStore(std::array<uint64_t, 2> cells, std::array<uint64_t, 2> nodes,
              const BorrowedArrays& borrowed) {
    for (size_t p = 0; p < 2; ++p) {
      if (borrowed.empty()) {
        regret_[p].resize(cells[p], nodes[p]);
        average_[p].resize(cells[p], nodes[p]);
      } else {
        average_[p].values.borrow(numbers_in<int16_t>(borrowed[2 * p]));
        average_[p].scales.borrow(numbers_in<float>(borrowed[2 * p + 1]));
      }
    }
  }
  static uint64_t bytes(uint64_t cells, uint64_t nodes) {
    return 2 * (cells * sizeof(int16_t) + nodes * sizeof(float));
  }

  void add_predictions() {
    for (size_t p = 0; p < 2; ++p) {
      prediction_[p].resize(regret_[p].values.all().size(), regret_[p].scales.all().size());
    }
  }
  bool has_predictions() const {
    return !prediction_[0].scales.all().empty() || !prediction_[1].scales.all().empty();
  }
  void clear() {
    for (auto* arrays : {&regret_, &prediction_, &average_}) {
      for (Packed& array : *arrays) {
        array.resize(array.values.all().size(), array.scales.all().size());
      }
    }
  }

  void set_averages_only(bool only) { averages_only_ = only; }

  void freeze() {
    for (size_t p = 0; p < 2; ++p) regret_[p].copy(average_[p]);
    prediction_ = {};
  }

  kernels::NodeRows<float> open_regret(const Place& at, Buffer& buffer) {
    kernels::NodeRows<float> rows{at.num_actions, at.width, nullptr, nullptr, nullptr, 0};
    rows.regret =
        averages_only_ ? zeros(at, buffer.regret) : regret_[at.player].unpack(at, buffer.regret);
    if (has_predictions() && !averages_only_) {
      rows.prediction = prediction_[at.player].unpack(at, buffer.prediction);
    }
    return rows;
  }
  kernels::NodeRows<float> open(const Place& at, Buffer& buffer) {
    kernels::NodeRows<float> rows = open_regret(at, buffer);
    rows.average = average_[at.player].unpack(at, buffer.average);
    return rows;
  }
  void close_regret(const Place& at, Buffer& buffer) {
    regret_[at.player].pack(at, buffer.regret);
    if (has_predictions()) prediction_[at.player].pack(at, buffer.prediction);
  }
  void close_average(const Place& at, Buffer& buffer) {
    average_[at.player].pack(at, buffer.average);
  }

  std::vector<tree::BulkArray> arrays(bool all) {
    std::vector<tree::BulkArray> out;
    const auto add = [&](const std::string& name, Packed& packed) {
      out.push_back(stored(name, packed.values.all()));
      out.push_back(stored(name + "_scale", packed.scales.all()));
    };
    for (size_t p = 0; p < 2; ++p) {
      const std::string player = std::to_string(p + 1);
      add("average" + player, average_[p]);
      if (!all) continue;
      add("regret" + player, regret_[p]);
      if (has_predictions()) add("prediction" + player, prediction_[p]);
    }
    return out;
  }

 private:
  static float* zeros(const Place& at, core::AlignedVector<float>& out) {
    out.assign(std::max(out.size(), at.size()), 0.0F);
    return out.data();
  }

  struct Packed {
    Numbers<int16_t> values;
    Numbers<float> scales;

    void resize(size_t cells, size_t nodes) {
      values.resize(cells);
      scales.resize(nodes);
    }
    void copy(const Packed& from) {
      std::ranges::copy(from.values.all(), values.data());
      std::ranges::copy(from.scales.all(), scales.data());
    }
    float* unpack(const Place& at, core::AlignedVector<float>& out) const {
      if (values.all().empty()) return zeros(at, out);  // nothing is kept
      if (out.size() < at.size()) out.resize(at.size());
      kernels::decode(at.size(), values.data() + at.cell, scales.data()[at.scale], out.data(),
                      at.ahead());
      return out.data();
    }
    void pack(const Place& at, const core::AlignedVector<float>& from) {
      if (values.all().empty()) return;
      scales.data()[at.scale] = kernels::encode(at.size(), from.data(), values.data() + at.cell);
    }
  };
  std::array<Packed, 2> regret_, prediction_, average_;
  bool averages_only_ = false;
};

}  // namespace cleave::hands
