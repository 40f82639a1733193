#pragma once

#include <unordered_map>

#include "hands/layout.h"
#include "hands/storage.h"

namespace cleave::hands {

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
    for (const auto& [key, lock] : locks_) write_lock(key);
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
    locks_[key_of(s, b, node)] = std::move(strategy);
    write_lock(key_of(s, b, node));
  }
  const Lock* find_lock(size_t s, size_t b, size_t node) const {
    if (locks_.empty()) return nullptr;
    const auto at = locks_.find(key_of(s, b, node));
    return at == locks_.end() ? nullptr : &at->second;
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
  void write_lock(uint64_t key) {
    constexpr uint64_t kMask = (uint64_t{1} << kNodeBits) - 1;
    const Place at = place(key >> (2 * kNodeBits), (key >> kNodeBits) & kMask, key & kMask);
    Buffer buffer;
    overlay(locks_.at(key), store_.open_regret(at, buffer));
    store_.close_regret(at, buffer);
  }

  const Layout& layout_;
  Store store_;
  std::vector<std::vector<Start>> starts_;  // [street][board]
  std::unordered_map<uint64_t, Lock> locks_;
};

}  // namespace cleave::hands
