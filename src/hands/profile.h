#pragma once

#include <map>
#include <unordered_map>

#include "decompose/profile.h"
#include "hands/piece.h"
#include "hands/vector_engine.h"

namespace cleave::hands {

// What an engine has learnt of a whole game, or of a piece of one, for the game's pieces. Bets that
// it does not have are never made by it; engines are left as they are at decisions that it does
// not have.
class EngineProfile final : public decompose::Recombined {
 public:
  // `first_street`: of the game, where the engine begins.
  explicit EngineProfile(std::shared_ptr<VectorEngine> engine, size_t first_street = 0);
  void give(const decompose::Piece& piece, decompose::Engine& engine) const override;
  VectorEngine& engine() const { return *engine_; }
  const std::shared_ptr<VectorEngine>& share_engine() const { return engine_; }
  // Whether the engine has all of a game.
  bool is_whole() const {
    return first_street_ == 0 && engine_->num_leaves() == 0 &&
           engine_->layout().setup.origin.empty();
  }

  bool has(uint32_t betting_node) const { return place_.contains(betting_node); }
  // The strategy at a node of the game's betting, for these hands: [action][hand], for the actions
  // that the engine has. `boards`: out on each street of the game down to the node's. Throws
  // RunError where the engine does not have them.
  std::vector<double> strategy_at(uint32_t betting_node, std::span<const poker::CardSet> boards,
                                  const std::vector<poker::CardSet>& hands) const;
  // One of its moves alone: [hand].
  std::vector<double> move(uint32_t from, uint32_t to, std::span<const poker::CardSet> boards,
                           const std::vector<poker::CardSet>& hands) const;
  void take(const decompose::Piece& piece, decompose::Engine& engine, size_t player) override;

 private:
  struct Place {
    size_t street;
    uint32_t board, node;
  };
  Place find(uint32_t betting_node, std::span<const poker::CardSet> boards) const;
  size_t action_of(uint32_t from, uint32_t to) const;

  std::shared_ptr<VectorEngine> engine_;
  size_t first_street_;
  std::unordered_map<uint32_t, std::pair<uint32_t, uint32_t>> place_;  // betting node: street, node
  std::array<std::map<poker::CardSet, uint32_t>, 2> number_;           // [player]: of a hand
};

// Action translation: both players play a strategy of a small game in a larger one and take the
// other's bets outside of it for bets that it has (find_counterparts). The player draws once and
// goes on from there as if the bet had been that one: at a decision this is the mean over its
// counterparts, weighted by the draws and by the player's own reach; where that is zero, by the
// draws alone. `anew`: by the draws alone everywhere, as if they were made again at every decision,
// so that a player may come where its own moves would not have led it.
class TranslatedProfile final : public decompose::Profile {
 public:
  TranslatedProfile(std::shared_ptr<const EngineProfile> small, const poker::BettingTree& large,
                    const BetMap& bets, bool anew);
  void give(const decompose::Piece& piece, decompose::Engine& engine) const override;

 private:
  std::vector<double> own_reach(size_t player, uint32_t node,
                                std::span<const poker::CardSet> boards,
                                const std::vector<poker::CardSet>& hands) const;

  std::shared_ptr<const EngineProfile> small_;
  poker::BettingTree large_;
  std::array<std::vector<std::vector<Counterpart>>, 2> counterparts_;  // [player][node]
  bool anew_;
};

// The board of a game's layout that `boards` lead to, one after the other. Throws RunError where
// there is none.
uint32_t find_board(const Layout& layout, std::span<const poker::CardSet> boards);

// Calls use(decision, betting nodes of the game, boards, hands of its player, one for each row) for
// every decision of a vector engine of the piece. Betting nodes: the decision's own, then where
// each action leads. Boards: out on each street of the game.
template <class Use>
void each_decision(const HandsPiece& piece, const VectorEngine& engine, const Use& use) {
  const Layout& layout = engine.layout();
  std::vector<poker::CardSet> boards = piece.boards();
  std::vector<poker::CardSet> hands;
  std::vector<uint32_t> nodes;
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
        nodes = {layout.setup.origin_of(node.source)};
        for (uint32_t c = node.first_child; c < node.first_child + node.num_children; ++c) {
          nodes.push_back(layout.setup.origin_of(street.nodes[c].source));
        }
        use(engine.decision_at(s, b, n), std::span<const uint32_t>(nodes),
            std::span<const poker::CardSet>(boards), hands);
      }
    }
  }
}

}  // namespace cleave::hands
