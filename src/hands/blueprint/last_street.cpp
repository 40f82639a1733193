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

// What one thread works in: one chunk of lines, board after board.
class LastStreet::Worker {
 public:
  Worker(const LastStreet& all, const Sweep& sweep, size_t c)
      : all_(all),
        sweep_(sweep),
        street_(all.game_.street()),
        chunk_(street_.chunks[c]),
        own_(all.blocks_[p_][c]),
        others_(all.blocks_[q_][c]),
        terminals_(widest(street_)) {
    const size_t width = widest(street_);
    reach_.assign(chunk_.num_reach_rows[q_] * width, 0);
    values_.assign(chunk_.num_nodes * width, 0);
    own_strategy_.assign(own_.rows * width, 0);
    others_strategy_.assign(others_.rows * width, 0);
  }

  // Under one board: reach from the trunk down, values back to it.
  void walk(size_t parent, size_t b, float scale) {
    const Board& board = street_.boards[b];
    const Side &other = board.side[q_], &own = board.side[p_];
    const size_t first_leaf = parent * all_.game_.num_lines() + chunk_.first_line;
    for (size_t line = 0; line < chunk_.num_lines; ++line) {
      float* to = reach_.data() + line * other.width;
      const float* from = (*sweep_.reach)[first_leaf + line].data();
      all_.kernel_.gather(other.width, other.from.data(), from, to);
      for (size_t k = 0; k < other.width; ++k) to[k] *= scale;
    }
    go_down(b);
    come_up(b);
    for (size_t line = 0; line < chunk_.num_lines; ++line) {
      Floats& out = (*sweep_.values)[first_leaf + line];
      for (size_t image = 0; image < board.images.size(); ++image) {
        all_.kernel_.gather_add(out.size(), own.back.data() + image * out.size(),
                                values_.data() + line * own.width, out.data());
      }
    }
  }

 private:
  // A block's probabilities for every hand of a board: [action][hand].
  void spread(const Block& block, const BucketRows& from, size_t b, size_t width,
              Floats& rows) const {
    const float* first = from.data() + block.first;
    for (size_t k = 0; k < width; ++k) {
      const float* own = first + size_t{all_.bucket_[b][k]} * block.rows;
      for (size_t r = 0; r < block.rows; ++r) rows[r * width + k] = own[r];
    }
  }

  void go_down(size_t b) {
    const size_t width = street_.boards[b].side[q_].width;
    spread(others_, *sweep_.strategy[q_], b, width, others_strategy_);
    for (const Block::Decision& decision : others_.decisions) {
      const Node& node = street_.nodes[decision.node];
      const float* from = reach_.data() + node.reach_row[q_] * width;
      float* to = reach_.data() + street_.nodes[node.first_child].reach_row[q_] * width;
      const float* rows = others_strategy_.data() + decision.row * width;
      for (size_t a = 0; a < decision.actions; ++a) {
        for (size_t k = 0; k < width; ++k) to[a * width + k] = from[k] * rows[a * width + k];
      }
    }
    if (sweep_.visits) add_visits(b);
  }

  void add_visits(size_t b) const {
    const Board& board = street_.boards[b];
    const Side& side = board.side[q_];
    float* visits = sweep_.visits->data() + others_.first_visit;
    for (size_t k = 0; k < side.count; ++k) {
      const auto weight = static_cast<float>(side.size[k] * board.images.size());
      float* to = visits + size_t{all_.bucket_[b][k]} * others_.decisions.size();
      for (size_t d = 0; d < others_.decisions.size(); ++d) {
        const Node& node = street_.nodes[others_.decisions[d].node];
        to[d] += weight * reach_[node.reach_row[q_] * side.width + k];
      }
    }
  }

  void come_up(size_t b) {
    const size_t width = street_.boards[b].side[p_].width, first = chunk_.first_node;
    float* values = values_.data();
    all_.terminals_.evaluate(all_.game_.last, b, chunk_, p_, reach_.data(), values, terminals_);
    if (!sweep_.best_response) spread(own_, *sweep_.strategy[p_], b, width, own_strategy_);
    size_t decision = own_.decisions.size();
    for (size_t i = first + chunk_.num_nodes; i-- > first;) {
      const Node& node = street_.nodes[i];
      if (node.kind != NodeKind::kDecision) continue;
      const float* q = values + (node.first_child - first) * width;
      float* value = values + (i - first) * width;
      if (node.player != p_) {
        all_.kernel_.add_rows(node.num_children, width, q, value);
      } else if (sweep_.best_response) {
        all_.kernel_.maximise_rows(node.num_children, width, q, value);
      } else {
        const float* rows = own_strategy_.data() + own_.decisions[--decision].row * width;
        std::fill_n(value, width, 0.0f);
        for (size_t a = 0; a < node.num_children; ++a) {
          for (size_t k = 0; k < width; ++k) value[k] += q[a * width + k] * rows[a * width + k];
        }
      }
    }
    if (sweep_.action_values) add_values(b);
  }

  // Hands of a bucket play the same: their action values are added up, each as often as it is
  // dealt.
  void add_values(size_t b) const {
    const Board& board = street_.boards[b];
    const Side& side = board.side[p_];
    std::vector<const float*> q;  // [action of the block]
    for (const Block::Decision& decision : own_.decisions) {
      const size_t child = street_.nodes[decision.node].first_child - chunk_.first_node;
      for (size_t a = 0; a < decision.actions; ++a) {
        q.push_back(values_.data() + (child + a) * side.width);
      }
    }
    float* sums = sweep_.action_values->data() + own_.first;
    for (size_t k = 0; k < side.count; ++k) {
      const auto weight = static_cast<float>(side.size[k] * board.images.size());
      float* to = sums + size_t{all_.bucket_[b][k]} * own_.rows;
      for (size_t r = 0; r < own_.rows; ++r) to[r] += weight * q[r][k];
    }
  }

  const LastStreet& all_;
  const Sweep& sweep_;
  const size_t p_ = sweep_.player, q_ = 1 - p_;
  const Street& street_;
  const Chunk& chunk_;
  const Block &own_, &others_;
  Floats reach_, values_;                  // rows of the chunk
  Floats own_strategy_, others_strategy_;  // [action of the block][hand]
  Terminals<float>::Scratch terminals_;
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
    const Chunk& chunk = street.chunks[c];
    Worker worker(*this, sweep, c);
    const size_t end =
        sweep.num_parents > 0 ? sweep.first_parent + sweep.num_parents : trunk.boards.size();
    for (size_t parent = sweep.first_parent; parent < end; ++parent) {
      const Board& above = trunk.boards[parent];
      bool is_reached = false;
      for (size_t line = chunk.first_line; line < chunk.first_line + chunk.num_lines; ++line) {
        const size_t leaf = parent * game_.num_lines() + line;
        (*sweep.values)[leaf].assign(above.side[sweep.player].width, 0);
        is_reached |= std::ranges::any_of((*sweep.reach)[leaf], [](float x) { return x != 0; });
      }
      if (!is_reached) continue;
      const float scale = batch_scale(street, above, sweep);
      for (size_t b = above.first_child + sweep.batch % above.num_children;
           b < above.first_child + above.num_children; b += sweep.batches) {
        worker.walk(parent, b, scale);
      }
    }
  });
}

}  // namespace cleave::hands
