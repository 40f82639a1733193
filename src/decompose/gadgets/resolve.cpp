#include "decompose/gadgets/resolve.h"

namespace cleave::decompose {
namespace {

constexpr size_t kEnter = 0;
constexpr size_t kLeave = 1;

}  // namespace

ResolveGadget::ResolveGadget(const GadgetInput& input)
    : alternative_(input.alternatives.mean), choices_(2, alternative_.size()) {
  for (size_t s = 0; s < alternative_.size(); ++s) {
    leave_.push_back(input.counterfactual_reach[s] * alternative_[s]);
  }
}

void ResolveGadget::enter(std::span<double> reach) {
  for (size_t s = 0; s < reach.size(); ++s) reach[s] = choices_.probability(kEnter, s);
}

void ResolveGadget::learn(const kernels::RegretUpdate& update, std::span<const double> values) {
  for (size_t s = 0; s < values.size(); ++s) {
    choices_.q(kEnter, s) = values[s];
    choices_.q(kLeave, s) = leave_[s];
  }
  choices_.learn(update);
}

EntryForm ResolveGadget::form() const {
  EntryForm form;
  for (uint32_t s = 0; s < alternative_.size(); ++s) form.doors.push_back({s, 1, alternative_[s]});
  return form;
}

GadgetInfo resolve_gadget() {
  return {.name = "resolve",
          .summary = "the opponent enters or takes an alternative payoff (Burch et al.)",
          .params = {},
          .safe = true,
          .condition = "never more exploitable than the trunk, up to the error of solving",
          .make = [](const GadgetInput& input, core::Params&) -> std::unique_ptr<Gadget> {
            return std::make_unique<ResolveGadget>(input);
          }};
}

}  // namespace cleave::decompose
