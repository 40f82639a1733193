#include "wary_gadget.h"

#include <algorithm>

using namespace cleave;

WaryGadget::WaryGadget(const decompose::GadgetInput& input)
    : reach_(input.trunk_reach.size(), 1.0) {}

// Called before each half-iteration in which the hero learns.
void WaryGadget::enter(std::span<double> reach) { std::ranges::copy(reach_, reach.begin()); }

// Called with the opponent's counterfactual values; this gadget has nothing to learn from them.
void WaryGadget::learn(const kernels::RegretUpdate&, std::span<const double>) {}

// The same as a finite game, so that the linear program can check the iterations.
decompose::EntryForm WaryGadget::form() const { return {.always = reach_, .doors = {}}; }

decompose::GadgetInfo wary_gadget() {
  decompose::GadgetInfo info;
  info.name = "wary";
  info.summary = "the opponent comes with every private state alike";
  info.condition = "no guarantee: the opponent need not come like that";
  info.uses_alternatives = false;
  info.make = [](const decompose::GadgetInput& input,
                 core::Params&) -> std::unique_ptr<decompose::Gadget> {
    return std::make_unique<WaryGadget>(input);
  };
  return info;
}
