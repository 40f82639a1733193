#pragma once

#include <deque>
#include <functional>
#include <mutex>

#include "core/threads.h"
#include "hands/storage.h"
#include "hands/terminals.h"

namespace cleave::hands {

// What a sweep over the tree does: reach of one player down, values of the other up.
struct Sweep {
  // kCurrent: and into the average; kFollow: with the average strategy, to be kept at the leaves.
  enum class Down : uint8_t { kNone, kCurrent, kAverage, kFollow };
  enum class Up : uint8_t { kNone, kLearn, kAverage, kBest };
  size_t player = 0;  // to whom values go; the other's reach is sent
  Down down = Down::kNone;
  Up up = Up::kNone;
  double decay = 1;
  kernels::RegretUpdate update = {};
  // [exit of `street`]: of the deals there only these are followed. Null: all.
  const std::vector<bool>* exits = nullptr;
  size_t street = 0;

  bool skips(size_t s, const Chunk& below) const {
    if (exits == nullptr || s != street) return false;
    for (size_t line = 0; line < below.num_lines; ++line) {
      if ((*exits)[below.first_line + line]) return false;
    }
    return true;
  }
  size_t other() const { return 1 - player; }
};

// The longest padded row of the street's boards.
inline size_t widest(const Street& street) {
  size_t width = 0;
  for (const Board& board : street.boards) {
    for (const Side& side : board.side) width = std::max<size_t>(width, side.width);
  }
  return width;
}

// Rows of the largest chunk of a street: reach of one player, and values.
inline std::array<size_t, 2> rows_needed(const Street& street) {
  std::array<size_t, 2> rows = {};
  for (const Chunk& chunk : street.chunks) {
    for (const uint32_t n : chunk.num_reach_rows) rows[0] = std::max<size_t>(rows[0], n);
    rows[1] = std::max<size_t>(rows[1], chunk.num_nodes);
  }
  return rows;
}

// One way down and up through all boards. Everything of a board is used while it is in the cache;
// nothing is shared between the boards of one deal.
template <class Store>
class Sweeper {
 public:
  using Real = typename Store::Real;
  using NodeKind = poker::BettingNode::Kind;
  // What the boards of the first deal bring, for every line: [board][line][hand], stride widest().
  // With these, looking at nodes before that deal needs nothing below it.
  using Entries = core::AlignedVector<Real>;
  struct Frame {
    core::AlignedVector<Real> reach, values;  // rows of one chunk
  };
  // A chunk of lines under a board.
  struct Work {
    size_t s, b, c;
    const Street& street;
    const Board& board;
    const Chunk& chunk;
  };
  // What one thread works in.
  struct Scratch {
    std::vector<Frame> frames;  // [street]
    typename Terminals<Real>::Scratch terminals;
    typename Store::Buffer buffer;
  };

  Sweeper(const Layout& layout, Learnt<Store>& learnt, const Terminals<Real>& terminals,
          int threads)
      : layout_(layout), learnt_(learnt), terminals_(terminals), threads_(threads) {
    for (size_t s = 0; s < layout_.streets.size(); ++s) {
      const Street& street = layout_.streets[s];
      if (!street.leaves) continue;
      leaf_street_ = s;
      leaf_values_.resize(street.boards.size() * street.exits.size());
      for (size_t leaf = 0; leaf < leaf_values_.size(); ++leaf) {
        for (size_t p = 0; p < 2; ++p) leaf_values_[leaf][p].assign(leaf_side(leaf, p).width, 0);
      }
      keep_reach();
    }
  }

  // Sees the player's action values and the other's reach at each of the player's decisions.
  using Record = std::function<void(size_t street, size_t board, size_t node, const Real* q,
                                    const Real* reach)>;

  // `root_reach`: of the other player, padded, in the root's order; for a sweep that goes down.
  // `values`: of the player's hands, for one that comes up. `record`: none, or what looks on.
  void run(const Sweep& sweep, const Real* root_reach, std::span<double> values,
           const Record* record = nullptr) {
    const kernels::FlushToZero flush;
    record_ = record;
    Scratch& scratch = take_scratch();
    const Work root = work_at(0, 0, 0);
    if (sweep.down != Sweep::Down::kNone) enter(sweep, root_reach, scratch);
    process(root, sweep, scratch);
    if (sweep.up != Sweep::Up::kNone) {
      const Real* out = scratch.frames[0].values.data();
      const auto& back = root.board.side[sweep.player].back;
      for (size_t i = 0; i < values.size(); ++i) values[i] = out[back[i]];
    }
    record_ = nullptr;
    give_back(scratch);
  }

