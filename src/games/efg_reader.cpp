#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/file.h"
#include "core/number.h"
#include "games/efg.h"
#include "games/efg_game.h"
#include "games/efg_lexer.h"

namespace cleave::games {
namespace {

using core::Rational;
using Kind = EfgTokenKind;

// With at most this much text, the counts of nodes, sets, labels and rows of payoffs fit 32 bits.
constexpr size_t kMaxBytes = size_t{8} << 30;
constexpr size_t kMaxPlayers = kChance - 1;
constexpr uint32_t kMaxNumber = std::numeric_limits<int32_t>::max();
// Sums of fractions can grow with the length of the path, so that memory would grow with its
// square.
constexpr uint32_t kMaxSumLength = 65536;
constexpr uint32_t kLongSum = 8192;  // from this estimate on the length is measured

// From the numbers of a file to our indices. Files number from 1 with few gaps, which an array
// holds best; the others go to a hash map.
class NumberMap {
 public:
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

  uint32_t find(uint32_t number) const {
    if (number < dense_.size() && dense_[number] != kNone) return dense_[number];
    if (sparse_.empty()) return kNone;
    const auto it = sparse_.find(number);
    return it == sparse_.end() ? kNone : it->second;
  }
  void insert(uint32_t number, uint32_t index) {
    ++count_;
    if (number >= dense_.size() && number < 64 + 4 * count_) {
      dense_.resize(std::max<size_t>(number + 1, dense_.size() * 2), kNone);
    }
    if (number < dense_.size()) {
      dense_[number] = index;
    } else {
      sparse_[number] = index;
    }
  }

 private:
  size_t count_ = 0;
  std::vector<uint32_t> dense_;
  std::unordered_map<uint32_t, uint32_t> sparse_;
};

class EfgParser {
 public:
  EfgParser(std::string_view text, std::string_view file_name) : lexer_(text, file_name) {}

  EfgTables run() {
    read_header();
    t_.payoffs.resize(static_cast<size_t>(t_.num_players));
    row_lengths_.push_back(0);
    set_numbers_.resize(static_cast<size_t>(t_.num_players) + 1);
    do {
      read_node();
    } while (!open_.empty());
    expect(Kind::kEnd, "the end of the file, since the tree is complete");
    make_labels_unique(t_);
    t_.labels.drop_index();
    return std::move(t_);
  }

 private:
  // An inner node some of whose children are still to come.
  struct OpenNode {
    uint32_t node;
    uint32_t missing;  // children
    uint32_t row;      // of the payoffs collected up to here
  };

  void read_header() {
    const auto expect_word = [&](std::string_view word, std::string_view other,
                                 std::string_view expected) {
      const EfgToken token = expect(Kind::kWord, expected);
      if (token.text != word && token.text != other) lexer_.fail_expected(token, expected);
    };
    expect_word("EFG", "EFG", "EFG, the first word of an extensive-form game file");
    const EfgToken version = expect(Kind::kNumber, "2, the version of the format");
    if (version.text != "2") {
      lexer_.fail(version.offset, "version {} of the format cannot be read; allowed is 2",
                  efg_shown(version.text));
    }
    expect_word("R", "D", "R or D after EFG 2");
    expect(Kind::kString, "the title of the game in quotes");
    expect(Kind::kOpen, "'{' and the names of the players");
    size_t players = 0;
    for (; next_is(Kind::kString); lexer_.take()) {
      if (++players > kMaxPlayers) {
        lexer_.fail(lexer_.peek().offset, "too many players; allowed are at most {}", kMaxPlayers);
      }
    }
    if (players == 0)
      lexer_.fail_expected(lexer_.peek(), "the name of at least one player in quotes");
    expect(Kind::kClose, "the name of a player in quotes or '}'");
    t_.num_players = static_cast<int>(players);
    if (next_is(Kind::kString)) lexer_.take();  // the comment
  }

