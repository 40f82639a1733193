#include "poker/definition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>

#include "core/error.h"
#include "core/file.h"
#include "core/number.h"

namespace cleave::poker {
namespace {

// The format's own limits, and the evaluator's seven cards.
constexpr int kMaxRounds = 4;
constexpr int kMaxHoleCards = 3;
constexpr int kMaxHandCards = 7;
constexpr int kUnlimitedRaises = UINT8_MAX;
constexpr Chips kUnlimitedStack = INT32_MAX;

constexpr const char* kKeys =
    "limit, nolimit, numPlayers, numRounds, stack, blind, raiseSize, firstPlayer, maxRaises, "
    "numSuits, numRanks, numHoleCards, numBoardCards";

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// As it may stand in a message: on one line and short.
std::string shown(std::string_view word) {
  std::string text(word.substr(0, 40));
  std::ranges::replace_if(
      text, [](unsigned char c) { return std::isprint(c) == 0; }, '?');
  return text;
}

// Between white space and '=' signs, which the format does not tell apart.
std::vector<std::string> words_of(std::string line) {
  line.resize(std::min(line.find('#'), line.size()));
  std::ranges::replace(line, '=', ' ');
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

class DefinitionReader {
 public:
  DefinitionReader(std::string_view text, std::string_view file) : file_(file) {
    std::istringstream stream{std::string(text)};
    for (std::string line; !ended_ && std::getline(stream, line);) {
      ++line_;
      read_line(words_of(line));
    }
    line_ = std::max(line_, 1);
  }

  Definition definition() {
    Definition game;
    game.name = std::filesystem::path(std::string(file_)).stem().string();
    game.limit = limit_;
    number("numplayers", 2, 2);
    game.rounds.resize(static_cast<size_t>(number("numrounds", 1, kMaxRounds)));
    game.suits = static_cast<int>(number("numsuits", 1, kNumSuits));
    game.ranks = static_cast<int>(number("numranks", 1, kNumRanks));
    game.hole_cards = static_cast<int>(number("numholecards", 1, kMaxHoleCards));
    read_chips(game);
    read_rounds(game);
    check_cards(game);
    return game;
  }

 private:
  struct Entry {
    int line;
    std::string name;  // as written
    std::vector<int64_t> values;
  };

  template <class... Args>
  [[noreturn]] void refuse(int line, fmt::format_string<Args...> what, Args&&... args) const {
    throw core::InputError(
        fmt::format("{}:{}: {}", file_, line, fmt::format(what, std::forward<Args>(args)...)));
  }

  void read_line(const std::vector<std::string>& words) {
    if (words.empty()) return;
    const std::string key = lower(words[0]);
    if (key == "gamedef" && words.size() == 1) return;
    if (key == "end" && words.size() == 2 && lower(words[1]) == "gamedef") {
      ended_ = true;
      return;
    }
    if (key == "limit" || key == "nolimit") {
      if (words.size() > 1) refuse(line_, "'{}' takes no values", shown(words[0]));
      remember(key, words[0], "limit", {});
      limit_ = key == "limit";
      return;
    }
    constexpr std::string_view kNumeric[] = {
        "numplayers", "numrounds", "stack",    "blind",        "raisesize",    "firstplayer",
        "maxraises",  "numsuits",  "numranks", "numholecards", "numboardcards"};
    if (std::find(std::begin(kNumeric), std::end(kNumeric), key) == std::end(kNumeric)) {
      refuse(line_, "unknown word '{}'; allowed are {}", shown(words[0]), kKeys);
    }
    std::vector<int64_t> values;
    for (size_t i = 1; i < words.size(); ++i) {
      const auto value = core::parse_number<int64_t>(words[i]);
      if (!value) {
        refuse(line_, "'{}' of {} is not a whole number", shown(words[i]), shown(words[0]));
      }
      values.push_back(*value);
    }
    remember(key, words[0], key, std::move(values));
  }

  void remember(const std::string& key, std::string_view name, const std::string& as,
                std::vector<int64_t> values) {
    const auto [found, added] =
        entries_.try_emplace(as, Entry{line_, std::string(name), std::move(values)});
    if (!added) {
      refuse(line_, "{} after {} on line {}", key, found->second.name, found->second.line);
    }
  }

  // `count` values of a key, each from low to high; fewer where `fallback` stands in for them.
  std::vector<int64_t> numbers(const std::string& key, size_t count, int64_t low, int64_t high,
                               std::optional<int64_t> fallback = {}) const {
    const auto found = entries_.find(key);
    if (found == entries_.end() && !fallback) {
      refuse(line_, "{} is missing; allowed words are {}", key, kKeys);
    }
    if (found == entries_.end()) return std::vector<int64_t>(count, *fallback);
    const Entry& entry = found->second;
    std::vector<int64_t> values = entry.values;
    if (values.empty() || values.size() > count || (!fallback && values.size() < count)) {
      refuse(entry.line, "{} has {} value{}; allowed are {}{}", entry.name, values.size(),
             values.size() == 1 ? "" : "s", fallback && count > 1 ? "1 to " : "", count);
    }
    for (const int64_t value : values) {
      if (value < low || value > high) {
        refuse(entry.line, "{} is {}; allowed is {}", entry.name, value,
               low == high ? fmt::to_string(low) : fmt::format("{} to {}", low, high));
      }
    }
    if (fallback) values.resize(count, *fallback);
    return values;
  }
  int64_t number(const std::string& key, int64_t low, int64_t high) const {
    return numbers(key, 1, low, high)[0];
  }
  int line_of(const std::string& key) const {
    const auto found = entries_.find(key);
    return found == entries_.end() ? line_ : found->second.line;
  }

  void read_chips(Definition& game) const {
    const auto blinds = numbers("blind", 2, 0, kUnlimitedStack);
    const auto stacks = entries_.contains("stack") ? numbers("stack", 2, 1, kUnlimitedStack)
                                                   : std::vector<int64_t>(2, kUnlimitedStack);
    std::ranges::copy(stacks, game.stack.begin());
    std::ranges::copy(blinds, game.blind.begin());
    for (size_t p = 0; p < 2; ++p) {
      if (blinds[p] > stacks[p]) {
        refuse(line_of("blind"), "player {}'s blind of {} is more than the stack of {}", p + 1,
               blinds[p], stacks[p]);
      }
    }
  }

  void read_rounds(Definition& game) const {
    const size_t count = game.rounds.size();
    const auto first = numbers("firstplayer", count, 1, 2, 1);
    const auto raises = numbers("maxraises", count, 0, kUnlimitedRaises, kUnlimitedRaises);
    const auto board = numbers("numboardcards", count, 0, kMaxHandCards);
    const auto sizes = game.limit ? numbers("raisesize", count, 1, kUnlimitedStack)
                                  : std::vector<int64_t>(count, 0);
    for (size_t r = 0; r < count; ++r) {
      game.rounds[r] = {static_cast<int>(board[r]), static_cast<int>(first[r]) - 1,
                        static_cast<int>(raises[r]), sizes[r]};
    }
  }

  void check_cards(const Definition& game) const {
    int board = 0;
    for (const Definition::Round& round : game.rounds) board += round.board_cards;
    if (game.hole_cards + board > kMaxHandCards) {
      refuse(line_of("numboardcards"),
             "a hand of {} hole and {} board cards; allowed are at most {} cards", game.hole_cards,
             board, kMaxHandCards);
    }
    if (2 * game.hole_cards + board > game.ranks * game.suits) {
      refuse(line_of("numboardcards"), "{} cards are dealt from a deck of {}",
             2 * game.hole_cards + board, game.ranks * game.suits);
    }
  }

  std::string_view file_;
  std::map<std::string, Entry> entries_;  // by the key in lower case
  int line_ = 0;
  bool limit_ = true;
  bool ended_ = false;
};

}  // namespace

Definition parse_definition(std::string_view text, std::string_view file) {
  return DefinitionReader(text, file).definition();
}

Definition read_definition(const std::string& path) {
  return parse_definition(core::read_file(path), path);
}

std::string to_text(const Definition& definition) {
  std::string text = definition.limit ? "GAMEDEF\nlimit\n" : "GAMEDEF\nnolimit\n";
  const auto add = [&](const char* key, const auto& value_of) {
    text += fmt::format("{} =", key);
    for (const Definition::Round& round : definition.rounds) {
      text += fmt::format(" {}", value_of(round));
    }
    text += '\n';
  };
  text += fmt::format("numPlayers = 2\nnumRounds = {}\n", definition.num_rounds());
  text += fmt::format("stack = {}\n", fmt::join(definition.stack, " "));
  text += fmt::format("blind = {}\n", fmt::join(definition.blind, " "));
  if (definition.limit) add("raiseSize", [](const auto& round) { return round.raise_size; });
  add("firstPlayer", [](const auto& round) { return round.first_player + 1; });
  add("maxRaises", [](const auto& round) { return round.max_raises; });
  text += fmt::format("numSuits = {}\nnumRanks = {}\nnumHoleCards = {}\n", definition.suits,
                      definition.ranks, definition.hole_cards);
  add("numBoardCards", [](const auto& round) { return round.board_cards; });
  return text + "END GAMEDEF\n";
}

}  // namespace cleave::poker
