#pragma once

#include <atomic>
#include <mutex>

#include "decompose/estimate.h"
#include "decompose/journal.h"
#include "hands/nested/nested_street.h"

namespace cleave::hands {

// Nested subgame solving against bets outside an abstraction (Brown and Sandholm 2017, section 7
// and table 4): a hero who knows an equilibrium of a small game meets an opponent who may also make
// the bets of a large one, and answers each of those in one of several ways.
struct NestedOptions {
  std::vector<std::string> methods;  // see NestedWay
  int64_t small_iterations = 1000;   // of the small game
  std::string small_algorithm = "dcfr(gamma=3)";
  int64_t preflop_iterations = 500;  // of subgames that begin before the first deal
  int64_t subgame_iterations = 500;  // of those that begin after it
  std::string algorithm = "cfr+";    // of both
  hands::Storage storage = hands::Storage::kF32;
  // Solve subgames of so many of the first deals, spread evenly; 0: all. What needs no solving is
  // measured on all of them.
  size_t deals = 0;
  int threads = 1;
  std::string file = {};  // finished deals are appended to it and not done again; empty: none
  std::string key = {};   // names all that the results depend on; another key begins the file anew
  // The small game's solution, written when it is found and read where it is there; another key
  // solves it anew. Answers to bets before the first deal likewise, under this name and more; they
  // go when their method has all deals.
  std::string small_file = {}, small_key = {}, answer_files = {};
  const std::atomic<bool>* stop = nullptr;
  // Calls come one at a time. `what`: the method, or the game that is being solved.
  std::function<void(const std::string& what, size_t done, size_t all)> progress = {};
};

class NestedJob {
 public:
  // Of both games the same deals must be kept (sample_deals with one seed). Throws InputError.
  NestedJob(hands::Setup small, const hands::Setup& large, NestedOptions options);

  // Throws RunError when stopped; what is finished is in the file.
  void run();

  const std::vector<NestedWay>& ways() const { return ways_; }
  // Mean over both heroes, each confined to the small game, of what a best response with all bets
  // gets against them; chips, in the game as given. Where only some of its deals were solved they
  // stand for all in what the answers after the deal change; without these, all were measured. The
  // error is by resampling deals.
  decompose::Estimate exploitability(size_t method) const;
  // Of the small game's solution within the small game; after solve_small() or run().
  double small_exploitability() const { return small_exploitability_; }

  size_t num_deals() const { return game_.last().boards.size(); }
  size_t num_wanted(size_t method) const { return wanted(method).size(); }
  size_t num_done(size_t method) const;
  // What it took, in runs before this one too: for the small game, for subgames before the first
  // deal, for those after it.
  struct Cost {
    double small_seconds = 0, preflop_seconds = 0;
    double subgames = 0, subgame_seconds = 0;  // of all threads together
  };
  Cost cost() const;
  // Proposition 1: what the answers after the deal on the deals measured can have added to a
  // hero's loss.
  double total_gain(size_t method, size_t hero) const;

  // Parts of run(), for tests.
  void solve_small();
  const NestedGame& game() const { return game_; }
  const Trunk& small() const { return *small_; }
  // The heroes and, for a method that solves, their answers to bets before the first deal.
  struct Heroes {
    std::array<NestedHero, 2> hero;
    std::vector<std::unique_ptr<Trunk>> answers;
    // [hero][node of the first street]: [row], probability of the hero's move into it
    std::array<std::vector<std::vector<float>>, 2> into;
  };
  Heroes make_heroes(size_t method);
  NestedSolving solving() const {
    return {options_.algorithm, options_.subgame_iterations, options_.storage};
  }

 private:
  void check_stop() const;
  void report(const std::string& what, int64_t done, int64_t all) const;
  void find_first_bets(size_t hero);
  // The deals that the method has to go through.
  std::span<const size_t> wanted(size_t method) const;
  // One of the two games that are solved with all boards: leaves the averages in the engine, from
  // the file if it has them under this key. Returns what solving took, in seconds.
  double solve_whole(hands::VectorEngine& engine, const std::string& file, const std::string& key,
                     const std::string& what, int64_t iterations,
                     const std::function<void(int64_t)>& iterate) const;
  std::string answer_file(const NestedWay& way, uint32_t bet) const;
  void remove_answers(size_t method) const;
  Trunk solve_answer(const NestedWay& way, size_t hero, uint32_t bet);
  Trunk translate_answer(const NestedWay& way, const NestedHero& hero, uint32_t bet) const;
  void add_answer(const NestedWay& way, uint32_t bet, Heroes& heroes, NestedHero& hero);
  std::vector<Passed> passed_on_way(size_t opponent, uint32_t node, const Trunk* answer) const;
  void run_method(size_t method);
  std::vector<float> first_result(size_t method, const Heroes& heroes) const;
  std::vector<float> solve_deal(size_t method, size_t deal, const Heroes& heroes) const;
  size_t values_size() const { return game_.num_lines() * game_.width(); }  // of one hero
  size_t result_size() const;
  // Of the log: what the heroes do on the first street, and what each deal brings.
  size_t first_record(size_t method) const { return method * (num_deals() + 1); }
  size_t record(size_t method, size_t deal) const { return first_record(method) + 1 + deal; }

  NestedOptions options_;
  std::vector<NestedWay> ways_;
  hands::Setup small_setup_;
  NestedGame game_;
  TreeCopy small_copy_;
  std::array<std::vector<uint32_t>, 2> first_bets_;  // [hero]: answered on the first street
  std::array<std::vector<uint32_t>, 2> moves_;       // [hero]: all that it has on the first street
  std::vector<size_t> order_;                        // of deals
  // A method's first record: [hero][line][row], what all deals bring without bets outside the small
  // game after them; [hero][move of the first street][row]; the small game's exploitability, its
  // seconds, those of answers. Then of each deal: [hero][line][row], what it brings; the same
  // without such bets; both total gains, the number of subgames, their seconds.
  decompose::Journal log_;
  std::unique_ptr<Trunk> small_;  // none: not solved yet
  double small_exploitability_ = 0;
  double small_seconds_ = 0, answer_seconds_ = 0;  // answer: of the method at hand
  std::mutex mutex_;
};

}  // namespace cleave::hands