  // The same for one node, with the average strategies: what arrives there of the other's reach,
  // and what comes up to it. Both over the root's hands. `entries` may be empty.
  void look(const Sweep& sweep, size_t target, size_t b, size_t node, const Real* root_reach,
            const Entries& entries, std::span<double> reach, std::span<double> values);

  size_t num_entries() const {
    // With one deal left a sweep is as quick.
    if (layout_.streets.size() < 3 || layout_.streets[0].leaves) return 0;
    const Street& next = layout_.streets[1];
    return next.boards.size() * layout_.streets[0].exits.size() * widest(next);
  }
  Entries entries(const Sweep& sweep, const Real* root_reach) {
    const kernels::FlushToZero flush;
    Scratch& scratch = take_scratch();
    dealt_values_.assign(num_entries(), 0);  // also where rows are shorter
    enter(sweep, root_reach, scratch);
    send_down(work_at(0, 0, 0), sweep, scratch);
    work_on_boards(sweep, scratch);
    give_back(scratch);
    return std::move(dealt_values_);
  }

  // Rows of reach for every board instead of one set per thread: for when going down and coming up
  // are two sweeps.
  void keep_reach() {
    if (keeps_reach()) return;
    for (const Street& street : layout_.streets) {
      auto& kept = kept_.emplace_back();
      for (const Board& board : street.boards) {
        for (const Chunk& chunk : street.chunks) {
          auto& rows = kept.emplace_back();
          for (size_t p = 0; p < 2; ++p) {
            rows[p].assign(size_t{chunk.num_reach_rows[p]} * board.side[p].width, 0);
          }
        }
      }
    }
  }
  bool keeps_reach() const { return !kept_.empty(); }

  size_t num_leaves() const { return leaf_values_.size(); }
  const Side& leaf_side(size_t leaf, size_t player) const {
    const Street& street = layout_.streets[leaf_street_];
    return street.boards[leaf / street.exits.size()].side[player];
  }
  void leaf_reach(size_t leaf, size_t player, std::span<double> reach) const {
    const Street& street = layout_.streets[leaf_street_];
    const size_t board = leaf / street.exits.size();
    const uint32_t exit = street.exits[leaf % street.exits.size()];
    const size_t kept = board * street.chunks.size() + chunk_of(street, exit);
    const Real* row = kept_[leaf_street_][kept][player].data() +
                      street.nodes[exit].reach_row[player] * leaf_side(leaf, player).width;
    std::copy_n(row, reach.size(), reach.begin());
  }
  void set_leaf_values(size_t leaf, size_t player, std::span<const double> values) {
    std::copy(values.begin(), values.end(), leaf_values_[leaf][player].begin());
  }

 private:
  // Which exits of a street can be reached from a node of it.
  static std::vector<bool> exits_below(const Street& street, size_t node) {
    std::vector<bool> below(street.nodes.size()), exits(street.exits.size());
    below[node] = true;
    for (size_t i = node; i < street.nodes.size(); ++i) {
      const Node& at = street.nodes[i];
      if (!below[i]) continue;
      if (at.kind == NodeKind::kDeal) exits[at.first_child] = true;
      if (at.kind != NodeKind::kDecision) continue;
      for (size_t c = at.first_child; c < at.first_child + at.num_children; ++c) below[c] = true;
    }
    return exits;
  }

  static size_t chunk_of(const Street& street, size_t node) {
    size_t c = 0;
    while (node >= street.chunks[c].first_node + street.chunks[c].num_nodes) ++c;
    return c;
  }

  Scratch make_scratch() const {
    std::vector<Frame> frames;
    size_t width = 0;
    for (const Street& street : layout_.streets) {
      const auto rows = rows_needed(street);
      const size_t w = widest(street);
      frames.push_back(
          {core::AlignedVector<Real>(rows[0] * w, 0), core::AlignedVector<Real>(rows[1] * w, 0)});
      width = std::max(width, w);
    }
    return {std::move(frames), typename Terminals<Real>::Scratch(width), {}};
  }

  Scratch& take_scratch() {
    const std::lock_guard lock(scratch_mutex_);
    if (free_scratch_.empty()) return scratch_.emplace_back(make_scratch());
    Scratch& scratch = *free_scratch_.back();
    free_scratch_.pop_back();
    return scratch;
  }
  void give_back(Scratch& scratch) {
    const std::lock_guard lock(scratch_mutex_);
    free_scratch_.push_back(&scratch);
  }

