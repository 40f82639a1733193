#include "hands/blueprint/blueprint.h"

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "core/error.h"
#include "core/threads.h"

namespace cleave::hands {
namespace {

using decompose::Follow;
using decompose::Vectors;
using poker::CardSet;

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

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

Blueprint::Blueprint(std::shared_ptr<const Problem> problem, const poker::Buckets& buckets,
                     const BlueprintOptions& options)
    : problem_(std::move(problem)),
      game_(make_whole_game(problem_->setup, options.threads)),
      trunk_(problem_, {{static_cast<int>(game_.last) - 1, false}}),
      engine_(dynamic_cast<VectorEngine*>(trunk_.engine(options.threads).release())),
      leaves_(game_, buckets, solve::make_schedule(options.algorithm), options.batches,
              options.threads),
      cfr_d_(trunk_, *engine_, problem_->reach, leaves_, solve::make_schedule(options.algorithm),
             solve::Updates::kAlternating),
      place_(game_.setup().tree.nodes.size()) {
  const Street& street = game_.street();
  for (uint32_t b = 0; b < street.boards.size(); ++b) board_[street.boards[b].cards] = b;
  const auto& hands = game_.setup().hands[0];
  for (uint32_t h = 0; h < hands.size(); ++h) hand_[hands[h]] = h;
  for (size_t c = 0; c < street.chunks.size(); ++c) {
    const Chunk& chunk = street.chunks[c];
    for (uint32_t n = chunk.first_node; n < chunk.first_node + chunk.num_nodes; ++n) {
      place_[street.nodes[n].source] = {n, c};
    }
  }
}

void Blueprint::finish() {
  engine_->freeze();
  leaves_.finish();
  above_ = std::make_unique<EngineProfile>(engine_);
}

// What the bucket of each hand does.
std::vector<double> Blueprint::bucket_strategy(uint32_t betting_node, CardSet board,
                                               const std::vector<CardSet>& hands) const {
  const auto at = board_.find(board);
  if (at == board_.end())
    throw core::RunError("a blueprint was asked for a board it does not have");
  const auto [n, chunk] = place_[betting_node];
  const Node& node = game_.street().nodes[n];
  const Side& side = game_.street().boards[at->second].side[node.player];
  const auto buckets = leaves_.last_street().buckets_of(at->second);
  const Block& block = leaves_.last_street().blocks(node.player)[chunk];
  const auto decision = std::ranges::find(block.decisions, n, &Block::Decision::node);
  const float* first = leaves_.strategy(node.player).data() + block.first + decision->row;
  std::vector<double> rows;
  rows.reserve(node.num_children * hands.size());
  for (size_t a = 0; a < node.num_children; ++a) {
    for (const CardSet hand : hands) {
      rows.push_back(first[size_t{buckets[side.row[hand_.at(hand)]]} * block.rows + a]);
    }
  }
  return rows;
}

void Blueprint::give(const decompose::Piece& piece, decompose::Engine& engine) const {
  auto& own = dynamic_cast<VectorEngine&>(engine);
  const auto put = [&](size_t decision, std::span<const uint32_t> nodes, const auto& boards,
                       const auto& hands) {
    const uint32_t node = nodes[0];
    own.set_strategy(decision, game_.setup().tree.nodes[node].street < game_.last
                                   ? above_->strategy_at(node, boards, hands)
                                   : bucket_strategy(node, boards.back(), hands));
  };
  each_decision(dynamic_cast<const HandsPiece&>(piece), own, put);
}

std::vector<Vectors> Blueprint::values_below(const decompose::Piece& piece,
                                             const std::vector<Vectors>& reach, Follow how,
                                             int threads) const {
  const auto& own = dynamic_cast<const HandsPiece&>(piece);
  const Street& here = own.leaf_street();
  const Street& trunk = game_.trunk_street();
  const Setup& setup = own.setup();
  if (setup.tree.nodes[here.nodes[here.exits[0]].source].street + own.first_street() + 1 !=
      static_cast<int>(game_.last)) {
    return Profile::values_below(piece, reach, how, threads);
  }
  // Where the piece's leaves are among those of the whole trunk.
  std::vector<size_t> leaf_of;
  for (size_t leaf = 0; leaf < own.num_leaves(); ++leaf) {
    const size_t b = find_board(game_.layout, own.boards_at(leaf));
    const uint32_t deal = setup.origin_of(here.nodes[here.exits[leaf % here.exits.size()]].source);
    const auto line = static_cast<size_t>(
        std::ranges::find_if(trunk.exits,
                             [&](uint32_t e) { return trunk.nodes[e].source == deal; }) -
        trunk.exits.begin());
    leaf_of.push_back(b * game_.num_lines() + line);
  }
  // Calls use(row in the piece, row in the trunk).
  const auto each_row = [&](size_t leaf, size_t player, const auto& use) {
    const Side& side = here.boards[leaf / here.exits.size()].side[player];
    const auto& row = trunk.boards[leaf_of[leaf] / game_.num_lines()].side[player].row;
    for (size_t i = 0; i < side.count; ++i) {
      use(i, row[hand_.at(setup.hands[player][side.hand[i]])]);
    }
  };
  std::vector<Vectors> out(reach.size());
  for (size_t p = 0; p < 2; ++p) {
    std::vector<Floats> sent(game_.num_leaves());
    for (size_t leaf = 0; leaf < sent.size(); ++leaf) {
      sent[leaf].assign(trunk.boards[leaf / game_.num_lines()].side[1 - p].width, 0);
    }
    for (size_t leaf = 0; leaf < reach.size(); ++leaf) {
      each_row(leaf, 1 - p, [&](size_t i, size_t row) {
        sent[leaf_of[leaf]][row] = static_cast<float>(reach[leaf][1 - p][i]);
      });
    }
    const bool one_board = here.boards.size() == 1;
    const std::vector<Floats> values =
        leaves_.values(p, sent, how, leaf_of[0] / game_.num_lines(), one_board ? 1 : 0);
    for (size_t leaf = 0; leaf < reach.size(); ++leaf) {
      each_row(leaf, p,
               [&](size_t, size_t row) { out[leaf][p].push_back(values[leaf_of[leaf]][row]); });
    }
  }
  return out;
}

double Blueprint::best_response(size_t player) const {
  return sum_of(
      values_of(*this, trunk_, *engine_, problem_->reach, Follow::kBestResponse, 1)[player]);
}

double Blueprint::value() const {
  return sum_of(values_of(*this, trunk_, *engine_, problem_->reach, Follow::kAverage, 1)[0]);
}

std::vector<tree::BulkArray> Blueprint::arrays() {
  std::vector<tree::BulkArray> out = engine_->arrays(true);
  for (tree::BulkArray& array : leaves_.arrays()) out.push_back(std::move(array));
  return out;
}

void Blueprint::save(const std::string& path, const std::string& key) {
  tree::Archive archive;
  archive.texts["kind"] = "cleave blueprint 1";
  archive.texts["key"] = key;
  archive.words["iterations"] = {static_cast<uint64_t>(iterations())};
  tree::write_archive(archive, path, arrays());
}

bool Blueprint::load(const std::string& path, const std::string& key) {
  if (!std::filesystem::exists(path)) return false;
  const tree::ArchiveFile file(path);
  const tree::Archive archive = file.read();
  if (archive.text("kind") != "cleave blueprint 1" || archive.text("key") != key) return false;
  for (const tree::BulkArray& array : arrays()) file.read_bulk(array);
  const auto iterations = static_cast<int64_t>(archive.word("iterations", 1)[0]);
  cfr_d_.set_iterations(iterations);
  leaves_.set_iterations(iterations);
  return true;
}

}  // namespace cleave::hands
