#include "poker/spot_keys.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "core/error.h"
#include "core/number.h"
#include "core/params.h"

namespace cleave::poker {
namespace {

constexpr Chips kMostChips = 1'000'000'000'000;

const char* kind_text(Toml::Kind kind) {
  constexpr std::array<const char*, 7> kNames = {
      "a text", "a number", "a number", "true or false", "a list", "a table", "a date or time"};
  return kNames[static_cast<size_t>(kind)];
}

std::string shortened(std::string_view text) {
  return text.size() <= 40 ? std::string(text) : std::string(text.substr(0, 37)) + "...";
}

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

std::string SpotKeys::where(int line) const { return fmt::format("{}:{}", file_, line); }

std::string SpotKeys::where(const Setting& setting) const {
  return fmt::format("{}: {}", where(setting.value->line), setting.name);
}

void SpotKeys::fail_with(int line, std::string message) const {
  for (char& c : message) c = static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  throw core::InputError(fmt::format("{}: {}", where(line), message));
}

void SpotKeys::refuse_type(const Setting& setting, std::string_view allowed) const {
  fail(setting, "{} is {}; allowed is {}", setting.name, kind_text(setting.value->kind), allowed);
}

Setting SpotKeys::find(const Setting& table, const std::string& key) const {
  if (!table) return {};
  const Toml* value = table.value->find(key);
  if (!value) return {};
  return {value, table.name.empty() ? key : table.name + "." + key};
}

Setting SpotKeys::require(const Setting& table, const std::string& key,
                          std::string_view example) const {
  Setting found = find(table, key);
  if (found) return found;
  if (table.name.empty()) fail(1, "there is no '{}'; write {}", key, example);
  fail(table, "there is no '{}' in [{}]; write {}", key, table.name, example);
}

void SpotKeys::check_table(const Setting& table, const std::vector<std::string>& allowed) const {
  if (!table) return;
  if (table.value->kind != Toml::Kind::kTable) {
    refuse_type(table, fmt::format("a table [{}] with {}", table.name, fmt::join(allowed, ", ")));
  }
  for (size_t i = 0; i < table.value->names.size(); ++i) {
    const std::string& name = table.value->names[i];
    if (std::find(allowed.begin(), allowed.end(), name) != allowed.end()) continue;
    const auto nearest =
        std::min_element(allowed.begin(), allowed.end(), [&](const auto& a, const auto& b) {
          return core::edit_distance(name, a) < core::edit_distance(name, b);
        });
    const std::string place = table.name.empty() ? "" : fmt::format(" in [{}]", table.name);
    const std::string hint = core::edit_distance(name, *nearest) <= 2
                                 ? fmt::format("did you mean '{}'? ", *nearest)
                                 : "";
    fail(table.value->items[i].line, "unknown key '{}'{}; {}{} {}", shortened(name), place, hint,
         hint.empty() ? "allowed are" : "Allowed are", fmt::join(allowed, ", "));
  }
}

const std::string& SpotKeys::text(const Setting& setting, std::string_view example) const {
  if (setting.value->kind != Toml::Kind::kText) {
    refuse_type(setting, fmt::format("a text in quotes, such as {}", example));
  }
  return setting.value->text;
}

bool SpotKeys::flag(const Setting& setting) const {
  if (setting.value->kind != Toml::Kind::kFlag) refuse_type(setting, "true or false");
  return setting.value->flag;
}

int64_t SpotKeys::whole(const Setting& setting, int64_t low, int64_t high) const {
  const Toml& value = *setting.value;
  if (value.kind == Toml::Kind::kWhole && value.whole >= low && value.whole <= high) {
    return value.whole;
  }
  const std::string allowed = fmt::format("a whole number from {} to {}", low, high);
  if (value.kind != Toml::Kind::kWhole) refuse_type(setting, allowed);
  fail(setting, "{} is {}; allowed is {}", setting.name, value.whole, allowed);
}

Chips SpotKeys::chips(const Setting& setting, Chips smallest) const {
  if (setting.value->kind == Toml::Kind::kReal) {
    fail(setting,
         "{} is {}; chips are whole numbers: count everything in smaller chips (10 or 100 to each "
         "of yours)",
         setting.name, setting.value->real);
  }
  return whole(setting, smallest, kMostChips);
}

double SpotKeys::number(const Setting& setting, double low, double high) const {
  const Toml& value = *setting.value;
  const std::string allowed = fmt::format("a number from {} to {}", low, high);
  if (value.kind != Toml::Kind::kWhole && value.kind != Toml::Kind::kReal) {
    refuse_type(setting, allowed);
  }
  if (!(value.real >= low && value.real <= high)) {
    fail(setting, "{} is {}; allowed is {}", setting.name, value.real, allowed);
  }
  return value.real;
}

double SpotKeys::fraction(const Setting& setting) const {
  constexpr std::string_view kAllowed =
      "a part of the pot, \"20%\" or 0.2, from 0 (off) to \"1000%\"";
  const Toml& value = *setting.value;
  double result = value.real;
  std::string shown = fmt::format("{}", value.real);
  if (value.kind == Toml::Kind::kText) {
    shown = fmt::format("'{}'", shortened(value.text));
    std::string_view digits = core::trim(value.text);
    const bool percent = !digits.empty() && digits.back() == '%';
    if (percent) digits.remove_suffix(1);
    result = percent ? core::parse_number<double>(digits).value_or(-1) / 100 : -1;
  } else if (value.kind != Toml::Kind::kWhole && value.kind != Toml::Kind::kReal) {
    refuse_type(setting, kAllowed);
  }
  if (!(result >= 0 && result <= 10)) {
    fail(setting, "{} is {}; allowed is {}", setting.name, shown, kAllowed);
  }
  return result;
}

void SpotKeys::check_list(const Setting& setting, std::string_view example) const {
  if (setting.value->kind != Toml::Kind::kList) {
    refuse_type(setting, fmt::format("a list, such as {}", example));
  }
}

std::vector<std::string> SpotKeys::texts(const Setting& setting, std::string_view example) const {
  check_list(setting, example);
  std::vector<std::string> all;
  for (const Toml& item : setting.value->items) {
    if (item.kind != Toml::Kind::kText) {
      fail(item.line, "{} has {} in its list; allowed are texts, such as {}", setting.name,
           kind_text(item.kind), example);
    }
    all.push_back(item.text);
  }
  return all;
}

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