  Work work_at(size_t s, size_t b, size_t c) const {
    const Street& street = layout_.streets[s];
    return {s, b, c, street, street.boards[b], street.chunks[c]};
  }

  Real* reach_rows(const Work& at, size_t player, Scratch& scratch, Sweep::Down down) {
    // A best response or an evaluation between two half-steps leaves what they keep alone.
    if (!keeps_reach() || down == Sweep::Down::kAverage) return scratch.frames[at.s].reach.data();
    return kept_[at.s][at.b * at.street.chunks.size() + at.c][player].data();
  }

  static Real* value_row(const Work& at, size_t node, size_t player, Scratch& scratch) {
    return scratch.frames[at.s].values.data() +
           (node - at.chunk.first_node) * at.board.side[player].width;
  }

  void enter(const Sweep& sweep, const Real* root_reach, Scratch& scratch) {
    const Work root = work_at(0, 0, 0);
    const Side& side = root.board.side[sweep.other()];
    kernel_.gather(side.width, side.from.data(), root_reach,
                   reach_rows(root, sweep.other(), scratch, sweep.down));
  }

  void process(const Work& at, const Sweep& sweep, Scratch& scratch) {
    if (sweep.down != Sweep::Down::kNone) send_down(at, sweep, scratch);
    if (at.chunk.num_exits > 0) {
      if (at.street.leaves) {
        take_leaf_values(at, sweep, scratch);
      } else if (at.s == 0 && threads_ > 1) {
        // Boards side by side: each leaves its values, which are then added up in their order.
        work_on_boards(sweep, scratch);
        if (sweep.up != Sweep::Up::kNone) add_boards(sweep, dealt_values_, scratch);
      } else {
        deal(at, sweep, scratch);
      }
    }
    if (sweep.up != Sweep::Up::kNone) bring_up(at, sweep, scratch);
  }

  void send_down(const Work& at, const Sweep& sweep, Scratch& scratch) {
    const size_t q = sweep.other(), width = at.board.side[q].width;
    Real* reach = reach_rows(at, q, scratch, sweep.down);
    for (size_t i = at.chunk.first_node; i < at.chunk.first_node + at.chunk.num_nodes; ++i) {
      const Node& node = at.street.nodes[i];
      if (node.kind != NodeKind::kDecision || node.player != q) continue;
      const Place place = learnt_.place(at.s, at.b, i);
      const auto rows = learnt_.open(at.s, at.b, i, place, scratch.buffer);
      const Real* from = reach + node.reach_row[q] * width;
      Real* to = reach + at.street.nodes[node.first_child].reach_row[q] * width;
      if (sweep.down == Sweep::Down::kCurrent) {
        kernel_.descend(rows, from, static_cast<Real>(sweep.decay), to);
        learnt_.store().close_average(place, scratch.buffer);
      } else {
        kernel_.follow(rows, from, to);
      }
    }
  }

  // Reach of the lines of one chunk, from the exits above to the board dealt.
  void send_lines(const Work& above, const Work& below, size_t q, const Real* from,
                  Real* to) const {
    const Side& side = below.board.side[q];
    for (size_t line = 0; line < below.chunk.num_lines; ++line) {
      const uint32_t exit = above.street.exits[below.chunk.first_line + line];
      kernel_.gather(side.width, side.from.data(),
                     from + above.street.nodes[exit].reach_row[q] * above.board.side[q].width,
                     to + line * side.width);
    }
  }

  // Sends the reach of a chunk's exits to one of the boards dealt, works there, and hands the
  // values of each line to `take`.
  template <class Take>
  void visit(const Work& at, size_t child, const Real* reach, const Sweep& sweep, Scratch& scratch,
             const Take& take) {
    const size_t q = sweep.other();
    for (size_t k = at.chunk.first_chunk; k < at.chunk.first_chunk + at.chunk.num_chunks; ++k) {
      const Work below = work_at(at.s + 1, child, k);
      if (sweep.skips(at.s, below.chunk)) continue;
      if (sweep.down != Sweep::Down::kNone) {
        send_lines(at, below, q, reach, reach_rows(below, q, scratch, sweep.down));
      }
      process(below, sweep, scratch);
      if (sweep.up == Sweep::Up::kNone) continue;
      for (size_t line = 0; line < below.chunk.num_lines; ++line) {
        take(below.chunk.first_line + line,
             scratch.frames[below.s].values.data() + line * below.board.side[sweep.player].width);
      }
    }
  }

  // Adds what a board brought for one of the lines to the deal's values.
  void add_images(const Board& dealt, size_t p, size_t width, const Real* values, Real* out) const {
    const Side& side = dealt.side[p];
    for (size_t image = 0; image < dealt.images.size(); ++image) {
      kernel_.gather_add(width, side.back.data() + image * width, values, out);
    }
  }

