#include "decompose/choices.h"
#include "decompose/gadgets/gadgets.h"

namespace cleave::decompose {
namespace {

constexpr size_t kEnter = 0;
constexpr size_t kLeave = 1;

// Re-solving (Burch, Johanson and Bowling 2014, figure 2): at each private state the opponent
// enters, worth v(I), or leaves for rho(I) * alt(I), and learns which is better.
class ResolveGadget final : public Gadget {
 public:
  explicit ResolveGadget(const GadgetInput& input)
      : alternative_(input.alternatives.mean), choices_(2, alternative_.size()) {
    for (size_t s = 0; s < alternative_.size(); ++s) {
      leave_.push_back(input.counterfactual_reach[s] * alternative_[s]);
    }
  }
  void enter(std::span<double> reach) override {
    for (size_t s = 0; s < reach.size(); ++s) reach[s] = choices_.probability(kEnter, s);
  }
  void learn(const kernels::RegretUpdate& update, std::span<const double> values) override {
    for (size_t s = 0; s < values.size(); ++s) {
      choices_.q(kEnter, s) = values[s];
      choices_.q(kLeave, s) = leave_[s];
    }
    choices_.learn(update);
  }
  EntryForm form() const override {
    EntryForm form;
    for (uint32_t s = 0; s < alternative_.size(); ++s)
      form.doors.push_back({s, 1, alternative_[s]});
    return form;
  }

 private:
  const std::vector<double> alternative_;  // V units
  std::vector<double> leave_;              // rho * alternative
  Choices choices_;                        // enter, leave
};

}  // namespace

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