  void read_node() {
    constexpr std::string_view kExpected =
        "a node: c (chance), p (player) or t (terminal), then its name";
    if (next_is(Kind::kEnd)) fail_incomplete(lexer_.peek());
    const EfgToken token = expect(Kind::kWord, kExpected);
    if (token.text != "c" && token.text != "p" && token.text != "t") {
      lexer_.fail_expected(token, kExpected);
    }
    expect(Kind::kString, "the name of the node in quotes, which may be empty");
    if (token.text == "t") {
      const uint32_t row = read_outcome(open_.empty() ? 0 : open_.back().row);
      add_node({EfgNode::kNoSet, row});
      close_finished_nodes();
    } else if (token.text == "c") {
      read_inner_node(kChance);
    } else {
      const auto players = static_cast<uint32_t>(t_.num_players);
      read_inner_node(static_cast<Actor>(read_integer("the number of a player", 1, players) - 1));
    }
  }

  void read_inner_node(Actor actor) {
    const uint32_t set = read_set(actor);
    const uint32_t row = read_outcome(open_.empty() ? 0 : open_.back().row);
    add_node({set, 0});
    open_.push_back({static_cast<uint32_t>(t_.nodes.size() - 1), t_.sets[set].num_actions, row});
  }

  void add_node(EfgNode node) {
    if (!open_.empty()) {
      --open_.back().missing;
      siblings_.push_back(static_cast<uint32_t>(t_.nodes.size()));
    }
    t_.nodes.push_back(node);
  }

  // The children of a node get their place only when all are there: a file that promises more than
  // it holds costs no memory.
  void close_finished_nodes() {
    while (!open_.empty() && open_.back().missing == 0) {
      EfgNode& node = t_.nodes[open_.back().node];
      const auto first = siblings_.end() - static_cast<ptrdiff_t>(t_.sets[node.set].num_actions);
      node.first = static_cast<uint32_t>(t_.children.size());
      t_.children.insert(t_.children.end(), first, siblings_.end());
      siblings_.erase(first, siblings_.end());
      open_.pop_back();
    }
  }

  [[noreturn]] void fail_incomplete(const EfgToken& end) const {
    uint64_t missing = open_.empty() ? 1 : 0;
    for (const OpenNode& node : open_) missing += node.missing;
    lexer_.fail(end.offset,
                "the file ends before the tree is complete; at least {} more node{} needed",
                missing, missing == 1 ? " is" : "s are");
  }

  std::string set_name(Actor actor, uint32_t number) const {
    if (actor == kChance) return fmt::format("chance set {}", number);
    return fmt::format("information set {} of player {}", number, actor + 1);
  }

  uint32_t read_set(Actor actor) {
    const size_t offset = lexer_.peek().offset;
    const uint32_t number = read_integer("the number of an information set", 0, kMaxNumber);
    NumberMap& numbers =
        set_numbers_[actor == kChance ? set_numbers_.size() - 1 : static_cast<size_t>(actor)];
    uint32_t set = numbers.find(number);
    if (!next_is(Kind::kString)) {
      if (set == NumberMap::kNone) {
        lexer_.fail(offset,
                    "{} is not described yet; its first node needs its label in "
                    "quotes and its actions in braces after the number",
                    set_name(actor, number));
      }
      return set;
    }
    const EfgToken label = lexer_.take();
    const EfgToken open = expect(Kind::kOpen, "'{' and the actions of the information set");
    read_actions(open, actor);
    if (set == NumberMap::kNone) {
      set = define_set(actor, number, intern(label));
      numbers.insert(number, set);
    } else {
      check_same_set(t_.sets[set], label, open);
    }
    return set;
  }

  void read_actions(const EfgToken& open, Actor actor) {
    actions_.clear();
    Rational sum;
    while (next_is(Kind::kString)) {
      const EfgToken token = lexer_.take();
      actions_.push_back({token.offset, intern(token), lexer_.peek().offset, {}});
      if (actor != kChance) continue;
      Rational& probability = actions_.back().probability;
      probability = read_number("the probability of the action");
      if (probability.sign() < 0) {
        lexer_.fail(actions_.back().probability_offset,
                    "the probability {} is negative; allowed are numbers from 0 to 1",
                    efg_shown(probability.to_string()));
      }
      sum += probability;
    }
    if (actions_.empty()) lexer_.fail_expected(lexer_.peek(), "the label of an action in quotes");
    expect(Kind::kClose, "the label of an action in quotes or '}'");
    if (actor == kChance && !(sum == Rational(1))) {
      lexer_.fail(open.offset, "the probabilities sum to {}; they must sum to exactly 1",
                  efg_shown(sum.to_string()));
    }
  }