  void deal(const Work& at, const Sweep& sweep, Scratch& scratch) {
    const size_t p = sweep.player, width = at.board.side[p].width;
    clear_exits(at, p, scratch);
    const Real* reach = reach_rows(at, sweep.other(), scratch, sweep.down);
    const size_t end = at.board.first_child + at.board.num_children;
    for (size_t child = at.board.first_child; child < end; ++child) {
      const Board& dealt = layout_.streets[at.s + 1].boards[child];
      visit(at, child, reach, sweep, scratch, [&](size_t line, const Real* row) {
        add_images(dealt, p, width, row, value_row(at, at.street.exits[line], p, scratch));
      });
    }
  }

  void clear_exits(const Work& at, size_t p, Scratch& scratch) const {
    for (size_t e = at.chunk.first_exit; e < at.chunk.first_exit + at.chunk.num_exits; ++e) {
      std::fill_n(value_row(at, at.street.exits[e], p, scratch), at.board.side[p].width, Real{0});
    }
  }

  void work_on_boards(const Sweep& sweep, Scratch& scratch) {
    const Street& next = layout_.streets[1];
    const size_t lines = layout_.streets[0].exits.size(), stride = widest(next);
    const Work root = work_at(0, 0, 0);
    if (sweep.up != Sweep::Up::kNone) {
      dealt_values_.resize(next.boards.size() * lines * stride);
    }
    const Real* reach = reach_rows(root, sweep.other(), scratch, sweep.down);
    // The frames of the later streets are free meanwhile: one of the threads takes them.
    give_back(scratch);
    core::parallel_for(next.boards.size(), threads_, [&](size_t child) {
      const kernels::FlushToZero flush;
      Scratch& own = take_scratch();
      visit(root, child, reach, sweep, own, [&](size_t line, const Real* row) {
        std::copy_n(row, next.boards[child].side[sweep.player].width,
                    dealt_values_.data() + (child * lines + line) * stride);
      });
      give_back(own);
    });
    std::erase(free_scratch_, &scratch);
  }

  void add_boards(const Sweep& sweep, const Entries& values, Scratch& scratch) const {
    const Work root = work_at(0, 0, 0);
    const Street& next = layout_.streets[1];
    const size_t p = sweep.player, width = root.board.side[p].width;
    const size_t lines = root.street.exits.size(), stride = widest(next);
    clear_exits(root, p, scratch);
    for (size_t child = 0; child < next.boards.size(); ++child) {
      for (size_t line = 0; line < lines; ++line) {
        add_images(next.boards[child], p, width, values.data() + (child * lines + line) * stride,
                   value_row(root, root.street.exits[line], p, scratch));
      }
    }
  }

  void take_leaf_values(const Work& at, const Sweep& sweep, Scratch& scratch) {
    if (sweep.up == Sweep::Up::kNone) return;
    const size_t p = sweep.player, width = at.board.side[p].width;
    for (size_t e = at.chunk.first_exit; e < at.chunk.first_exit + at.chunk.num_exits; ++e) {
      const auto& from = leaf_values_[at.b * at.street.exits.size() + e][p];
      Real* to = value_row(at, at.street.exits[e], p, scratch);
      for (size_t i = 0; i < width; ++i) to[i] = static_cast<Real>(from[i]);
    }
  }

  void bring_up(const Work& at, const Sweep& sweep, Scratch& scratch) {
    const size_t p = sweep.player, other = sweep.other();
    const size_t width = at.board.side[p].width, first = at.chunk.first_node;
    Real* values = scratch.frames[at.s].values.data();
    const Real* reach = reach_rows(at, other, scratch, sweep.down);
    terminals_.evaluate(at.s, at.b, at.chunk, p, reach, values, scratch.terminals);
    for (size_t i = first + at.chunk.num_nodes; i-- > first;) {
      const Node& node = at.street.nodes[i];
      if (node.kind != NodeKind::kDecision) continue;
      const Real* q = values + (node.first_child - first) * width;
      Real* value = values + (i - first) * width;
      if (node.player != p) {
        kernel_.add_rows(node.num_children, width, q, value);
        continue;
      }
      if (record_) {
        (*record_)(at.s, at.b, i, q, reach + node.reach_row[other] * at.board.side[other].width);
      }
      choose(at, i, q, value, sweep, scratch);
    }
  }

