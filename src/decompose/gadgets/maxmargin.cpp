#include <algorithm>

#include "decompose/choices.h"
#include "decompose/gadgets/gadgets.h"

namespace cleave::decompose {
namespace {

size_t count_reached(const std::vector<double>& rho) {
  return static_cast<size_t>(std::ranges::count_if(rho, [](double r) { return r > 0; }));
}

// Maxmargin (Moravcik et al. 2016): the opponent picks the private state it enters in and gets
// V(I) - alt(I), so that the hero maximises the smallest margin. States that chance and the hero
// never reach cannot be picked.
class MaxmarginGadget final : public Gadget {
 public:
  explicit MaxmarginGadget(const GadgetInput& input)
      : choices_(std::max<size_t>(1, count_reached(input.counterfactual_reach)), 1) {
    for (uint32_t s = 0; s < input.counterfactual_reach.size(); ++s) {
      const double rho = input.counterfactual_reach[s];
      if (rho > 0) doors_.push_back({s, rho, input.alternatives.mean[s]});
    }
  }
  void enter(std::span<double> reach) override {
    std::ranges::fill(reach, 0.0);
    for (size_t d = 0; d < doors_.size(); ++d) {
      reach[doors_[d].state] = choices_.probability(d, 0) / doors_[d].rho;
    }
  }
  void learn(const kernels::RegretUpdate& update, std::span<const double> values) override {
    for (size_t d = 0; d < doors_.size(); ++d) {
      choices_.q(d, 0) = values[doors_[d].state] / doors_[d].rho - doors_[d].alternative;
    }
    choices_.learn(update);
  }
  EntryForm form() const override {
    EntryForm form;
    form.one_door = true;
    for (const Door& door : doors_) {
      form.doors.push_back({door.state, 1 / door.rho, door.alternative});
    }
    return form;
  }

 private:
  struct Door {
    uint32_t state;
    double rho;
    double alternative;
  };
  std::vector<Door> doors_;
  Choices choices_;  // one member, an action per door
};

}  // namespace

GadgetInfo maxmargin_gadget() {
  return {.name = "maxmargin",
          .summary = "the opponent picks the private state with the smallest margin",
          .params = {},
          .safe = true,
          .condition = "never more exploitable than the trunk, up to the error of solving",
          .make = [](const GadgetInput& input, core::Params&) -> std::unique_ptr<Gadget> {
            return std::make_unique<MaxmarginGadget>(input);
          }};
}

}  // namespace cleave::decompose
