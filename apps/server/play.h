#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/random.h"
#include "server/game_cache.h"
#include "server/solutions.h"

// Tables: one hand after another between a person and a solved strategy.
namespace cleave::server {

struct PlayAction {
  std::string text;
  double probability = 0;  // by the solved strategy
  double value = 0;        // chips from now on, relative to now; not a number where unknown
};

class PlayTable {
 public:
  enum class Seats { kFirst, kSecond, kAlternate };

  PlayTable(Seats seats, uint64_t seed) : random_(seed), seats_(seats) {}
  virtual ~PlayTable() = default;
  PlayTable(const PlayTable&) = delete;
  PlayTable& operator=(const PlayTable&) = delete;

  void next();                          // deals another hand; throws unless the last is over
  void act(const std::string& action);  // throws InputError that says what can be done
  Json describe(int64_t id) const;      // `Table` of types.ts
  virtual bool is_heavy() const { return false; }  // holds much memory

 protected:
  // Deals, then plays for chance and the opponent until the person acts or finish() is called.
  virtual void deal() = 0;
  virtual void take(size_t action) = 0;
  virtual std::vector<PlayAction> actions() const = 0;
  // What depends on the game: its name, cards, board, pot, stacks, put, log.
  virtual Json look() const = 0;

  void finish(double payoff);
  bool finished() const { return finished_; }
  double payoff() const { return payoff_; }
  int seat() const { return seat_; }

  core::Random random_;

 private:
  Seats seats_;
  int seat_ = 0;
  int64_t hand_ = 0;
  bool finished_ = true;
  double payoff_ = 0;
  double total_ = 0;
  int64_t hands_ = 0;  // finished
};

Json log_entry(const char* who, const std::string& text);
const char* who_did(tree::Actor actor, int seat);  // "you", "opponent" or "chance"
// "win 3 chips": what the person did
std::string payoff_text(double payoff);

std::unique_ptr<PlayTable> make_game_table(std::shared_ptr<const OpenStrategy> opponent,
                                           PlayTable::Seats seats, uint64_t seed);

std::unique_ptr<PlayTable> make_spot_table(const std::string& file,
                                           std::shared_ptr<OpenSolution> solution,
                                           PlayTable::Seats seats, uint64_t seed);

}  // namespace cleave::server
