#include "hands/view.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace cleave::hands {
namespace {

// One player's hands at the node, without strategies.
SideView view_side(Solution& solution, const NodeView& node, const View& look, size_t p) {
  const Layout& layout = solution.engine().layout();
  const Street& street = layout.streets[static_cast<size_t>(node.address.street)];
  const Side& hands = street.boards[node.address.board].side[p];
  const poker::SuitMap to_named = poker::inverse(node.address.map);
  const auto& put = layout.setup.tree.nodes[street.nodes[node.address.node].source].put;
  const size_t num_hands = layout.setup.hands[p].size();
  std::vector<double> won(num_hands), met(num_hands);
  solution.engine().equity(node.address.street, node.address.board, p, look.reach[1 - p], won, met);
  const double offset = solution.problem().shift() + static_cast<double>(put[p]);
  SideView out;
  double weight = 0;
  // Hands of the board that stands for the named one are renamed back; in the root's order.
  for (size_t h = 0; h < num_hands; ++h) {
    if (hands.row[h] == hands.count) continue;
    HandView hand;
    hand.cards = poker::rename(to_named, layout.setup.hands[p][h]);
    hand.range = solution.problem().reach[p][h];
    hand.reach = look.reach[p][h];
    hand.weight = hand.reach * met[h];
    if (met[h] > 0) {
      const double chance = street.weight * met[h];
      hand.equity = won[h] / met[h];
      hand.value = look.values[p][h] / chance + offset;
      hand.best = look.best_response[p][h] / chance + offset;
      if (hand.equity > 0) hand.realisation = hand.value / (hand.equity * node.pot);
    }
    out.combos += hand.reach;
    weight += hand.weight;
    out.equity += hand.weight * hand.equity;
    out.value += hand.weight * hand.value;
    out.best += hand.weight * hand.best;
    out.hands.push_back(std::move(hand));
  }
  if (weight > 0) {
    for (double* x : {&out.equity, &out.value, &out.best}) *x /= weight;
    if (out.equity > 0) out.realisation = out.value / (out.equity * node.pot);
  }
  return out;
}

void add_strategy(Solution& solution, NodeView& node) {
  const Layout& layout = solution.engine().layout();
  const auto& [street_number, board, at, map, cards] = node.address;
  node.actions = actions_at(layout, street_number, at);
  const Street& street = layout.streets[static_cast<size_t>(street_number)];
  const Side& hands = street.boards[board].side[static_cast<size_t>(node.player)];
  const std::vector<double> strategy = solution.engine().strategy_at(street_number, board, at);
  SideView& side = node.side[static_cast<size_t>(node.player)];
  node.frequency.assign(node.actions.size(), 0);
  node.combos = node.frequency;
  double weight = 0;
  auto hand_view = side.hands.begin();
  for (const uint16_t row : hands.row) {
    if (row == hands.count) continue;
    HandView& hand = *hand_view++;
    weight += hand.weight;
    for (size_t a = 0; a < node.actions.size(); ++a) {
      hand.strategy.push_back(strategy[a * hands.count + row]);
      node.frequency[a] += hand.weight * hand.strategy.back();
      node.combos[a] += hand.reach * hand.strategy.back();
    }
  }
  if (weight == 0) return;
  for (double& f : node.frequency) f /= weight;
}

// An array of a file: mapped where it stands well, else read.
std::span<const std::byte> take(const tree::ArchiveFile& file, tree::BulkArray array,
                                std::span<const std::byte> mapped,
                                std::vector<core::AlignedVector<std::byte>>& read) {
  if (const auto offset = file.bulk_offset(array)) {
    return mapped.subspan(*offset, array.bytes.size());
  }
  array.bytes = read.emplace_back(array.bytes.size());
  file.read_bulk(array);
  return array.bytes;
}

// The arrays of averages with their sizes, nothing behind them.
std::vector<tree::BulkArray> averages(const Layout& sketch, Storage storage) {
  std::vector<tree::BulkArray> out;
  const auto add = [&](const std::string& name, uint64_t size, size_t element_bytes) {
    out.push_back({name, {static_cast<std::byte*>(nullptr), size * element_bytes}, element_bytes});
  };
  const auto cells = sketch.num_cells(), decisions = sketch.num_decisions();
  for (size_t p = 0; p < 2; ++p) {
    const std::string name = "average" + std::to_string(p + 1);
    if (storage == Storage::kI16) {
      add(name, cells[p], sizeof(int16_t));
      add(name + "_scale", decisions[p], sizeof(float));
    } else {
      add(name, cells[p], storage == Storage::kF64 ? sizeof(double) : sizeof(float));
    }
  }
  return out;
}

}  // namespace

