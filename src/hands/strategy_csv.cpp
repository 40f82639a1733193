#include "hands/strategy_csv.h"

#include <ostream>

#include "core/file.h"
#include "fmt/format.h"

namespace cleave::hands {
namespace {

using NodeKind = poker::BettingNode::Kind;

class CsvWriter {
 public:
  CsvWriter(SpotSolver& solver, std::ostream& out)
      : engine_(solver.engine()), layout_(engine_.layout()), out_(out) {}

  void write(size_t street, uint32_t board, uint32_t n, const std::string& line) {
    const Node& node = layout_.streets[street].nodes[n];
    if (node.kind == NodeKind::kDecision) decide(street, board, n, line);
    if (node.kind == NodeKind::kDeal && street + 1 < layout_.streets.size()) {
      deal(street, board, node.first_child, line);
    }
  }

 private:
  void decide(size_t s, uint32_t board, uint32_t n, const std::string& line) {
    const Node& node = layout_.streets[s].nodes[n];
    const auto actions = actions_at(layout_, static_cast<int>(s), n);
    const auto strategy = engine_.strategy_at(static_cast<int>(s), board, n);
    const Side& side = layout_.streets[s].boards[board].side[node.player];
    std::string rows;
    for (size_t h = 0; h < side.row.size(); ++h) {
      const size_t i = side.row[h];
      if (i == side.count) continue;
      const std::string hand = poker::to_text(layout_.setup.hands[node.player][h]);
      for (size_t a = 0; a < actions.size(); ++a) {
        fmt::format_to(std::back_inserter(rows), "{},{}|{},{},{}\n", node.player + 1, line, hand,
                       poker::to_text(actions[a]), strategy[a * side.count + i]);
      }
    }
    out_ << rows;
    for (uint32_t a = 0; a < actions.size(); ++a) {
      write(s, board, node.first_child + a, step(line, poker::to_text(actions[a])));
    }
  }

  void deal(size_t s, uint32_t b, uint32_t exit, const std::string& line) {
    const Board& board = layout_.streets[s].boards[b];
    const Street& next = layout_.streets[s + 1];
    for (uint32_t c = board.first_child; c < board.first_child + board.num_children; ++c) {
      const std::string cards = poker::to_text(next.boards[c].cards & ~board.cards);
      write(s + 1, c, entry_node(next, exit), step(line, cards));
    }
  }

  static std::string step(const std::string& line, const std::string& next) {
    return line.empty() ? next : line + "/" + next;
  }

  VectorEngine& engine_;
  const Layout& layout_;
  std::ostream& out_;
};

}  // namespace

void write_strategy_csv(SpotSolver& solver, const std::string& path) {
  core::write_file_atomically(path, [&](std::ostream& out) {
    out << "player,infoset,action,probability\n";
    CsvWriter(solver, out).write(0, 0, 0, "");
  });
}

}  // namespace cleave::hands
