#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/params.h"
#include "kernels/kernels.h"

// Root gadgets: how the opponent enters a subgame that is re-solved for the hero.
namespace cleave::decompose {

// What the opponent gets for staying outside, per private state, in V units (value given that the
// state is reached): a number, or a normal distribution of which the opponent sees the outcome.
struct Alternatives {
  std::vector<double> mean;
  std::vector<double> deviation;  // empty or zero: certain
};

// Everything a gadget may look at; [opponent's private state].
struct GadgetInput {
  std::vector<double> trunk_reach;           // the opponent's own reach in the trunk
  std::vector<double> counterfactual_reach;  // rho: chance's and the hero's reach
  Alternatives alternatives;
};

// The gadget as a finite game: what the exact solution by linear program is made of. Reach
// `always[state]` enters without being asked. Through a door the opponent enters with reach
// `weight`, or takes the alternative (V units) with the same weight instead. With one_door the
// opponent goes through exactly one of all doors and is charged its alternative.
struct EntryForm {
  struct Door {
    uint32_t state;
    double weight;
    double alternative;
  };
  std::vector<double> always;
  std::vector<Door> doors;
  bool one_door = false;
};

class Gadget {
 public:
  virtual ~Gadget() = default;
  // The opponent's reach x of each private state at this iteration.
  virtual void enter(std::span<double> reach) = 0;
  // The opponent's counterfactual values of this iteration at its private states.
  virtual void learn(const kernels::RegretUpdate& update, std::span<const double> values) = 0;
  virtual EntryForm form() const = 0;
};

// One gadget: what help shows and how it is made. `make` reads its parameters.
struct GadgetInfo {
  std::string name;
  std::string summary;  // one line
  std::vector<core::ParamInfo> params;
  // With best-response alternatives (and gifts within their bounds): never more exploitable than
  // the trunk. `condition` is printed wherever the gadget can be chosen.
  bool safe = false;
  std::string condition;
  bool uses_alternatives = true;
  bool needs_trunk_reach = false;  // goes by how the trunk comes to the subgame
  std::unique_ptr<Gadget> (*make)(const GadgetInput& input, core::Params& params);
};

const std::vector<GadgetInfo>& all_gadgets();
const GadgetInfo* find_gadget(std::string_view name);  // null: there is none

}  // namespace cleave::decompose
