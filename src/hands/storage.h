#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/aligned.h"
#include "hands/layout.h"
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
    own_.clear();
    own_.resize(size);  // zeros
    all_ = own_;
  }
  void borrow(std::span<const T> numbers) {
    own_ = {};
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): nothing is learnt from then on
    all_ = {const_cast<T*>(numbers.data()), numbers.size()};
  }
  void copy(const Numbers& from) {
    own_ = from.own_;
    all_ = own_;
  }
  T* data() const { return all_.data(); }
  std::span<T> all() const { return all_; }

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

// One kind of numbers of one player: as they are, ...
template <class Number>
struct PlainArray {
  using Real = Number;
  static constexpr bool kInPlace = true;  // rows are worked on where they stand
  static constexpr size_t kSpans = 1;     // among BorrowedArrays
  static uint64_t bytes(uint64_t cells, uint64_t) { return cells * sizeof(Real); }

  void resize(size_t cells, size_t) { values.resize(cells); }
  void borrow(std::span<const std::span<const std::byte>> from) {
    values.borrow(numbers_in<Real>(from[0]));
  }
  void copy(const PlainArray& from) { values.copy(from.values); }
  Real* open(const Place& at, core::AlignedVector<Real>&) const { return values.data() + at.cell; }
  void close(const Place&, const core::AlignedVector<Real>&) {}
  void name(const std::string& name, std::vector<tree::BulkArray>& out) const {
    out.push_back(stored(name, values.all()));
  }

  Numbers<Real> values;
};

// ... or unpacked to be worked on.
struct PackedArray {
  using Real = float;
  static constexpr bool kInPlace = false;
  static constexpr size_t kSpans = 2;
  static uint64_t bytes(uint64_t cells, uint64_t nodes) {
    return cells * sizeof(int16_t) + nodes * sizeof(float);
  }

  void resize(size_t cells, size_t nodes) {
    values.resize(cells);
    scales.resize(nodes);
  }
  void borrow(std::span<const std::span<const std::byte>> from) {
    values.borrow(numbers_in<int16_t>(from[0]));
    scales.borrow(numbers_in<float>(from[1]));
  }
  void copy(const PackedArray& from) {
    values.copy(from.values);
    scales.copy(from.scales);
  }
  float* open(const Place& at, core::AlignedVector<float>& out) const {
    if (out.size() < at.size()) out.resize(at.size());
    kernels::decode(at.size(), values.data() + at.cell, scales.data()[at.scale], out.data(),
                    at.ahead());
    return out.data();
  }
  void close(const Place& at, const core::AlignedVector<float>& from) {
    if (values.all().empty()) return;  // nothing is kept
    scales.data()[at.scale] = kernels::encode(at.size(), from.data(), values.data() + at.cell);
  }
  void name(const std::string& name, std::vector<tree::BulkArray>& out) const {
    out.push_back(stored(name, values.all()));
    out.push_back(stored(name + "_scale", scales.all()));
  }

  Numbers<int16_t> values;
  Numbers<float> scales;
};

template <class Array>
class NumberStore {
 public:
  using Real = typename Array::Real;
  // What is unpacked; where no regrets are kept, zeros stand for a node's.
  struct Buffer {
    core::AlignedVector<Real> regret, prediction, average;
  };

  // Borrowed averages are looked at only: nothing is kept beside them.
  NumberStore(std::array<uint64_t, 2> cells, std::array<uint64_t, 2> nodes,
              const BorrowedArrays& borrowed)
      : cells_(cells), nodes_(nodes), learns_(borrowed.empty()) {
    for (size_t p = 0; p < 2; ++p) {
      if (learns_) {
        regret_[p].resize(cells[p], nodes[p]);
        average_[p].resize(cells[p], nodes[p]);
      } else {
        average_[p].borrow(std::span(borrowed).subspan(p * Array::kSpans));
      }
    }
  }
  static uint64_t bytes(uint64_t cells, uint64_t nodes) { return 2 * Array::bytes(cells, nodes); }

  void add_predictions() {
    for (size_t p = 0; p < 2 && learns_; ++p) prediction_[p].resize(cells_[p], nodes_[p]);
    predicts_ = learns_ && cells_[0] + cells_[1] > 0;
  }
  bool has_predictions() const { return predicts_; }
  void clear() {
    for (size_t p = 0; p < 2 && learns_; ++p) {
      regret_[p].resize(cells_[p], nodes_[p]);
      average_[p].resize(cells_[p], nodes_[p]);
      if (predicts_) prediction_[p].resize(cells_[p], nodes_[p]);
    }
  }

  // As if regrets were zero: where the average is empty, play is uniform, as it will be read from a
  // file.
  void set_averages_only(bool only) { averages_only_ = only; }

  // Regret matching gives a strategy back that stands where regrets do.
  void freeze() {
    for (size_t p = 0; p < 2; ++p) regret_[p].copy(average_[p]);
    prediction_ = {};
    predicts_ = false;
  }

