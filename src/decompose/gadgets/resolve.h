#pragma once

#include "decompose/choices.h"
#include "decompose/gadget.h"

namespace cleave::decompose {

// Re-solving (Burch, Johanson and Bowling 2014, figure 2): at each private state the opponent
// enters, worth v(I), or leaves for rho(I) * alt(I), and learns which is better.
class ResolveGadget final : public Gadget {
 public:
  explicit ResolveGadget(const GadgetInput& input);
  void enter(std::span<double> reach) override;
  void learn(const kernels::RegretUpdate& update, std::span<const double> values) override;
  EntryForm form() const override;

 private:
  const std::vector<double> alternative_;  // V units
  std::vector<double> leave_;              // rho * alternative
  Choices choices_;                        // enter, leave
};

GadgetInfo resolve_gadget();

}  // namespace cleave::decompose