Solution::Solution(const std::string& path, int threads)
    : Solution(PokerFile(path), path, threads) {}

Solution::Solution(const PokerFile& file, const std::string& path, int threads)
    : problem_(parse_problem(file.problem(), file.name())),
      options_(file.options()),
      record_(file.record()),
      mapped_(path) {
  file.require_problem(problem_);
  options_.threads = threads;
  Layout sketch = sketch_layout(problem_.setup);
  EngineOptions engine{options_.storage, threads, {}, {}};
  for (tree::BulkArray& array : averages(sketch, options_.storage)) {
    engine.borrowed.push_back(take(file.arrays(), std::move(array), mapped_.bytes(), read_));
  }
  if (!problem_.locks.empty()) {
    engine.locks = place_locks(problem_, make_layout(sketch, threads));
  }
  engine_ = make_vector_engine(std::move(sketch), std::move(engine));
  if (!file.arrays().has_bulk("entry_value1")) return;
  for (const tree::BulkArray& array : engine_->entries()) file.arrays().read_bulk(array);
}

NodeView view_node(Solution& solution, std::string_view line) {
  const Layout& layout = solution.engine().layout();
  NodeView out;
  out.line = line;
  out.address = find_address(layout, line);
  const Street& street = layout.streets[static_cast<size_t>(out.address.street)];
  const Node& node = street.nodes[out.address.node];
  const poker::BettingTree& tree = layout.setup.tree;
  out.kind = node.kind;
  out.player = node.player;
  const poker::BettingNode& source = tree.nodes[node.source];
  out.pot = tree.pot(source);
  out.behind = {tree.behind(source, 0), tree.behind(source, 1)};
  const View look = solution.engine().look(out.address.street, out.address.board, out.address.node,
                                           solution.problem().reach);
  for (size_t p = 0; p < 2; ++p) out.side[p] = view_side(solution, out, look, p);
  if (node.kind == poker::BettingNode::Kind::kDecision) add_strategy(solution, out);
  return out;
}

std::vector<LineStep> follow_line(const Layout& layout, std::string_view line) {
  std::vector<LineStep> out;
  std::string before;
  for (const std::string_view text : poker::split_line(line)) {
    const Address at = find_address(layout, before);
    const Node& node = layout.streets[static_cast<size_t>(at.street)].nodes[at.node];
    out.push_back({std::string(text), before, at, layout.setup.tree.nodes[node.source]});
    before += (before.empty() ? "" : "/") + out.back().text;
  }
  return out;
}

std::vector<double> strategy_at(Solution& solution, std::string_view line, poker::CardSet hand) {
  const Layout& layout = solution.engine().layout();
  const Address at = find_address(layout, line);
  const Street& street = layout.streets[static_cast<size_t>(at.street)];
  const auto player = static_cast<size_t>(street.nodes[at.node].player);
  const Side& side = street.boards[at.board].side[player];
  const auto& all = layout.setup.hands[player];
  const auto number = std::ranges::find(all, poker::rename(at.map, hand)) - all.begin();
  const size_t row = side.row[static_cast<size_t>(number)];
  const auto whole = solution.engine().strategy_at(at.street, at.board, at.node);
  std::vector<double> out;
  for (size_t i = row; i < whole.size(); i += side.count) out.push_back(whole[i]);
  return out;
}

