#include "hands/grid.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace cleave::hands {
namespace {

constexpr std::string_view kRanks = "AKQJT98765432";

GridCell& cell_of(HandGrid& grid, poker::CardSet hand) {
  const GridPlace at = place_in_grid(hand);
  return grid[at.row][at.column];
}

}  // namespace

GridPlace place_in_grid(poker::CardSet hand) {
  const poker::Card low = poker::lowest(hand);
  const poker::Card high = poker::lowest(hand & (hand - 1));
  GridPlace at{static_cast<size_t>(poker::kNumRanks - 1 - poker::rank_of(high)),
               static_cast<size_t>(poker::kNumRanks - 1 - poker::rank_of(low))};
  if (poker::suit_of(high) != poker::suit_of(low)) std::swap(at.row, at.column);
  return at;
}

std::string kind_name(size_t row, size_t column) {
  std::string name = {kRanks[std::min(row, column)], kRanks[std::max(row, column)]};
  if (row != column) name += row < column ? 's' : 'o';
  return name;
}

HandGrid make_hand_grid(const NodeView& view, size_t player) {
  HandGrid grid;
  for (size_t combo = 0; combo < poker::kNumCombos; ++combo) {
    const poker::CardSet cards = poker::combo_cards(combo);
    if ((cards & view.address.cards) == 0) ++cell_of(grid, cards).possible;
  }
  for (const HandView& hand : view.side[player].hands) {
    GridCell& cell = cell_of(grid, hand.cards);
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
