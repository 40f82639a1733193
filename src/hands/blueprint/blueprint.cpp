#include "hands/blueprint/blueprint.h"

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "core/error.h"

namespace cleave::hands {
namespace {

using decompose::Follow;
using decompose::Vectors;
using poker::CardSet;

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

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
  std::vector<Vectors> out(reach.size());
  for (size_t p = 0; p < 2; ++p) {
    std::vector<Floats> sent(game_.num_leaves());
    for (size_t leaf = 0; leaf < sent.size(); ++leaf) {
      sent[leaf].assign(trunk.boards[leaf / game_.num_lines()].side[1 - p].width, 0);
    }
    for (size_t leaf = 0; leaf < reach.size(); ++leaf) {
      const Side &from = here.boards[leaf / here.exits.size()].side[1 - p],
                 &to = trunk.boards[leaf_of[leaf] / game_.num_lines()].side[1 - p];
      for (size_t i = 0; i < from.count; ++i) {
        const uint32_t hand = hand_.at(setup.hands[1 - p][from.hand[i]]);
        sent[leaf_of[leaf]][to.row[hand]] = static_cast<float>(reach[leaf][1 - p][i]);
      }
    }
    const bool one_board = here.boards.size() == 1;
    const std::vector<Floats> values =
        leaves_.values(p, sent, how, leaf_of[0] / game_.num_lines(), one_board ? 1 : 0);
    for (size_t leaf = 0; leaf < reach.size(); ++leaf) {
      const Side &to = here.boards[leaf / here.exits.size()].side[p],
                 &from = trunk.boards[leaf_of[leaf] / game_.num_lines()].side[p];
      for (size_t i = 0; i < to.count; ++i) {
        const uint32_t hand = hand_.at(setup.hands[p][to.hand[i]]);
        out[leaf][p].push_back(values[leaf_of[leaf]][from.row[hand]]);
      }
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
