#include "decompose/gadgets/gadgets.h"

namespace cleave::decompose {
namespace {

// The unsafe reach and a re-solve gadget mixed (Slumbot's variant): x = w * unsafe + (1 - w) *
// P(enter).
class CombinedGadget final : public Gadget {
 public:
  CombinedGadget(const GadgetInput& input, core::Params& params)
      : weight_(params.real("weight", 0.5, 0, 1)),
        unsafe_(normalised_trunk_reach(input)),
        resolve_(resolve_gadget().make(input, params)) {
    for (double& reach : unsafe_) reach *= weight_;
  }
  void enter(std::span<double> reach) override {
    resolve_->enter(reach);
    for (size_t s = 0; s < reach.size(); ++s) reach[s] = unsafe_[s] + (1 - weight_) * reach[s];
  }
  void learn(const kernels::RegretUpdate& update, std::span<const double> values) override {
    resolve_->learn(update, values);
  }
  EntryForm form() const override {
    EntryForm form = resolve_->form();
    form.always = unsafe_;
    for (EntryForm::Door& door : form.doors) door.weight *= 1 - weight_;
    return form;
  }

 private:
  double weight_;
  std::vector<double> unsafe_;  // already weighted
  std::unique_ptr<Gadget> resolve_;
};

}  // namespace

GadgetInfo combined_gadget() {
  return {.name = "combined",
          .summary = "unsafe and resolve mixed",
          .params = {{"weight", "0.5", "of the unsafe part, 0 to 1"}},
          .safe = false,
          .condition = "no guarantee: part of the opponent is assumed to keep to the trunk",
          .needs_trunk_reach = true,
          .make = [](const GadgetInput& input, core::Params& params) -> std::unique_ptr<Gadget> {
            return std::make_unique<CombinedGadget>(input, params);
          }};
}

}  // namespace cleave::decompose