  uint32_t define_set(Actor actor, uint32_t number, uint32_t label) {
    t_.sets.push_back({.first_action = t_.action_labels.size(),
                       .first_probability = t_.probabilities.size(),
                       .num_actions = static_cast<uint32_t>(actions_.size()),
                       .label = label,
                       .number = number,
                       .actor = actor});
    for (Action& action : actions_) {
      t_.action_labels.push_back(action.label);
      if (actor == kChance) t_.probabilities.push_back(std::move(action.probability));
    }
    return static_cast<uint32_t>(t_.sets.size() - 1);
  }

  // A description that differs from the first one is most likely a number used for two sets.
  void check_same_set(const EfgSet& set, const EfgToken& label, const EfgToken& open) {
    const auto differs = [&](size_t offset, std::string_view what, std::string_view here,
                             std::string_view first) {
      lexer_.fail(offset,
                  "{} has {} {} here and {} where it is first described; both "
                  "must agree, or leave the second description out",
                  set_name(set.actor, set.number), what, efg_shown(here), efg_shown(first));
    };
    const auto quoted = [&](uint32_t id) {
      return fmt::format("\"{}\"", efg_shown(t_.labels[id]));
    };
    if (const uint32_t here = intern(label); here != set.label) {
      differs(label.offset, "the label", quoted(here), quoted(set.label));
    }
    if (actions_.size() != set.num_actions) {
      differs(open.offset, "a number of actions of", std::to_string(actions_.size()),
              std::to_string(set.num_actions));
    }
    for (size_t i = 0; i < actions_.size(); ++i) {
      const Action& here = actions_[i];
      const uint32_t first = t_.action_labels[set.first_action + i];
      if (here.label != first) {
        differs(here.offset, fmt::format("as action {}", i + 1), quoted(here.label), quoted(first));
      }
      if (set.actor != kChance) continue;
      const Rational& probability = t_.probabilities[set.first_probability + i];
      if (!(here.probability == probability)) {
        differs(here.probability_offset, "the probability", here.probability.to_string(),
                probability.to_string());
      }
    }
  }

  // The row of payoffs collected when this node's outcome is added to those of `row`.
  uint32_t read_outcome(uint32_t row) {
    const size_t offset = lexer_.peek().offset;
    const uint32_t number = read_integer("the number of an outcome", 0, kMaxNumber);
    const bool described = next_is(Kind::kString);
    if (number == 0) {
      if (described) {
        lexer_.fail(lexer_.peek().offset,
                    "outcome 0 means no outcome; a name and payoffs are allowed after 1 and above");
      }
      return row;
    }
    uint32_t own = outcome_rows_.find(number);
    if (described) {
      own = read_outcome_payoffs(number, own);
    } else if (own == NumberMap::kNone) {
      lexer_.fail(offset,
                  "outcome {} is not described yet; its first node needs its "
                  "name in quotes and its payoffs in braces after the number",
                  number);
    }
    return add_rows(row, own, offset);
  }

  uint32_t read_outcome_payoffs(uint32_t number, uint32_t known) {
    lexer_.take();  // the name
    expect(Kind::kOpen, "'{' and the payoffs of the outcome");
    const auto players = static_cast<size_t>(t_.num_players);
    const auto wrong_count = [&](std::string_view count) {
      lexer_.fail(lexer_.peek().offset,
                  "outcome {} has {} payoffs; allowed are exactly {}, one for each player", number,
                  count, players);
    };
    uint32_t length = 0;
    for (size_t player = 0; player < players; ++player) {
      const EfgToken token = lexer_.peek();
      if (token.kind == Kind::kClose) wrong_count(std::to_string(player));
      Rational payoff = read_number("a payoff");
      if (known == NumberMap::kNone) {
        const bool scaled = token.text.find_first_of("eE") != token.text.npos;
        length = static_cast<uint32_t>(std::min<size_t>(
            std::max<size_t>(length, token.text.size() + (scaled ? 4096 : 0)), kMaxNumber));
        t_.payoffs.push_back(std::move(payoff));
      } else if (const Rational& first = t_.payoffs[known * players + player]; !(first == payoff)) {
        lexer_.fail(token.offset,
                    "outcome {} pays player {} {} here and {} where it is first "
                    "described; both must agree, or leave the second description out",
                    number, player + 1, efg_shown(payoff.to_string()),
                    efg_shown(first.to_string()));
      }
      if (next_is(Kind::kComma)) lexer_.take();
    }
    if (next_is(Kind::kNumber)) wrong_count("more");
    expect(Kind::kClose, "'}' after the last payoff");
    if (known != NumberMap::kNone) return known;
    const auto row = static_cast<uint32_t>(row_lengths_.size());
    row_lengths_.push_back(length);
    outcome_rows_.insert(number, row);
    return row;
  }

