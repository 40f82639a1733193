#include "decompose/gadgets/maxmargin.h"

#include <algorithm>

namespace cleave::decompose {
namespace {

size_t count_reached(const std::vector<double>& rho) {
  return static_cast<size_t>(std::ranges::count_if(rho, [](double r) { return r > 0; }));
}

}  // namespace

MaxmarginGadget::MaxmarginGadget(const GadgetInput& input)
    : choices_(std::max<size_t>(1, count_reached(input.counterfactual_reach)), 1) {
  for (uint32_t s = 0; s < input.counterfactual_reach.size(); ++s) {
    const double rho = input.counterfactual_reach[s];
    if (rho > 0) doors_.push_back({s, rho, input.alternatives.mean[s]});
  }
}

void MaxmarginGadget::enter(std::span<double> reach) {
  std::ranges::fill(reach, 0.0);
  for (size_t d = 0; d < doors_.size(); ++d) {
    reach[doors_[d].state] = choices_.probability(d, 0) / doors_[d].rho;
  }
}

void MaxmarginGadget::learn(const kernels::RegretUpdate& update, std::span<const double> values) {
  for (size_t d = 0; d < doors_.size(); ++d) {
    choices_.q(d, 0) = values[doors_[d].state] / doors_[d].rho - doors_[d].alternative;
  }
  choices_.learn(update);
}

EntryForm MaxmarginGadget::form() const {
  EntryForm form;
  form.one_door = true;
  for (const Door& door : doors_)
    form.doors.push_back({door.state, 1 / door.rho, door.alternative});
  return form;
}

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
