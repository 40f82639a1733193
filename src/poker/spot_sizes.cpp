#include <algorithm>

#include "poker/spot_keys.h"

namespace cleave::poker {
namespace {

constexpr const char* kExample = "\"33%,75%,a\"";
constexpr const char* kRaiseExample = "\"50%,a\" or one text per raise, [\"50%,a\", \"a\"]";

// One text of sizes, or, of raises, one for each level.
std::vector<Sizes> parse_levels(const SpotKeys& keys, const Setting& setting, bool raises) {
  const char* example = raises ? kRaiseExample : kExample;
  std::vector<std::string> texts;
  if (raises && setting.value->kind == Toml::Kind::kList) {
    texts = keys.texts(setting, example);
  } else {
    texts.push_back(keys.text(setting, example));
  }
  std::vector<Sizes> levels;
  for (const std::string& text : texts) levels.push_back(parse_sizes(text, keys.where(setting)));
  return levels;
}

class StreetReader {
 public:
  StreetReader(const SpotKeys& keys, const Setting& root, const Spot& spot)
      : keys_(keys), root_(root), spot_(spot) {}

  Betting::Street read(const std::string& name) const {
    const Setting street = keys_.find(root_, name);
    const Setting all = keys_.find(root_, "sizes");
    Betting::Street result;
    for (const Setting& table : {all, street}) {
      if (const Setting most = keys_.find(table, "max_raises")) {
        result.max_raises = static_cast<int>(keys_.whole(most, 0, 255));
      }
    }
    for (size_t p = 0; p < 2; ++p) {
      const char* player = p == 0 ? "oop" : "ip";
      const auto find = [&](const char* what) {
        for (const Setting& table : {street, all}) {
          if (Setting own = keys_.find(keys_.find(table, player), what)) return own;
          if (Setting both = keys_.find(table, what)) return both;
        }
        return Setting{};
      };
      const auto require = [&](const char* what, const char* example) {
        Setting found = find(what);
        if (found) return found;
        keys_.fail(street ? street.value->line : 1,
                   "no {} sizes for {} on the {}; write [{}] {} = {} (\"\" for none)", what, player,
                   name, name, what, example);
      };
      StreetSizes& sizes = result.sizes[p];
      sizes.bet = bets(require("bet", kExample));
      sizes.raise = raises(require("raise", "\"50%,a\""));
      if (const Setting donk = p == 0 ? find("donk") : Setting{}) sizes.donk = bets(donk);
    }
    return result;
  }

 private:
  Sizes bets(const Setting& setting) const {
    Sizes sizes = parse_levels(keys_, setting, false)[0];
    for (const Size& size : sizes) {
      check_chips(setting, size, "bet");
      if (size.kind != Size::Kind::kMultiple) continue;
      keys_.fail(setting,
                 "{}: {} is a multiple of a bet, and a bet has none before it; allowed are 75% (of "
                 "the pot), 100 (chips), e, 2e, min, any and a",
                 setting.name, to_text(Sizes{size}));
    }
    return sizes;
  }

  std::vector<Sizes> raises(const Setting& setting) const {
    std::vector<Sizes> levels = parse_levels(keys_, setting, true);
    for (const Sizes& level : levels) {
      for (const Size& size : level) {
        check_chips(setting, size, "raise");
        // Over a first bet b the rules ask for 2b; later raises may be smaller multiples.
        const bool is_first = &level == &levels.front();
        if (size.kind != Size::Kind::kMultiple || !is_first || size.value >= 2) continue;
        keys_.fail(setting, "{}: {} is below the minimum raise; allowed is 2x or more",
                   setting.name, to_text(Sizes{size}));
      }
    }
    if (levels.size() == 1 && levels[0].empty()) levels.clear();
    return levels;
  }

  void check_chips(const Setting& setting, const Size& size, std::string_view what) const {
    if (size.kind != Size::Kind::kChips) return;
    const Chips most = std::min(spot_.betting.stack[0], spot_.betting.stack[1]);
    const auto chips = static_cast<Chips>(size.value);
    if (chips < spot_.betting.min_bet) {
      keys_.fail(setting,
                 "{}: {} chips are below the minimum {}; allowed are {} (tree.min_bet) to {}",
                 setting.name, chips, what, spot_.betting.min_bet, most);
    }
    if (chips > most) {
      keys_.fail(setting,
                 "{}: {} chips are more than the stack; allowed are {} to {}, or a for all-in",
                 setting.name, chips, spot_.betting.min_bet, most);
    }
  }

  const SpotKeys& keys_;
  const Setting& root_;
  const Spot& spot_;
};

// Streets that are not played, and sizes that others replace, must be good all the same.
void check_spelling(const SpotKeys& keys, const Setting& table) {
  keys.check_table(table, {"bet", "raise", "donk", "oop", "ip", "max_raises"});
  const Setting oop = keys.find(table, "oop");
  const Setting ip = keys.find(table, "ip");
  keys.check_table(oop, {"bet", "raise", "donk"});
  keys.check_table(ip, {"bet", "raise"});
  if (const Setting most = keys.find(table, "max_raises")) keys.whole(most, 0, 255);
  for (const Setting& owner : {table, oop, ip}) {
    for (const char* what : {"bet", "raise", "donk"}) {
      if (const Setting sizes = keys.find(owner, what)) parse_levels(keys, sizes, *what == 'r');
    }
  }
}

}  // namespace

std::vector<Betting::Street> read_streets(const SpotKeys& keys, const Setting& root,
                                          const Spot& spot) {
  check_spelling(keys, keys.find(root, "sizes"));
  for (const char* name : kStreetNames) check_spelling(keys, keys.find(root, name));
  const StreetReader reader(keys, root, spot);
  std::vector<Betting::Street> streets;
  for (size_t s = spot.board.size() - 3; s < kStreetNames.size(); ++s) {
    streets.push_back(reader.read(kStreetNames[s]));
  }
  return streets;
}

}  // namespace cleave::poker
