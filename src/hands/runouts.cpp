#include "hands/runouts.h"

#include <algorithm>

namespace cleave::hands {
namespace {

constexpr size_t kMostRunouts = 52;

}  // namespace

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
  if (all.size() > kMostRunouts) return out;
  for (auto& cards : all) {
    const std::string line =
        view.line + (view.line.empty() ? "" : "/") + poker::to_text(cards.front());
    out.push_back({std::move(cards), view_node(solution, line)});
  }
  return out;
}

}  // namespace cleave::hands
