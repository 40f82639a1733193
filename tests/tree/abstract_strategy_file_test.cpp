#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>

#include "core/csv.h"
#include "core/error.h"
#include "core/file.h"
#include "core/random.h"
#include "games/registry.h"
#include "tree/archive.h"
#include "tree/strategy_file.h"

namespace cleave::tree {
namespace {

namespace fs = std::filesystem;
using Cells = std::vector<uint32_t>;

class AbstractStrategyFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "cleave-abstract-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // What read_strategy() says of the archive, without the path.
  std::string refusal(const games::Game& game, const Tree& tree, const Archive& archive) const {
    write_archive(archive, path("bad.h5"));
    try {
      read_strategy(game, tree, path("bad.h5"));
    } catch (const core::InputError& error) {
      const std::string text = error.what();
      EXPECT_TRUE(text.starts_with(path("bad.h5") + ": ")) << text;
      return text.substr(path("bad.h5: ").size());
    }
    return "accepted";
  }

  fs::path folder_;
};

// Sets with equally many actions meet at random in one of three cells. Both players' cells have
// the same numbers: they have nothing to do with each other.
Cells random_cells(const Tree& tree, core::Random& random) {
  Cells cell(tree.num_infosets());
  for (uint32_t set = 0; set < cell.size(); ++set) {
    cell[set] = 1000 * tree.num_actions(set) + static_cast<uint32_t>(random.below(3));
  }
  return cell;
}

Strategy random_strategy_in(const Tree& tree, const Cells& cell, core::Random& random) {
  std::map<std::pair<size_t, uint32_t>, std::vector<double>> rows;
  Strategy strategy;
  for (uint32_t set = 0; set < cell.size(); ++set) {
    std::vector<double>& row = rows[{tree.player(set), cell[set]}];
    if (row.empty()) {
      row.resize(tree.num_actions(set));
      for (double& p : row) p = random.uniform();
      const double sum = std::accumulate(row.begin(), row.end(), 0.0);
      for (double& p : row) p /= sum;
    }
    strategy.insert(strategy.end(), row.begin(), row.end());
  }
  return strategy;
}

TEST_F(AbstractStrategyFile, RoundTripIsExactInEveryFormat) {
  core::Random random(3);
  for (const auto& game : {games::make_game("kuhn"), games::make_game("leduc")}) {
    const Tree tree = compile(*game);
    const Cells cell = random_cells(tree, random);
    const Strategy strategy = random_strategy_in(tree, cell, random);
    for (const char* name : {"x.csv", "x.h5", "x.hdf5"}) {
      write_abstract_strategy(*game, tree, cell, strategy, path(name));
      EXPECT_EQ(read_strategy(*game, tree, path(name)), strategy) << game->name() << name;
    }
    write_strategy(*game, tree, strategy, path("whole.csv"));
    EXPECT_EQ(core::read_file(path("x.csv")), core::read_file(path("whole.csv")));
  }
}

TEST_F(AbstractStrategyFile, ArchiveHasEachCellOnce) {
  core::Random random(5);
  const auto game = games::make_game("leduc");
  const Tree tree = compile(*game);
  const Cells cell = random_cells(tree, random);
  const Strategy strategy = random_strategy_in(tree, cell, random);
  write_abstract_strategy(*game, tree, cell, strategy, path("x.h5"));
  const Archive archive = read_archive(path("x.h5"));
  const auto& in_file = archive.word("cell", tree.num_infosets());
  const auto& row_begin = archive.word("row_begin", 1 + 2 * 2 * 3);  // players, numbers of actions
  EXPECT_EQ(archive.real("probability").size(), 2U * 3 * (2 + 3));
  EXPECT_EQ(archive.text("game"), "leduc");
  uint64_t next = 0;
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    EXPECT_LE(in_file[set], next);
    next = std::max(next, in_file[set] + 1);
    for (uint32_t a = 0; a < tree.num_actions(set); ++a) {
      EXPECT_EQ(archive.real("probability")[row_begin[in_file[set]] + a],
                strategy[tree.slot_begin[set] + a]);
    }
  }
  write_strategy(*game, tree, strategy, path("whole.h5"));
  EXPECT_LT(3 * fs::file_size(path("x.h5")), fs::file_size(path("whole.h5")));
}

TEST_F(AbstractStrategyFile, OtherNumbersForTheSameCellsGiveTheSameBytes) {
  core::Random random(7);
  const auto game = games::make_game("leduc");
  const Tree tree = compile(*game);
  Cells cell = random_cells(tree, random);
  const Strategy strategy = random_strategy_in(tree, cell, random);
  write_abstract_strategy(*game, tree, cell, strategy, path("a.h5"));
  write_abstract_strategy(*game, tree, cell, strategy, path("a.csv"));
  for (uint32_t set = 0; set < cell.size(); ++set) {
    cell[set] = 90000 - cell[set] - (tree.player(set) == 1 ? 10000 : 0);
  }
  write_abstract_strategy(*game, tree, cell, strategy, path("b.h5"));
  write_abstract_strategy(*game, tree, cell, strategy, path("b.csv"));
  EXPECT_EQ(core::read_file(path("a.h5")), core::read_file(path("b.h5")));
  EXPECT_EQ(core::read_file(path("a.cells.csv")), core::read_file(path("b.cells.csv")));
}

