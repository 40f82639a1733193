#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "decompose/profile.h"
#include "door/hand.h"
#include "solve/evaluate.h"
#include "tree/tree.h"

// One door to every game: whatever engine fits it, commands and agents see pieces and profiles.
namespace cleave::door {

// How a solve is watched.
struct Watch {
  int threads = 1;
  uint64_t seed = 1;  // of algorithms that sample
  const std::atomic<bool>* stop = nullptr;
  std::function<void(int64_t iteration)> progress = {};  // after each

  // So many iterations of a solver, fewer where it ends by itself. Throws RunError when stopped.
  template <class Solver>
  void run(Solver& solver, int64_t iterations) const {
    while (!solver.finished() && solver.iterations() < iterations) {
      if (stop && *stop) throw core::RunError("stopped while the game was being solved");
      solver.iterate();
      if (progress) progress(solver.iterations());
    }
  }
};

// What is known of a game however it is looked at.
struct Facts {
  std::string name;
  decompose::Vectors root_reach;
  double shift = 0;  // added to both players' values in what people read
  double pot = 0;    // what percentages are of; 0: none
  std::string default_algorithm;
  // Whether a strategy of the whole game is what takes the memory. Then results are measured as
  // subgames are streamed; else they are put together and the whole is looked at.
  bool streams = false;
};

// A game opened by its name or file, on the engine that fits. Pieces look at it: it must outlive
// them.
class AnyGame {
 public:
  explicit AnyGame(Facts facts) : facts_(std::move(facts)) {}
  virtual ~AnyGame() = default;
  AnyGame(const AnyGame&) = delete;
  AnyGame& operator=(const AnyGame&) = delete;

  const std::string& name() const { return facts_.name; }
  const decompose::Vectors& root_reach() const { return facts_.root_reach; }
  double shift() const { return facts_.shift; }
  double pot() const { return facts_.pot; }
  const std::string& default_algorithm() const { return facts_.default_algorithm; }
  bool streams() const { return facts_.streams; }

  // From the beginning down to a cut ("round:1", "street:turn"); "": the whole game as one piece.
  // Throws InputError saying what is allowed.
  virtual std::shared_ptr<const decompose::Piece> piece(std::string_view cut) const = 0;
  // As the player goes through it (Piece::ahead): every piece begins where the player stops to
  // think, the first at the beginning. `depth`: moves that it looks ahead, at least to its next
  // stop; 0: to the end.
  virtual std::shared_ptr<const decompose::Piece> steps(size_t player, int depth) const = 0;
  // The cuts that "all" stands for, first to last; of anything else that one alone.
  virtual std::vector<std::string> cuts(std::string_view spec) const = 0;
  // The same cut, with subgames that begin with a deal taken apart by the cards dealt: solved by
  // themselves they are independent, and each takes less memory.
  virtual std::string dealt(const std::string& cut) const { return cut; }
  // What the cut makes of the game, in one or two lines.
  virtual std::string describe(std::string_view cut) const = 0;

  virtual size_t learning_bytes() const = 0;  // of a solver of the whole game

  // Strategies of the whole game. Throw InputError; solve RunError where it is stopped.
  virtual std::shared_ptr<const decompose::Profile> read(const std::string& path,
                                                         int threads) const = 0;
  virtual std::shared_ptr<const decompose::Profile> solve(const std::string& algorithm,
                                                          int64_t iterations,
                                                          const Watch& watch) const = 0;
  // A copy that can be changed.
  virtual std::unique_ptr<decompose::Recombined> recombine(
      const decompose::Profile& profile) const = 0;
  virtual solve::Certificate certify(const decompose::Profile& profile, int threads) const = 0;
  virtual void check_out(const std::string& path) const = 0;  // throws where write would
  virtual void write(const decompose::Profile& profile, const std::string& path) const = 0;

  // Play. A hand before its first deal; it must not outlive the game.
  virtual std::unique_ptr<Hand> begin_hand() const = 0;
  // Where a player stands who is asked at any table, also one of a larger game. `engine`: one of
  // the piece's.
  virtual Standing find(const Question& question, const decompose::Piece& piece,
                        const decompose::Engine& engine) const = 0;

 private:
  Facts facts_;
};

// A built-in game, an .efg or .game file, a spot or a whole game of hold'em (.toml).
std::unique_ptr<AnyGame> open_game(const std::string& spec,
                                   const tree::CompileOptions& options = {});

}  // namespace cleave::door
