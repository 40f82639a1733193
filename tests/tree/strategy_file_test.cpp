#include "tree/strategy_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <random>
#include <sstream>

#include "core/error.h"
#include "core/file.h"
#include "games/registry.h"
#include "tree/archive.h"

namespace cleave::tree {
namespace {

namespace fs = std::filesystem;

// Each player moves once, unseen by the other; labels have everything that CSV must quote.
struct Moves {
  uint8_t count = 0;
  uint8_t move[2] = {0, 0};
};

class OddLabels final : public games::TypedGame<Moves> {
 public:
  std::string name() const override { return "odd,\"labels\""; }

 protected:
  Moves initial() const override { return {}; }
  games::Turn turn(const Moves& moves) const override {
    if (moves.count == 2) return {};
    return {moves.count, 4};
  }
  void apply(Moves& moves, int action) const override {
    moves.move[moves.count++] = static_cast<uint8_t>(action);
  }
  core::Rational payoff(const Moves& moves, int player) const override {
    return (moves.move[0] == moves.move[1]) == (player == 0) ? 1 : -1;
  }
  core::Hash128 infoset_key(const Moves& moves) const override {
    return core::Hasher().add(moves.count).finish();
  }
  // Equal for both players: only unique for one of them.
  std::string infoset_label(const Moves&) const override { return "a \"move\", please\r\nnow"; }
  std::string action_label(const Moves&, int action) const override {
    constexpr std::array<const char*, 4> kLabels{"a,b", "\"", "back\\slash\\n", " \n"};
    return kLabels[static_cast<size_t>(action)];
  }
};

class StrategyFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "cleave-strategy-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string put(const std::string& name, std::string_view text) const {
    const std::array<std::span<const char>, 1> parts{text};
    core::write_file_atomically(path(name), parts);
    return path(name);
  }

  // What read_strategy() says, without the path.
  std::string refusal(const games::Game& game, const Tree& tree, const std::string& name) const {
    try {
      read_strategy(game, tree, path(name));
    } catch (const core::InputError& error) {
      const std::string text = error.what();
      EXPECT_TRUE(text.starts_with(path(name) + ":")) << text;
      return text.substr(path(name).size());
    }
    return "accepted";
  }

  fs::path folder_;
};

Strategy random_strategy(const Tree& tree, unsigned seed) {
  std::mt19937_64 random(seed);
  Strategy strategy(tree.num_slots());
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    const auto begin = strategy.begin() + tree.slot_begin[set];
    const auto end = strategy.begin() + tree.slot_begin[set + 1];
    std::generate(begin, end, [&] { return std::generate_canonical<double, 53>(random); });
    const double sum = std::accumulate(begin, end, 0.0);
    std::for_each(begin, end, [&](double& p) { p /= sum; });
  }
  std::fill_n(strategy.begin(), tree.num_actions(0), 0.0);
  strategy[0] = 1e-300;
  strategy[1] = 1;
  return strategy;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string joined(const std::vector<std::string>& lines, const std::string& end) {
  std::string text;
  for (const std::string& line : lines) text += line + end;
  return text;
}

TEST_F(StrategyFile, RoundTripIsExactInEveryFormat) {
  const auto kuhn = games::make_game("kuhn");
  const auto leduc = games::make_game("leduc");
  const OddLabels odd;
  for (const games::Game* game :
       std::initializer_list<const games::Game*>{kuhn.get(), leduc.get(), &odd}) {
    const Tree tree = compile(*game);
    const Strategy strategy = random_strategy(tree, 7);
    for (const char* name : {"x.csv", "x.CSV", "x.h5", "x.hdf5"}) {
      write_strategy(*game, tree, strategy, path(name));
      EXPECT_EQ(read_strategy(*game, tree, path(name)), strategy) << game->name() << name;
    }
  }
}

TEST_F(StrategyFile, CsvIsAsPublished) {
  const auto game = games::make_game("kuhn");
  const Tree tree = compile(*game);
  write_strategy(*game, tree, uniform_strategy(tree), path("x.csv"));
  const auto lines = lines_of(core::read_file(path("x.csv")));
  ASSERT_EQ(lines.size(), 25U);
  EXPECT_EQ(lines[0], "player,infoset,action,probability");
  EXPECT_TRUE(std::ranges::count(lines, "1,K:cb,call,0.5") == 1);
  EXPECT_TRUE(std::ranges::count(lines, "2,J:c,bet,0.5") == 1);

  const OddLabels odd;
  const Tree odd_tree = compile(odd);
  write_strategy(odd, odd_tree, uniform_strategy(odd_tree), path("odd.csv"));
  EXPECT_TRUE(core::read_file(path("odd.csv"))
                  .starts_with("player,infoset,action,probability\n"
                               "1,\"a \"\"move\"\", please\r\nnow\",\"a,b\",0.25\n"
                               "1,\"a \"\"move\"\", please\r\nnow\",\"\"\"\",0.25\n"));
}

