#include "games/chip_counter.h"

#include <algorithm>
#include <limits>

#include "core/number.h"
#include "core/params.h"
#include "games/poker_game.h"

namespace cleave::games {

ChipCounter::ChipCounter(const Game& game) {
  most_.fill(std::numeric_limits<double>::infinity());
  const std::string name = game.name();
  if (is_poker_spec(name)) {
    const poker::Definition definition = parse_poker_spec(name).definition;
    kind_ = Kind::kTotal;
    for (size_t p = 0; p < 2; ++p) {
      start_[p] = static_cast<double>(definition.blind[p]);
      most_[p] = static_cast<double>(definition.stack[p]);
    }
    if (start_[0] == start_[1]) ante_ = start_[0];
    return;
  }
  if (name.ends_with(".efg")) return;
  const core::Call call = core::parse_call(name);
  if (call.name != "kuhn" && call.name != "leduc") return;
  kind_ = Kind::kAdds;
  start_ = {1, 1};
  for (const auto& [key, value] : call.arguments) {
    if (key == "ante") start_.fill(core::parse_number<double>(value).value_or(1));
  }
}

std::array<double, 2> ChipCounter::put(const std::vector<Actor>& actors,
                                       const std::vector<std::string>& labels) const {
  std::array<double, 2> put = start_;
  double round = ante_;  // put in before this round, each
  bool played = false;
  for (size_t k = 0; k < actors.size(); ++k) {
    if (actors[k] == kChance) {
      if (played) round = put[0];
      continue;
    }
    played = true;
    const size_t me = actors[k];
    const std::string& label = labels[k];
    const size_t digits = label.find_first_of("0123456789");
    if (label == "call") {
      put[me] = std::min(put[1 - me], most_[me]);
    } else if (label == "bet") {
      put[me] = put[1 - me] + 1;  // Kuhn's
    } else if (digits != std::string::npos) {
      const double number = core::parse_number<double>(label.substr(digits)).value_or(0);
      put[me] = number + (kind_ == Kind::kAdds ? put[1 - me] : round);
    }
  }
  return put;
}

}  // namespace cleave::games