  // The player's own decision: action values to its value.
  void choose(const Work& at, size_t i, const Real* q, Real* value, const Sweep& sweep,
              Scratch& scratch) {
    Place place = learnt_.place(at.s, at.b, i);
    place.backwards = true;
    const auto* lock = learnt_.find_lock(at.s, at.b, i);
    switch (sweep.up) {
      case Sweep::Up::kLearn: {
        const auto rows = learnt_.store().open_regret(place, scratch.buffer);
        if (lock) Learnt<Store>::overlay(*lock, rows);
        kernel_.learn(sweep.update, rows, q, value);
        if (lock) Learnt<Store>::overlay(*lock, rows);
        learnt_.store().close_regret(place, scratch.buffer);
        break;
      }
      case Sweep::Up::kAverage:
        kernel_.mix(learnt_.open(at.s, at.b, i, place, scratch.buffer), q, value);
        break;
      case Sweep::Up::kBest:
        kernel_.maximise_rows(place.num_actions, place.width, q, value);
        if (lock) follow_lock(*lock, place, q, value);
        break;
      case Sweep::Up::kNone:
        break;
    }
  }
  static void follow_lock(const std::vector<double>& lock, const Place& at, const Real* q,
                          Real* value) {
    for (size_t i = 0; i < at.width; ++i) {
      if (lock[i] < 0) continue;
      value[i] = 0;
      for (size_t a = 0; a < at.num_actions; ++a) {
        value[i] += static_cast<Real>(lock[a * at.width + i]) * q[a * at.width + i];
      }
    }
  }

  const Layout& layout_;
  Learnt<Store>& learnt_;
  const Terminals<Real>& terminals_;
  const int threads_;
  const kernels::HandKernels<Real>& kernel_ = kernels::hand_kernels<Real>();
  // [street][board * chunks + chunk][player]
  std::vector<std::vector<std::array<core::AlignedVector<Real>, 2>>> kept_;
  const Record* record_ = nullptr;  // of the sweep at work
  size_t leaf_street_ = 0;
  std::vector<std::array<std::vector<double>, 2>> leaf_values_;  // [leaf][player], padded
  core::AlignedVector<Real> dealt_values_;  // [board][line][hand], of the first deal
  std::mutex scratch_mutex_;
  std::deque<Scratch> scratch_;
  std::vector<Scratch*> free_scratch_;
};

template <class Store>
void Sweeper<Store>::look(const Sweep& sweep, size_t target, size_t b, size_t node,
                          const Real* root_reach, const Entries& entries, std::span<double> reach,
                          std::span<double> values) {
  // The boards and the chunks on the way, from the target up.
  std::vector<Work> way = {work_at(target, b, chunk_of(layout_.streets[target], node))};
  while (way.back().s > 0) {
    const Street& above = layout_.streets[way.back().s - 1];
    const size_t chunk = chunk_of(above, above.exits[way.back().chunk.first_line]);
    way.push_back(work_at(way.back().s - 1, way.back().board.parent, chunk));
  }
  const kernels::FlushToZero flush;
  Scratch& scratch = take_scratch();
  const size_t q = sweep.other(), p = sweep.player;
  enter(sweep, root_reach, scratch);
  for (size_t s = 0; s < target; ++s) {
    const Work &at = way[target - s], &below = way[target - s - 1];
    send_down(at, sweep, scratch);
    send_lines(at, below, q, scratch.frames[s].reach.data(), scratch.frames[s + 1].reach.data());
  }
  const Work& at = way.front();
  const Side &mine = at.board.side[p], &its = at.board.side[q];
  const size_t row = node - at.chunk.first_node;
  const Real* up = value_row(at, node, p, scratch);
  if (target == 1 && row < at.chunk.num_lines && !entries.empty()) {
    const size_t entry = b * layout_.streets[0].exits.size() + at.chunk.first_line + row;
    up = entries.data() + entry * widest(at.street);
  } else if (target == 0 && !entries.empty()) {
    send_down(at, sweep, scratch);
    add_boards(sweep, entries, scratch);
    bring_up(at, sweep, scratch);
  } else {
    const std::vector<bool> exits = exits_below(at.street, node);
    Sweep narrow = sweep;
    narrow.exits = &exits;
    narrow.street = target;
    process(at, narrow, scratch);
  }
  for (size_t h = 0; h < values.size(); ++h) values[h] = up[mine.row[h]];
  const Real* down =
      scratch.frames[target].reach.data() + at.street.nodes[node].reach_row[q] * its.width;
  for (size_t h = 0; h < reach.size(); ++h) reach[h] = down[its.row[h]];
  give_back(scratch);
}

}  // namespace cleave::hands
