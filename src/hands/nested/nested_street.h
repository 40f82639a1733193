#pragma once

#include <map>
#include <string>

#include "decompose/method.h"
#include "hands/nested/nested_game.h"

namespace cleave::hands {

// How a hero answers bets outside the small abstraction: "translation", or a safe method of
// decompose whose subgame begins behind the bet, or, with "expensive-" in front, any method whose
// subgame begins where the bet is made. "translation-anew" draws at every decision again what all
// bets so far are taken for, so that the hero may come where its own moves would not have led it.
struct NestedWay {
  std::string name;
  std::optional<decompose::Method> method;  // none: translation
  bool expensive = false;
  bool anew = false;
};
// Throws InputError.
NestedWay make_nested_way(std::string_view name);

struct NestedSolving {
  std::string algorithm = "cfr+";
  int64_t iterations = 200;
  hands::Storage storage = hands::Storage::kF32;
};

// What one hero goes by on the last street: the same under all boards.
struct NestedHero {
  size_t hero = 0;
  std::vector<const Trunk*> trunk;                     // [line]; null: the hero never plays it
  std::vector<std::vector<Passed>> passed;             // [line]: the opponent's decisions before
  std::map<uint32_t, TreeCopy> subgames;               // by the bet that is answered
  std::vector<std::vector<Counterpart>> counterparts;  // translation: [node of the tree]

  size_t opponent() const { return 1 - hero; }
};
// The subgames of the last street that this way has to solve.
std::map<uint32_t, TreeCopy> find_subgames(const NestedGame& game, size_t hero, bool expensive);

// The opponent's decisions on the way to a state. `steps`, first to last; `delta`: how much more
// the last move taken is worth than `Passed::taken` says.
std::vector<decompose::Passed> nested_way(std::span<const Passed* const> steps, size_t hand,
                                          double delta);

// One hero under one board: completes its strategy at every bet of the opponent that the small
// abstraction lacks, and measures it.
class NestedStreet {
 public:
  NestedStreet(const NestedGame& game, const NestedHero& hero, const NestedWay& way,
               const NestedSolving& solving, size_t board);

  // What a best response gets on each line of the first street before the deal of this board (and
  // those that it stands for): added to `out`, [line][row of the first street]. To `base` the same
  // without any bet outside the small abstraction after the deal; by translation nothing.
  void run(float* out, float* base);
  StreetPlay& play() { return play_; }
  size_t num_solved() const { return num_solved_; }
  // Over all answers that begin behind the bet: the sum over the opponent's states of what the bet
  // gets more than the moves known before, Burch's units (proposition 1).
  double total_gain() const { return total_gain_; }

 private:
  void answer_below(uint32_t node, std::vector<bool>& known, const StreetPlay::Values& before);
  void answer(uint32_t bet, std::vector<bool>& known, const StreetPlay::Values& before);
  void solve(uint32_t bet, const std::vector<bool>& known, const StreetPlay::Values& before,
             const std::vector<double>& hero_reach);
  void take_solution(uint32_t bet, hands::VectorEngine& engine, const TreeCopy& copy);
  void fill_uniformly(uint32_t node);
  void translate(uint32_t node);
  std::vector<Passed> steps_to(uint32_t decision, const std::vector<bool>& known,
                               const StreetPlay::Values& values) const;
  bool is_answered_below(uint32_t node) const;
  std::vector<double> by_hand(const double* rows) const;
  void add_line(size_t line, const double* values, float* out) const;

  const NestedGame& game_;
  const NestedHero& hero_;
  const NestedWay& way_;
  const NestedSolving& solving_;
  StreetPlay play_;
  hands::Setup below_;           // what subgames under the board have in common
  std::vector<uint16_t> hands_;  // of the whole game that the board leaves
  StreetPlay::Values base_;      // of the line at hand before any answer
  size_t num_solved_ = 0;
  double total_gain_ = 0;
};

}  // namespace cleave::hands
