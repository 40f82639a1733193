#include "hands/blueprint/last_street.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/error.h"
#include "core/threads.h"
#include "hands/sweeper.h"
#include "poker/hand_index.h"

namespace cleave::hands {

using NodeKind = poker::BettingNode::Kind;

// What one thread works in.
struct LastStreet::Work {
  Floats reach, values;     // rows of one chunk
  Floats strategy[2] = {};  // [player]: [action of the block][hand]
  Terminals<float>::Scratch terminals;
};

LastStreet::LastStreet(const WholeGame& game, const poker::Buckets& buckets, int threads)
    : game_(game),
      threads_(threads),
      num_buckets_(buckets.count),
      terminals_(game.layout, threads) {
  const Street& street = game.street();
  const int cards = std::popcount(street.boards.at(0).cards);
  if (cards != buckets.board_cards) {
    throw core::InputError(fmt::format("buckets for boards of {} cards; the last street has {}",
                                       buckets.board_cards, cards));
  }
  add_blocks();
  const poker::HandIndex index({2, cards});
  bucket_.resize(street.boards.size());
  core::parallel_for(street.boards.size(), threads, [&](size_t b) {
    const Board& board = street.boards[b];
    const Side& side = board.side[0];  // both players may have every hand
    bucket_[b].assign(side.width, 0);
    for (size_t i = 0; i < side.count; ++i) {
      const poker::CardSet hand = game.setup().hands[0][side.hand[i]];
      bucket_[b][i] = buckets.bucket[index.index({hand, board.cards})];
    }
  });
}

void LastStreet::add_blocks() {
  const Street& street = game_.street();
  std::array<size_t, 2> first = {}, first_visit = {};
  for (const Chunk& chunk : street.chunks) {
    for (size_t p = 0; p < 2; ++p) {
      Block& block = blocks_[p].emplace_back();
      block.first = first[p];
      block.first_visit = first_visit[p];
      for (uint32_t n = chunk.first_node; n < chunk.first_node + chunk.num_nodes; ++n) {
        const Node& node = street.nodes[n];
        if (node.kind != NodeKind::kDecision || node.player != p) continue;
        block.decisions.push_back({n, block.rows, node.num_children});
        block.rows += node.num_children;
      }
      first[p] += size_t{block.rows} * num_buckets_;
      first_visit[p] += block.decisions.size() * num_buckets_;
    }
  }
}

// How many times more boards are dealt than those of the batch.
static float batch_scale(const Street& street, const Board& above, const LastStreet::Sweep& sweep) {
  size_t all = 0, some = 0;
  for (size_t i = 0; i < above.num_children; ++i) {
    const size_t images = street.boards[above.first_child + i].images.size();
    all += images;
    const size_t first = sweep.batch % above.num_children;
    if (i >= first && (i - first) % sweep.batches == 0) some += images;
  }
  return static_cast<float>(all) / static_cast<float>(some);
}

void LastStreet::run(const Sweep& sweep) const {
  const Street& street = game_.street();
  const Street& trunk = game_.trunk_street();
  core::parallel_for(street.chunks.size(), threads_, [&](size_t c) {
    const kernels::FlushToZero flush;
    const size_t width = widest(street);
    const Chunk& chunk = street.chunks[c];
    const size_t other = 1 - sweep.player;
    Work work{Floats(chunk.num_reach_rows[other] * width, 0),
              Floats(chunk.num_nodes * width, 0),
              {},
              Terminals<float>::Scratch(width)};
    for (size_t p = 0; p < 2; ++p) work.strategy[p].assign(blocks_[p][c].rows * width, 0);
    const size_t end =
        sweep.num_parents > 0 ? sweep.first_parent + sweep.num_parents : trunk.boards.size();
    for (size_t parent = sweep.first_parent; parent < end; ++parent) {
      bool is_reached = false;
      for (size_t line = chunk.first_line; line < chunk.first_line + chunk.num_lines; ++line) {
        auto& values = (*sweep.values)[parent * game_.num_lines() + line];
        values.assign(trunk.boards[parent].side[sweep.player].width, 0);
        const Floats& reach = (*sweep.reach)[parent * game_.num_lines() + line];
        is_reached |= std::ranges::any_of(reach, [](float x) { return x != 0; });
      }
      if (!is_reached) continue;
      const Board& above = trunk.boards[parent];
      const float scale = batch_scale(street, above, sweep);
      for (size_t b = above.first_child + sweep.batch % above.num_children;
           b < above.first_child + above.num_children; b += sweep.batches) {
        walk(sweep, c, parent, b, scale, work);
      }
    }
  });
}

// One chunk of lines under one board: reach from the trunk down, values back to it.
void LastStreet::walk(const Sweep& sweep, size_t c, size_t parent, size_t b, float scale,
                      Work& work) const {
  const Chunk& chunk = game_.street().chunks[c];
  const Board& board = game_.street().boards[b];
  const Side &other = board.side[1 - sweep.player], &own = board.side[sweep.player];
  const size_t first_leaf = parent * game_.num_lines() + chunk.first_line;
  for (size_t line = 0; line < chunk.num_lines; ++line) {
    float* to = work.reach.data() + line * other.width;
    kernel_.gather(other.width, other.from.data(), (*sweep.reach)[first_leaf + line].data(), to);
    for (size_t k = 0; k < other.width; ++k) to[k] *= scale;
  }
  go_down(sweep, c, b, work);
  come_up(sweep, c, b, work);
  for (size_t line = 0; line < chunk.num_lines; ++line) {
    Floats& out = (*sweep.values)[first_leaf + line];
    for (size_t image = 0; image < board.images.size(); ++image) {
      kernel_.gather_add(out.size(), own.back.data() + image * out.size(),
                         work.values.data() + line * own.width, out.data());
    }
  }
}

// A block's probabilities for every hand of a board: [action][hand].
void LastStreet::spread(const Block& block, const BucketRows& from, size_t b, size_t width,
                        Floats& rows) const {
  const float* first = from.data() + block.first;
  for (size_t k = 0; k < width; ++k) {
    const float* own = first + size_t{bucket_[b][k]} * block.rows;
    for (size_t r = 0; r < block.rows; ++r) rows[r * width + k] = own[r];
  }
}

void LastStreet::go_down(const Sweep& sweep, size_t c, size_t b, Work& work) const {
  const Street& street = game_.street();
  const size_t q = 1 - sweep.player;
  const size_t width = street.boards[b].side[q].width;
  const Block& block = blocks_[q][c];
  spread(block, *sweep.strategy[q], b, width, work.strategy[q]);
  for (const Block::Decision& decision : block.decisions) {
    const Node& node = street.nodes[decision.node];
    const float* from = work.reach.data() + node.reach_row[q] * width;
    float* to = work.reach.data() + street.nodes[node.first_child].reach_row[q] * width;
    const float* rows = work.strategy[q].data() + decision.row * width;
    for (size_t a = 0; a < decision.actions; ++a) {
      for (size_t k = 0; k < width; ++k) to[a * width + k] = from[k] * rows[a * width + k];
    }
  }
  if (sweep.visits) add_visits(sweep, c, b, work);
}

void LastStreet::add_visits(const Sweep& sweep, size_t c, size_t b, const Work& work) const {
  const Board& board = game_.street().boards[b];
  const size_t q = 1 - sweep.player;
  const Side& side = board.side[q];
  const Block& block = blocks_[q][c];
  float* visits = sweep.visits->data() + block.first_visit;
  for (size_t k = 0; k < side.count; ++k) {
    const auto weight = static_cast<float>(side.size[k] * board.images.size());
    float* to = visits + size_t{bucket_[b][k]} * block.decisions.size();
    for (size_t d = 0; d < block.decisions.size(); ++d) {
      const Node& node = game_.street().nodes[block.decisions[d].node];
      to[d] += weight * work.reach[node.reach_row[q] * side.width + k];
    }
  }
}

void LastStreet::come_up(const Sweep& sweep, size_t c, size_t b, Work& work) const {
  const Street& street = game_.street();
  const Chunk& chunk = street.chunks[c];
  const size_t p = sweep.player, width = street.boards[b].side[p].width;
  float* values = work.values.data();
  terminals_.evaluate(game_.last, b, chunk, p, work.reach.data(), values, work.terminals);
  if (!sweep.best_response) spread(blocks_[p][c], *sweep.strategy[p], b, width, work.strategy[p]);
  size_t decision = blocks_[p][c].decisions.size();
  for (size_t i = chunk.first_node + chunk.num_nodes; i-- > chunk.first_node;) {
    const Node& node = street.nodes[i];
    if (node.kind != NodeKind::kDecision) continue;
    const float* q = values + (node.first_child - chunk.first_node) * width;
    float* value = values + (i - chunk.first_node) * width;
    if (node.player != p) {
      kernel_.add_rows(node.num_children, width, q, value);
    } else if (sweep.best_response) {
      kernel_.maximise_rows(node.num_children, width, q, value);
    } else {
      const float* rows = work.strategy[p].data() + blocks_[p][c].decisions[--decision].row * width;
      std::fill_n(value, width, 0.0f);
      for (size_t a = 0; a < node.num_children; ++a) {
        for (size_t k = 0; k < width; ++k) value[k] += q[a * width + k] * rows[a * width + k];
      }
    }
  }
  if (sweep.action_values) add_values(sweep, c, b, work);
}

// Hands of a bucket play the same: their action values are added up, each as often as it is dealt.
void LastStreet::add_values(const Sweep& sweep, size_t c, size_t b, const Work& work) const {
  const Street& street = game_.street();
  const Board& board = street.boards[b];
  const Side& side = board.side[sweep.player];
  const Block& block = blocks_[sweep.player][c];
  std::vector<const float*> q;  // [action of the block]
  for (const Block::Decision& decision : block.decisions) {
    const size_t child = street.nodes[decision.node].first_child - street.chunks[c].first_node;
    for (size_t a = 0; a < decision.actions; ++a) {
      q.push_back(work.values.data() + (child + a) * side.width);
    }
  }
  float* sums = sweep.action_values->data() + block.first;
  for (size_t k = 0; k < side.count; ++k) {
    const auto weight = static_cast<float>(side.size[k] * board.images.size());
    float* to = sums + size_t{bucket_[b][k]} * block.rows;
    for (size_t r = 0; r < block.rows; ++r) to[r] += weight * q[r][k];
  }
}

}  // namespace cleave::hands
