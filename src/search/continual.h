#pragma once

#include <optional>

#include "decompose/leaf_registry.h"
#include "decompose/method.h"
#include "search/carried.h"
#include "search/places.h"
#include "search/tree_agent.h"

namespace cleave::search {

struct ContinualOptions {
  int depth = 0;  // moves to look ahead, at least to the next own decision; 0: to the end
  decompose::MakeLeaves leaves;                              // needed where depth is not 0
  std::shared_ptr<const decompose::Profile> blueprint = {};  // for leaves that go by one
  std::string algorithm = "pcfr+";                           // of the CFR family
  int64_t iterations = 500;                                  // of each solve
  decompose::Method method;
  // Carry the opponent's values from before its own moves (DeepStack), or after them.
  bool before_moves = true;
};

// Continual re-solving (Moravcik et al. 2017, DeepStack): no strategy is kept for the game. At
// every public state where the agent acts it solves what lies ahead, entered with its own reach
// (from its own earlier solves) below a gadget whose alternatives are the opponent's values found
// by the solve before; at the first one from the game's root. Each solve is done once and depends
// only on those before it on the way, so the agent plays one strategy, whose exploitability can be
// measured. Where its own reach is zero it does not think and acts uniformly.
class ContinualAgent final : public TreeAgent {
 public:
  ContinualAgent(const Setting& setting, const door::TreeGame& game, ContinualOptions options);
  void act_at(uint32_t infoset, std::span<double> probabilities) override;
  int64_t num_solves() const { return num_solves_; }

 private:
  struct Seat {
    Places places;
    tree::Strategy strategy;      // own and, as each solve expected them, the opponent's
    std::vector<bool> is_solved;  // [place]
    std::vector<std::vector<double>> best_response;  // [place][the opponent's state]: carried
    std::vector<std::vector<double>> estimate;
  };

  Seat& seat(size_t player);
  void solve(Seat& seat, size_t hero, uint32_t place);
  std::unique_ptr<decompose::Gadget> make_gadget(const Seat& seat, uint32_t place,
                                                 const decompose::Engine& engine, size_t hero,
                                                 const decompose::Vectors& reach) const;

  const Setting& setting_;
  ContinualOptions options_;
  std::vector<double> chance_;
  std::array<std::optional<Seat>, 2> seats_;
  int64_t num_solves_ = 0;
};

AgentInfo continual_info();

}  // namespace cleave::search
