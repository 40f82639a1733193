#include "hands/layout.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "core/threads.h"
#include "poker/evaluator.h"

namespace cleave::hands {

using poker::BettingNode;
using poker::Card;
using poker::CardSet;
using Kind = BettingNode::Kind;

namespace {

// Reach and values of a chunk of the last street stay in the second-level cache.
constexpr size_t kChunkBytes = 128 * 1024;

// The nodes of one street, chunk by chunk, from the lines that enter it.
class StreetBuilder {
 public:
  StreetBuilder(const Setup& setup, Street& street, size_t row_bytes)
      : tree_(setup.tree), street_(street), row_bytes_(row_bytes) {}

  // Nodes of the betting tree where lines [first, end) enter, as one or more chunks.
  void add_lines(std::span<const uint32_t> entries, uint32_t first, uint32_t end) {
    while (first < end) {
      uint32_t next = first;
      size_t bytes = 0;
      while (next < end && (next == first || !street_.last || bytes < kChunkBytes)) {
        bytes += num_nodes(entries[next++]) * 2 * row_bytes_;
      }
      add_chunk(entries, first, next);
      first = next;
    }
  }

 private:
  size_t num_nodes(uint32_t node) const {
    const BettingNode& n = tree_.nodes[node];
    size_t count = 1;
    if (n.kind == Kind::kDecision) {
      for (uint32_t c = 0; c < n.num_children; ++c) count += num_nodes(n.first_child + c);
    }
    return count;
  }

  void add_chunk(std::span<const uint32_t> entries, uint32_t first, uint32_t end) {
    Chunk chunk;
    chunk.first_node = static_cast<uint32_t>(street_.nodes.size());
    chunk.first_line = first;
    chunk.num_lines = end - first;
    chunk.first_exit = static_cast<uint32_t>(street_.exits.size());
    chunk.first_tile = static_cast<uint32_t>(street_.tiles.size());
    for (uint32_t line = first; line < end; ++line) {
      Node& node = add_node(entries[line]);
      for (size_t p = 0; p < 2; ++p) node.reach_row[p] = chunk.num_reach_rows[p]++;
    }
    for (size_t i = chunk.first_node; i < street_.nodes.size(); ++i) expand(i, chunk);
    chunk.num_nodes = static_cast<uint32_t>(street_.nodes.size()) - chunk.first_node;
    chunk.num_exits = static_cast<uint32_t>(street_.exits.size()) - chunk.first_exit;
    for (const Tile::Kind kind : {Tile::Kind::kFold, Tile::Kind::kShowdown, Tile::Kind::kAllIn}) {
      add_tiles(chunk, kind);
    }
    chunk.num_tiles = static_cast<uint32_t>(street_.tiles.size()) - chunk.first_tile;
    street_.chunks.push_back(chunk);
  }

  Node& add_node(uint32_t source) {
    const BettingNode& n = tree_.nodes[source];
    return street_.nodes.emplace_back(Node{.kind = n.kind, .player = n.player, .source = source});
  }

  // Appends the children of a decision; gives a deal its exit.
  void expand(size_t i, Chunk& chunk) {
    const BettingNode& n = tree_.nodes[street_.nodes[i].source];
    if (n.kind == Kind::kDeal) {
      street_.nodes[i].first_child = static_cast<uint32_t>(street_.exits.size());
      street_.exits.push_back(static_cast<uint32_t>(i));
    }
    if (n.kind != Kind::kDecision) return;
    Node& node = street_.nodes[i];
    node.num_children = n.num_children;
    node.first_child = static_cast<uint32_t>(street_.nodes.size());
    node.decision = street_.num_decisions[n.player]++;
    node.storage_row = street_.num_storage_rows[n.player];
    street_.num_storage_rows[n.player] += n.num_children;
    auto rows = node.reach_row;
    for (uint32_t c = 0; c < n.num_children; ++c) {
      rows[n.player] = chunk.num_reach_rows[n.player]++;
      add_node(n.first_child + c).reach_row = rows;
    }
  }

  Tile::Kind tile_kind(Kind kind) const {
    if (kind == Kind::kFold) return Tile::Kind::kFold;
    return street_.last ? Tile::Kind::kShowdown : Tile::Kind::kAllIn;
  }

  void add_tiles(const Chunk& chunk, Tile::Kind kind) {
    for (uint32_t i = chunk.first_node; i < chunk.first_node + chunk.num_nodes; ++i) {
      const Kind node = street_.nodes[i].kind;
      if ((node != Kind::kFold && node != Kind::kShowdown) || tile_kind(node) != kind) continue;
      street_.all_in |= kind == Tile::Kind::kAllIn;
      const bool open = street_.tiles.size() > chunk.first_tile &&
                        street_.tiles.back().kind == kind &&
                        street_.tiles.back().count < kernels::kTile;
      Tile& tile = open ? street_.tiles.back() : street_.tiles.emplace_back(Tile{.kind = kind});
      tile.nodes[tile.count++] = i;
    }
  }

