#include "decompose/gadgets/combined.h"

#include "decompose/gadgets/unsafe.h"

namespace cleave::decompose {

CombinedGadget::CombinedGadget(const GadgetInput& input, double weight)
    : weight_(weight), unsafe_(normalised_trunk_reach(input)), resolve_(input) {
  for (double& reach : unsafe_) reach *= weight;
}

void CombinedGadget::enter(std::span<double> reach) {
  resolve_.enter(reach);
  for (size_t s = 0; s < reach.size(); ++s) reach[s] = unsafe_[s] + (1 - weight_) * reach[s];
}

void CombinedGadget::learn(const kernels::RegretUpdate& update, std::span<const double> values) {
  resolve_.learn(update, values);
}

EntryForm CombinedGadget::form() const {
  EntryForm form = resolve_.form();
  form.always = unsafe_;
  for (EntryForm::Door& door : form.doors) door.weight *= 1 - weight_;
  return form;
}

GadgetInfo combined_gadget() {
  return {.name = "combined",
          .summary = "unsafe and resolve mixed",
          .params = {{"weight", "0.5", "of the unsafe part, 0 to 1"}},
          .safe = false,
          .condition = "no guarantee: part of the opponent is assumed to keep to the trunk",
          .needs_trunk_reach = true,
          .make = [](const GadgetInput& input, core::Params& params) -> std::unique_ptr<Gadget> {
            return std::make_unique<CombinedGadget>(input, params.real("weight", 0.5, 0, 1));
          }};
}

}  // namespace cleave::decompose
