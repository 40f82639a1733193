#include "hands/translation.h"

#include <algorithm>

namespace cleave::hands {

using poker::CardSet;

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
