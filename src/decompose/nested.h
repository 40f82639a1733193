#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "decompose/journal.h"
#include "decompose/profile.h"
#include "decompose/resolve.h"

// Nested subgame solving (Brown and Sandholm 2017, section 7): a hero who knows a strategy of an
// abstraction meets an opponent who makes moves outside it, and answers each by solving a new
// subgame, itself within the abstraction; and so on inside of that.
namespace cleave::decompose {

// How a hero answers: a method, whose subgame begins behind the move, against alternatives CBV(I):
// what the opponent can get at I by the moves that the hero's model has so far. Expensive: it
// begins where the move is made, with the new move added; only what follows that move is played.
struct NestedMethod {
  Method method;
  bool expensive = false;
};
// "maxmargin", "expensive-unsafe". Throws InputError saying what is allowed; `also` is what the
// caller knows beyond.
NestedMethod make_nested_method(std::string_view name, std::string_view also = "");

// One answer, at all information sets I of one public state.
struct NestedStep {
  const Piece* piece = nullptr;  // in which the move is made; there while the step is told of
  size_t leaf = 0;               // of the piece: what follows the move
  size_t depth = 1;              // moves outside the abstraction so far, this one counted
  bool reached = true;           // whether the hero's own strategy goes there; else it is uniform
  bool assumed = false;  // the opponent of the hero's model never enters, where that counts: every
                         // private state counts alike there
  // Against the answer: sum over I of max(0, CBV(I, a) - CBV(I)), Burch's units, and the smallest
  // CBV(I) - CBV(I, a), V units.
  double gain = 0;
  double margin = 0;
};

struct NestedOptions {
  ResolveOptions solving;        // of subgames; without their `hero` and `subgame`
  int64_t first_iterations = 0;  // of those that begin before the first deal; 0: as all others
  size_t deals = 0;  // answer only on so many, spread evenly, which stand for all; 0: on all
  std::string file = {}, key = {};  // of finished deals, as in Resolution
  // Answers before the first deal take long: whoever keeps them elsewhere fills the engine and says
  // true; `keep` gets each that was solved here.
  std::function<bool(const std::string& name, Engine& engine)> recall = {};
  std::function<void(const std::string& name, Engine& engine)> keep = {};
  // Every answer: strategies of the piece that follows the move, and of no other. Calls for
  // different pieces may come at once.
  std::function<void(const Piece& piece, const Profile& answer)> take = {};
  std::function<void(const NestedStep& step)> step = {};  // calls come one at a time
};

// One hero who answers everything. The game is cut at the opponent's moves outside the abstraction
// (Piece::is_outside) and, so that it can be worked on piece by piece, at deals: what lies behind
// the first of these is made, solved and dropped deal by deal.
class Nested {
 public:
  // `game`: from its beginning. `profile`: both players' strategies in the abstraction. Throws
  // InputError where a method needs the opponent's reach of a move that no model has.
  Nested(std::shared_ptr<const Piece> game, std::shared_ptr<const Profile> profile,
         Vectors root_reach, size_t hero, NestedMethod method, NestedOptions options);
  ~Nested();

  // Throws RunError when stopped; what is finished is in the file.
  void run();

  // What a best response with all moves gets against the hero, in chips, the shift not counted.
  // Where only some deals were answered on they stand for all in what these answers change; without
  // them, all were measured. The error is by resampling deals.
  Estimate best_response() const;
  // Proposition 1: what the answers can have added to that, over the deals measured.
  double total_gain() const;

  size_t num_deals() const { return tasks_.size(); }
  size_t num_wanted() const { return wanted_.size(); }
  size_t num_done() const { return journal_.num_done(); }
  // What it took: subgames behind deals, in runs before this one too, and seconds of all threads
  // together; of answers before the first deal in this run.
  struct Cost {
    double subgames = 0, seconds = 0, first_seconds = 0;
  };
  Cost cost() const;

 private:
  struct Stretch;
  struct Tally;
  struct Task {
    std::vector<std::array<size_t, 3>> pieces;  // stretch of the top, leaf, number
    double images = 1;
  };

  Stretch begin(std::shared_ptr<const Piece> piece, std::shared_ptr<const Profile> profile,
                Vectors reach, Way way, size_t depth, double images, int threads) const;
  void look(Stretch& stretch) const;
  Stretch go_on(const Stretch& above, size_t leaf, size_t number) const;
  Stretch answer(const Stretch& above, size_t leaf, bool first, Tally& tally) const;
  Around behind(const Stretch& above, size_t leaf, const Below& below, const Vectors& reach,
                std::shared_ptr<const Piece> model) const;
  void solve(const Stretch& above, size_t leaf, const Around& around, bool first, Engine& engine,
             NestedStep& step, Tally& tally) const;
  std::vector<double> finish(const Stretch& stretch, Tally& tally) const;
  void answer_top();
  void make_tasks();
  std::vector<float> solve_task(const Task& task) const;
  std::vector<double> top_values(size_t top,
                                 const std::vector<std::vector<std::vector<double>>>& leaves) const;
  double measure(const std::vector<double>& weight) const;
  Tally sum_tallies() const;

  std::shared_ptr<const Profile> profile_;
  Vectors root_reach_;
  size_t hero_, opponent_;
  NestedMethod method_;
  NestedOptions options_;
  std::vector<Stretch> top_;    // before the first deal; the game's own first
  std::vector<Task> tasks_;     // [deal]
  std::vector<size_t> wanted_;  // deals, in the order in which they are answered on
  Journal journal_;  // of a deal: [piece of its task][opponent's state], then without any answer
                     // after the deal, then what the task took
  double first_gain_ = 0, first_seconds_ = 0;
  mutable std::mutex mutex_;
};

}  // namespace cleave::decompose
