#include "hands/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/error.h"
#include "core/random.h"
#include "fmt/format.h"
#include "poker/spot_keys.h"

namespace cleave::hands {

using poker::CardSet;
using NodeKind = poker::BettingNode::Kind;

namespace {

// `.game` files know nothing of abstractions: the sizes of a solution's betting stand in a comment.
constexpr std::string_view kSizesComment = "# sizes: ";

// Symmetry must keep what locks say: their hands, and the suits of cards they name.
std::vector<poker::SuitMap> keeping_locks(std::vector<poker::SuitMap> maps,
                                          const std::vector<poker::Lock>& locks) {
  for (const poker::Lock& lock : locks) {
    for (const poker::Lock::Part& part : lock.parts) maps = poker::keeping(maps, part.hands);
    for (const std::string_view step : poker::split_line(lock.node)) {
      const bool cards = step.size() >= 2 &&
                         std::string_view("23456789TJQKAtjqka").find(step[0]) != step.npos &&
                         poker::kSuitLetters.find(step[1]) != step.npos;
      if (!cards) continue;  // an action, or "*"
      for (const poker::Card c : poker::parse_cards(step, lock.where)) {
        std::erase_if(maps, [&](const poker::SuitMap& m) { return poker::rename(m, c) != c; });
      }
    }
  }
  return maps;
}

}  // namespace

Problem make_problem(const poker::Spot& spot) {
  Problem problem;
  problem.name = spot.name;
  problem.text = poker::to_text(spot);
  problem.pot = static_cast<double>(spot.betting.pot);
  problem.locks = spot.locks;
  problem.board = spot.board;
  Setup& setup = problem.setup;
  setup.tree = poker::build_betting_tree(spot.betting, {.removed = spot.removed});
  setup.deck = poker::deck();
  setup.board = poker::set_of(spot.board);
  setup.deals.assign(spot.betting.streets.size(), 1);
  setup.deals[0] = 0;
  for (int s = 0; s < static_cast<int>(spot.betting.streets.size()); ++s) {
    problem.street_names.emplace_back(spot.street_name(s));
  }
  for (size_t p = 0; p < 2; ++p) {
    for (size_t combo = 0; combo < poker::kNumCombos; ++combo) {
      const CardSet cards = poker::combo_cards(combo);
      const float weight = spot.ranges[p].weight[combo];
      if (weight == 0 || (cards & setup.board) != 0) continue;
      setup.hands[p].push_back(cards);
      problem.reach[p].push_back(weight);
    }
  }
  double pairs = 0;
  for (size_t i = 0; i < setup.hands[0].size(); ++i) {
    for (size_t j = 0; j < setup.hands[1].size(); ++j) {
      if (setup.hands[0][i] & setup.hands[1][j]) continue;
      pairs += problem.reach[0][i] * problem.reach[1][j];
    }
  }
  setup.pair_weight = 1 / pairs;
  if (spot.symmetry) {
    setup.symmetry = poker::keeping(poker::all_suit_maps(), setup.board);
    for (const poker::Range& range : spot.ranges) {
      setup.symmetry = poker::keeping(setup.symmetry, range);
    }
    setup.symmetry = keeping_locks(std::move(setup.symmetry), spot.locks);
  }
  return problem;
}

Problem make_problem(const poker::Definition& definition,
                     const std::optional<poker::Sizes>& sizes) {
  Problem problem;
  problem.name = definition.name;
  problem.text = poker::to_text(definition);
  if (sizes) problem.text += fmt::format("{}{}\n", kSizesComment, poker::to_text(*sizes));
  problem.setup = make_setup(definition, sizes);
  problem.setup.symmetry = poker::all_suit_maps(definition.suits);
  problem.setup.merge_hands = true;
  for (size_t p = 0; p < 2; ++p) problem.reach[p].assign(problem.setup.hands[p].size(), 1.0);
  for (int r = 1; r <= definition.num_rounds(); ++r) {
    problem.street_names.push_back(fmt::format("round {}", r));
  }
  return problem;
}

Problem parse_problem(const std::string& text, const std::string& name) {
  if (text.find("GAMEDEF") != std::string::npos) {
    std::optional<poker::Sizes> sizes;
    if (const size_t at = text.find(kSizesComment); at != std::string::npos) {
      const size_t begin = at + kSizesComment.size();
      sizes = poker::parse_sizes(
          std::string_view(text).substr(begin, text.find('\n', begin) - begin), name + ": sizes");
    }
    return make_problem(poker::parse_definition(text, name), sizes);
  }
  if (is_game_text(text)) return parse_game(text, name);
  return make_problem(poker::parse_spot(text, name));
}

uint32_t entry_node(const Street& street, uint32_t line) {
  for (const Chunk& chunk : street.chunks) {
    if (line < chunk.first_line + chunk.num_lines) {
      return chunk.first_node + line - chunk.first_line;
    }
  }
  return 0;
}

std::vector<poker::Action> actions_at(const Layout& layout, int s, uint32_t node) {
  const Street& street = layout.streets[static_cast<size_t>(s)];
  std::vector<poker::Action> actions;
  for (uint32_t c = 0; c < street.nodes[node].num_children; ++c) {
    const uint32_t source = street.nodes[street.nodes[node].first_child + c].source;
    actions.push_back(layout.setup.tree.nodes[source].action);
  }
  return actions;
}

namespace {

// Follows a line step by step, on every board that its wildcards stand for.
class Walker {
 public:
  Walker(const Layout& layout, std::string_view line)
      : layout_(layout), line_(line), steps_(poker::split_line(line)) {}

  std::vector<Address> walk() {
    follow({.cards = layout_.setup.board}, 0);
    return std::move(found_);
  }

