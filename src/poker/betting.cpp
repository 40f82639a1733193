#include "poker/betting.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/error.h"
#include "poker/betting_rules.h"

namespace cleave::poker {
namespace {

// Chips stay exact as doubles, sums of a few of them included.
constexpr Chips kMaxChips = Chips{1} << 50;

void refuse_multiples(const Sizes& sizes, size_t street, const char* what) {
  for (const Size& size : sizes) {
    if (size.kind != Size::Kind::kMultiple) continue;
    throw core::InputError(
        fmt::format("{} size '{}' on street {} of the betting: a bet has no bet before it to "
                    "multiply; allowed are %, chips, e, min, any and a",
                    what, to_text({size}), street + 1));
  }
}

}  // namespace

void check_betting(const Betting& betting) {
  const auto require = [](bool good, const char* what) {
    if (!good) throw core::InputError(what);
  };
  require(!betting.streets.empty() && betting.streets.size() < 256, "betting needs a street");
  require(betting.pot >= 0 && betting.pot <= kMaxChips, "the pot must be from 0 to 2^50 chips");
  require(betting.min_bet >= 1 && betting.min_bet <= kMaxChips,
          "the smallest bet must be at least 1 chip");
  for (int player = 0; player < 2; ++player) {
    const auto p = static_cast<size_t>(player);
    require(betting.stack[p] >= 0 && betting.stack[p] <= kMaxChips,
            "a stack must be from 0 to 2^50 chips");
    require(betting.committed[p] >= 0 && betting.committed[p] <= betting.stack[p],
            "a blind must be from 0 to the player's stack");
  }
  require(betting.rake >= 0 && betting.rake <= 1 && betting.rake_cap >= 0,
          "the rake must be from 0 to 1, its cap 0 (none) or more");
  require(betting.add_allin >= 0 && betting.force_allin >= 0 && betting.merge >= 0,
          "thresholds of all-in and merging must be 0 (off) or more");
  for (size_t s = 0; s < betting.streets.size(); ++s) {
    const int first = betting.streets[s].first_player;
    require(first == 0 || first == 1, "the first player of a street must be one of the two");
    for (const StreetSizes& sizes : betting.streets[s].sizes) {
      refuse_multiples(sizes.bet, s, "bet");
      if (sizes.donk) refuse_multiples(*sizes.donk, s, "donk");
    }
  }
}

Betting make_betting(const Definition& definition, const std::optional<Sizes>& sizes) {
  if (definition.limit && sizes) {
    throw core::InputError(fmt::format(
        "'{}' is a limit game: its bet sizes are fixed, no others can be given", definition.name));
  }
  Betting betting;
  betting.stack = definition.stack;
  betting.min_bet = std::max({Chips{1}, definition.blind[0], definition.blind[1]});
  if (definition.blind[0] == definition.blind[1]) {  // antes
    betting.pot = 2 * definition.blind[0];
    for (Chips& stack : betting.stack) stack -= definition.blind[0];
  } else {
    betting.committed = definition.blind;
  }
  StreetSizes all;
  const Sizes given = sizes.value_or(Sizes{{Size::Kind::kAll}});
  all.raise = {given};
  std::copy_if(given.begin(), given.end(), std::back_inserter(all.bet),
               [](const Size& size) { return size.kind != Size::Kind::kMultiple; });
  for (const Definition::Round& round : definition.rounds) {
    betting.streets.push_back({round.first_player,
                               round.max_raises,
                               definition.limit ? round.raise_size : 0,
                               {all, all}});
  }
  return betting;
}

std::string to_text(const Action& action) {
  constexpr std::array<const char*, 7> kNames = {"fold",  "check", "call", "bet",
                                                 "raise", "allin", "deal"};
  const char* name = kNames[static_cast<size_t>(action.kind)];
  const bool sized = action.kind >= Action::Kind::kBet && action.kind <= Action::Kind::kAllIn;
  return sized ? fmt::format("{} {}", name, action.to) : name;
}

}  // namespace cleave::poker