  const poker::BettingTree& tree_;
  Street& street_;
  size_t row_bytes_;
};

// Of the hands that the maps make of each other one stands for all.
bool is_first(CardSet hand, const std::vector<poker::SuitMap>& maps) {
  return std::ranges::all_of(
      maps, [&](const poker::SuitMap& map) { return poker::rename(map, hand) >= hand; });
}

uint32_t count_rows(const std::vector<CardSet>& hands, const Board& board) {
  return static_cast<uint32_t>(std::ranges::count_if(
      hands, [&](CardSet h) { return (h & board.cards) == 0 && is_first(h, board.keeping); }));
}

bool merges_hands(const Setup& setup) {
  if (!setup.merge_hands) return false;
  return std::ranges::none_of(setup.tree.nodes, [&](const BettingNode& node) {
    return node.kind == Kind::kShowdown && node.street + 1u < setup.deals.size();
  });
}

// `keeping`: the symmetries that keep its cards.
Board make_board(const Setup& setup, CardSet cards, uint32_t parent,
                 std::vector<poker::SuitMap> images, const std::vector<poker::SuitMap>& keeping) {
  Board board;
  board.cards = cards;
  board.parent = parent;
  board.images = std::move(images);
  board.keeping = merges_hands(setup) ? keeping : std::vector{poker::kSameSuits};
  for (size_t p = 0; p < 2; ++p) {
    board.side[p].count = count_rows(setup.hands[p], board);
    board.side[p].width = static_cast<uint32_t>(kernels::padded_hands(board.side[p].count));
  }
  return board;
}

bool is_dealt(const Setup& setup, CardSet first_deal) {
  return setup.only.empty() || std::ranges::find(setup.only, first_deal) != setup.only.end();
}

// The boards of a street, in the order of the boards before; their symmetry groups.
void add_boards(const Setup& setup, int s, Street& before, Street& street,
                std::vector<std::vector<poker::SuitMap>>& groups) {
  const int cards = setup.deals[static_cast<size_t>(s)];
  std::vector<std::vector<poker::SuitMap>> next;
  for (uint32_t b = 0; b < before.boards.size(); ++b) {
    Board& parent = before.boards[b];
    parent.first_child = static_cast<uint32_t>(street.boards.size());
    for (poker::Deal& deal : poker::deals(setup.deck & ~parent.cards, cards, groups[b])) {
      if (s == 1 && !is_dealt(setup, deal.cards)) continue;
      next.push_back(poker::keeping(groups[b], deal.cards));
      street.boards.push_back(
          make_board(setup, parent.cards | deal.cards, b, std::move(deal.images), next.back()));
    }
    parent.num_children = static_cast<uint32_t>(street.boards.size()) - parent.first_child;
  }
  groups = std::move(next);
}

// [cards]: the number of a hand of the root.
using HandTable = std::unordered_map<CardSet, uint16_t>;
HandTable make_hand_table(const std::vector<CardSet>& hands) {
  HandTable table;
  for (const CardSet cards : hands) table.emplace(cards, static_cast<uint16_t>(table.size()));
  return table;
}

// Fills the tables of one board from those of the board before.
class BoardBuilder {
 public:
  BoardBuilder(const Setup& setup, const std::array<HandTable, 2>& tables, const Board* parent,
               bool last, Board& board)
      : setup_(setup), tables_(tables), parent_(parent), last_(last), board_(board) {}

  void build() {
    for (size_t p = 0; p < 2; ++p) choose_hands(p);
    for (size_t p = 0; p < 2; ++p) link(p);
    if (last_) add_levels();
  }

