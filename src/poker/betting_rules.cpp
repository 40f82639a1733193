#include "poker/betting_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"

namespace cleave::poker {
namespace {

constexpr size_t kMaxActions = UINT16_MAX;

// The chips that a player can lose beyond the starting pot: nobody bets against chips that the
// other does not have.
Chips effective_stack(const Betting& betting) {
  return std::min(betting.stack[0], betting.stack[1]);
}

// The bets or raises of one decision. Amounts are what the player has put in on this street
// afterwards; `facing` is the larger of what both have, `pot` is the pot once it is called.
class Offer {
 public:
  Offer(const Betting& betting, const BettingState& state)
      : betting_(betting),
        state_(state),
        facing_(std::max(state.put[0], state.put[1]) - state.base),
        all_in_(effective_stack(betting) - state.base),
        pot_(static_cast<double>(betting.pot + 2 * (facing_ + state.base))) {
    const Chips least = facing_ + std::max(betting.min_bet, state.last_raise);
    minimum_ = std::min(least, all_in_);
  }

  std::vector<Chips> amounts() {
    const Betting::Street& street = betting_.streets[state_.street];
    if (facing_ >= all_in_ || state_.raises >= street.max_raises) return {};
    if (street.fixed_raise > 0) return {std::min(facing_ + street.fixed_raise, all_in_)};
    const Sizes* sizes = sizes_for(street.sizes[state_.player]);
    if (!sizes || sizes->empty()) return {};
    for (const Size& size : *sizes) add(size);
    if (static_cast<double>(all_in_ - facing_) <= betting_.add_allin * pot_) {
      amounts_.push_back(all_in_);
    }
    for (Chips& amount : amounts_) amount = force_all_in(amount);
    std::sort(amounts_.begin(), amounts_.end());
    amounts_.erase(std::unique(amounts_.begin(), amounts_.end()), amounts_.end());
    merge();
    return std::move(amounts_);
  }

  Action action(Chips to) const {
    if (to >= all_in_) return {Action::Kind::kAllIn, all_in_};
    return {facing_ > 0 ? Action::Kind::kRaise : Action::Kind::kBet, to};
  }

 private:
  const Sizes* sizes_for(const StreetSizes& sizes) const {
    if (facing_ > 0) {
      if (sizes.raise.empty()) return nullptr;
      // A bet is no raise; a blind that is raised was not an action.
      const bool blind = state_.street == 0 && betting_.committed != std::array<Chips, 2>{};
      const auto level = static_cast<size_t>(blind ? state_.raises : state_.raises - 1);
      return &sizes.raise[std::min(level, sizes.raise.size() - 1)];
    }
    const bool out_of_position = state_.player == betting_.streets[state_.street].first_player;
    const bool donk = out_of_position && state_.previous_aggressor == (1 - state_.player);
    return donk && sizes.donk ? &*sizes.donk : &sizes.bet;
  }

  void add(const Size& size) {
    const auto facing = static_cast<double>(facing_);
    switch (size.kind) {
      case Size::Kind::kPot:
        return add_rounded(facing + std::round(pot_ * size.value / 100));
      case Size::Kind::kMultiple:
        return add_rounded(facing * size.value);
      case Size::Kind::kChips:
        return add_rounded(facing + size.value);
      case Size::Kind::kGeometric:
        return add_rounded(facing + std::round(geometric(size.value)));
      case Size::Kind::kAllIn:
        return amounts_.push_back(all_in_);
      case Size::Kind::kMinimum:
        return amounts_.push_back(minimum_);
      case Size::Kind::kAll:
        if (static_cast<size_t>(all_in_ - minimum_) > kMaxActions - 3) {
          throw core::InputError(
              fmt::format("'any' would be {} sizes at one decision; at most {} are possible: name "
                          "sizes, e.g. 50%,100%,a",
                          all_in_ - minimum_ + 1, kMaxActions - 2));
        }
        for (Chips to = minimum_; to <= all_in_; ++to) amounts_.push_back(to);
    }
  }

