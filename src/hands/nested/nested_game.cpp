#include "hands/nested/nested_game.h"

#include <algorithm>

#include "core/error.h"
#include "core/threads.h"

namespace cleave::hands {
namespace {

using NodeKind = poker::BettingNode::Kind;

hands::Layout lay_out(const hands::Setup& setup, int threads) {
  if (setup.deals.size() != 2) {
    throw core::InputError("nested solving is for games of two streets");
  }
  hands::Layout layout = hands::make_layout(hands::sketch_layout(setup), threads);
  if (layout.streets[0].all_in) {
    throw core::InputError(
        "hands may be all in before the last street: take smaller bets or larger stacks");
  }
  return layout;
}

bool is_below(const poker::BettingTree& tree, uint32_t node, uint32_t top) {
  while (node > top) node = tree.nodes[node].parent;
  return node == top;
}

// Calls take(node of the tree, [row of the board]) for every move of a street.
template <class Take>
void each_move(hands::VectorEngine& engine, const TreeCopy& copy, int street, uint32_t board,
               const Take& take) {
  const hands::Street& s = engine.layout().streets[static_cast<size_t>(street)];
  for (uint32_t n = 0; n < s.nodes.size(); ++n) {
    const hands::Node& node = s.nodes[n];
    if (node.kind != NodeKind::kDecision) continue;
    const std::vector<double> rows = engine.strategy_at(street, board, n);
    const size_t count = rows.size() / node.num_children;
    for (size_t a = 0; a < node.num_children; ++a) {
      take(copy.source[s.nodes[node.first_child + a].source],
           std::span(rows).subspan(a * count, count));
    }
  }
}

}  // namespace

NestedGame::NestedGame(const hands::Setup& small, const hands::Setup& large, int threads)
    : layout(lay_out(large, threads)),
      bets(map_bets(small.tree, layout.setup.tree)),
      terminals(layout, threads),
      place(layout.setup.tree.nodes.size()),
      parent(last().nodes.size()),
      line(last().nodes.size()) {
  if (small.hands != layout.setup.hands || small.only != layout.setup.only) {
    throw core::InputError("nested solving: both games must deal the same hands and boards");
  }
  for (const hands::Street& street : layout.streets) {
    for (uint32_t n = 0; n < street.nodes.size(); ++n) place[street.nodes[n].source] = n;
  }
  for (const hands::Chunk& chunk : last().chunks) {
    for (uint32_t i = 0; i < chunk.num_lines; ++i) {
      const uint32_t n = chunk.first_node + i;
      entry.push_back(n);
      parent[n] = n;
      line[n] = chunk.first_line + i;
    }
  }
  known.assign(2, std::vector<bool>(last().nodes.size(), true));
  for (uint32_t n = 0; n < last().nodes.size(); ++n) {
    if (node(n).kind != NodeKind::kDecision) continue;
    for (uint32_t c = node(n).first_child; c < node(n).first_child + node(n).num_children; ++c) {
      parent[c] = n;
      line[c] = line[n];
      known[0][c] = !bets.off[source(c)];
    }
  }
}

Trunk read_trunk(const NestedGame& game, hands::VectorEngine& engine, const TreeCopy& copy,
                 const decompose::Vectors& root_reach, uint32_t from, int threads) {
  Trunk trunk;
  trunk.into.resize(game.num_first_nodes());
  for (size_t p = 0; p < 2; ++p) {
    trunk.reach[p].resize(game.num_first_nodes());
    trunk.best[p].resize(game.num_first_nodes());
  }
  each_move(engine, copy, 0, 0, [&](uint32_t n, std::span<const double> rows) {
    if (is_below(game.tree(), n, from)) trunk.into[n].assign(rows.begin(), rows.end());
  });
  const auto& nodes = engine.layout().streets[0].nodes;
  for (uint32_t n = 0; n < nodes.size(); ++n) {
    const uint32_t source = copy.source[nodes[n].source];
    if (!is_below(game.tree(), source, from)) continue;
    hands::View view = engine.look(0, 0, n, root_reach);
    for (size_t p = 0; p < 2; ++p) {
      trunk.reach[p][source] = std::move(view.reach[p]);
      trunk.best[p][source] = std::move(view.best_response[p]);
    }
  }
  const hands::Street& street = engine.layout().streets[1];
  each_move(engine, copy, 1, 0, [&](uint32_t n, std::span<const double>) {
    if (is_below(game.tree(), n, from)) trunk.kept.push_back(game.place[n]);
  });
  trunk.rows.resize(street.boards.size());
  core::parallel_for(street.boards.size(), threads, [&](size_t b) {
    const size_t width = street.boards[b].side[0].width;
    trunk.rows[b].assign(trunk.kept.size() * width, 0);
    float* to = trunk.rows[b].data();
    each_move(engine, copy, 1, static_cast<uint32_t>(b),
              [&](uint32_t n, std::span<const double> rows) {
                if (!is_below(game.tree(), n, from)) return;
                for (size_t i = 0; i < rows.size(); ++i) to[i] = static_cast<float>(rows[i]);
                to += width;
              });
  });
  return trunk;
}

StreetPlay::StreetPlay(const NestedGame& game, size_t board)
    : game_(game),
      number_(board),
      board_(&game.last().boards[board]),
      width_(board_->side[0].width),
      into_(game.last().nodes.size() * width_, 0),
      scratch_(width_) {
  for (auto& reach : entry_reach_) reach.assign(game.num_lines() * width_, 0);
}

void StreetPlay::load(const Trunk& trunk) {
  for (size_t i = 0; i < trunk.kept.size(); ++i) {
    const float* from = trunk.rows[number_].data() + i * width_;
    std::copy(from, from + width_, into(trunk.kept[i]));
  }
}

void StreetPlay::set_entry_reach(size_t player, size_t line, const std::vector<double>& by_hand) {
  double* to = entry_reach_[player].data() + line * width_;
  const hands::Side& side = board_->side[player];
  for (size_t i = 0; i < side.count; ++i) to[i] = by_hand[side.hand[i]];
}

std::vector<double> StreetPlay::reach(size_t player, uint32_t node) const {
  const double* first = entry_reach_[player].data() + game_.line[node] * width_;
  std::vector<double> out(first, first + width_);
  for (uint32_t n = node; game_.parent[n] != n; n = game_.parent[n]) {
    if (game_.node(game_.parent[n]).player != player) continue;
    const double* move = into_.data() + n * width_;
    for (size_t i = 0; i < width_; ++i) out[i] *= move[i];
  }
  return out;
}

const hands::Chunk& StreetPlay::chunk_of(size_t line) const {
  const auto& chunks = game_.last().chunks;
  return *std::ranges::find_if(
      chunks, [&](const hands::Chunk& c) { return line < c.first_line + c.num_lines; });
}

void StreetPlay::best_response(size_t player, size_t line, const std::vector<bool>& known,
                               Values& out) {
  const hands::Chunk& chunk = chunk_of(line);
  const size_t other = 1 - player;
  const uint32_t end = chunk.first_node + chunk.num_nodes;
  reach_.resize(chunk.num_reach_rows[other] * width_);
  const auto reach_of = [&](uint32_t n) {
    return reach_.data() + game_.node(n).reach_row[other] * width_;
  };
  const double* first = entry_reach_[other].data() + chunk.first_line * width_;
  std::copy(first, first + chunk.num_lines * width_, reach_.data());
  for (uint32_t n = chunk.first_node + chunk.num_lines; n < end; ++n) {
    if (game_.node(game_.parent[n]).player != other) continue;
    const double *from = reach_of(game_.parent[n]), *move = into(n);
    double* to = reach_of(n);
    for (size_t i = 0; i < width_; ++i) to[i] = from[i] * move[i];
  }
  out.first_node = chunk.first_node;
  out.width = width_;
  out.rows.assign(chunk.num_nodes * width_, 0);
  game_.terminals.evaluate(1, number_, chunk, player, reach_.data(), out.rows.data(), scratch_);
  for (uint32_t n = end; n-- > chunk.first_node;) {
    const hands::Node& node = game_.node(n);
    if (node.kind != NodeKind::kDecision) continue;
    double* value = out.rows.data() + (n - chunk.first_node) * width_;
    bool is_first = true;
    for (uint32_t c = node.first_child; c < node.first_child + node.num_children; ++c) {
      if (node.player == player && !known[c]) continue;
      const double* child = out.at(c);
      if (is_first) {
        std::copy(child, child + width_, value);
      } else if (node.player == player) {
        for (size_t i = 0; i < width_; ++i) value[i] = std::max(value[i], child[i]);
      } else {
        for (size_t i = 0; i < width_; ++i) value[i] += child[i];
      }
      is_first = false;
    }
  }
}

}  // namespace cleave::hands
