#pragma once

#include "decompose/choices.h"
#include "decompose/gadget.h"

namespace cleave::decompose {

// Maxmargin (Moravcik et al. 2016): the opponent picks the private state it enters in and gets
// V(I) - alt(I), so that the hero maximises the smallest margin. States that chance and the hero
// never reach cannot be picked.
class MaxmarginGadget final : public Gadget {
 public:
  explicit MaxmarginGadget(const GadgetInput& input);
  void enter(std::span<double> reach) override;
  void learn(const kernels::RegretUpdate& update, std::span<const double> values) override;
  EntryForm form() const override;

 private:
  struct Door {
    uint32_t state;
    double rho;
    double alternative;
  };
  std::vector<Door> doors_;
  Choices choices_;  // one member, an action per door
};

GadgetInfo maxmargin_gadget();

}  // namespace cleave::decompose
