#include "server/spot_form.h"

#include <algorithm>

namespace cleave::server {
namespace {

constexpr size_t kMostNodes = 300'000;  // of the betting; cards multiply them

Json sizes_form(const poker::StreetSizes& sizes) {
  Json raise = Json::array();
  for (const poker::Sizes& level : sizes.raise) raise.push_back(poker::to_text(level));
  return {{"bet", poker::to_text(sizes.bet)},
          {"donk", sizes.donk ? Json(poker::to_text(*sizes.donk)) : Json()},
          {"raise", raise}};
}

Json lock_form(const poker::Lock& lock) {
  Json parts = Json::array();
  for (const poker::Lock::Part& part : lock.parts) {
    const bool all = std::ranges::all_of(part.hands.weight, [](float w) { return w > 0; });
    Json strategy = Json::object();
    for (const auto& [action, share] : part.frequencies) strategy[action] = share;
    parts.push_back({{"hands", all ? "" : poker::to_text(part.hands)}, {"strategy", strategy}});
  }
  return {{"node", lock.node}, {"parts", parts}};
}

Json street_forms(const poker::Spot& spot) {
  Json out = Json::array();
  const size_t missing = 3 - spot.betting.streets.size();
  for (size_t s = 0; s < 3; ++s) {
    if (s < missing) {
      out.push_back(nullptr);
      continue;
    }
    const auto& street = spot.betting.streets[s - missing];
    out.push_back({{"max_raises", street.max_raises},
                   {"oop", sizes_form(street.sizes[0])},
                   {"ip", sizes_form(street.sizes[1])}});
  }
  return out;
}

}  // namespace

Json spot_form(const poker::Spot& spot) {
  const poker::Betting& betting = spot.betting;
  std::string board;
  for (const poker::Card card : spot.board) board += poker::to_text(card);
  Json out;
  out["board"] = board;
  out["pot"] = betting.pot;
  out["stack"] = betting.stack;
  out["range"] = {{"oop", poker::to_text(spot.ranges[0])}, {"ip", poker::to_text(spot.ranges[1])}};
  out["streets"] = street_forms(spot);
  out["rake"] = {{"percent", 100 * betting.rake}, {"cap", betting.rake_cap}};
  out["tree"] = {{"add_allin", betting.add_allin}, {"force_allin", betting.force_allin},
                 {"merge", betting.merge},         {"min_bet", betting.min_bet},
                 {"remove", spot.removed},         {"symmetry", spot.symmetry}};
  out["locks"] = Json::array();
  for (const poker::Lock& lock : spot.locks) out["locks"].push_back(lock_form(lock));
  return out;
}

poker::Spot read_spot_text(const std::string& text, const std::string& name) {
  poker::Spot spot = poker::parse_spot(text, "spot");
  spot.name = name;
  poker::build_betting_tree(spot.betting, {.removed = spot.removed, .max_nodes = kMostNodes});
  return spot;
}

}  // namespace cleave::server