TEST_F(StrategyFile, Hdf5IsAsPublished) {
  const auto game = games::make_game("kuhn");
  const Tree tree = compile(*game);
  const Strategy strategy = random_strategy(tree, 3);
  write_strategy(*game, tree, strategy, path("x.h5"));
  const Archive archive = read_archive(path("x.h5"));
  const auto infosets = lines_of(archive.text("infosets"));
  const auto actions = lines_of(archive.text("actions"));
  EXPECT_EQ(actions.size(), 4U);
  std::vector<std::string> rows{"player,infoset,action,probability"};
  for (size_t set = 0; set < infosets.size(); ++set) {
    for (uint64_t i = archive.word("row_begin")[set]; i < archive.word("row_begin")[set + 1]; ++i) {
      rows.push_back(fmt::format("{},{},{},{}", archive.word("player")[set], infosets[set],
                                 actions[archive.word("action")[i]],
                                 archive.real("probability")[i]));
    }
  }
  write_strategy(*game, tree, strategy, path("x.csv"));
  EXPECT_EQ(rows, lines_of(core::read_file(path("x.csv"))));
}

TEST_F(StrategyFile, CsvInAnyOrderWithAnyLineEnd) {
  const auto game = games::make_game("kuhn");
  const Tree tree = compile(*game);
  const Strategy strategy = random_strategy(tree, 5);
  write_strategy(*game, tree, strategy, path("x.csv"));
  auto lines = lines_of(core::read_file(path("x.csv")));
  std::shuffle(lines.begin() + 1, lines.end(), std::mt19937(1));
  EXPECT_EQ(read_strategy(*game, tree, put("y.csv", joined(lines, "\n"))), strategy);
  EXPECT_EQ(read_strategy(*game, tree, put("y.csv", joined(lines, "\r\n"))), strategy);
  EXPECT_EQ(read_strategy(*game, tree, put("y.csv", "\xef\xbb\xbf" + joined(lines, "\n\n"))),
            strategy);
  std::string open_end = joined(lines, "\n");
  open_end.pop_back();
  EXPECT_EQ(read_strategy(*game, tree, put("y.csv", open_end)), strategy);
}

TEST_F(StrategyFile, NearlyOneIsScaledToOne) {
  const auto game = games::make_game("kuhn");
  const Tree tree = compile(*game);
  Strategy strategy = uniform_strategy(tree);
  strategy[0] = 0.5 + 8e-7;
  for (const char* name : {"x.csv", "x.h5"}) {
    write_strategy(*game, tree, strategy, path(name));
    const Strategy back = read_strategy(*game, tree, path(name));
    EXPECT_NEAR(back[0] + back[1], 1, 1e-15);
    EXPECT_NEAR(back[0] / back[1], strategy[0] / strategy[1], 1e-15);
    EXPECT_EQ(back[2], 0.5);
  }
}

