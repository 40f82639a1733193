#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "decompose/method.h"
#include "whole/blueprint.h"
#include "whole/deal_log.h"
#include "whole/path.h"
#include "whole/preflop.h"

namespace cleave::whole {

// A way to play the last street: the blueprint itself ("blueprint"), any of decompose's methods, or
// Jackson's path recovery ("path-recovery").
struct Way {
  std::string name;
  std::optional<decompose::Method> method;  // none: the blueprint
  bool recovers_path = false;
};
Way make_way(std::string_view name);

struct SubgameOptions {
  std::vector<std::string> ways;
  std::string algorithm = "cfr+";
  int64_t iterations = 200;
  size_t deals = 0;  // so many of the first deals, spread evenly; 0: all
  int threads = 1;
  std::string file = {};  // finished deals are appended to it and not done again; empty: none
  std::string key = {};   // names all that results depend on; another key begins the file anew
  const std::atomic<bool>* stop = nullptr;
  // Calls come one at a time: deals done, and all.
  std::function<void(size_t done, size_t all)> progress = {};
};

// Re-solves every subgame of the last street by several ways, for both players: one deal of the
// first board at a time, all that follows it, and keeps of it only what the opponent then gets
// before the deal.
class SubgameJob {
 public:
  // The blueprint must be finished; it is measured first.
  SubgameJob(const Game& game, Blueprint& blueprint, SubgameOptions options);

  // Throws RunError when stopped; what is finished is in the file.
  void run();

  // Mean over both heroes of what a best response gets against them, in chips.
  Estimate exploitability(size_t way);
  const std::vector<Way>& ways() const { return ways_; }
  size_t num_done() const { return log_.num_done(); }
  size_t num_solved() const { return solved_; }                // subgames, in this run
  double solving_seconds() const { return solving_seconds_; }  // of all threads together

 private:
  struct Subgame;
  std::vector<float> solve_deal(size_t deal);
  std::vector<float> solve_later_boards(size_t deal);
  void respond(size_t deal, size_t opponent, const std::vector<Floats>& leaves, float* out);
  void solve_board(size_t parent, size_t board, std::vector<std::vector<Floats>>& leaves);
  void solve_line(Subgame& subgame, std::vector<std::vector<double>>& values);
  decompose::GadgetInput make_input(const Subgame& subgame, const Way& way) const;

  const Game& game_;
  Blueprint& blueprint_;
  SubgameOptions options_;
  std::vector<Way> ways_;
  Paths paths_;
  Preflop preflop_;
  std::vector<size_t> wanted_;  // deals, in the order in which they are solved
  DealLog log_;                 // of a deal: [hero][way][line before it][row]
  std::mutex mutex_;
  size_t solved_ = 0;
  double solving_seconds_ = 0;
};

}  // namespace cleave::whole
