#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "solve/run.h"
#include "terminal.h"

// What solving has in common whichever engine does it: arguments, limits, checkpoints, progress,
// files and what is printed at the end.
namespace cleave::cli {

struct SolveArguments {
  std::string game;
  std::string algorithm;
  std::optional<int64_t> iterations;
  std::string target;  // "0.01" chips or "0.1%" of the pot; empty: none
  std::optional<double> seconds;
  int threads = 0;
  std::optional<uint64_t> seed;
  std::string storage;
  std::string out;
  std::string history;
  std::string checkpoint;
  double checkpoint_every = 60;
  bool resume = false;
  int show = 0;
  bool json = false;
  bool quiet = false;
};

// Wrong file names are found before hours of solving, not after.
void check_arguments(const SolveArguments& args);

[[noreturn]] void refuse_percent(const SolveArguments& args);  // where there is no pot

// One solve from options to result; an engine fills in the rest.
class SolveRun {
 public:
  virtual ~SolveRun() = default;
  SolveRun(const SolveRun&) = delete;
  SolveRun& operator=(const SolveRun&) = delete;

  void run();
  void print_json() const;
  void print_text() const;

 protected:
  explicit SolveRun(const SolveArguments& args);

  // Whether there is a checkpoint to resume; says so where there is none yet.
  bool resumes();
  // Throws InputError unless `given` is empty or what the checkpoint has.
  void require_same(const char* what, const std::string& given, const std::string& has) const;

  virtual solve::RunResult drive(const solve::Hooks& hooks) = 0;
  virtual int64_t iterations() const = 0;
  virtual void save_checkpoint(const solve::Record& record) = 0;
  virtual void write_strategy() = 0;  // at --out
  virtual void add_json(nlohmann::ordered_json& out) const = 0;
  virtual void print_head() const = 0;
  virtual void print_result() const = 0;
  // "exploitability 0.012", and what else a line of progress says of where the run is.
  virtual std::string standing(double exploitability) const = 0;
  virtual std::string aim() const = 0;  // the target in words

  const SolveArguments& args_;
  Progress progress_;
  std::string game_;
  std::string algorithm_;
  int threads_;
  solve::Limits limits_;
  solve::Record record_;
  solve::RunResult result_;

 private:
  void show_progress(int64_t iteration, double seconds, const solve::HistoryPoint& latest);
  std::string why() const;

  const std::string history_path_;
};

}  // namespace cleave::cli
