#pragma once

#include "decompose/gadgets/resolve.h"

namespace cleave::decompose {

// The unsafe reach and a re-solve gadget mixed (Slumbot's variant): x = w * unsafe + (1 - w) *
// P(enter).
class CombinedGadget final : public Gadget {
 public:
  CombinedGadget(const GadgetInput& input, double weight);
  void enter(std::span<double> reach) override;
  void learn(const kernels::RegretUpdate& update, std::span<const double> values) override;
  EntryForm form() const override;

 private:
  double weight_;
  std::vector<double> unsafe_;  // already weighted
  ResolveGadget resolve_;
};

GadgetInfo combined_gadget();

}  // namespace cleave::decompose
