#include "hands/game_file.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/random.h"
#include "poker/spot_keys.h"

namespace cleave::hands {
namespace {

using poker::Setting;

struct StreetName {
  const char* name;
  int cards;
};
constexpr std::array<StreetName, 4> kStreets = {
    {{"preflop", 0}, {"flop", 3}, {"turn", 1}, {"river", 1}}};

class GameReader {
 public:
  GameReader(std::string_view text, std::string_view file)
      : keys_(std::string(file)), toml_(poker::parse_toml(text, file)), root_{&toml_, ""} {}

  Setup read() {
    keys_.check_table(root_, {"stack", "blinds", "preflop", "flop", "turn", "river"});
    poker::Definition definition = read_rules();
    poker::Betting betting = poker::make_betting(definition);
    for (size_t s = 0; s < streets_.size(); ++s) {
      for (size_t p = 0; p < 2; ++p) betting.streets[s].sizes[p] = read_sizes(s, p);
    }
    Setup setup = make_setup(definition, poker::Sizes{});
    setup.tree = poker::build_betting_tree(betting);
    setup.symmetry = poker::all_suit_maps();
    setup.merge_hands = true;
    return setup;
  }

 private:
  poker::Definition read_rules() {
    poker::Definition d;
    d.name = "whole game";
    const poker::Chips stack = keys_.chips(keys_.require(root_, "stack", "stack = 20000"), 1);
    d.stack = {stack, stack};
    const Setting blinds = keys_.require(root_, "blinds", "blinds = [100, 50]");
    keys_.check_list(blinds, "[100, 50]");
    if (blinds.value->items.size() != 2) {
      keys_.fail(blinds, "blinds: the big blind and the small one, e.g. [100, 50]");
    }
    for (size_t p = 0; p < 2; ++p) d.blind[p] = blinds.value->items[p].whole;
    if (d.blind[0] <= d.blind[1] || d.blind[1] <= 0 || d.blind[0] > stack) {
      keys_.fail(blinds, "blinds: the big blind comes first, then a smaller one");
    }
    d.ranks = poker::kNumRanks;
    d.suits = poker::kNumSuits;
    d.hole_cards = 2;
    for (const auto& [name, cards] : kStreets) {
      const Setting street = keys_.find(root_, name);
      if (!street) break;
      keys_.check_table(street, {"bets", "bet", "raise", "sb", "bb"});
      const auto bets = keys_.whole(keys_.require(street, "bets", "bets = 3"), 0, 255);
      d.rounds.push_back({cards, d.rounds.empty() ? 1 : 0, static_cast<int>(bets), 0});
      streets_.push_back(street);
    }
    if (streets_.empty()) keys_.fail(1, "no [preflop]: the first street of the game");
    return d;
  }

  poker::StreetSizes read_sizes(size_t street, size_t player) const {
    const Setting own = keys_.find(streets_[street], player == 0 ? "bb" : "sb");
    if (own) keys_.check_table(own, {"bet", "raise"});
    const auto find = [&](const char* key) {
      const Setting mine = own ? keys_.find(own, key) : Setting{};
      return mine ? mine : keys_.find(streets_[street], key);
    };
    poker::StreetSizes sizes;
    if (const Setting bet = find("bet")) sizes.bet = sizes_of(bet);
    sizes.raise = {sizes.bet};
    if (const Setting raise = find("raise")) {
      // Before the flop the blind has been bet: the first bet is the first raise.
      if (street > 0) sizes.raise.clear();
      sizes.raise.push_back(sizes_of(raise));
    }
    return sizes;
  }

  poker::Sizes sizes_of(const Setting& setting) const {
    const std::string& text = keys_.text(setting, "\"50%,100%\"");
    return text.empty() ? poker::Sizes{} : poker::parse_sizes(text, keys_.where(setting));
  }

  poker::SpotKeys keys_;
  poker::Toml toml_;
  Setting root_;
  std::vector<Setting> streets_;
};

}  // namespace

Problem parse_game(std::string_view text, std::string_view file) {
  Problem problem;
  problem.name = std::string(file);
  problem.text = std::string(text);
  problem.setup = GameReader(text, file).read();
  for (size_t p = 0; p < 2; ++p) problem.reach[p].assign(problem.setup.hands[p].size(), 1.0);
  for (size_t s = 0; s < problem.setup.deals.size(); ++s) {
    problem.street_names.emplace_back(kStreets[s].name);
  }
  return problem;
}

bool is_game_text(std::string_view text) { return text.find("[preflop]") != text.npos; }

void sample_deals(Setup& setup, size_t count, uint64_t seed) {
  const std::vector<poker::Deal> all = first_deals(setup);
  if (count >= all.size()) return;
  // Neighbours are alike: the same distance between all of them makes for a small error.
  const double step = static_cast<double>(all.size()) / static_cast<double>(count);
  const double first = core::Random(seed).uniform() * step;
  std::vector<poker::Deal> some;
  for (size_t i = 0; i < count; ++i) {
    some.push_back(all[static_cast<size_t>(first + step * static_cast<double>(i))]);
  }
  keep_deals(setup, some);
}

std::vector<uint32_t> WholeGame::states_under(const Board& board) const {
  std::vector<uint32_t> state;
  uint32_t count = 0;
  for (const poker::CardSet hand : setup().hands[0]) {
    state.push_back((hand & board.cards) == 0 ? count++ : kBlocked);
  }
  return state;
}

WholeGame make_whole_game(const Setup& setup, int threads) {
  if (setup.deals.size() < 2) {
    throw core::InputError("a game of one street has no last street to be cut off");
  }
  return {make_layout(sketch_layout(setup), threads), setup.deals.size() - 1};
}

}  // namespace cleave::hands
