#pragma once

#include "hands/profile.h"

namespace cleave::hands {

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

}  // namespace cleave::hands
