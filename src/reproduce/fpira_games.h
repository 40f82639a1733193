#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reproduce/target.h"
#include "solve/solver.h"

// What the targets on Cermak, Bosansky and Lisy, IJCAI 2017, share: their games, and runs of a
// solver to their gap.
namespace cleave::reproduce {

inline constexpr const char* kCermak = "Cermak, Bosansky and Lisy, IJCAI 2017";
// The paper stops when what the two best responses win differs by less than 0.01: exploitability,
// a mean over seats, is half of that.
inline constexpr double kCermakTarget = 0.005;

// One row of figure 2 (c): k bet and k raise sizes, at most r raises in a row. Sizes in percent.
struct CermakRow {
  int sizes, raises;
  double first, last, response;
  double infosets;  // of G', with those at which the game is over

  std::string name() const;  // "k=2, r=1"
  std::string game() const;  // as make_game reads it
};
inline constexpr std::array kCermakRows = {
    CermakRow{2, 1, 4.4, 31.1, 10.7, 8'216}, CermakRow{3, 1, 1.8, 22.7, 4.0, 30'200},
    CermakRow{4, 1, 0.9, 15.9, 2.1, 81'016}, CermakRow{5, 1, 0.6, 8.5, 0.9, 179'096},
    CermakRow{2, 2, 1.4, 16.6, 3.0, 40'600}, CermakRow{2, 3, 0.4, 5.6, 0.7, 179'096},
    CermakRow{2, 4, 0.1, 1.8, 0.2, 751'000}};
inline constexpr size_t kLargestRow = kCermakRows.size() - 1;

// The paper's random games; observations so that they are as large as the paper's.
std::string cermak_random_game(int depth, int seed);

// `cells` as fpira reads it: merge, least or paper. Ties go to the last action in fictitious play
// and FPIRA alike: on the Leduc games about half as many iterations as with the first.
std::string fpira_spec(const std::string& cells);
inline constexpr const char* kFictitiousPlay = "xfp(updates=alternating,start=first,ties=last)";

struct SetCounts {
  double acting = 0;     // information sets at which somebody acts
  double with_ends = 0;  // and what a player knows whose move ends the game: the paper's count
};
struct CountedGame : SetCounts {
  solve::Problem problem;
};
std::unique_ptr<CountedGame> make_counted_game(const Context& context, const std::string& spec);

// How a run ended.
struct RunFigures {
  int64_t iterations = 0;
  double seconds = 0;
  double exploitability = 0;
  bool reached = false;
  solve::Abstraction abstraction = {};  // of solvers that have none: all zero

  double cells() const { return static_cast<double>(abstraction.cells); }
  double bytes() const;  // of strategy, partition and response together
};

struct RunTo {
  std::string algorithm;
  double target = kCermakTarget;
  std::string label = {};  // before the progress; no progress where it is empty
};
// Throws RunError once the context is stopped. Gives up, unreached, after kMostIterations.
inline constexpr int64_t kMostIterations = 2'000'000;
RunFigures run_to(const Context& context, const CountedGame& game, const RunTo& how);
// One run, looked at when it reaches each of `targets`, which fall; how.target is not read.
std::vector<RunFigures> run_through(const Context& context, const CountedGame& game, RunTo how,
                                    std::span<const double> targets);

// The same context, whose progress may be reported from several threads.
Context for_threads(const Context& context);

// 31.0 and not 31.04: for comparing with a paper that prints one decimal.
double one_decimal(double percent);

// What all of these targets note (chips, ties, what an iteration is, counts), and what one adds.
std::vector<std::string> cermak_notes(const std::vector<std::string>& more);

}  // namespace cleave::reproduce