 private:
  void choose_hands(size_t p) {
    Side& side = board_.side[p];
    std::vector<uint16_t> hands;
    for (size_t h = 0; h < setup_.hands[p].size(); ++h) {
      if ((setup_.hands[p][h] & board_.cards) == 0) hands.push_back(static_cast<uint16_t>(h));
    }
    if (last_) {
      std::vector<poker::Strength> strength(setup_.hands[p].size());
      for (const uint16_t h : hands) {
        strength[h] = poker::strength_of(setup_.hands[p][h] | board_.cards);
      }
      std::ranges::stable_sort(hands, {}, [&](uint16_t h) { return strength[h]; });
      for (const uint16_t h : hands) met_strength_[p].push_back(strength[h]);
    }
    side.row.assign(setup_.hands[p].size(), static_cast<uint16_t>(side.count));
    for (size_t i = 0; i < hands.size(); ++i) {
      if (!is_first(setup_.hands[p][hands[i]], board_.keeping)) continue;
      for (const poker::SuitMap& map : board_.keeping) {
        side.row[find(p, map, hands[i])] = static_cast<uint16_t>(side.hand.size());
      }
      side.hand.push_back(hands[i]);
      if (last_) strength_[p].push_back(met_strength_[p][i]);
    }
    side.size.assign(side.count, 0);
    for (const uint16_t h : hands) {
      ++side.size[side.row[h]];
      side.met_row.push_back(side.row[h]);
    }
    list_cards(p, side.hand, kernels::kNoOwnCard, side.cards);
    list_cards(p, hands, kernels::kNoOtherCard, side.met_cards);
  }

  uint16_t find(size_t p, const poker::SuitMap& map, uint16_t hand) const {
    return tables_[p].at(poker::rename(map, setup_.hands[p][hand]));
  }

  void list_cards(size_t p, const std::vector<uint16_t>& hands, uint8_t no_second,
                  std::array<std::vector<uint8_t>, 2>& out) const {
    for (const uint16_t h : hands) {
      const CardSet cards = setup_.hands[p][h];
      const CardSet rest = cards & (cards - 1);
      out[0].push_back(poker::lowest(cards));
      out[1].push_back(rest ? poker::lowest(rest) : no_second);
    }
  }

  void link(size_t p) {
    Side& side = board_.side[p];
    const Side& other = board_.side[1 - p];
    for (const uint16_t h : side.hand) {
      const auto same = tables_[1 - p].find(setup_.hands[p][h]);
      const bool there = setup_.hole_cards == 2 && same != tables_[1 - p].end();
      side.same.push_back(there ? other.row[same->second] : static_cast<uint16_t>(other.count));
    }
    // The rows of the board before; before the first, the root's hands themselves.
    const size_t count = parent_ ? parent_->side[p].count : setup_.hands[p].size();
    const size_t width = kernels::padded_hands(count);
    side.from.assign(side.width, static_cast<uint16_t>(count));
    for (size_t i = 0; i < side.count; ++i) side.from[i] = row_above(p, side.hand[i]);
    for (const poker::SuitMap& image : board_.images) {
      // The image of this board under the map: hand h there is what the map makes of a hand here.
      const size_t begin = side.back.size();
      side.back.resize(begin + width, static_cast<uint16_t>(side.count));
      for (size_t h = 0; h < setup_.hands[p].size(); ++h) {
        if (side.row[h] == side.count) continue;
        const uint16_t there = find(p, image, static_cast<uint16_t>(h));
        // Hands that share a row before may part here: the first of them stands for all.
        if (is_first_above(p, there)) side.back[begin + row_above(p, there)] = side.row[h];
      }
    }
  }

  uint16_t row_above(size_t p, uint16_t hand) const {
    return parent_ ? parent_->side[p].row[hand] : hand;
  }

  bool is_first_above(size_t p, uint16_t hand) const {
    return !parent_ || parent_->side[p].hand[parent_->side[p].row[hand]] == hand;
  }

  void add_levels() {
    std::vector<poker::Strength> all = strength_[0];
    all.insert(all.end(), strength_[1].begin(), strength_[1].end());
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (size_t p = 0; p < 2; ++p) {
      for (const poker::Strength s : strength_[p]) {
        board_.side[p].level.push_back(
            static_cast<uint16_t>(std::ranges::lower_bound(all, s) - all.begin()));
      }
    }
    for (size_t p = 0; p < 2; ++p) {
      const auto &own = strength_[p], &other = met_strength_[1 - p];
      uint16_t own_end = 0, other_end = 0;
      for (const poker::Strength level : all) {
        while (own_end < own.size() && own[own_end] == level) ++own_end;
        while (other_end < other.size() && other[other_end] == level) ++other_end;
        board_.levels[p].push_back({own_end, other_end});
      }
    }
  }

