#include "hands/blueprint/bucket_leaves.h"

#include <algorithm>

#include "core/error.h"
#include "core/threads.h"

namespace cleave::hands {
namespace {

// Probabilities in proportion to the positive weights; uniform where there are none.
void normalise(size_t actions, const float* weights, float* out) {
  float sum = 0;
  for (size_t a = 0; a < actions; ++a) sum += std::max(weights[a], 0.0f);
  for (size_t a = 0; a < actions; ++a) {
    out[a] = sum > 0 ? std::max(weights[a], 0.0f) / sum : 1.0f / static_cast<float>(actions);
  }
}

// Calls use(first value, actions, visit) for every decision and bucket of the player.
template <class Use>
void for_decisions(const LastStreet& street, size_t player, int threads, const Use& use) {
  const std::vector<Block>& blocks = street.blocks(player);
  core::parallel_for(blocks.size(), threads, [&](size_t c) {
    const Block& block = blocks[c];
    for (size_t bucket = 0; bucket < street.num_buckets(); ++bucket) {
      for (size_t d = 0; d < block.decisions.size(); ++d) {
        use(block.first + bucket * block.rows + block.decisions[d].row, block.decisions[d].actions,
            block.first_visit + bucket * block.decisions.size() + d);
      }
    }
  });
}

}  // namespace

BucketLeaves::BucketLeaves(const WholeGame& game, const poker::Buckets& buckets,
                           solve::Schedule schedule, int batches, int threads)
    : game_(game),
      last_street_(game, buckets, threads),
      schedule_(std::move(schedule)),
      reach_(game.num_leaves()),
      values_(game.num_leaves()),
      batches_(batches),
      threads_(threads) {
  if (schedule_(1).regret.predict) {
    throw core::InputError(
        "blueprints take no predictive algorithm: allowed are e.g. cfr+ and dcfr");
  }
  for (size_t p = 0; p < 2; ++p) {
    const size_t n = last_street_.num_values(p);
    for (auto* rows : {&strategy_, &regret_, &average_}) (*rows)[p].assign(n, 0);
    match(p, regret_[p]);
  }
}

void BucketLeaves::match(size_t player, const BucketRows& weights) {
  for_decisions(last_street_, player, threads_, [&](size_t at, size_t actions, size_t) {
    normalise(actions, weights.data() + at, strategy_[player].data() + at);
  });
}

void BucketLeaves::evaluate(std::span<decompose::LeafState> leaves, decompose::Players wanted) {
  for (size_t p = 0; p < 2; ++p) {
    if (!has(wanted, p)) continue;
    if (p == 0) ++iterations_;
    learn(p, schedule_(iterations_), leaves);
  }
}

void BucketLeaves::learn(size_t player, const solve::Iteration& now,
                         std::span<decompose::LeafState> leaves) {
  const size_t other = 1 - player;
  const auto& boards = game_.trunk_street().boards;
  for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    const Board& board = boards[leaf / game_.num_lines()];
    const Side& side = board.side[other];
    const auto state = game_.states_under(board);
    reach_[leaf].assign(side.width, 0);
    for (size_t i = 0; i < side.count; ++i) {
      reach_[leaf][i] = static_cast<float>(leaves[leaf].reach[other][state[side.hand[i]]]);
    }
  }
  action_values_.assign(last_street_.num_values(player), 0);
  visits_.assign(last_street_.num_visits(other), 0);
  last_street_.run({.batch = static_cast<size_t>((iterations_ - 1) % batches_),
                    .batches = static_cast<size_t>(batches_),
                    .player = player,
                    .reach = &reach_,
                    .strategy = {&strategy_[0], &strategy_[1]},
                    .action_values = &action_values_,
                    .visits = &visits_,
                    .values = &values_});
  for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    const Board& board = boards[leaf / game_.num_lines()];
    const std::vector<uint16_t>& row = board.side[player].row;
    const auto state = game_.states_under(board);
    for (size_t h = 0; h < row.size(); ++h) {
      if (state[h] == WholeGame::kBlocked) continue;
      leaves[leaf].values[player][state[h]] = values_[leaf][row[h]];
    }
  }
  update_average(other, now.average_decay);
  update_regrets(player, now.regret);
  match(player, regret_[player]);
}

// With the strategy that was sent.
void BucketLeaves::update_average(size_t player, double decay) {
  const auto factor = static_cast<float>(decay);
  const BucketRows& strategy = strategy_[player];
  for_decisions(last_street_, player, threads_, [&](size_t at, size_t actions, size_t visit) {
    for (size_t i = at; i < at + actions; ++i) {
      average_[player][i] = average_[player][i] * factor + visits_[visit] * strategy[i];
    }
  });
}

void BucketLeaves::update_regrets(size_t player, const kernels::RegretUpdate& update) {
  const BucketRows& strategy = strategy_[player];
  for_decisions(last_street_, player, threads_, [&](size_t at, size_t actions, size_t) {
    float value = 0;
    for (size_t i = at; i < at + actions; ++i) value += strategy[i] * action_values_[i];
    for (size_t i = at; i < at + actions; ++i) {
      float& r = regret_[player][i];
      r = r * static_cast<float>(r > 0 ? update.positive_scale : update.negative_scale) +
          action_values_[i] - value;
      if (update.floor) r = std::max(r, 0.0f);
    }
  });
}

void BucketLeaves::finish() {
  for (size_t p = 0; p < 2; ++p) match(p, average_[p]);
}

std::vector<Floats> BucketLeaves::values(size_t player, const std::vector<Floats>& other_reach,
                                         decompose::Follow how, size_t first_board,
                                         size_t num_boards) const {
  std::vector<Floats> out(game_.num_leaves());
  last_street_.run({.first_parent = num_boards > 0 ? first_board : 0,
                    .num_parents = num_boards,
                    .player = player,
                    .reach = &other_reach,
                    .strategy = {&strategy_[0], &strategy_[1]},
                    .best_response = how == decompose::Follow::kBestResponse,
                    .values = &out});
  return out;
}

size_t BucketLeaves::peak_learning_bytes() const {
  size_t bytes = 0;
  for (size_t p = 0; p < 2; ++p) bytes += 3 * last_street_.num_values(p) * sizeof(float);
  return bytes;
}

std::vector<tree::BulkArray> BucketLeaves::arrays() {
  std::vector<tree::BulkArray> out;
  for (size_t p = 0; p < 2; ++p) {
    const auto add = [&](const char* name, BucketRows& rows) {
      out.push_back(
          {name + std::to_string(p + 1), std::as_writable_bytes(std::span(rows)), sizeof(float)});
    };
    add("bucket_regret", regret_[p]);
    add("bucket_average", average_[p]);
  }
  return out;
}

void BucketLeaves::set_iterations(int64_t iterations) {
  iterations_ = iterations;
  for (size_t p = 0; p < 2; ++p) match(p, regret_[p]);
}

}  // namespace cleave::hands
