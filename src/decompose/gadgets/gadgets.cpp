#include "decompose/gadgets/gadgets.h"

#include <algorithm>

#include "core/error.h"
#include "decompose/choices.h"

namespace cleave::decompose {
namespace {

// The trunk's reach scaled so that it brings as much into the subgame as entering always does:
// sum over states of reach * rho = sum of rho. Throws InputError where it brings nothing.
std::vector<double> normalised_trunk_reach(const GadgetInput& input) {
  const std::vector<double>& rho = input.counterfactual_reach;
  double all = 0;
  double trunk = 0;
  for (size_t s = 0; s < rho.size(); ++s) {
    all += rho[s];
    trunk += rho[s] * input.trunk_reach[s];
  }
  if (trunk <= 0) {
    core::reject(
        "neither player reaches this subgame, so that there is no distribution to start from");
  }
  std::vector<double> reach = input.trunk_reach;
  for (double& r : reach) r *= all / trunk;
  return reach;
}

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
  static constexpr size_t kEnter = 0, kLeave = 1;

  std::vector<double> alternative_;  // V units
  std::vector<double> leave_;        // rho * alternative
  Choices choices_;                  // enter, leave
};

// Maxmargin (Moravcik et al. 2016): the opponent picks the private state it enters in and gets
// V(I) - alt(I), so that the hero maximises the smallest margin. States that chance and the hero
// never reach cannot be picked.
class MaxmarginGadget final : public Gadget {
 public:
  explicit MaxmarginGadget(const GadgetInput& input)
      : doors_(find_doors(input)), choices_(std::max<size_t>(1, doors_.size()), 1) {}
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
  static std::vector<Door> find_doors(const GadgetInput& input) {
    std::vector<Door> doors;
    for (uint32_t s = 0; s < input.counterfactual_reach.size(); ++s) {
      const double rho = input.counterfactual_reach[s];
      if (rho > 0) doors.push_back({s, rho, input.alternatives.mean[s]});
    }
    return doors;
  }

  std::vector<Door> doors_;
  Choices choices_;  // one member, an action per door
};

// The unsafe reach and a re-solve gadget mixed (Slumbot's variant): x = w * unsafe + (1 - w) *
// P(enter).
class CombinedGadget final : public Gadget {
 public:
  CombinedGadget(const GadgetInput& input, double weight)
      : weight_(weight), unsafe_(normalised_trunk_reach(input)), resolve_(input) {
    for (double& reach : unsafe_) reach *= weight_;
  }
  void enter(std::span<double> reach) override {
    resolve_.enter(reach);
    for (size_t s = 0; s < reach.size(); ++s) reach[s] = unsafe_[s] + (1 - weight_) * reach[s];
  }
  void learn(const kernels::RegretUpdate& update, std::span<const double> values) override {
    resolve_.learn(update, values);
  }
  EntryForm form() const override {
    EntryForm form = resolve_.form();
    form.always = unsafe_;
    for (EntryForm::Door& door : form.doors) door.weight *= 1 - weight_;
    return form;
  }

 private:
  double weight_;
  std::vector<double> unsafe_;  // already weighted
  ResolveGadget resolve_;
};

template <class Plain>
std::unique_ptr<Gadget> make_plain(const GadgetInput& input, core::Params&) {
  return std::make_unique<Plain>(input);
}

std::unique_ptr<Gadget> make_combined(const GadgetInput& input, core::Params& params) {
  return std::make_unique<CombinedGadget>(input, params.real("weight", 0.5, 0, 1));
}

constexpr const char* kNeverWorse =
    "never more exploitable than the trunk, up to the error of solving";

}  // namespace

const std::vector<GadgetInfo>& all_gadgets() {
  static const std::vector<GadgetInfo> gadgets = {
      {.name = "unsafe",
       .summary = "the opponent enters with the trunk's probabilities",
       .params = {},
       .condition = "no guarantee: right only if the opponent keeps to the trunk",
       .uses_alternatives = false,
       .needs_trunk_reach = true,
       .make = make_plain<UnsafeGadget>},
      {.name = "resolve",
       .summary = "the opponent enters or takes an alternative payoff (Burch et al.)",
       .params = {},
       .safe = true,
       .condition = kNeverWorse,
       .make = make_plain<ResolveGadget>},
      {.name = "maxmargin",
       .summary = "the opponent picks the private state with the smallest margin",
       .params = {},
       .safe = true,
       .condition = kNeverWorse,
       .make = make_plain<MaxmarginGadget>},
      distributional_gadget(),
      {.name = "combined",
       .summary = "unsafe and resolve mixed",
       .params = {{"weight", "0.5", "of the unsafe part, 0 to 1"}},
       .condition = "no guarantee: part of the opponent is assumed to keep to the trunk",
       .needs_trunk_reach = true,
       .make = make_combined}};
  return gadgets;
}

const GadgetInfo* find_gadget(std::string_view name) {
  const auto found = std::ranges::find(all_gadgets(), name, &GadgetInfo::name);
  return found == all_gadgets().end() ? nullptr : &*found;
}

}  // namespace cleave::decompose