double value_at(Solution& solution, std::string_view line, size_t player, poker::CardSet hand) {
  const NodeView view = view_node(solution, line);
  const auto& hands = view.side[player].hands;
  const auto seen = std::ranges::find(hands, hand, &HandView::cards);
  return seen != hands.end() ? seen->value : std::numeric_limits<double>::quiet_NaN();
}

std::vector<std::vector<poker::CardSet>> next_cards(const Layout& layout, const NodeView& view) {
  const auto s = static_cast<size_t>(view.address.street);
  const Board& board = layout.streets[s].boards[view.address.board];
  std::vector<std::vector<poker::CardSet>> out;
  for (uint32_t b = board.first_child; b < board.first_child + board.num_children; ++b) {
    const Board& next = layout.streets[s + 1].boards[b];
    auto& cards = out.emplace_back();
    for (const poker::SuitMap& image : next.images) {
      // From the names of the board that is solved back to those of the line.
      const poker::CardSet there = poker::rename(image, next.cards & ~board.cards);
      cards.push_back(poker::rename(poker::inverse(view.address.map), there));
    }
    std::ranges::sort(cards, std::greater<>());
  }
  std::ranges::sort(out, std::greater<>(), [](const auto& cards) { return cards.front(); });
  return out;
}

std::vector<Runout> runouts(Solution& solution, const NodeView& view) {
  std::vector<Runout> out;
  auto all = next_cards(solution.engine().layout(), view);
  if (all.size() > poker::kNumCards) return out;
  for (auto& cards : all) {
    const std::string line =
        view.line + (view.line.empty() ? "" : "/") + poker::to_text(cards.front());
    out.push_back({std::move(cards), view_node(solution, line)});
  }
  return out;
}

GridPlace place_in_grid(poker::CardSet hand) {
  const poker::Card low = poker::lowest(hand);
  const poker::Card high = poker::lowest(hand & (hand - 1));
  GridPlace at{static_cast<size_t>(poker::kNumRanks - 1 - poker::rank_of(high)),
               static_cast<size_t>(poker::kNumRanks - 1 - poker::rank_of(low))};
  if (poker::suit_of(high) != poker::suit_of(low)) std::swap(at.row, at.column);
  return at;
}

std::string kind_name(size_t row, size_t column) {
  const auto rank = [](size_t place) { return poker::kRankLetters[poker::kNumRanks - 1 - place]; };
  std::string name = {rank(std::min(row, column)), rank(std::max(row, column))};
  if (row != column) name += row < column ? 's' : 'o';
  return name;
}

HandGrid make_hand_grid(const NodeView& view, size_t player) {
  HandGrid grid;
  const auto cell_of = [&](poker::CardSet hand) -> GridCell& {
    const GridPlace at = place_in_grid(hand);
    return grid[at.row][at.column];
  };
  for (size_t combo = 0; combo < poker::kNumCombos; ++combo) {
    const poker::CardSet cards = poker::combo_cards(combo);
    if ((cards & view.address.cards) == 0) ++cell_of(cards).possible;
  }
  for (const HandView& hand : view.side[player].hands) {
    GridCell& cell = cell_of(hand.cards);
    cell.reach += hand.reach;
    cell.equity += hand.reach * hand.equity;
    cell.value += hand.reach * hand.value;
    cell.realisation += hand.reach * hand.realisation;
    cell.mix.resize(hand.strategy.size());
    for (size_t a = 0; a < hand.strategy.size(); ++a) {
      cell.mix[a] += hand.reach * hand.strategy[a];
    }
  }
  double most = 0;
  for (auto& row : grid) {
    for (GridCell& cell : row) {
      if (cell.reach == 0) continue;
      for (double* x : {&cell.equity, &cell.value, &cell.realisation}) *x /= cell.reach;
      for (double& x : cell.mix) x /= cell.reach;
      cell.share = cell.reach / cell.possible;
      most = std::max(most, cell.share);
    }
  }
  for (auto& row : grid) {
    for (GridCell& cell : row) cell.share = most > 0 ? cell.share / most : 0;
  }
  return grid;
}

}  // namespace cleave::hands