TEST_F(AbstractStrategyFile, CellsStandBesideTheCsv) {
  core::Random random(9);
  const auto game = games::make_game("leduc");
  const Tree tree = compile(*game);
  const Cells cell = random_cells(tree, random);
  const Strategy strategy = random_strategy_in(tree, cell, random);
  write_abstract_strategy(*game, tree, cell, strategy, path("x.y.CSV"));
  EXPECT_EQ(cells_path(path("x.y.CSV")), path("x.y.cells.csv"));
  EXPECT_EQ(cells_path("x.h5"), "");
  EXPECT_THROW(cells_path("x.txt"), core::InputError);

  const std::string file = path("x.y.cells.csv");
  const std::string text = core::read_file(file);
  core::CsvReader csv(text, file);
  csv.expect_header("player,infoset,cell", "abstraction");
  const Labels labels = make_labels(*game, tree);
  std::vector<std::string> fields;
  std::map<std::string, std::pair<size_t, uint32_t>> name_of;
  uint32_t set = 0;
  for (; csv.next(fields); ++set) {
    ASSERT_EQ(fields.size(), 3U);
    EXPECT_EQ(fields[0], fmt::format("{}", tree.player(set) + 1));
    EXPECT_EQ(fields[1], labels.infoset[set]);
    const std::pair ours(tree.player(set), cell[set]);
    EXPECT_EQ(name_of.try_emplace(fields[2], ours).first->second, ours);
  }
  EXPECT_EQ(set, tree.num_infosets());
  EXPECT_EQ(name_of.size(), 12U);  // as many as there are: none is split
}

TEST_F(AbstractStrategyFile, WrongArchivesAreRefused) {
  const auto game = games::make_game("kuhn");
  const Tree tree = compile(*game);
  Cells cell(tree.num_infosets(), 0);
  write_abstract_strategy(*game, tree, cell, uniform_strategy(tree), path("x.h5"));
  const Archive good = read_archive(path("x.h5"));
  ASSERT_EQ(good.word("row_begin"), (std::vector<uint64_t>{0, 2, 4}));
  EXPECT_EQ(refusal(*game, tree, good), "accepted");
  const auto changed = [&](const std::function<void(Archive&)>& change) {
    Archive archive = good;
    change(archive);
    return refusal(*game, tree, archive);
  };
  EXPECT_EQ(changed([](Archive& a) { a.texts["format"] = "cleave abstract strategy 2"; }),
            "format 'cleave abstract strategy 2'; allowed are 'cleave strategy 1' and 'cleave "
            "abstract strategy 1'");
  EXPECT_TRUE(changed([](Archive& a) {
                a.words["fingerprint"][0] ^= 1;
              }).starts_with("the strategy is for 'kuhn', not for this game ('kuhn')"));
  EXPECT_EQ(changed([](Archive& a) { a.words["cell"][5] = 2; }),
            "information set 5 is in cell 2; allowed are cells 0 to 1");
  EXPECT_EQ(changed([](Archive& a) { a.words["cell"][7] = 0; }),
            "cell 0 has information sets of both players, 0 and 7; allowed are sets of one player");
  EXPECT_NE(changed([](Archive& a) { a.words["cell"].pop_back(); }).find("cell"),
            std::string::npos);
  EXPECT_EQ(changed([](Archive& a) {
              a.words["row_begin"] = {0, 2, 5};
              a.reals["probability"] = {0.5, 0.5, 0.5, 0.25, 0.25};
            }),
            "cell 1 has 3 probabilities, but information set 6 in it has 2 actions; allowed are "
            "sets with one action for each probability of their cell");
  for (const std::vector<uint64_t>& rows :
       {std::vector<uint64_t>{}, {0, 2}, {0, 2, 5}, {0, 5, 4}, {2, 2, 4}, {0, 2, 2, 4}}) {
    EXPECT_EQ(changed([&](Archive& a) { a.words["row_begin"] = rows; }),
              "row_begin does not divide the 4 probabilities into cells; allowed are numbers that "
              "rise from 0 to 4");
  }
  EXPECT_EQ(changed([](Archive& a) { a.reals["probability"][2] = 0.7; }),
            "probabilities 2 to 3 sum to 1.2; allowed is 1 with an error of at most 1e-06");
  EXPECT_EQ(changed([](Archive& a) { a.reals["probability"][0] = -0.5; }),
            "probabilities 0 to 1 contain -0.5; allowed are numbers from 0 to 1");
}

TEST_F(AbstractStrategyFile, NearlyOneIsScaledToOne) {
  const auto game = games::make_game("kuhn");
  const Tree tree = compile(*game);
  const Cells cell(tree.num_infosets(), 0);
  Strategy strategy = uniform_strategy(tree);
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    strategy[tree.slot_begin[set]] = 0.5 + 8e-7;
  }
  write_abstract_strategy(*game, tree, cell, strategy, path("x.h5"));
  write_strategy(*game, tree, strategy, path("whole.h5"));
  const Strategy back = read_strategy(*game, tree, path("x.h5"));
  EXPECT_EQ(back, read_strategy(*game, tree, path("whole.h5")));
  EXPECT_NEAR(back[0] + back[1], 1, 1e-15);
}

}  // namespace
}  // namespace cleave::tree
