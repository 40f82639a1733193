#include "poker/spot.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>

#include "core/error.h"
#include "core/file.h"
#include "core/number.h"
#include "core/params.h"
#include "poker/spot_keys.h"

namespace cleave::poker {
namespace {

constexpr std::array<const char*, 2> kPlayers = {"oop", "ip"};

bool is_digits(std::string_view text) {
  return !text.empty() && text.size() < 16 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_action(std::string_view text) {
  if (text == "fold" || text == "check" || text == "call") return true;
  for (const std::string_view word : {"bet ", "raise ", "allin "}) {
    if (text.starts_with(word)) return is_digits(text.substr(word.size()));
  }
  return false;
}

constexpr std::string_view kActions = "fold, check, call, bet 100, raise 350 or allin 900";

class SpotReader {
 public:
  SpotReader(std::string_view text, std::string_view file)
      : keys_(file), document_(parse_toml(text, file)), root_{&document_, ""} {}

  Spot read() {
    keys_.check_table(root_, {"board", "pot", "stack", "range", "sizes", "flop", "turn", "river",
                              "rake", "tree", "lock"});
    read_board();
    read_chips();
    read_ranges();
    read_rake();
    read_tree();
    spot_.betting.streets = read_streets(keys_, root_, spot_);
    read_locks();
    return std::move(spot_);
  }

 private:
  void read_board() {
    constexpr const char* kExample = "board = \"Td9d6h\"";
    const Setting board = keys_.require(root_, "board", kExample);
    spot_.board = parse_cards(keys_.text(board, kExample), keys_.where(board));
    if (spot_.board.size() < 3 || spot_.board.size() > 5) {
      keys_.fail(board, "board has {} card{}; allowed are 3 (flop), 4 (turn) or 5 (river)",
                 spot_.board.size(), spot_.board.size() == 1 ? "" : "s");
    }
    dead_ = set_of(spot_.board);
  }

  void read_chips() {
    Betting& betting = spot_.betting;
    betting.pot = keys_.chips(keys_.require(root_, "pot", "pot = 200"), 1);
    const Setting stack = keys_.require(root_, "stack", "stack = 900");
    if (stack.value->kind != Toml::Kind::kList) {
      betting.stack.fill(keys_.chips(stack, 1));
      return;
    }
    if (stack.value->items.size() != 2) {
      keys_.fail(stack,
                 "stack has {} numbers; allowed is one for both players or two, [out of position, "
                 "in position]",
                 stack.value->items.size());
    }
    for (size_t p = 0; p < 2; ++p) {
      betting.stack[p] = keys_.chips({&stack.value->items[p], "stack"}, 1);
    }
  }

  void read_ranges() {
    constexpr const char* kTable = "[range] with oop = \"...\" and ip = \"...\"";
    const Setting table = keys_.require(root_, "range", kTable);
    keys_.check_table(table, {"oop", "ip"});
    std::array<std::vector<CardSet>, 2> hands;
    for (size_t p = 0; p < 2; ++p) {
      const std::string example = fmt::format("{} = \"66+,A8s+,KQo\"", kPlayers[p]);
      const Setting range = keys_.require(table, kPlayers[p], example);
      spot_.ranges[p] = read_range(range, example);
      hands[p] = live_hands(spot_.ranges[p]);
    }
    const bool can_meet = std::ranges::any_of(hands[0], [&](CardSet mine) {
      return std::ranges::any_of(hands[1], [&](CardSet other) { return (mine & other) == 0; });
    });
    if (can_meet) return;
    keys_.fail(table,
               "every hand of range.oop shares a card with every hand of range.ip: "
               "no two of them can be dealt");
  }

  Range read_range(const Setting& setting, std::string_view example) const {
    Range range = parse_range(keys_.text(setting, example), keys_.where(setting));
    if (live_hands(range).empty()) {
      keys_.fail(setting, "{} has no hand that goes with the board {}", setting.name,
                 to_text(spot_.board));
    }
    return range;
  }

  std::vector<CardSet> live_hands(const Range& range) const {
    std::vector<CardSet> hands;
    for (size_t combo = 0; combo < kNumCombos; ++combo) {
      if (range.weight[combo] > 0 && (combo_cards(combo) & dead_) == 0) {
        hands.push_back(combo_cards(combo));
      }
    }
    return hands;
  }

  void read_rake() {
    const Setting table = keys_.find(root_, "rake");
    keys_.check_table(table, {"percent", "cap"});
    if (!table) return;
    const Setting percent = keys_.require(table, "percent", "percent = 5");
    spot_.betting.rake = keys_.number(percent, 0, 100) / 100;
    if (const Setting cap = keys_.find(table, "cap")) spot_.betting.rake_cap = keys_.chips(cap, 0);
  }

  void read_tree() {
    const Setting table = keys_.find(root_, "tree");
    keys_.check_table(table,
                      {"add_allin", "force_allin", "merge", "min_bet", "remove", "symmetry"});
    Betting& betting = spot_.betting;
    if (const auto s = keys_.find(table, "add_allin")) betting.add_allin = keys_.fraction(s);
    if (const auto s = keys_.find(table, "force_allin")) betting.force_allin = keys_.fraction(s);
    if (const auto s = keys_.find(table, "merge")) betting.merge = keys_.fraction(s);
    if (const auto s = keys_.find(table, "min_bet")) {
      betting.min_bet = keys_.chips(s, 1);
      const Chips most = std::min(betting.stack[0], betting.stack[1]);
      if (betting.min_bet > most) {
        keys_.fail(s, "tree.min_bet is {}, more than the stack of {}", betting.min_bet, most);
      }
    }
    if (const auto s = keys_.find(table, "symmetry")) spot_.symmetry = keys_.flag(s);
    if (const auto s = keys_.find(table, "remove")) {
      for (const std::string& line : keys_.texts(s, "[\"bet 900\", \"check/bet 100\"]")) {
        spot_.removed.push_back(read_line(s, line, false));
      }
      if (std::count(spot_.removed.begin(), spot_.removed.end(), "") != 0) {
        keys_.fail(s,
                   "tree.remove has an empty line; a line ends with the action "
                   "that is taken out, such as \"check/bet 100\"");
      }
    }
  }

  // "bet 100 / call/Qc" as "bet 100/call/Qc".
  std::string read_line(const Setting& setting, std::string_view text, bool cards) const {
    std::vector<std::string> steps;
    CardSet dealt = dead_;
    for (const std::string_view step : split_line(text)) {
      const bool is_card = cards && step.size() == 2;
      if (!is_card && !is_action(step) && (cards || step != "deal")) {
        keys_.fail(setting, "{}: '{}' in '{}' is no action; allowed are {}, and {}", setting.name,
                   step, text, kActions,
                   cards ? "the card that is dealt, such as Qc" : "deal, separated by '/'");
      }
      steps.push_back(is_card ? read_dealt(setting, step, dealt) : std::string(step));
    }
    return fmt::format("{}", fmt::join(steps, "/"));
  }

  std::string read_dealt(const Setting& setting, std::string_view text, CardSet& dealt) const {
    const Card card = parse_cards(text, keys_.where(setting)).front();
    if ((dealt & set_of(card)) != 0) {
      keys_.fail(setting, "{}: the card {} is on the board already", setting.name, text);
    }
    dealt |= set_of(card);
    if (std::popcount(dealt) > 5) {
      keys_.fail(setting, "{}: {} is a sixth card on the board", setting.name, text);
    }
    return to_text(card);
  }

  void read_locks() {
    const Setting list = keys_.find(root_, "lock");
    if (!list) return;
    keys_.check_list(list, "[[lock]] tables");
    for (const Toml& item : list.value->items) {
      const Setting lock{&item, "lock"};
      keys_.check_table(lock, {"node", "hands", "strategy"});
      const Setting node = keys_.require(lock, "node", "node = \"check\" (\"\" is the root)");
      const std::string line = read_line(node, keys_.text(node, "\"bet 100/call/Qc/check\""), true);
      auto found = std::find_if(spot_.locks.begin(), spot_.locks.end(),
                                [&](const Lock& other) { return other.node == line; });
      if (found == spot_.locks.end()) {
        found = spot_.locks.insert(found, {line, {}, keys_.where(node.value->line)});
      }
      found->parts.push_back(read_part(lock));
    }
  }

  Lock::Part read_part(const Setting& lock) const {
    Lock::Part part{parse_range("100%"), {}};
    if (const Setting hands = keys_.find(lock, "hands")) {
      part.hands = read_range(hands, "\"AhKh,QQ\"");
    }
    constexpr const char* kExample = "strategy = { check = 0.3, \"bet 100\" = 0.7 }";
    const Setting strategy = keys_.require(lock, "strategy", kExample);
    const int line = strategy.value->line;
    if (strategy.value->kind == Toml::Kind::kText) {
      part.frequencies.emplace_back(core::trim(strategy.value->text), 1.0);
    } else if (strategy.value->kind == Toml::Kind::kTable) {
      for (size_t i = 0; i < strategy.value->names.size(); ++i) {
        const Setting frequency{&strategy.value->items[i], "a frequency of lock.strategy"};
        part.frequencies.emplace_back(core::trim(strategy.value->names[i]),
                                      keys_.number(frequency, 0, 1));
      }
    } else {
      keys_.fail(line,
                 "lock.strategy must say how often: {}, or the one action that is always taken, "
                 "\"check\"",
                 kExample);
    }
    check_frequencies(part, line);
    return part;
  }

  void check_frequencies(Lock::Part& part, int line) const {
    double sum = 0;
    for (size_t i = 0; i < part.frequencies.size(); ++i) {
      const auto& [action, frequency] = part.frequencies[i];
      if (!is_action(action)) {
        keys_.fail(line, "lock.strategy: '{}' is no action; allowed are {}", action, kActions);
      }
      for (size_t j = 0; j < i; ++j) {
        if (part.frequencies[j].first != action) continue;
        keys_.fail(line, "lock.strategy: '{}' is there twice", action);
      }
      sum += frequency;
    }
    // Thirds written as 0.333 are meant well.
    if (!(std::abs(sum - 1) <= 2e-3)) {
      keys_.fail(line, "lock.strategy: the frequencies sum to {:.6g}; they must sum to 1", sum);
    }
    if (std::abs(sum - 1) < 1e-12) return;
    for (auto& [action, frequency] : part.frequencies) frequency /= sum;
  }

  SpotKeys keys_;
  Toml document_;
  Setting root_;
  Spot spot_;
  CardSet dead_ = 0;
};

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

Spot parse_spot(std::string_view text, std::string_view file) {
  Spot spot = SpotReader(text, file).read();
  spot.name = std::filesystem::path(file).stem().string();
  return spot;
}

Spot read_spot(const std::string& path) { return parse_spot(core::read_file(path), path); }

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
