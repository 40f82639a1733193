#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "decompose/journal.h"
#include "decompose/leaf_evaluator.h"
#include "decompose/method.h"
#include "decompose/stretch.h"
#include "solve/schedule.h"

// Re-solving: the strategies below a cut replaced, one subgame after the other, by any method.
namespace cleave::decompose {

struct ResolveOptions {
  std::string algorithm = "cfr+";  // of the CFR family
  int64_t iterations = 1000;
  bool exact = false;  // the gadget's game by linear program instead
  // Leaves subgames as they are to which the opponent never comes, where a method goes by how it
  // comes; else all of its private states count alike there.
  bool keep_unreached = false;
  std::optional<size_t> hero = {};     // only this player's strategy; none: both players'
  std::optional<size_t> subgame = {};  // only what is below this leaf; none: all
  int threads = 1;                     // subgames side by side; the same result
  const std::atomic<bool>* stop = nullptr;
  std::function<void(size_t done, size_t all)> progress = {};  // calls come one at a time
  std::function<void(int64_t done)> iterated = {};  // of one subgame, after each iteration

  void check_stop() const;  // throws RunError
};

// One subgame for the hero, below the method's gadget and above the evaluator, where the piece has
// leaves: the engine, one of the piece's, then has the answer as its strategies. False: nothing was
// solved, because the hero's own moves never lead there (or, with keep_unreached, the opponent's).
// Throws RunError when stopped.
bool resolve_subgame(const Piece& piece, Engine& engine, size_t hero, const Method& method,
                     const Entrance& entrance, const ResolveOptions& options,
                     LeafEvaluator& leaves = no_leaves());

// What is left of a game when everything below a cut is re-solved by several methods: subgames are
// made, solved and dropped one deal at a time, and of each deal only what the opponent then gets
// above it is kept.
class Resolution {
 public:
  struct Options {
    ResolveOptions solving;
    std::vector<Pass> passes;
    // Values of the pieces below, [in the order of leaves, then numbers], instead of those of the
    // profile: what CFR-D keeps. Empty: measured.
    std::vector<Summary> summaries = {};
    size_t deals = 0;       // only so many, spread evenly, which stand for all; 0: all
    std::string file = {};  // finished deals are appended to it and not done again; empty: none
    std::string key = {};   // names all that results depend on; another key begins the file anew
    // Gets every answer while it stands in an engine. Calls for different pieces may come at once.
    std::function<void(size_t hero, size_t pass, const Piece& piece, Engine& engine)> take = {};
  };

  // `trunk` has leaves. Throws InputError.
  Resolution(std::shared_ptr<const Piece> trunk, std::shared_ptr<const Profile> profile,
             Vectors root_reach, Options options);

  // Throws RunError when stopped; what is finished is in the file.
  void run();

  // What a best response of the player gets against the other in chips, the shift not counted; with
  // an error, by resampling deals, where only some were solved.
  Estimate best_response(size_t pass, size_t player) const;
  // Mean over both players of the above.
  Estimate exploitability(size_t pass) const;

  const std::vector<Pass>& passes() const { return options_.passes; }
  size_t num_deals() const { return tasks_.size(); }
  size_t num_done() const { return journal_.num_done(); }
  size_t num_solved() const { return num_solved_; }            // subgames, in this run
  double solving_seconds() const { return solving_seconds_; }  // of all threads together

 private:
  struct Task {
    std::vector<std::pair<size_t, size_t>> pieces;  // leaf, number
    std::vector<size_t> leaves;                     // that they hang on
    double images = 1;                              // deals that this one stands for
  };
  // [hero][pass]: what the opponent gets, [its private state].
  using Values = std::vector<std::vector<double>>;

  size_t index(size_t hero, size_t pass) const { return hero * options_.passes.size() + pass; }
  bool wants(size_t hero) const { return !options_.solving.hero || *options_.solving.hero == hero; }
  void make_tasks();
  void make_top();
  std::vector<Vectors> values_below(const Piece& piece, const Stretch& stretch, Follow how) const;
  Arrival arrive_at(size_t leaf, size_t number, const Below& below) const;
  Values nothing_at(const Vectors& leaf) const;
  void add(const Below& below, const Arrival& arrival, Values& leaf);
  Values solve(const Piece& piece, const Arrival& arrival);
  Values solve_stretch(const Piece& piece, const Arrival& arrival);
  Values solve_end(const Piece& piece, const Arrival& arrival);
  std::vector<float> solve_task(const Task& task);
  double measure(size_t pass, size_t player, const std::vector<double>& weight) const;
  Estimate estimate(const std::function<double(const std::vector<double>& weight)>& figure) const;

  std::shared_ptr<const Piece> trunk_;
  std::shared_ptr<const Profile> profile_;
  Arrival root_;
  Options options_;
  bool needs_ways_ = false;
  std::vector<Task> tasks_;            // [deal]
  std::vector<size_t> wanted_;         // deals, in the order in which they are solved
  std::vector<size_t> first_summary_;  // [leaf]
  Stretch top_;
  std::vector<Vectors> base_;  // [leaf]: best responses below against the profile
  bool has_base_ = false;
  Journal journal_;  // of a deal: [hero][pass][leaf][the opponent's state]
  std::mutex mutex_;
  mutable std::mutex top_mutex_;  // leaf values of the top are set and used
  size_t num_solved_ = 0;
  double solving_seconds_ = 0;
};

}  // namespace cleave::decompose
