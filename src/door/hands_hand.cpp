#include <algorithm>

#include "core/error.h"
#include "door/hands_game.h"
#include "hands/piece.h"
#include "hands/profile.h"

namespace cleave::door {
namespace {

using poker::CardSet;
using NodeKind = poker::BettingNode::Kind;

// Everything that led to a place of the game.
struct Followed {
  uint32_t node = 0;  // of the betting
  std::vector<uint32_t> path = {0};
  std::vector<CardSet> dealt = {};  // on the board
  CardSet hand = 0;                 // the asked player's
};

CardSet cards_of(const std::string& text) {
  CardSet cards = 0;
  for (const poker::Card card : poker::parse_cards(text, "cards")) cards |= poker::set_of(card);
  return cards;
}

// What is in the pot at the beginning is half each player's.
double put_at(const poker::BettingTree& tree, const poker::BettingNode& node, size_t player) {
  return static_cast<double>(tree.betting.pot) / 2 + static_cast<double>(node.put[player]);
}

std::vector<Move> moves_at(const poker::BettingTree& tree, uint32_t node) {
  std::vector<Move> out;
  const poker::BettingNode& at = tree.nodes[node];
  for (uint32_t c = at.first_child; c < at.first_child + at.num_children; ++c) {
    const poker::BettingNode& child = tree.nodes[c];
    out.push_back({poker::to_text(child.action), put_at(tree, child, at.player)});
  }
  return out;
}

void describe_node(const poker::BettingTree& tree, uint32_t node, Standing& at) {
  const poker::BettingNode& here = tree.nodes[node];
  if (here.kind != NodeKind::kDecision) return;
  at.moves = moves_at(tree, node);
  at.call = std::max(put_at(tree, here, 0), put_at(tree, here, 1));
}

// False: the game does not have all of it; `unknown` says what.
bool follow(const hands::Problem& problem, const Question& question, Followed& to,
            Standing& unknown) {
  const poker::BettingTree& tree = problem.setup.tree;
  for (size_t i = 0; i < question.events.size(); ++i) {
    const Event& event = question.events[i];
    const poker::BettingNode& at = tree.nodes[to.node];
    unknown.event = i;
    if (i < 2) {  // each player's own cards
      if (i == question.player) to.hand = cards_of(event.name);
      continue;
    }
    if (event.actor == games::kChance) {
      if (at.kind != NodeKind::kDeal) return false;
      to.dealt.push_back(cards_of(event.name));
      to.node = at.first_child;
    } else {
      if (at.kind != NodeKind::kDecision || at.player != event.actor) return false;
      describe_node(tree, to.node, unknown);
      const auto move = std::ranges::find(unknown.moves, event.name, &Move::name);
      if (move == unknown.moves.end()) return false;
      to.node = at.first_child + static_cast<uint32_t>(move - unknown.moves.begin());
      unknown.moves.clear();
    }
    to.path.push_back(to.node);
  }
  unknown.event = question.events.size();
  return tree.nodes[to.node].kind == NodeKind::kDecision &&
         tree.nodes[to.node].player == question.player;
}

// One hand of poker. Its first deals are the players' own cards, then come those on the board.
class HandsHand final : public Hand {
 public:
  HandsHand(const hands::Problem& problem, const hands::Dealer& dealer)
      : problem_(problem), dealer_(dealer) {}

  games::Actor actor() const override { return hand_ ? hand_->actor() : games::kChance; }
  void deal(core::Random& random) override {
    if (hand_) {
      hand_->deal(random);
    } else {
      hand_.emplace(problem_, dealer_.deal(random));
    }
  }
  void take(size_t move) override { hand_->take(move); }
  Question question() const override;
  double payoff(size_t player) const override { return hand_->payoff(static_cast<int>(player)); }

 private:
  const hands::Problem& problem_;
  const hands::Dealer& dealer_;
  std::optional<hands::PlayedHand> hand_;
};

Question HandsHand::question() const {
  const poker::BettingTree& tree = problem_.setup.tree;
  const poker::BettingNode& node = hand_->node();
  Question out;
  out.player = node.player;
  for (size_t p = 0; p < 2; ++p) {
    out.events.push_back(
        {games::kChance, p == out.player ? poker::to_text(hand_->cards(p)) : "", 0});
  }
  std::vector<double> put;  // of each move, last to first
  for (const poker::BettingNode* at = &node; at != tree.nodes.data();
       at = &tree.nodes[at->parent]) {
    const poker::BettingNode& above = tree.nodes[at->parent];
    put.push_back(above.kind == NodeKind::kDeal ? 0 : put_at(tree, *at, above.player));
  }
  for (const auto& event : hand_->events()) {
    out.events.push_back({event.actor, event.text, put.back()});
    put.pop_back();
  }
  out.moves = moves_at(tree, static_cast<uint32_t>(&node - tree.nodes.data()));
  out.call = std::max(put_at(tree, node, 0), put_at(tree, node, 1));
  return out;
}

}  // namespace

std::unique_ptr<Hand> HandsGame::begin_hand() const {
  std::call_once(dealt_, [&] { dealer_ = std::make_unique<hands::Dealer>(*problem_); });
  return std::make_unique<HandsHand>(*problem_, *dealer_);
}

Standing HandsGame::find(const Question& question, const decompose::Piece& any_piece,
                         const decompose::Engine& any_engine) const {
  const auto& piece = dynamic_cast<const hands::HandsPiece&>(any_piece);
  const auto& engine = dynamic_cast<const hands::VectorEngine&>(any_engine);
  Standing at;
  Followed to;
  if (!follow(*problem_, question, to, at)) return at;
  const hands::StandIn stand_in = hands::find_stand_in(problem_->setup, to.dealt);
  describe_node(problem_->setup.tree, to.node, at);
  if (const auto leaf = piece.leaf_on(to.path, stand_in.boards)) {
    at.kind = Standing::Kind::kBelow;
    std::tie(at.leaf, at.number) = *leaf;
    return at;
  }
  at.kind = Standing::Kind::kHere;
  const hands::Layout& layout = engine.layout();
  const auto from = static_cast<size_t>(piece.first_street());
  const size_t s = to.dealt.size() - from;
  const hands::Street& street = layout.streets[s];
  const uint32_t board = hands::find_board(layout, std::span(stand_in.boards).subspan(from));
  const auto node = std::ranges::find_if(street.nodes, [&](const hands::Node& n) {
    return layout.setup.origin_of(n.source) == to.node;
  });
  if (node == street.nodes.end()) throw core::RunError("asked in another piece of the game");
  at.decision = engine.decision_at(s, board, static_cast<uint32_t>(node - street.nodes.begin()));
  const auto& hands = layout.setup.hands[question.player];
  const auto hand = std::ranges::find(hands, poker::rename(stand_in.map, to.hand));
  if (hand == hands.end()) core::reject("the game does not deal such a hand");
  at.state =
      street.boards[board].side[question.player].row[static_cast<size_t>(hand - hands.begin())];
  return at;
}

}  // namespace cleave::door
