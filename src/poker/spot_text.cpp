#include <fmt/format.h>

#include "core/number.h"
#include "poker/spot_keys.h"

namespace cleave::poker {
namespace {

// The shortest percentage that is read back to the same fraction.
std::string percent_text(double fraction) {
  std::string text;
  for (int digits = 3; digits <= 17; ++digits) {
    text = fmt::format("{:.{}g}", fraction * 100, digits);
    if (core::parse_number<double>(text).value_or(0) / 100 == fraction) break;
  }
  return text;
}

std::string list_text(std::vector<std::string> texts) {
  for (std::string& text : texts) text = toml_text(text);
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

std::string raises_text(const std::vector<Sizes>& levels) {
  if (levels.size() < 2) return toml_text(levels.empty() ? "" : to_text(levels[0]));
  std::vector<std::string> texts;
  for (const Sizes& level : levels) texts.push_back(to_text(level));
  return list_text(std::move(texts));
}

std::string street_text(const Betting::Street& street, const char* name) {
  std::string text = fmt::format("\n[{}]\n", name);
  for (size_t p = 0; p < 2; ++p) {
    const char* player = p == 0 ? "oop" : "ip";
    const StreetSizes& sizes = street.sizes[p];
    text += fmt::format("{}.bet = {}\n", player, toml_text(to_text(sizes.bet)));
    if (sizes.donk) text += fmt::format("{}.donk = {}\n", player, toml_text(to_text(*sizes.donk)));
    text += fmt::format("{}.raise = {}\n", player, raises_text(sizes.raise));
  }
  if (street.max_raises != Betting::Street{}.max_raises) {
    text += fmt::format("max_raises = {}\n", street.max_raises);
  }
  return text;
}

std::string tree_text(const Spot& spot) {
  const Betting& betting = spot.betting;
  std::string text;
  const auto part = [&](const char* name, double value) {
    if (value != 0) text += fmt::format("{} = {}\n", name, value);
  };
  part("add_allin", betting.add_allin);
  part("force_allin", betting.force_allin);
  part("merge", betting.merge);
  if (betting.min_bet != 1) text += fmt::format("min_bet = {}\n", betting.min_bet);
  if (!spot.symmetry) text += "symmetry = false\n";
  if (!spot.removed.empty()) text += fmt::format("remove = {}\n", list_text(spot.removed));
  return text.empty() ? "" : "\n[tree]\n" + text;
}

std::string lock_text(const Lock& lock) {
  std::string text;
  for (const Lock::Part& part : lock.parts) {
    text += fmt::format("\n[[lock]]\nnode = {}\nhands = {}\nstrategy = {{", toml_text(lock.node),
                        toml_text(to_text(part.hands)));
    for (const auto& [action, frequency] : part.frequencies) {
      text += fmt::format("{} {} = {}", &action == &part.frequencies.front().first ? "" : ",",
                          toml_text(action), frequency);
    }
    text += " }\n";
  }
  return text;
}

}  // namespace

const char* Spot::street_name(int street) const {
  return kStreetNames[board.size() - 3 + static_cast<size_t>(street)];
}

std::string to_text(const Spot& spot) {
  const Betting& betting = spot.betting;
  std::string text =
      fmt::format("board = {}\npot = {}\n", toml_text(to_text(spot.board)), betting.pot);
  text += betting.stack[0] == betting.stack[1]
              ? fmt::format("stack = {}\n", betting.stack[0])
              : fmt::format("stack = [{}, {}]\n", betting.stack[0], betting.stack[1]);
  text += fmt::format("\n[range]\noop = {}\nip = {}\n", toml_text(to_text(spot.ranges[0])),
                      toml_text(to_text(spot.ranges[1])));
  for (size_t s = 0; s < betting.streets.size(); ++s) {
    text += street_text(betting.streets[s], spot.street_name(static_cast<int>(s)));
  }
  if (betting.rake != 0 || betting.rake_cap != 0) {
    text += fmt::format("\n[rake]\npercent = {}\n", percent_text(betting.rake));
    if (betting.rake_cap != 0) text += fmt::format("cap = {}\n", betting.rake_cap);
  }
  text += tree_text(spot);
  for (const Lock& lock : spot.locks) text += lock_text(lock);
  return text;
}

}  // namespace cleave::poker
