#pragma once

#include <map>
#include <string>
#include <vector>

#include "decompose/resolve.h"
#include "hands/problem.h"
#include "reproduce/target.h"

// What the targets about whole hold'em games share: a blueprint in a card abstraction, its subgames
// re-solved in many ways, and how exploitable each of them is in the game itself.
namespace cleave::reproduce {

inline constexpr const char* kBrownSandholm =
    "Brown and Sandholm, Safe and nested subgame solving for imperfect-information games (NIPS "
    "2017)";
inline constexpr double kMilliBlinds = 10;  // per chip: a big blind has 100 chips
inline decompose::Estimate in_milli_blinds(const decompose::Estimate& chips) {
  return {chips.value * kMilliBlinds, chips.error * kMilliBlinds};
}

// The files of papers/*/games by name, without ".toml"; and one of them as a game.
const std::map<std::string, std::string>& game_texts();
hands::Problem make_holdem(const std::string& name);

struct HoldemRun {
  std::string game;    // of game_texts()
  std::string street;  // the last: of the buckets
  uint32_t buckets = 200;
  int64_t blueprint_iterations = 400;
  int batches = 8;
  size_t game_deals = 0;  // the game has only so many flops; 0: all
  size_t deals = 0;       // subgames of so many flops are solved; 0: all
  int64_t iterations = 100;
  std::vector<std::string> ways = {};
  bool graft = false;  // also Jackson's second pass over the whole game
};

struct HoldemFigures {
  std::vector<decompose::Estimate> exploitability;  // [way], mbb/h
  double graft = 0;                                 // mbb/h
  double blueprint_seconds = 0;
  double solving_seconds = 0;  // of all threads together
  size_t subgames = 0;         // solved in this run
  size_t flops = 0, all_flops = 0;
  double learning_bytes = 0;  // of the blueprint
  double peak_bytes = 0;      // of the process
};

// Goes on from what is in the context's work folder.
HoldemFigures run_holdem(const Context& context, const HoldemRun& run);

// A file of the work folder, named by what it has and, in short, by all that this depends on; empty
// where nothing is kept.
std::string work_path(const Context& context, const std::string& name, const char* what,
                      std::string_view key);
std::string hash_of_game(const std::string& name);  // short

// For progress: "12 min"; a running result, taken again after some seconds.
inline constexpr double kSecondsBetweenEstimates = 15;
std::string time_text(double seconds);
std::string estimate_text(std::string_view what, const decompose::Estimate& chips);

// The game's size as the papers give it.
Table size_table(const std::vector<std::string>& games);

}  // namespace cleave::reproduce
