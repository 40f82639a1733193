#pragma once

#include <memory>
#include <string>

#include "hands/problem.h"
#include "solve/checkpoint.h"
#include "solve/run.h"

namespace cleave::hands {

// What converges fastest per second on the fixed spots (docs/performance.md).
inline constexpr const char* kDefaultAlgorithm = "dcfr(gamma=3)";

// A run that nothing limits ends here.
inline constexpr solve::Target kDefaultTarget = {0.1, true};
// A target in chips; of a whole game the blinds are the pot.
double target_chips(const Problem& problem, const solve::Target& target);

struct SolverOptions {
  std::string algorithm = kDefaultAlgorithm;  // of the CFR family
  Storage storage = Storage::kF32;
  int threads = 1;
  int64_t planned_iterations = 0;  // the run's limit if there is one, else 0: for schedules
};

// A problem at work in the vector engine. Values of certificates are shares of the pot: what is in
// it at the root belongs to both in equal parts.
class SpotSolver final : public solve::Runnable {
 public:
  // `engine`: one of the whole problem, with what it has learnt; none: a new one.
  SpotSolver(Problem problem, SolverOptions options,
             std::shared_ptr<VectorEngine> engine = nullptr);

  void iterate() override;
  int64_t iterations() const override { return iterations_; }
  solve::Certificate certify() override;
  // Every tenth iteration; from 200 on every 5% more.
  int64_t next_check(int64_t iteration) const override;

  const Problem& problem() const { return problem_; }
  const SolverOptions& options() const { return options_; }
  VectorEngine& engine() { return *engine_; }
  const std::shared_ptr<VectorEngine>& share_engine() { return engine_; }

  // A file that holds the problem and the average strategy; with everything that later iterations
  // need it is a checkpoint.
  void save(const std::string& path, const solve::Record& record, bool everything);
  // The strategy with where it ended alone: times differ from run to run, and interrupted runs are
  // measured once more, so that equal runs write equal bytes.
  void save_solution(const std::string& path, const solve::Certificate& certificate);

 private:
  friend class PokerFile;
  Problem problem_;
  SolverOptions options_;
  std::shared_ptr<VectorEngine> engine_;
  solve::Schedule schedule_;
  int64_t iterations_ = 0;
};

// The average strategy as text: the columns player,infoset,action,probability of tree strategies
// (tree/strategy_file.h). An information set is "LINE|HAND": the line as find_address reads it,
// with the cards dealt in it, and the hand; "bet 100/call/Qc/check|AhKh", at the root "|AhKh". Of
// boards that suit symmetry merges only the one that is solved is written.
void write_strategy_csv(SpotSolver& solver, const std::string& path);
inline constexpr double kMostCsvRows = 5'000'000;  // Counts::rows beyond which .h5 is the choice

// A solution or a checkpoint that SpotSolver::save wrote, open and verified.
class PokerFile {
 public:
  explicit PokerFile(const std::string& path);  // throws InputError

  std::string name() const { return archive_.text("name"); }
  std::string problem() const { return archive_.text("problem"); }  // Problem::text
  SolverOptions options() const;                                    // threads: 1
  solve::Record record() const { return solve::load_record(archive_); }
  // Throws InputError where the solver's problem is another, or where everything is asked for and
  // only the strategy is there.
  void load(SpotSolver& solver, bool everything) const;
  void require_problem(const Problem& problem) const;
  const tree::ArchiveFile& arrays() const { return file_; }

 private:
  std::string path_;
  tree::ArchiveFile file_;
  tree::Archive archive_;
};

}  // namespace cleave::hands
