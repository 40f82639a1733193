#include "door/game.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "decompose/cfr_d.h"
#include "decompose/leaf_registry.h"
#include "decompose/second_pass.h"
#include "door/tree_game.h"

namespace cleave::door {
namespace {

constexpr const char* kSpot = R"(
board = "Td9d6hQc"
pot = 200
stack = 400
[range]
oop = "AA,KQs,JTs,87s,A5s"
ip = "QQ,T9s,66,AJs,K9s"
[sizes]
bet = "75%,a"
raise = "a"
)";

std::string temporary(const std::string& name) {
  return (std::filesystem::temp_directory_path() / fmt::format("cleave_{}_{}", getpid(), name))
      .string();
}

// A tree and a spot, by the same calls.
struct Case {
  std::string cut;
  std::string extension;
  std::unique_ptr<AnyGame> game;
  double tolerance = 0;  // of what is stored in 32 bits
};

std::vector<Case> cases() {
  const std::string spot = temporary("door.toml");
  std::ofstream(spot) << kSpot;
  std::vector<Case> out;
  out.push_back({"round:1", ".csv", open_game("leduc"), 1e-12});
  out.push_back({"deal:river", ".h5", open_game(spot), 1e-3});
  std::filesystem::remove(spot);
  return out;
}

TEST(Door, ReadsWhatItWrites) {
  for (const Case& c : cases()) {
    const auto profile = c.game->solve(c.game->default_algorithm(), 30, {});
    const solve::Certificate said = c.game->certify(*profile, 1);
    EXPECT_GT(said.exploitability, 0) << c.game->name();
    const std::string path = temporary("door" + c.extension);
    c.game->check_out(path);
    c.game->write(*profile, path);
    const auto read = c.game->read(path, 1);
    EXPECT_EQ(c.game->certify(*read, 1).best_response, said.best_response) << c.game->name();
    std::filesystem::remove(path);
    EXPECT_THROW(c.game->check_out("strategy.txt"), core::InputError);
  }
}

TEST(Door, CertifiesByTheWholePieceToo) {
  for (const Case& c : cases()) {
    for (const bool solved : {false, true}) {
      const auto profile = solved ? c.game->solve(c.game->default_algorithm(), 30, {})
                                  : decompose::uniform_profile();
      const solve::Certificate said = c.game->certify(*profile, 1);
      for (const std::string& cut : {std::string(), c.cut}) {
        const auto piece = c.game->piece(cut);
        const auto engine = piece->engine();
        profile->give(*piece, *engine);
        const auto& reach = c.game->root_reach();
        const auto best = decompose::values_of(*profile, *piece, *engine, reach,
                                               decompose::Follow::kBestResponse, 1);
        for (size_t p = 0; p < 2; ++p) {
          double value = c.game->shift();
          for (size_t s = 0; s < best[p].size(); ++s) value += best[p][s] * reach[p][s];
          EXPECT_NEAR(value, said.best_response[p], c.tolerance) << c.game->name() << " " << cut;
        }
      }
    }
  }
}

TEST(Door, PutsAnswersTogetherAsTheyAreMeasured) {
  for (const Case& c : cases()) {
    const auto profile = c.game->solve(c.game->default_algorithm(), 5, {});
    for (const char* name : {"maxmargin", "graft"}) {
      const auto into = c.game->recombine(*profile);
      decompose::SecondPass work{
          .trunk = c.game->piece(c.cut), .profile = profile, .root_reach = c.game->root_reach()};
      work.solving.iterations = 50;
      const auto result = decompose::apply(decompose::make_pass(name), work, into.get());
      const solve::Certificate after = c.game->certify(*into, 1);
      EXPECT_LT(after.exploitability, c.game->certify(*profile, 1).exploitability);
      for (size_t p = 0; p < 2; ++p) {
        EXPECT_NEAR(after.best_response[p], result.best_response[p] + c.game->shift(),
                    std::max(c.tolerance, 1e-6))
            << c.game->name() << " " << name;
      }
    }
  }
}

TEST(Door, KeepsSummariesOnDisk) {
  for (const Case& c : cases()) {
    const auto profile = c.game->solve(c.game->default_algorithm(), 5, {});
    const auto trunk = c.game->piece(c.cut);
    const auto summaries = decompose::summarise(*trunk, *profile, c.game->root_reach(), 2);
    const std::string path = temporary("summaries.h5");
    decompose::KeptSummaries(*trunk, summaries).write(path);
    const auto read = decompose::KeptSummaries(path).below(*trunk);
    ASSERT_EQ(read.size(), summaries.size());
    for (size_t s = 0; s < read.size(); ++s) {
      EXPECT_EQ(read[s].reach, summaries[s].reach);
      EXPECT_EQ(read[s].value, summaries[s].value);
      EXPECT_EQ(read[s].best_response, summaries[s].best_response);
    }
    const std::string other = c.game->streams() ? "street:river" : "depth:4";
    EXPECT_THROW(decompose::KeptSummaries(path).below(*c.game->piece(other)), core::InputError);
    std::filesystem::remove(path);
  }
}

// Leaves that wait in a file are those that wait in memory, bit by bit.
TEST(Door, ParkedLeavesAreWarmOnes) {
  for (const Case& c : cases()) {
    std::vector<double> value;
    std::vector<size_t> bytes;
    for (const char* name : {"warm", "parked"}) {
      const auto trunk = c.game->piece(c.cut);
      const auto engine = trunk->engine();
      decompose::LeafSetting setting;
      setting.trunk = trunk;
      const auto leaves = decompose::make_leaves({name, {{"iterations", "3"}}}, setting);
      decompose::CfrD cfr_d(*trunk, *engine, c.game->root_reach(), *leaves,
                            solve::make_schedule("cfr+"));
      cfr_d.run(20);
      value.push_back(cfr_d.value());
      bytes.push_back(cfr_d.peak_learning_bytes());
    }
    EXPECT_EQ(value[0], value[1]) << c.game->name();
    EXPECT_LT(bytes[1], bytes[0]) << c.game->name();
  }
}

TEST(Door, StopsWhenAsked) {
  for (const Case& c : cases()) {
    std::atomic<bool> stop = false;
    int64_t last = 0;
    Watch watch;
    watch.stop = &stop;
    watch.progress = [&](int64_t iteration) {
      last = iteration;
      stop = iteration == 4;
    };
    EXPECT_THROW(c.game->solve("cfr+", 30, watch), core::RunError);
    EXPECT_EQ(last, 4);
  }
}

TEST(Door, RefusesWhatCannotBeCut) {
  const std::string spot = temporary("locked.toml");
  std::ofstream(spot) << kSpot << "[[lock]]\nnode = \"\"\nstrategy = \"check\"\n";
  EXPECT_THROW(open_game(spot)->piece("deal:river"), core::InputError);
  std::filesystem::remove(spot);
  for (const Case& c : cases()) EXPECT_THROW(c.game->piece("nowhere:1"), core::InputError);
  EXPECT_THROW(open_game("no such game"), core::InputError);
}

}  // namespace
}  // namespace cleave::door