TEST_F(StrategyFile, WrongRowsAreRefusedWithTheirLine) {
  const auto game = games::make_game("kuhn");
  const Tree tree = compile(*game);
  write_strategy(*game, tree, uniform_strategy(tree), path("x.csv"));
  const auto lines = lines_of(core::read_file(path("x.csv")));
  const auto with_line = [&](size_t number, const std::string& line) {
    auto changed = lines;
    changed[number - 1] = line;
    put("bad.csv", joined(changed, "\n"));
    return refusal(*game, tree, "bad.csv");
  };
  ASSERT_EQ(lines[2], "1,J:,bet,0.5");
  EXPECT_EQ(with_line(1, "player,infoset,probability"),
            ":1: not the header of a strategy; allowed is player,infoset,action,probability");
  EXPECT_EQ(with_line(3, "1,J:,bet"),
            ":3: 3 fields; allowed are 4: player,infoset,action,probability");
  EXPECT_EQ(with_line(3, "0,J:,bet,0.5"), ":3: player '0'; allowed are 1 and 2");
  EXPECT_TRUE(with_line(3, "1,J:c,bet,0.5")
                  .starts_with(":3: player 1 has no information set 'J:c'; allowed are the 6 "));
  EXPECT_EQ(with_line(3, "1,J:,raise,0.5"),
            ":3: information set 'J:' has no action 'raise'; allowed are check, bet");
  EXPECT_EQ(with_line(3, "1,J:,check,0.5"),
            ":3: player 1, infoset 'J:', action 'check' is already in line 2; allowed is one row "
            "for each action");
  for (const char* probability : {"-0.5", "nan", "inf", "1.1", "", "x", "0.5x", " 0.5", "1e999"}) {
    EXPECT_EQ(
        with_line(3, std::string("1,J:,bet,") + probability),
        std::string(":3: probability '") + probability + "'; allowed are numbers from 0 to 1");
  }
  EXPECT_EQ(with_line(3, "1,J:,bet,0.50001"),
            ":3: probabilities of player 1, infoset 'J:' sum to 1.00001; allowed is 1 with an "
            "error of at most 1e-06");
  EXPECT_EQ(with_line(3, ""),
            ":26: the file ends without a row for player 1, infoset 'J:', action 'bet' (1 of 24 "
            "rows are missing); every action of every information set needs one");
  EXPECT_EQ(with_line(3, "1,\"J:\"x,bet,0.5"),
            ":3: text after a closing quote; allowed is a comma or the end of the line");
  EXPECT_EQ(with_line(25, "1,\"J:"),
            ":25: a quote that is not closed; allowed are pairs of quotes");
  put("bad.csv", "");
  EXPECT_TRUE(refusal(*game, tree, "bad.csv").starts_with(":1: not the header"));
}

TEST_F(StrategyFile, LinesCountInsideQuotesToo) {
  const OddLabels game;
  const Tree tree = compile(game);
  write_strategy(game, tree, uniform_strategy(tree), path("x.csv"));
  std::string text = core::read_file(path("x.csv"));
  text += "3,a,b,c\n";
  put("bad.csv", text);
  const auto lines = static_cast<size_t>(std::ranges::count(text, '\n'));
  EXPECT_EQ(refusal(game, tree, "bad.csv"),
            fmt::format(":{}: player '3'; allowed are 1 and 2", lines));
}

TEST_F(StrategyFile, Hdf5OfAnotherGameOrWithWrongNumbersIsRefused) {
  const auto kuhn = games::make_game("kuhn");
  const Tree tree = compile(*kuhn);
  const auto other = games::make_game("kuhn(cards=4)");
  const Tree other_tree = compile(*other);
  write_strategy(*other, other_tree, uniform_strategy(other_tree), path("x.h5"));
  EXPECT_TRUE(
      refusal(*kuhn, tree, "x.h5")
          .starts_with(": the strategy is for 'kuhn(cards=4)', not for this game ('kuhn')"));

  for (const double wrong : {-0.5, std::nan(""), 0.7}) {
    Strategy strategy = uniform_strategy(tree);
    strategy[3] = wrong;
    write_strategy(*kuhn, tree, strategy, path("x.h5"));
    EXPECT_TRUE(refusal(*kuhn, tree, "x.h5").starts_with(": probabilities 2 to 3 ")) << wrong;
  }

  write_archive({}, path("x.h5"));
  EXPECT_EQ(refusal(*kuhn, tree, "x.h5"), ": the archive has no text 'format'");
  put("x.h5", "player,infoset,action,probability\n");
  EXPECT_TRUE(refusal(*kuhn, tree, "x.h5").starts_with(": not an archive of Cleave"));
}

TEST_F(StrategyFile, OtherExtensionsAreRefused) {
  const auto game = games::make_game("kuhn");
  const Tree tree = compile(*game);
  for (const char* name : {"x.txt", "x", "csv", "x.csv.gz"}) {
    EXPECT_THROW(check_strategy_path(path(name)), core::InputError);
    EXPECT_THROW(write_strategy(*game, tree, uniform_strategy(tree), path(name)), core::InputError);
    EXPECT_TRUE(refusal(*game, tree, name).ends_with("; allowed are .csv, .h5 and .hdf5"));
  }
  check_strategy_path("x.csv");
}

}  // namespace
}  // namespace cleave::tree
