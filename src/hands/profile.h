#pragma once

#include <map>

#include "decompose/profile.h"
#include "hands/piece.h"
#include "hands/vector_engine.h"

namespace cleave::hands {

// What an engine has learnt of a whole game, for the game's pieces.
class EngineProfile final : public decompose::Profile {
 public:
  explicit EngineProfile(std::shared_ptr<VectorEngine> engine);
  void give(const decompose::Piece& piece, decompose::Engine& engine) const override;
  VectorEngine& engine() const { return *engine_; }

  // The strategy at a node of the game's betting, for these hands: [action][hand]. `boards`: out on
  // each street of the game down to the node's. Throws RunError where the engine does not have
  // them.
  std::vector<double> strategy_at(uint32_t betting_node, std::span<const poker::CardSet> boards,
                                  const std::vector<poker::CardSet>& hands) const;
  // The reverse: the player's strategies in a piece become the whole engine's.
  void take(const decompose::Piece& piece, decompose::Engine& engine, size_t player);

 private:
  struct Place {
    size_t street;
    uint32_t board, node;
  };
  Place find(uint32_t betting_node, std::span<const poker::CardSet> boards) const;

  std::shared_ptr<VectorEngine> engine_;
  std::vector<std::pair<uint32_t, uint32_t>> place_;          // [betting node]: street, node
  std::array<std::map<poker::CardSet, uint32_t>, 2> number_;  // [player]: of a hand
};

// The board of a game's layout that `boards` lead to, one after the other. Throws RunError where
// there is none.
uint32_t find_board(const Layout& layout, std::span<const poker::CardSet> boards);

// Calls use(decision, betting node of the game, boards, hands of its player, one for each row) for
// every decision of a vector engine of the piece. Boards: out on each street of the game.
template <class Use>
void each_decision(const HandsPiece& piece, const VectorEngine& engine, const Use& use) {
  const Layout& layout = engine.layout();
  std::vector<poker::CardSet> boards = piece.boards();
  std::vector<poker::CardSet> hands;
  for (size_t s = 0; s < layout.streets.size(); ++s) {
    const Street& street = layout.streets[s];
    if (s > 0) boards.emplace_back();
    for (size_t b = 0; b < street.boards.size(); ++b) {
      for (size_t up = s, at = b; up > 0; --up) {
        boards[boards.size() - 1 - (s - up)] = layout.streets[up].boards[at].cards;
        at = layout.streets[up].boards[at].parent;
      }
      for (uint32_t n = 0; n < street.nodes.size(); ++n) {
        const Node& node = street.nodes[n];
        if (node.kind != poker::BettingNode::Kind::kDecision) continue;
        hands.clear();
        for (const uint16_t h : street.boards[b].side[node.player].hand) {
          hands.push_back(layout.setup.hands[node.player][h]);
        }
        use(engine.decision_at(s, b, n), layout.setup.origin_of(node.source),
            std::span<const poker::CardSet>(boards), hands);
      }
    }
  }
}

}  // namespace cleave::hands
