#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/params.h"
#include "solve/problem.h"
#include "solve/schedule.h"
#include "tree/archive.h"

namespace cleave::solve {

// What a solver that works in an abstraction of the game keeps, and how much of it. Cells are those
// of both players together, numbered through.
struct Abstraction {
  std::vector<uint32_t> cell;   // [infoset]: sets of one cell play alike
  size_t first_cells = 0;       // in the abstraction the run began with
  size_t cells = 0;             // now
  size_t most_cells = 0;        // at any time so far
  size_t largest_response = 0;  // information sets in the largest best response stored so far
  size_t strategy_bytes = 0;    // what is learnt: one or more numbers for each action of a cell
  size_t partition_bytes = 0;   // which set is in which cell
  size_t response_bytes = 0;    // the largest best response
};

// An algorithm at work on one problem. Nothing in iterate() throws or allocates more than once.
class Solver {
 public:
  virtual ~Solver() = default;

  virtual void iterate() = 0;
  int64_t iterations() const { return iterations_; }
  // Exact methods are done after one iteration; iterative ones never.
  virtual bool finished() const { return false; }

  // The player's average strategy as a plan up to a positive factor; entry 0 is the total weight.
  // This is what exploitability is measured on. The default derives it from strategy().
  virtual void average_plan(size_t player, std::span<double> plan) const;
  // What the run answers with: the average strategy, made sensible where own reach is zero.
  virtual tree::Strategy strategy() const = 0;

  // Of the solvers that work in one: the abstraction as it is now. strategy() plays alike
  // throughout each of its cells.
  virtual std::optional<Abstraction> abstraction() const { return std::nullopt; }

  // All state that later iterations depend on. load() throws InputError if it does not fit.
  void save(tree::Archive& archive) const;
  void load(const tree::Archive& archive);

 protected:
  explicit Solver(const Problem& problem) : problem_(problem) {}
  // All but the number of iterations, which is there when load_state() is called.
  virtual void save_state(tree::Archive& archive) const = 0;
  virtual void load_state(const tree::Archive& archive) = 0;

  const Problem& problem_;
  int64_t iterations_ = 0;
};

// What every run may set, whatever the algorithm.
struct RunOptions {
  int threads = 1;
  uint64_t seed = 1;
  int64_t planned_iterations = 0;  // the run's limit if there is one, else 0: for schedules
};

// One algorithm: what help and JSON show and how it is made. `make` or, in the CFR family,
// `schedule` reads its parameters.
struct SolverInfo {
  std::string name;
  std::string summary;  // one line
  std::vector<core::ParamInfo> params = {};
  bool exact = false;  // done after one iteration, no convergence to follow
  std::unique_ptr<Solver> (*make)(const Problem&, core::Params&, const RunOptions&) = nullptr;
  // How close it gets in a moment, as a fraction of the payoffs' range: the default target.
  double accuracy = kFine;
  Schedule (*schedule)(core::Params&, const RunOptions&) = nullptr;

  static constexpr double kFine = 1e-5;    // what the fast members of the CFR family reach
  static constexpr double kMiddle = 1e-4;  // plain averages
  static constexpr double kCoarse = 1e-3;  // sampling, fictitious play
};

const std::vector<SolverInfo>& all_solvers();
const SolverInfo& find_solver(std::string_view name);  // throws InputError listing the names

// "dcfr" or "dcfr(alpha=1.5,beta=0)".
std::unique_ptr<Solver> make_solver(std::string_view spec, const Problem& problem,
                                    const RunOptions& options = {});

// What the solver answers with, at a path as of tree::write_strategy(); of an abstraction with its
// cells.
void write_strategy(const games::Game& game, const Problem& problem, const Solver& solver,
                    const std::string& path);

}  // namespace cleave::solve