 private:
  [[noreturn]] void fail(size_t step, const std::string& allowed) const {
    throw core::InputError(fmt::format("line '{}': '{}' does not fit there; allowed {}", line_,
                                       steps_[step], allowed));
  }

  void follow(Address at, size_t step) {
    const Node& node = layout_.streets[static_cast<size_t>(at.street)].nodes[at.node];
    if (step == steps_.size()) return found_.push_back(at);
    if (node.kind == NodeKind::kDecision) return act(at, node, step);
    if (node.kind == NodeKind::kDeal) return deal(at, node, step);
    fail(step, "is nothing more: the hand is over");
  }

  void act(Address at, const Node& node, size_t step) {
    const auto actions = actions_at(layout_, at.street, at.node);
    const auto action = poker::find_action(actions, steps_[step]);
    if (!action) fail(step, "are " + poker::to_text(actions));
    at.node = node.first_child + static_cast<uint32_t>(*action);
    follow(at, step + 1);
  }

  void deal(Address at, const Node& node, size_t step) {
    const auto s = static_cast<size_t>(at.street);
    if (s + 1 >= layout_.streets.size()) fail(step, "is nothing more here");
    const Street& next = layout_.streets[s + 1];
    const Board& board = layout_.streets[s].boards[at.board];
    const Address from = at;
    at.street += 1;
    at.node = entry_node(next, node.first_child);
    if (steps_[step] == "*") {
      for (uint32_t b = board.first_child; b < board.first_child + board.num_children; ++b) {
        at.board = b;
        at.cards = next.boards[b].cards;
        at.map = poker::kSameSuits;
        follow(at, step + 1);
      }
      return;
    }
    const int count = layout_.setup.deals[s + 1];
    const std::string wanted = fmt::format(
        "{} that {} not out yet, or *",
        count == 1 ? "is a card" : fmt::format("are {} cards", count), count == 1 ? "is" : "are");
    CardSet named = 0;
    try {
      named = poker::set_of(poker::parse_cards(steps_[step], "cards"));
    } catch (const core::InputError&) {
      fail(step, wanted);
    }
    if (std::popcount(named) != count) fail(step, wanted);
    if ((named & (from.cards | ~layout_.setup.deck)) != 0) fail(step, wanted);
    // In the names of the board that is really there, then to the one dealt in its place.
    const CardSet here = poker::rename(from.map, named);
    for (uint32_t b = board.first_child; b < board.first_child + board.num_children; ++b) {
      const CardSet dealt = next.boards[b].cards & ~board.cards;
      for (const poker::SuitMap& image : next.boards[b].images) {
        if (poker::rename(image, dealt) != here) continue;
        at.board = b;
        at.cards = from.cards | named;
        for (size_t suit = 0; suit < image.size(); ++suit) {
          const auto back = std::ranges::find(image, from.map[suit]) - image.begin();
          at.map[suit] = static_cast<uint8_t>(back);
        }
        follow(at, step + 1);
        return;
      }
    }
    fail(step, wanted);
  }

  const Layout& layout_;
  std::string_view line_;
  std::vector<std::string_view> steps_;
  std::vector<Address> found_;
};

}  // namespace

std::vector<Address> find_addresses(const Layout& layout, std::string_view line) {
  return Walker(layout, line).walk();
}

Address find_address(const Layout& layout, std::string_view line) {
  const auto found = find_addresses(layout, line);
  if (found.size() != 1) {
    throw core::InputError(
        fmt::format("line '{}': * stands for {} boards; name the cards", line, found.size()));
  }
  return found.front();
}

// One lock at one of its nodes.
static LockedNode place_lock(const poker::Lock& lock, const Layout& layout, const Address& at) {
  const Street& street = layout.streets[static_cast<size_t>(at.street)];
  const Node& node = street.nodes[at.node];
  if (node.kind != NodeKind::kDecision) {
    throw core::InputError(fmt::format("{}: nobody acts at '{}'; a lock is put where a player does",
                                       lock.where, lock.node));
  }
  const Side& side = street.boards[at.board].side[node.player];
  const auto actions = actions_at(layout, at.street, at.node);
  LockedNode out{at.street, at.board, at.node, {}};
  out.strategy.assign(actions.size() * side.width, 0);
  std::fill_n(out.strategy.begin(), side.width, -1.0);
  for (const poker::Lock::Part& part : lock.parts) {
    std::vector<double> frequency(actions.size(), 0);
    for (const auto& [name, share] : part.frequencies) {
      const auto action = poker::find_action(actions, name);
      if (!action) {
        throw core::InputError(fmt::format("{}: no action '{}' at '{}'; there are {}", lock.where,
                                           name, lock.node, poker::to_text(actions)));
      }
      frequency[*action] = share;
    }
    for (size_t i = 0; i < side.count; ++i) {
      const CardSet hand = layout.setup.hands[node.player][side.hand[i]];
      if (part.hands.weight[poker::combo_of(hand)] == 0) continue;
      for (size_t a = 0; a < actions.size(); ++a) {
        out.strategy[a * side.width + i] = frequency[a];
      }
    }
  }
  return out;
}

std::vector<LockedNode> place_locks(const Problem& problem, const Layout& layout) {
  std::vector<LockedNode> placed;
  for (const poker::Lock& lock : problem.locks) {
    std::vector<Address> places;
    try {
      places = find_addresses(layout, lock.node);
    } catch (const core::InputError& error) {
      throw core::InputError(fmt::format("{}: {}", lock.where, error.what()));
    }
    for (const Address& at : places) placed.push_back(place_lock(lock, layout, at));
  }
  return placed;
}

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
