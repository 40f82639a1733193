#include "whole/blueprint.h"

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "core/error.h"
#include "core/threads.h"
#include "poker/hand_index.h"

namespace cleave::whole {
namespace {

// Probabilities in proportion to the positive weights; uniform where there are none.
void normalise(size_t actions, const float* weights, float* out) {
  float sum = 0;
  for (size_t a = 0; a < actions; ++a) sum += std::max(weights[a], 0.0f);
  for (size_t a = 0; a < actions; ++a) {
    out[a] = sum > 0 ? std::max(weights[a], 0.0f) / sum : 1.0f / static_cast<float>(actions);
  }
}

// [row]: class of the hands of a board, as abstract strategies number them.
std::vector<uint64_t> classes_on(const Game& game, const hands::Board& board) {
  const std::vector<poker::Card> on_board = poker::cards_in(board.cards);
  std::vector<int> rounds = {2};
  if (!on_board.empty()) rounds.push_back(static_cast<int>(on_board.size()));
  const poker::HandIndex index(rounds);
  std::vector<uint64_t> classes;
  for (const uint16_t hand : board.side[0].hand) {
    std::vector<poker::Card> seen = poker::cards_in(game.setup().hands[0][hand]);
    seen.insert(seen.end(), on_board.begin(), on_board.end());
    classes.push_back(index.index(static_cast<int>(rounds.size()) - 1, seen));
  }
  return classes;
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

Blueprint::Blueprint(const Game& game, const poker::Buckets& buckets,
                     const BlueprintOptions& options)
    : game_(game),
      last_street_(game, buckets, options.threads),
      schedule_(solve::make_schedule(options.algorithm)),
      trunk_(
          hands::make_vector_engine(hands::sketch_layout(game.trunk()),
                                    {.storage = hands::Storage::kF32, .threads = options.threads})),
      ones_(game.setup().hands[0].size(), 1.0),
      batches_(options.batches),
      threads_(options.threads) {
  if (schedule_(1).regret.predict) {
    throw core::InputError(
        "blueprints take no predictive algorithm: allowed are e.g. cfr+ and dcfr");
  }
  for (size_t p = 0; p < 2; ++p) {
    const size_t n = last_street_.num_values(p);
    for (auto* rows : {&strategy_, &regret_, &average_}) (*rows)[p].assign(n, 0);
    leaf_reach_[p].resize(game.num_leaves());
    match(p, regret_[p]);
  }
  values_.resize(game.num_leaves());
}

void Blueprint::match(size_t player, const BucketRows& weights) {
  for_decisions(last_street_, player, threads_, [&](size_t at, size_t actions, size_t) {
    normalise(actions, weights.data() + at, strategy_[player].data() + at);
  });
}

void Blueprint::send_trunk(size_t player, double decay) {
  const int p = static_cast<int>(player);
  trunk_->descend(p, ones_, decay);
  std::vector<double> reach;
  for (size_t leaf = 0; leaf < game_.num_leaves(); ++leaf) {
    reach.resize(trunk_->num_leaf_states(leaf, p));
    trunk_->leaf_reach(leaf, p, reach);
    Floats& row = leaf_reach_[player][leaf];
    row.assign(kernels::padded_hands(reach.size()), 0);
    std::ranges::transform(reach, row.begin(), [](double x) { return static_cast<float>(x); });
  }
}

void Blueprint::iterate() {
  const solve::Iteration now = schedule_(++iterations_);
  for (size_t p = 0; p < 2; ++p) {
    send_trunk(1 - p, now.average_decay);
    learn(p, now);
  }
}

void Blueprint::learn(size_t player, const solve::Iteration& now) {
  const size_t other = 1 - player;
  action_values_.assign(last_street_.num_values(player), 0);
  visits_.assign(last_street_.num_visits(other), 0);
  last_street_.run({.batch = static_cast<size_t>((iterations_ - 1) % batches_),
                    .batches = static_cast<size_t>(batches_),
                    .player = player,
                    .reach = &leaf_reach_[other],
                    .strategy = {&strategy_[0], &strategy_[1]},
                    .action_values = &action_values_,
                    .visits = &visits_,
                    .values = &values_});
  give_leaf_values(player, values_);
  std::vector<double> values(ones_.size());
  trunk_->learn(static_cast<int>(player), now.regret, values);
  update_average(other, now.average_decay);
  update_regrets(player, now.regret);
  match(player, regret_[player]);
}

// With the strategy that was sent.
void Blueprint::update_average(size_t player, double decay) {
  const auto factor = static_cast<float>(decay);
  const BucketRows& strategy = strategy_[player];
  for_decisions(last_street_, player, threads_, [&](size_t at, size_t actions, size_t visit) {
    for (size_t i = at; i < at + actions; ++i) {
      average_[player][i] = average_[player][i] * factor + visits_[visit] * strategy[i];
    }
  });
}

void Blueprint::update_regrets(size_t player, const kernels::RegretUpdate& update) {
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

void Blueprint::take(const AbstractStrategy& strategy) {
  const auto arrays = trunk_->arrays(false);
  std::array<float*, 2> to;
  for (size_t p = 0; p < 2; ++p) to[p] = reinterpret_cast<float*>(arrays[p].bytes.data());
  for (size_t s = 0; s < game_.last; ++s) {
    const hands::Street& street = game_.layout.streets[s];
    for (const hands::Board& board : street.boards) {
      const std::vector<uint64_t> classes = classes_on(game_, board);
      if (strategy.num_buckets.at(s) < *std::ranges::max_element(classes)) {
        throw core::InputError("a strategy that merges hands above the cut is no blueprint");
      }
      for (const hands::Node& node : street.nodes) {
        if (node.kind != poker::BettingNode::Kind::kDecision) continue;
        const size_t width = board.side[node.player].width;
        const float* weights = strategy.weight.data() + strategy.first[node.source];
        for (size_t a = 0; a < node.num_children; ++a) {
          float* row = to[node.player] + (node.storage_row + a) * width;
          for (size_t i = 0; i < classes.size(); ++i) {
            row[i] = weights[a * strategy.num_buckets[s] + classes[i]];
          }
        }
      }
      for (size_t p = 0; p < 2; ++p) {
        to[p] += size_t{street.num_storage_rows[p]} * board.side[p].width;
      }
    }
  }
  const size_t buckets = last_street_.num_buckets();
  if (strategy.num_buckets.at(game_.last) != buckets) {
    throw core::InputError("a strategy over another number of buckets");
  }
  for (size_t p = 0; p < 2; ++p) {
    for (const Block& block : last_street_.blocks(p)) {
      for (const Block::Decision& d : block.decisions) {
        const uint64_t first = strategy.first[game_.street().nodes[d.node].source];
        for (size_t i = 0; i < d.actions * buckets; ++i) {
          const size_t a = i / buckets, bucket = i % buckets;
          average_[p][block.first + bucket * block.rows + d.row + a] = strategy.weight[first + i];
        }
      }
    }
  }
}

void Blueprint::finish() {
  trunk_->freeze();
  for (size_t p = 0; p < 2; ++p) {
    match(p, average_[p]);
    send_trunk(p, 1);
  }
}

std::vector<Floats> Blueprint::leaf_values(size_t player, bool best_response) {
  std::vector<Floats> values(game_.num_leaves());
  last_street_.run({.player = player,
                    .reach = &leaf_reach_[1 - player],
                    .strategy = {&strategy_[0], &strategy_[1]},
                    .best_response = best_response,
                    .values = &values});
  return values;
}

void Blueprint::give_leaf_values(size_t player, const std::vector<Floats>& leaf_values) {
  const int p = static_cast<int>(player);
  std::vector<double> values;
  for (size_t leaf = 0; leaf < game_.num_leaves(); ++leaf) {
    const size_t states = trunk_->num_leaf_states(leaf, p);
    values.assign(leaf_values[leaf].begin(),
                  leaf_values[leaf].begin() + static_cast<ptrdiff_t>(states));
    trunk_->set_leaf_values(leaf, p, values);
  }
}

double Blueprint::best_response(size_t player, const std::vector<Floats>& leaf_values) {
  give_leaf_values(player, leaf_values);
  std::vector<double> values(ones_.size());
  trunk_->best_response(static_cast<int>(player), ones_, values);
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double Blueprint::value() {
  give_leaf_values(0, leaf_values(0, false));
  std::vector<double> values(ones_.size());
  trunk_->average_values(0, ones_, values);
  return std::accumulate(values.begin(), values.end(), 0.0);
}

size_t Blueprint::learning_bytes() const {
  size_t bytes = trunk_->learning_bytes();
  for (size_t p = 0; p < 2; ++p) bytes += 3 * last_street_.num_values(p) * sizeof(float);
  return bytes;
}

std::vector<tree::BulkArray> Blueprint::arrays() {
  std::vector<tree::BulkArray> out = trunk_->arrays(true);
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

void Blueprint::save(const std::string& path, const std::string& key) {
  tree::Archive archive;
  archive.texts["kind"] = "cleave blueprint 1";
  archive.texts["key"] = key;
  archive.words["iterations"] = {static_cast<uint64_t>(iterations_)};
  tree::write_archive(archive, path, arrays());
}

bool Blueprint::load(const std::string& path, const std::string& key) {
  if (!std::filesystem::exists(path)) return false;
  const tree::ArchiveFile file(path);
  const tree::Archive archive = file.read();
  if (archive.text("kind") != "cleave blueprint 1" || archive.text("key") != key) return false;
  iterations_ = static_cast<int64_t>(archive.word("iterations", 1)[0]);
  for (const tree::BulkArray& array : arrays()) file.read_bulk(array);
  for (size_t p = 0; p < 2; ++p) match(p, regret_[p]);
  return true;
}

}  // namespace cleave::whole