  const Setup& setup_;
  const std::array<HandTable, 2>& tables_;
  const Board* parent_;
  bool last_;
  Board& board_;
  std::array<std::vector<poker::Strength>, 2> strength_, met_strength_;  // [player][row], [hand]
};

}  // namespace

kernels::Meeting Board::meeting(size_t p) const {
  const Side &own = side[p], &other = side[1 - p];
  return {.own_cards = {own.cards[0], own.cards[1]},
          .other_cards = {other.met_cards[0], other.met_cards[1]},
          .other_row = other.met_row,
          .same = own.same,
          .levels = levels[p]};
}

std::array<uint64_t, 2> Layout::num_cells() const {
  std::array<uint64_t, 2> cells = {};
  for (const Street& street : streets) {
    for (const Board& board : street.boards) {
      for (size_t p = 0; p < 2; ++p) {
        cells[p] += uint64_t{street.num_storage_rows[p]} * board.side[p].width;
      }
    }
  }
  return cells;
}

std::array<uint64_t, 2> Layout::num_decisions() const {
  std::array<uint64_t, 2> count = {};
  for (const Street& street : streets) {
    for (size_t p = 0; p < 2; ++p) count[p] += street.num_decisions[p] * street.boards.size();
  }
  return count;
}

uint64_t Layout::table_bytes() const {
  uint64_t bytes = 0;
  for (size_t s = 0; s < streets.size(); ++s) {
    const Street& street = streets[s];
    bytes += street.nodes.size() * sizeof(Node) + street.tiles.size() * sizeof(Tile);
    for (const Board& board : street.boards) {
      bytes += sizeof(Board);
      for (size_t p = 0; p < 2; ++p) {
        const Side& side = board.side[p];
        const size_t above = s == 0 ? kernels::padded_hands(setup.hands[p].size())
                                    : streets[s - 1].boards[board.parent].side[p].width;
        const size_t hands = setup.hands[p].size();  // at most
        bytes += side.count * (3 * sizeof(uint16_t) + 2) + side.width * sizeof(uint16_t) +
                 hands * (2 * sizeof(uint16_t) + 2) +
                 board.images.size() * above * sizeof(uint16_t) +
                 (street.last ? side.count * 3 * sizeof(uint16_t) : 0);
      }
    }
  }
  return bytes;
}

Layout sketch_layout(const Setup& setup) {
  Layout layout{setup, {}};
  const size_t row_bytes = sizeof(float) * std::max(setup.hands[0].size(), setup.hands[1].size());
  std::vector<uint32_t> entries = {0};  // of the betting tree, where lines enter the street
  std::vector<std::vector<poker::SuitMap>> groups = {setup.symmetry};
  int cards_left = std::popcount(setup.deck & ~setup.board) - 2 * setup.hole_cards;
  bool all_in = false;
  layout.streets.reserve(setup.deals.size());
  for (int s = 0; s < static_cast<int>(setup.deals.size()); ++s) {
    // Beyond the leaves only boards are needed, and those only for hands that are all in.
    if (s > setup.last_street && !all_in) break;
    Street& street = layout.streets.emplace_back();
    street.last = s + 1 == static_cast<int>(setup.deals.size());
    street.leaves = s == setup.last_street;
    StreetBuilder builder(setup, street, row_bytes);
    if (s == 0) {
      street.weight = setup.pair_weight;
      street.boards.push_back(
          make_board(setup, setup.board, 0, {poker::kSameSuits}, setup.symmetry));
      builder.add_lines(entries, 0, 1);
    } else {
      Street& before = layout.streets[static_cast<size_t>(s) - 1];
      const int cards = setup.deals[static_cast<size_t>(s)];
      street.weight = before.weight / choose(cards_left, cards) * (s == 1 ? setup.only_scale : 1);
      cards_left -= cards;
      add_boards(setup, s, before, street, groups);
      for (Chunk& chunk : before.chunks) {
        if (before.leaves) break;
        chunk.first_chunk = static_cast<uint32_t>(street.chunks.size());
        builder.add_lines(entries, chunk.first_exit, chunk.first_exit + chunk.num_exits);
        chunk.num_chunks = static_cast<uint32_t>(street.chunks.size()) - chunk.first_chunk;
      }
    }
    all_in |= street.all_in;
    entries.clear();
    for (const uint32_t exit : street.exits) {
      entries.push_back(setup.tree.nodes[street.nodes[exit].source].first_child);
    }
  }
  return layout;
}

Layout make_layout(Layout layout, int threads) {
  const auto& hands = layout.setup.hands;
  const std::array<HandTable, 2> tables = {make_hand_table(hands[0]), make_hand_table(hands[1])};
  for (size_t s = 0; s < layout.streets.size(); ++s) {
    Street& street = layout.streets[s];
    core::parallel_for(street.boards.size(), threads, [&](size_t b) {
      Board& board = street.boards[b];
      const Board* parent = s == 0 ? nullptr : &layout.streets[s - 1].boards[board.parent];
      BoardBuilder(layout.setup, tables, parent, street.last, board).build();
    });
  }
  return layout;
}

}  // namespace cleave::hands
