#include <algorithm>

#include "core/error.h"
#include "decompose/gadgets/gadgets.h"

namespace cleave::decompose {

std::vector<double> normalised_trunk_reach(const GadgetInput& input) {
  const std::vector<double>& rho = input.counterfactual_reach;
  double all = 0;
  double trunk = 0;
  for (size_t s = 0; s < rho.size(); ++s) {
    all += rho[s];
    trunk += rho[s] * input.trunk_reach[s];
  }
  if (trunk <= 0) {
    throw core::InputError(
        "neither player reaches this subgame, so that there is no distribution to start from");
  }
  std::vector<double> reach = input.trunk_reach;
  for (double& r : reach) r *= all / trunk;
  return reach;
}

namespace {

// The opponent enters as the trunk has it, whatever the hero does (Ganzfried and Sandholm 2013;
// Jackson's "standard approach").
class UnsafeGadget final : public Gadget {
 public:
  explicit UnsafeGadget(const GadgetInput& input) : reach_(normalised_trunk_reach(input)) {}
  void enter(std::span<double> reach) override { std::ranges::copy(reach_, reach.begin()); }
  void learn(const kernels::RegretUpdate&, std::span<const double>) override {}
  EntryForm form() const override { return {.always = reach_, .doors = {}}; }

 private:
  std::vector<double> reach_;
};

}  // namespace

GadgetInfo unsafe_gadget() {
  return {.name = "unsafe",
          .summary = "the opponent enters with the trunk's probabilities",
          .params = {},
          .safe = false,
          .condition = "no guarantee: right only if the opponent keeps to the trunk",
          .uses_alternatives = false,
          .needs_trunk_reach = true,
          .make = [](const GadgetInput& input, core::Params&) -> std::unique_ptr<Gadget> {
            return std::make_unique<UnsafeGadget>(input);
          }};
}

}  // namespace cleave::decompose