  // Where a pot grows by the same factor 1 + 2x on each of n streets until all is in, x is the bet
  // as a part of the pot: (1 + 2x)^n = (pot + 2 * stack) / pot.
  double geometric(double streets) const {
    if (pot_ <= 0) return 0;
    if (streets == 0) streets = static_cast<double>(betting_.streets.size()) - state_.street;
    const double stack = static_cast<double>(all_in_ - facing_);
    return pot_ * (std::pow(1 + 2 * stack / pot_, 1 / streets) - 1) / 2;
  }

  void add_rounded(double to) {
    const double most = static_cast<double>(all_in_);
    amounts_.push_back(to < most ? std::max(minimum_, static_cast<Chips>(std::round(to)))
                                 : all_in_);
  }

  Chips force_all_in(Chips to) const {
    const double pot_after = pot_ + 2 * static_cast<double>(to - facing_);
    return static_cast<double>(all_in_ - to) <= betting_.force_allin * pot_after ? all_in_ : to;
  }

  // From the largest down: a size goes where the pot with the next larger bet in it is not more
  // than 1 + merge times the pot with this one.
  void merge() {
    if (betting_.merge <= 0) return;
    const auto pot_with = [&](Chips to) { return pot_ + static_cast<double>(to - facing_); };
    std::vector<Chips> kept;
    for (size_t i = amounts_.size(); i-- > 0;) {
      constexpr double kSlack = 1 + 1e-12;
      if (kept.empty() ||
          pot_with(amounts_[i]) * (1 + betting_.merge) * kSlack < pot_with(kept.back())) {
        kept.push_back(amounts_[i]);
      }
    }
    amounts_.assign(kept.rbegin(), kept.rend());
  }

  const Betting& betting_;
  const BettingState& state_;
  Chips facing_;
  Chips all_in_;
  Chips minimum_;
  double pot_;
  std::vector<Chips> amounts_;
};

}  // namespace

Situation first_situation(const Betting& betting) {
  const Chips all_in = effective_stack(betting);
  Situation first;
  first.state.player = static_cast<uint8_t>(betting.streets[0].first_player);
  for (size_t p = 0; p < 2; ++p) first.state.put[p] = std::min(betting.committed[p], all_in);
  const auto& put = first.state.put;
  if (std::min(put[0], put[1]) == all_in) first.kind = BettingNode::Kind::kShowdown;
  return first;
}

std::vector<Action> actions_at(const Betting& betting, const BettingState& state) {
  std::vector<Action> actions;
  if (state.put[state.player] < state.put[1 - state.player]) {
    actions = {{Action::Kind::kFold}, {Action::Kind::kCall}};
  } else {
    actions = {{Action::Kind::kCheck}};
  }
  Offer offer(betting, state);
  for (const Chips to : offer.amounts()) actions.push_back(offer.action(to));
  return actions;
}

Situation play(const Betting& betting, const BettingState& state, const Action& action) {
  using Kind = Action::Kind;
  Situation next{BettingNode::Kind::kDecision, state};
  BettingState& after = next.state;
  const uint8_t other = 1 - state.player;
  if (action.kind == Kind::kFold) {
    next.kind = BettingNode::Kind::kFold;
    return next;
  }
  if (action.kind == Kind::kCheck || action.kind == Kind::kCall) {
    if (action.kind == Kind::kCall) after.put[state.player] = state.put[other];
    ++after.passed;
  } else {
    const Chips facing = std::max(state.put[0], state.put[1]);
    after.put[state.player] = state.base + action.to;
    after.last_raise = std::max(state.last_raise, after.put[state.player] - facing);
    after.aggressor = state.player;
    after.passed = 1;
    ++after.raises;
  }
  after.player = other;
  const bool all_in = std::min(after.put[0], after.put[1]) == effective_stack(betting);
  const bool last = state.street + size_t{1} == betting.streets.size();
  if (all_in || (after.passed == 2 && last)) {
    next.kind = BettingNode::Kind::kShowdown;
  } else if (after.passed == 2) {
    next.kind = BettingNode::Kind::kDeal;
  }
  return next;
}

BettingState deal(const Betting& betting, const BettingState& state) {
  BettingState next;
  next.put = state.put;
  next.base = state.put[0];
  next.street = static_cast<uint8_t>(state.street + 1);
  next.player = static_cast<uint8_t>(betting.streets[next.street].first_player);
  next.previous_aggressor = state.aggressor;
  return next;
}

}  // namespace cleave::poker
