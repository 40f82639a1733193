#pragma once

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
tree::BulkArray stored(std::string name, core::AlignedVector<T>& data) {
  return {std::move(name), std::as_writable_bytes(std::span(data)), sizeof(T)};
}

template <class Number>
class PlainStore {
 public:
  using Real = Number;
  struct Buffer {};  // nothing has to be unpacked

  PlainStore(std::array<uint64_t, 2> cells, std::array<uint64_t, 2>) {
    for (size_t p = 0; p < 2; ++p) {
      regret_[p].resize(cells[p]);
      average_[p].resize(cells[p]);
    }
  }
  static uint64_t bytes(uint64_t cells, uint64_t) { return cells * 2 * sizeof(Real); }

  void add_predictions() {
    for (size_t p = 0; p < 2; ++p) prediction_[p].resize(regret_[p].size());
  }
  bool has_predictions() const { return !prediction_[0].empty() || !prediction_[1].empty(); }
  void clear() {
    for (auto* arrays : {&regret_, &prediction_, &average_}) {
      for (auto& array : *arrays) std::fill(array.begin(), array.end(), Real{0});
    }
  }

  // Regret matching gives a strategy back that stands where regrets do.
  void freeze() {
    regret_ = average_;
    prediction_ = {};
  }

  kernels::NodeRows<Real> open(const Place& at, Buffer&) {
    return {at.num_actions,
            at.width,
            regret_[at.player].data() + at.cell,
            prediction_[at.player].empty() ? nullptr : prediction_[at.player].data() + at.cell,
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
      out.push_back(stored("average" + player, average_[p]));
      if (!all) continue;
      out.push_back(stored("regret" + player, regret_[p]));
      if (has_predictions()) out.push_back(stored("prediction" + player, prediction_[p]));
    }
    return out;
  }

 private:
  std::array<core::AlignedVector<Real>, 2> regret_, prediction_, average_;
};

class PackedStore {
 public:
  using Real = float;
  struct Buffer {
    core::AlignedVector<float> regret, prediction, average;
  };

  PackedStore(std::array<uint64_t, 2> cells, std::array<uint64_t, 2> nodes) {
    for (size_t p = 0; p < 2; ++p) {
      regret_[p].resize(cells[p], nodes[p]);
      average_[p].resize(cells[p], nodes[p]);
    }
  }
  static uint64_t bytes(uint64_t cells, uint64_t nodes) {
    return 2 * (cells * sizeof(int16_t) + nodes * sizeof(float));
  }

  void add_predictions() {
    for (size_t p = 0; p < 2; ++p) {
      prediction_[p].resize(regret_[p].values.size(), regret_[p].scales.size());
    }
  }
  bool has_predictions() const {
    return !prediction_[0].scales.empty() || !prediction_[1].scales.empty();
  }
  void clear() {
    for (auto* arrays : {&regret_, &prediction_, &average_}) {
      for (Packed& array : *arrays) array.resize(array.values.size(), array.scales.size());
    }
  }

  void freeze() {
    regret_ = average_;
    prediction_ = {};
  }

  kernels::NodeRows<float> open_regret(const Place& at, Buffer& buffer) {
    kernels::NodeRows<float> rows{at.num_actions, at.width, nullptr, nullptr, nullptr, 0};
    rows.regret = regret_[at.player].unpack(at, buffer.regret);
    if (has_predictions()) rows.prediction = prediction_[at.player].unpack(at, buffer.prediction);
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
      out.push_back(stored(name, packed.values));
      out.push_back(stored(name + "_scale", packed.scales));
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
  struct Packed {
    core::AlignedVector<int16_t> values;
    core::AlignedVector<float> scales;

    void resize(size_t cells, size_t nodes) {
      values.assign(cells, 0);
      scales.assign(nodes, 0);
    }
    float* unpack(const Place& at, core::AlignedVector<float>& out) const {
      if (out.size() < at.size()) out.resize(at.size());
      kernels::decode(at.size(), values.data() + at.cell, scales[at.scale], out.data(), at.ahead());
      return out.data();
    }
    void pack(const Place& at, const core::AlignedVector<float>& from) {
      scales[at.scale] = kernels::encode(at.size(), from.data(), values.data() + at.cell);
    }
  };
  std::array<Packed, 2> regret_, prediction_, average_;
};

}  // namespace cleave::hands