  kernels::NodeRows<Real> open_regret(const Place& at, Buffer& buffer) {
    kernels::NodeRows<Real> rows{.num_actions = at.num_actions, .width = at.width};
    if (Array::kInPlace) rows.ahead = at.ahead();
    if (learns_ && !averages_only_) {
      rows.regret = regret_[at.player].open(at, buffer.regret);
      if (predicts_) rows.prediction = prediction_[at.player].open(at, buffer.prediction);
    } else {
      buffer.regret.assign(at.size(), Real{0});
      rows.regret = buffer.regret.data();
    }
    return rows;
  }
  kernels::NodeRows<Real> open(const Place& at, Buffer& buffer) {
    kernels::NodeRows<Real> rows = open_regret(at, buffer);
    rows.average = average_[at.player].open(at, buffer.average);
    return rows;
  }
  void close_regret(const Place& at, Buffer& buffer) {
    regret_[at.player].close(at, buffer.regret);
    if (predicts_) prediction_[at.player].close(at, buffer.prediction);
  }
  void close_average(const Place& at, Buffer& buffer) {
    average_[at.player].close(at, buffer.average);
  }

  std::vector<tree::BulkArray> arrays(bool all) {
    std::vector<tree::BulkArray> out;
    for (size_t p = 0; p < 2; ++p) {
      const std::string player = std::to_string(p + 1);
      average_[p].name("average" + player, out);
      if (all) regret_[p].name("regret" + player, out);
      if (all && predicts_) prediction_[p].name("prediction" + player, out);
    }
    return out;
  }

 private:
  std::array<uint64_t, 2> cells_, nodes_;  // [player]
  bool learns_, predicts_ = false, averages_only_ = false;
  std::array<Array, 2> regret_, prediction_, average_;
};

template <class Number>
using PlainStore = NumberStore<PlainArray<Number>>;
using PackedStore = NumberStore<PackedArray>;

// What both players have learnt, by node and board, with the strategies that are fixed.
template <class Store>
class Learnt {
 public:
  using Real = typename Store::Real;
  using Rows = kernels::NodeRows<Real>;
  using Buffer = typename Store::Buffer;
  using Lock = std::vector<double>;  // [action][padded hand]; negative in row 0: the hand is free

  explicit Learnt(const Layout& layout, const BorrowedArrays& borrowed = {})
      : layout_(layout), store_(layout.num_cells(), layout.num_decisions(), borrowed) {
    std::array<size_t, 2> cell = {}, scale = {};
    for (const Street& street : layout_.streets) {
      auto& starts = starts_.emplace_back();
      for (const Board& board : street.boards) {
        starts.push_back({cell, scale});
        for (size_t p = 0; p < 2; ++p) {
          cell[p] += size_t{street.num_storage_rows[p]} * board.side[p].width;
          scale[p] += street.num_decisions[p];
        }
      }
    }
  }

  Store& store() { return store_; }
  const Store& store() const { return store_; }
  void clear() {
    store_.clear();
    for (const auto& [key, lock] : locks_) write_lock(lock);
  }

  Place place(size_t s, size_t b, size_t node) const {
    const Node& n = layout_.streets[s].nodes[node];
    const size_t p = n.player;
    const size_t width = layout_.streets[s].boards[b].side[p].width;
    const Start& start = starts_[s][b];
    return {p, start.cell[p] + n.storage_row * width, start.scale[p] + n.decision, n.num_children,
            width};
  }

  void lock(size_t s, size_t b, size_t node, Lock strategy) {
    write_lock(locks_[key_of(s, b, node)] = {place(s, b, node), std::move(strategy)});
  }
  const Lock* find_lock(size_t s, size_t b, size_t node) const {
    if (locks_.empty()) return nullptr;
    const auto at = locks_.find(key_of(s, b, node));
    return at == locks_.end() ? nullptr : &at->second.strategy;
  }
  // A locked strategy stands where regrets do: regret matching gives it back.
  static void overlay(const Lock& lock, const Rows& rows) {
    for (size_t i = 0; i < rows.width; ++i) {
      if (lock[i] < 0) continue;
      for (size_t a = 0; a < rows.num_actions; ++a) {
        rows.regret[a * rows.width + i] = static_cast<Real>(lock[a * rows.width + i]);
        if (rows.prediction) rows.prediction[a * rows.width + i] = 0;
      }
    }
  }

  // All rows of a node, or those of its regrets; what was changed is to be closed.
  Rows open(size_t s, size_t b, size_t node, const Place& at, Buffer& buffer) {
    const Rows rows = store_.open(at, buffer);
    if (const Lock* lock = find_lock(s, b, node)) overlay(*lock, rows);
    return rows;
  }

 private:
  struct Start {
    std::array<size_t, 2> cell, scale;
  };

  static constexpr int kNodeBits = 30;  // also of a board
  static uint64_t key_of(uint64_t s, uint64_t b, uint64_t node) {
    return s << (2 * kNodeBits) | b << kNodeBits | node;
  }
  struct Locked {
    Place at;
    Lock strategy;
  };
  void write_lock(const Locked& lock) {
    Buffer buffer;
    overlay(lock.strategy, store_.open_regret(lock.at, buffer));
    store_.close_regret(lock.at, buffer);
  }

  const Layout& layout_;
  Store store_;
  std::vector<std::vector<Start>> starts_;  // [street][board]
  std::unordered_map<uint64_t, Locked> locks_;
};

}  // namespace cleave::hands