  uint32_t add_rows(uint32_t a, uint32_t b, size_t offset) {
    if (a == 0) return b;
    const auto [it, is_new] = sums_.try_emplace(uint64_t{a} << 32 | b, 0);
    if (!is_new) return it->second;
    const auto players = static_cast<size_t>(t_.num_players);
    const auto row = static_cast<uint32_t>(row_lengths_.size());
    it->second = row;
    size_t length = size_t{row_lengths_[a]} + row_lengths_[b];
    const bool measure = length > kLongSum;
    if (measure) length = 0;
    for (size_t player = 0; player < players; ++player) {
      Rational sum = t_.payoffs[a * players + player];
      sum += t_.payoffs[b * players + player];
      if (measure) length = std::max(length, sum.to_string().size());
      t_.payoffs.push_back(std::move(sum));
    }
    if (length > kMaxSumLength) {
      lexer_.fail(
          offset,
          "the payoffs on the way here sum to a number of {} characters; allowed are at most {}",
          length, kMaxSumLength);
    }
    row_lengths_.push_back(static_cast<uint32_t>(length));
    return row;
  }

  bool next_is(Kind kind) const { return lexer_.peek().kind == kind; }
  EfgToken expect(Kind kind, std::string_view expected) {
    if (!next_is(kind)) lexer_.fail_expected(lexer_.peek(), expected);
    return lexer_.take();
  }
  uint32_t read_integer(std::string_view what, uint32_t lowest, uint32_t highest) {
    const EfgToken token = next_is(Kind::kNumber) ? lexer_.take() : lexer_.peek();
    const auto value = core::parse_number<uint32_t>(token.text);
    if (token.kind != Kind::kNumber || !value || *value < lowest || *value > highest) {
      lexer_.fail_expected(token, fmt::format("{} from {} to {}", what, lowest, highest));
    }
    return *value;
  }

  Rational read_number(std::string_view what) {
    const EfgToken token = expect(Kind::kNumber, what);
    try {
      return Rational::parse(token.text);
    } catch (const core::InputError& error) {
      lexer_.fail(token.offset, "{}", error.what());
    }
  }

  uint32_t intern(const EfgToken& string) {
    if (string.text.find('\\') == string.text.npos) return t_.labels.intern(string.text);
    return t_.labels.intern(efg_unescape(string.text));
  }

  EfgLexer lexer_;
  EfgTables t_;
  std::vector<OpenNode> open_;          // the path from the root
  std::vector<uint32_t> siblings_;      // children read so far of the nodes in open_
  std::vector<NumberMap> set_numbers_;  // [player], chance last
  NumberMap outcome_rows_;
  std::vector<uint32_t> row_lengths_;            // at least the length of the row's longest payoff
  std::unordered_map<uint64_t, uint32_t> sums_;  // of two rows
  // The description of the set at hand.
  struct Action {
    size_t offset;
    uint32_t label;
    size_t probability_offset;
    Rational probability;
  };
  std::vector<Action> actions_;
};

}  // namespace

std::unique_ptr<Game> read_efg(std::string_view text, std::string_view file_name) {
  if (text.size() > kMaxBytes) {
    core::reject("{}:1:1: the file is too large; allowed are at most {} bytes", file_name,
                 kMaxBytes);
  }
  return make_efg_game(EfgParser(text, file_name).run(), std::string(file_name));
}

std::unique_ptr<Game> read_efg_file(const std::string& path) {
  return read_efg(core::read_file(path), path);
}

}  // namespace cleave::games
