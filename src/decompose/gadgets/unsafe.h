#pragma once

#include "decompose/gadget.h"

namespace cleave::decompose {

// The opponent enters as the trunk has it, whatever the hero does (Ganzfried and Sandholm 2013;
// Jackson's "standard approach").
class UnsafeGadget final : public Gadget {
 public:
  explicit UnsafeGadget(const GadgetInput& input);
  void enter(std::span<double> reach) override;
  void learn(const kernels::RegretUpdate&, std::span<const double>) override {}
  EntryForm form() const override { return {.always = reach_, .doors = {}}; }

 private:
  std::vector<double> reach_;
};

GadgetInfo unsafe_gadget();

// The trunk's reach scaled so that it brings as much into the subgame as entering always does:
// sum over states of reach * rho = sum of rho. Throws InputError where it brings nothing.
std::vector<double> normalised_trunk_reach(const GadgetInput& input);

}  // namespace cleave::decompose
