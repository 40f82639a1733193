#include "hands/profile.h"

#include <algorithm>

#include "core/error.h"

namespace cleave::hands {

using poker::CardSet;

EngineProfile::EngineProfile(std::shared_ptr<VectorEngine> engine, size_t first_street)
    : engine_(std::move(engine)), first_street_(first_street) {
  const Layout& layout = engine_->layout();
  for (uint32_t s = 0; s < layout.streets.size(); ++s) {
    const Street& street = layout.streets[s];
    for (uint32_t n = 0; n < street.nodes.size(); ++n) {
      place_[layout.setup.origin_of(street.nodes[n].source)] = {s, n};
    }
  }
  for (size_t p = 0; p < 2; ++p) {
    const auto& hands = layout.setup.hands[p];
    for (uint32_t h = 0; h < hands.size(); ++h) number_[p][hands[h]] = h;
  }
  engine_->arrays(false);  // what waits to be sent is sent: from here on looking changes nothing
}

uint32_t find_board(const Layout& layout, std::span<const CardSet> boards) {
  uint32_t board = 0;
  for (size_t s = 1; s < boards.size(); ++s) {
    const Board& above = layout.streets[s - 1].boards[board];
    const auto& here = layout.streets[s].boards;
    const auto first = here.begin() + above.first_child;
    const auto at = std::find_if(first, first + above.num_children,
                                 [&](const Board& b) { return b.cards == boards[s]; });
    if (at == first + above.num_children) {
      throw core::RunError("a profile was asked for a board that it does not have");
    }
    board = static_cast<uint32_t>(at - here.begin());
  }
  return board;
}

EngineProfile::Place EngineProfile::find(uint32_t betting_node,
                                         std::span<const CardSet> boards) const {
  const auto [street, node] = place_.at(betting_node);
  return {street, find_board(engine_->layout(), boards.subspan(first_street_)), node};
}

std::vector<double> EngineProfile::strategy_at(uint32_t betting_node,
                                               std::span<const CardSet> boards,
                                               const std::vector<CardSet>& hands) const {
  const Place at = find(betting_node, boards);
  const Street& street = engine_->layout().streets[at.street];
  const size_t player = street.nodes[at.node].player;
  const Side& side = street.boards[at.board].side[player];
  const std::vector<double> rows =
      engine_->strategy_at(static_cast<int>(at.street), at.board, at.node);
  std::vector<double> out;
  out.reserve(street.nodes[at.node].num_children * hands.size());
  for (size_t a = 0; a < street.nodes[at.node].num_children; ++a) {
    for (const CardSet hand : hands) {
      out.push_back(rows[a * side.count + side.row[number_[player].at(hand)]]);
    }
  }
  return out;
}

size_t EngineProfile::action_of(uint32_t from, uint32_t to) const {
  const auto [street, node] = place_.at(from);
  return place_.at(to).second - engine_->layout().streets[street].nodes[node].first_child;
}

std::vector<double> EngineProfile::move(uint32_t from, uint32_t to, std::span<const CardSet> boards,
                                        const std::vector<CardSet>& hands) const {
  const std::vector<double> rows = strategy_at(from, boards, hands);
  const auto first = rows.data() + action_of(from, to) * hands.size();
  return {first, first + hands.size()};
}

void EngineProfile::give(const decompose::Piece& piece, decompose::Engine& engine) const {
  auto& own = dynamic_cast<VectorEngine&>(engine);
  std::vector<double> rows;
  const auto put = [&](size_t decision, std::span<const uint32_t> nodes, const auto& boards,
                       const auto& hands) {
    if (!has(nodes[0])) return;
    const std::vector<double> known = strategy_at(nodes[0], boards, hands);
    rows.assign((nodes.size() - 1) * hands.size(), 0.0);
    for (size_t a = 0; a + 1 < nodes.size(); ++a) {
      if (!has(nodes[a + 1])) continue;
      std::copy_n(known.data() + action_of(nodes[0], nodes[a + 1]) * hands.size(), hands.size(),
                  rows.data() + a * hands.size());
    }
    own.set_strategy(decision, rows);
  };
  each_decision(dynamic_cast<const HandsPiece&>(piece), own, put);
}

// By hands: either may merge some that the other tells apart.
void EngineProfile::take(const decompose::Piece& piece, decompose::Engine& engine, size_t player) {
  const auto& from = dynamic_cast<const HandsPiece&>(piece);
  auto& own = dynamic_cast<VectorEngine&>(engine);
  const EngineProfile answer({std::shared_ptr<void>(), &own},
                             static_cast<size_t>(from.first_street()));
  const Layout& layout = engine_->layout();
  const auto put = [&](size_t decision, std::span<const uint32_t> nodes, const auto& boards,
                       const auto&) {
    if (own.decision(decision).player != player) return;
    const Place at = find(nodes[0], boards);
    std::vector<CardSet> hands;
    for (const uint16_t hand : layout.streets[at.street].boards[at.board].side[player].hand) {
      hands.push_back(layout.setup.hands[player][hand]);
    }
    engine_->set_strategy(engine_->decision_at(at.street, at.board, at.node),
                          answer.strategy_at(nodes[0], boards, hands));
  };
  each_decision(from, own, put);
}

TranslatedProfile::TranslatedProfile(std::shared_ptr<const EngineProfile> small,
                                     const poker::BettingTree& large, const BetMap& bets, bool anew)
    : small_(std::move(small)), large_(large), anew_(anew) {
  for (size_t p = 0; p < 2; ++p) counterparts_[p] = find_counterparts(large_, bets, p);
}

// By the player's moves in the small game.
std::vector<double> TranslatedProfile::own_reach(size_t player, uint32_t node,
                                                 std::span<const CardSet> boards,
                                                 const std::vector<CardSet>& hands) const {
  std::vector<double> reach(hands.size(), 1.0);
  for (uint32_t n = node; n != 0; n = large_.nodes[n].parent) {
    const uint32_t above = large_.nodes[n].parent;
    if (large_.nodes[above].kind != poker::BettingNode::Kind::kDecision ||
        large_.nodes[above].player != player) {
      continue;
    }
    const auto move =
        small_->move(above, n, boards.first(size_t{large_.nodes[above].street} + 1), hands);
    for (size_t i = 0; i < reach.size(); ++i) reach[i] *= move[i];
  }
  return reach;
}

void TranslatedProfile::give(const decompose::Piece& piece, decompose::Engine& engine) const {
  auto& own = dynamic_cast<VectorEngine&>(engine);
  const auto put = [&](size_t decision, std::span<const uint32_t> nodes,
                       std::span<const CardSet> boards, const std::vector<CardSet>& hands) {
    const size_t player = own.decision(decision).player;
    const std::vector<Counterpart>& here = counterparts_[player][nodes[0]];
    if (here.empty()) return;  // behind an own bet outside the small game: it is never made
    std::vector<double> total(hands.size(), 0.0), rows((nodes.size() - 1) * hands.size(), 0.0);
    std::vector<std::vector<double>> share;  // [counterpart][hand]
    for (const Counterpart& c : here) {
      auto& reach = share.emplace_back(anew_ ? std::vector<double>(hands.size(), 1.0)
                                             : own_reach(player, c.node, boards, hands));
      for (size_t i = 0; i < reach.size(); ++i) total[i] += reach[i] *= c.weight;
    }
    for (size_t a = 0; a + 1 < nodes.size(); ++a) {
      for (const Counterpart& meant : counterparts_[player][nodes[a + 1]]) {
        const uint32_t above = large_.nodes[meant.node].parent;
        const auto k =
            static_cast<size_t>(std::ranges::find(here, above, &Counterpart::node) - here.begin());
        const std::vector<double> move = small_->move(above, meant.node, boards, hands);
        double* to = rows.data() + a * hands.size();
        for (size_t i = 0; i < hands.size(); ++i) {
          to[i] += (total[i] > 0 ? share[k][i] / total[i] : here[k].weight) * move[i];
        }
      }
    }
    own.set_strategy(decision, rows);
  };
  each_decision(dynamic_cast<const HandsPiece&>(piece), own, put);
}

}  // namespace cleave::hands
