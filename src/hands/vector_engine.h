#pragma once

#include <memory>

#include "decompose/engine.h"
#include "hands/layout.h"
#include "hands/storage.h"

namespace cleave::hands {

enum class Storage { kF64, kF32, kI16 };
const char* to_string(Storage storage);
Storage parse_storage(std::string_view text);  // "f64", "f32", "i16"; throws InputError

// A player's strategy at one node under one board, fixed for some hands.
struct LockedNode {
  int street = 0;
  uint32_t board = 0;
  uint32_t node = 0;  // of the street
  // [action][padded hand in the board's order]; the first row is negative where a hand is free.
  std::vector<double> strategy;
};

struct EngineOptions {
  Storage storage = Storage::kF32;
  int threads = 1;  // over the deals after the first street; the same result
  std::vector<LockedNode> locks = {};
  // A strategy where it stands, to be looked at only: no memory for learning is taken.
  BorrowedArrays borrowed = {};
};

// What there is to see at a node when both follow their average strategies: [player][root hand],
// zero where the board blocks a hand. Values are counterfactual, in the units of decompose::Engine.
struct View {
  decompose::Vectors reach, values, best_response;
};

// The vector engine at work on a stretch of poker. Reach and values of its interface are over the
// setup's hands.
class VectorEngine : public decompose::Engine {
 public:
  virtual const Layout& layout() const = 0;
  virtual Storage storage() const = 0;
  // The average strategy of a decision's player, [action][hand of the board], not padded; the
  // current one where the average is empty.
  virtual std::vector<double> strategy_at(int street, uint32_t board, uint32_t node) = 0;
  // `board` and `node` of the street; best responses are against the other's average.
  virtual View look(int street, uint32_t board, uint32_t node,
                    const decompose::Vectors& root_reach) = 0;
  // Probability to win plus half of a tie for each hand of the player at a board against the
  // other's reach (both over the root's hands), and the reach it is divided by.
  virtual void equity(int street, uint32_t board, size_t player,
                      std::span<const double> other_reach, std::span<double> won,
                      std::span<double> met) = 0;
  // What is learnt: all of it, or the averages alone. Writing into the arrays is loading.
  virtual std::vector<tree::BulkArray> arrays(bool all) = 0;
  std::vector<std::span<std::byte>> learnt() override;
  // The values where the first deal's boards are entered, once measured or loaded, make looking at
  // nodes up to there quick. Learning forgets them. Empty where nothing is dealt.
  virtual void measure_entries(const decompose::Vectors& root_reach) = 0;
  virtual std::vector<tree::BulkArray> entries() = 0;
  // The decision of the engine's numbers that stands at a node under a board.
  virtual size_t decision_at(size_t street, size_t board, uint32_t node) const = 0;
  // A minimiser that predicts keeps a third array.
  virtual void add_predictions() = 0;
  // The current strategies become the averages: what is sent down from now on is what was learnt.
  virtual void freeze() = 0;
};

std::unique_ptr<VectorEngine> make_vector_engine(Layout sketch, EngineOptions options);

// What the engine will allocate: learnt numbers, tables, working memory.
struct MemoryPlan {
  uint64_t learning = 0, tables = 0, work = 0;
  uint64_t total() const { return learning + tables + work; }
};
MemoryPlan plan_memory(const Layout& sketch, Storage storage, int threads);

}  // namespace cleave::hands
