#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "core/threads.h"
#include "hands/learnt.h"
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
    const size_t q = sweep.other(), p = 1 - q;
    Scratch& scratch = take_scratch();
    const Board& board = layout_.streets[0].boards[0];
    if (sweep.down != Sweep::Down::kNone) enter(sweep, root_reach, scratch);
    process(0, 0, 0, sweep, scratch);
    if (sweep.up != Sweep::Up::kNone) {
      const Real* out = scratch.frames[0].values.data();
      for (size_t i = 0; i < values.size(); ++i) values[i] = out[board.side[p].back[i]];
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
    send_down(0, 0, 0, sweep, scratch);
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
    const size_t board = leaf / street.exits.size(), exit = leaf % street.exits.size();
    const size_t c = chunk_of(street, street.exits[exit]);
    const Node& node = street.nodes[street.exits[exit]];
    const Real* row = kept_[leaf_street_][board * street.chunks.size() + c][player].data() +
                      node.reach_row[player] * leaf_side(leaf, player).width;
    for (size_t i = 0; i < reach.size(); ++i) reach[i] = row[i];
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

  std::unique_ptr<Scratch> make_scratch() const {
    std::vector<Frame> frames;
    size_t width = 0;
    for (const Street& street : layout_.streets) {
      const auto rows = rows_needed(street);
      const size_t w = widest(street);
      frames.push_back(
          {core::AlignedVector<Real>(rows[0] * w, 0), core::AlignedVector<Real>(rows[1] * w, 0)});
      width = std::max(width, w);
    }
    return std::unique_ptr<Scratch>(
        new Scratch{std::move(frames), typename Terminals<Real>::Scratch(width), {}});
  }

  Scratch& take_scratch() {
    const std::lock_guard lock(scratch_mutex_);
    if (free_scratch_.empty()) return *scratch_.emplace_back(make_scratch());
    Scratch& scratch = *free_scratch_.back();
    free_scratch_.pop_back();
    return scratch;
  }
  void give_back(Scratch& scratch) {
    const std::lock_guard lock(scratch_mutex_);
    free_scratch_.push_back(&scratch);
  }

  Real* reach_rows(size_t s, size_t b, size_t c, size_t player, Scratch& scratch,
                   Sweep::Down down) {
    // A best response or an evaluation between two half-steps leaves what they keep alone.
    if (!keeps_reach() || down == Sweep::Down::kAverage) return scratch.frames[s].reach.data();
    return kept_[s][b * layout_.streets[s].chunks.size() + c][player].data();
  }

  void enter(const Sweep& sweep, const Real* root_reach, Scratch& scratch) {
    const size_t q = sweep.other();
    const Side& side = layout_.streets[0].boards[0].side[q];
    kernel_.gather(side.width, side.from.data(), root_reach,
                   reach_rows(0, 0, 0, q, scratch, sweep.down));
  }

  void process(size_t s, size_t b, size_t c, const Sweep& sweep, Scratch& scratch) {
    if (sweep.down != Sweep::Down::kNone) send_down(s, b, c, sweep, scratch);
    const Street& street = layout_.streets[s];
    if (street.chunks[c].num_exits > 0) {
      if (street.leaves) {
        take_leaf_values(s, b, c, sweep, scratch);
      } else if (s == 0 && threads_ > 1) {
        deal_on_threads(sweep, scratch);
      } else {
        deal(s, b, c, sweep, scratch);
      }
    }
    if (sweep.up != Sweep::Up::kNone) bring_up(s, b, c, sweep, scratch);
  }

  void send_down(size_t s, size_t b, size_t c, const Sweep& sweep, Scratch& scratch) {
    const Street& street = layout_.streets[s];
    const Chunk& chunk = street.chunks[c];
    const size_t q = sweep.other();
    const size_t width = street.boards[b].side[q].width;
    Real* reach = reach_rows(s, b, c, q, scratch, sweep.down);
    for (size_t i = chunk.first_node; i < chunk.first_node + chunk.num_nodes; ++i) {
      const Node& node = street.nodes[i];
      if (node.kind != NodeKind::kDecision || node.player != q) continue;
      const Place at = learnt_.place(s, b, i);
      const auto rows = learnt_.open(s, b, i, at, scratch.buffer);
      const Real* from = reach + node.reach_row[q] * width;
      Real* to = reach + street.nodes[node.first_child].reach_row[q] * width;
      if (sweep.down == Sweep::Down::kCurrent) {
        kernel_.descend(rows, from, static_cast<Real>(sweep.decay), to);
        learnt_.store().close_average(at, scratch.buffer);
      } else {
        kernel_.follow(rows, from, to);
      }
    }
  }

  // Reach of the lines of one chunk, from the exits under board b to the board dealt.
  void send_lines(size_t s, size_t b, size_t dealt, size_t chunk, size_t q, const Real* from,
                  Real* to) const {
    const Street& street = layout_.streets[s];
    const Chunk& below = layout_.streets[s + 1].chunks[chunk];
    const Side& side = layout_.streets[s + 1].boards[dealt].side[q];
    for (size_t line = 0; line < below.num_lines; ++line) {
      const Node& exit = street.nodes[street.exits[below.first_line + line]];
      kernel_.gather(side.width, side.from.data(),
                     from + exit.reach_row[q] * street.boards[b].side[q].width,
                     to + line * side.width);
    }
  }

  // Sends the reach of a chunk's exits to one of the boards dealt, works there, and hands the
  // values of each line to `take`.
  template <class Take>
  void visit(size_t s, size_t b, size_t c, size_t child, const Real* reach, const Sweep& sweep,
             Scratch& scratch, const Take& take) {
    const Street& next = layout_.streets[s + 1];
    const Board& dealt = next.boards[child];
    const size_t q = sweep.other(), p = 1 - q;
    const Chunk& chunk = layout_.streets[s].chunks[c];
    for (size_t k = chunk.first_chunk; k < chunk.first_chunk + chunk.num_chunks; ++k) {
      const Chunk& below = next.chunks[k];
      if (sweep.skips(s, below)) continue;
      if (sweep.down != Sweep::Down::kNone) {
        send_lines(s, b, child, k, q, reach, reach_rows(s + 1, child, k, q, scratch, sweep.down));
      }
      process(s + 1, child, k, sweep, scratch);
      if (sweep.up == Sweep::Up::kNone) continue;
      for (size_t line = 0; line < below.num_lines; ++line) {
        take(below.first_line + line,
             scratch.frames[s + 1].values.data() + line * dealt.side[p].width);
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

  void deal(size_t s, size_t b, size_t c, const Sweep& sweep, Scratch& scratch) {
    const Street& street = layout_.streets[s];
    const Board& board = street.boards[b];
    const Chunk& chunk = street.chunks[c];
    const size_t q = sweep.other(), p = 1 - q;
    const size_t width = board.side[p].width;
    Real* values = scratch.frames[s].values.data();
    clear_exits(s, b, c, p, scratch);
    const Real* reach = reach_rows(s, b, c, q, scratch, sweep.down);
    for (size_t child = board.first_child; child < board.first_child + board.num_children;
         ++child) {
      visit(s, b, c, child, reach, sweep, scratch, [&](size_t line, const Real* row) {
        Real* to = values + (street.exits[line] - chunk.first_node) * width;
        add_images(layout_.streets[s + 1].boards[child], p, width, row, to);
      });
    }
  }

  void clear_exits(size_t s, size_t b, size_t c, size_t p, Scratch& scratch) const {
    const Street& street = layout_.streets[s];
    const Chunk& chunk = street.chunks[c];
    const size_t width = street.boards[b].side[p].width;
    for (size_t e = chunk.first_exit; e < chunk.first_exit + chunk.num_exits; ++e) {
      Real* row = scratch.frames[s].values.data() + (street.exits[e] - chunk.first_node) * width;
      std::fill(row, row + width, Real{0});
    }
  }

  // The same from the root, boards side by side: each leaves its values, which are then added up in
  // the order of the boards.
  void deal_on_threads(const Sweep& sweep, Scratch& scratch) {
    work_on_boards(sweep, scratch);
    if (sweep.up != Sweep::Up::kNone) add_boards(sweep, dealt_values_, scratch);
  }

  void work_on_boards(const Sweep& sweep, Scratch& scratch) {
    const Street& next = layout_.streets[1];
    const size_t q = sweep.other(), p = 1 - q;
    const size_t lines = layout_.streets[0].exits.size();
    const size_t stride = widest(next);
    if (sweep.up != Sweep::Up::kNone) {
      dealt_values_.resize(next.boards.size() * lines * stride);
    }
    const Real* reach = reach_rows(0, 0, 0, q, scratch, sweep.down);
    // The frames of the later streets are free meanwhile: one of the threads takes them.
    give_back(scratch);
    core::parallel_for(next.boards.size(), threads_, [&](size_t child) {
      const kernels::FlushToZero flush;
      Scratch& own = take_scratch();
      visit(0, 0, 0, child, reach, sweep, own, [&](size_t line, const Real* row) {
        std::copy(row, row + next.boards[child].side[p].width,
                  dealt_values_.data() + (child * lines + line) * stride);
      });
      give_back(own);
    });
    std::erase(free_scratch_, &scratch);
  }

  void add_boards(const Sweep& sweep, const Entries& values, Scratch& scratch) const {
    const Street& street = layout_.streets[0];
    const Street& next = layout_.streets[1];
    const size_t p = 1 - sweep.other();
    const size_t lines = street.exits.size(), stride = widest(next);
    const size_t width = street.boards[0].side[p].width;
    clear_exits(0, 0, 0, p, scratch);
    for (size_t child = 0; child < next.boards.size(); ++child) {
      for (size_t line = 0; line < lines; ++line) {
        add_images(next.boards[child], p, width, values.data() + (child * lines + line) * stride,
                   scratch.frames[0].values.data() + street.exits[line] * width);
      }
    }
  }

  void take_leaf_values(size_t s, size_t b, size_t c, const Sweep& sweep, Scratch& scratch) {
    if (sweep.up == Sweep::Up::kNone) return;
    const Street& street = layout_.streets[s];
    const Chunk& chunk = street.chunks[c];
    const auto p = sweep.player;
    const size_t width = street.boards[b].side[p].width;
    for (size_t e = chunk.first_exit; e < chunk.first_exit + chunk.num_exits; ++e) {
      const auto& from = leaf_values_[b * street.exits.size() + e][p];
      Real* to = scratch.frames[s].values.data() + (street.exits[e] - chunk.first_node) * width;
      for (size_t i = 0; i < width; ++i) to[i] = static_cast<Real>(from[i]);
    }
  }

  void bring_up(size_t s, size_t b, size_t c, const Sweep& sweep, Scratch& scratch) {
    const Street& street = layout_.streets[s];
    const Chunk& chunk = street.chunks[c];
    const auto p = sweep.player;
    const size_t width = street.boards[b].side[p].width;
    Real* values = scratch.frames[s].values.data();
    terminals_.evaluate(s, b, chunk, p, reach_rows(s, b, c, 1 - p, scratch, sweep.down), values,
                        scratch.terminals);
    for (size_t i = chunk.first_node + chunk.num_nodes; i-- > chunk.first_node;) {
      const Node& node = street.nodes[i];
      if (node.kind != NodeKind::kDecision) continue;
      const Real* q = values + (node.first_child - chunk.first_node) * width;
      Real* value = values + (i - chunk.first_node) * width;
      if (node.player != p) {
        kernel_.add_rows(node.num_children, width, q, value);
        continue;
      }
      if (record_) {
        (*record_)(s, b, i, q,
                   reach_rows(s, b, c, 1 - p, scratch, sweep.down) +
                       node.reach_row[1 - p] * street.boards[b].side[1 - p].width);
      }
      choose(s, b, i, q, value, sweep, scratch);
    }
  }

  // The player's own decision: action values to its value.
  void choose(size_t s, size_t b, size_t i, const Real* q, Real* value, const Sweep& sweep,
              Scratch& scratch) {
    Place at = learnt_.place(s, b, i);
    at.backwards = true;
    const auto* lock = learnt_.find_lock(s, b, i);
    switch (sweep.up) {
      case Sweep::Up::kLearn: {
        const auto rows = learnt_.store().open_regret(at, scratch.buffer);
        if (lock) Learnt<Store>::overlay(*lock, rows);
        kernel_.learn(sweep.update, rows, q, value);
        if (lock) Learnt<Store>::overlay(*lock, rows);
        learnt_.store().close_regret(at, scratch.buffer);
        break;
      }
      case Sweep::Up::kAverage:
        kernel_.mix(learnt_.open(s, b, i, at, scratch.buffer), q, value);
        break;
      case Sweep::Up::kBest:
        kernel_.maximise_rows(at.num_actions, at.width, q, value);
        if (lock) follow_lock(*lock, at, q, value);
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
  std::vector<std::unique_ptr<Scratch>> scratch_;
  std::vector<Scratch*> free_scratch_;
};

template <class Store>
void Sweeper<Store>::look(const Sweep& sweep, size_t target, size_t b, size_t node,
                          const Real* root_reach, const Entries& entries, std::span<double> reach,
                          std::span<double> values) {
  // The boards and the chunks on the way, from the target up.
  std::vector<size_t> boards(target + 1), chunks(target + 1);
  boards[target] = b;
  chunks[target] = chunk_of(layout_.streets[target], node);
  for (size_t s = target; s-- > 0;) {
    boards[s] = layout_.streets[s + 1].boards[boards[s + 1]].parent;
    const size_t line = layout_.streets[s + 1].chunks[chunks[s + 1]].first_line;
    chunks[s] = chunk_of(layout_.streets[s], layout_.streets[s].exits[line]);
  }
  const kernels::FlushToZero flush;
  Scratch& scratch = take_scratch();
  const size_t q = sweep.other(), p = 1 - q;
  enter(sweep, root_reach, scratch);
  for (size_t s = 0; s < target; ++s) {
    send_down(s, boards[s], chunks[s], sweep, scratch);
    send_lines(s, boards[s], boards[s + 1], chunks[s + 1], q, scratch.frames[s].reach.data(),
               scratch.frames[s + 1].reach.data());
  }
  const Street& street = layout_.streets[target];
  const Chunk& chunk = street.chunks[chunks[target]];
  const Side &mine = street.boards[b].side[p], &its = street.boards[b].side[q];
  const size_t row = node - chunk.first_node;
  const Real* up = scratch.frames[target].values.data() + row * mine.width;
  if (target == 1 && row < chunk.num_lines && !entries.empty()) {
    const size_t entry = b * layout_.streets[0].exits.size() + chunk.first_line + row;
    up = entries.data() + entry * widest(street);
  } else if (target == 0 && !entries.empty()) {
    send_down(0, 0, 0, sweep, scratch);
    add_boards(sweep, entries, scratch);
    bring_up(0, 0, 0, sweep, scratch);
  } else {
    const std::vector<bool> exits = exits_below(street, node);
    Sweep narrow = sweep;
    narrow.exits = &exits;
    narrow.street = target;
    process(target, b, chunks[target], narrow, scratch);
  }
  for (size_t h = 0; h < values.size(); ++h) values[h] = up[mine.row[h]];
  const Real* down =
      scratch.frames[target].reach.data() + street.nodes[node].reach_row[q] * its.width;
  for (size_t h = 0; h < reach.size(); ++h) reach[h] = down[its.row[h]];
  give_back(scratch);
}

}  // namespace cleave::hands
