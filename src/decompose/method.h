#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "decompose/gadget.h"
#include "decompose/gifts.h"

namespace cleave::decompose {

// A way of re-solving: a gadget and what its alternative payoffs are made of. The parts compose:
// any gadget that has alternatives takes any base, gifts and distribution.
struct Method {
  std::string name;  // as written
  const GadgetInfo* gadget = nullptr;
  std::vector<std::pair<std::string, std::string>> gadget_arguments;
  bool estimated = false;  // alternatives: values of the trunk profile, not best responses
  GiftRule gifts;          // rule.kind == kNoGifts: no reach
  bool safe = false;       // never more exploitable than the trunk, up to solving error
  std::string condition;   // under which conditions; printed wherever it can be chosen
};

// "unsafe", "resolve", "maxmargin", "reach-maxmargin(gifts=single,bound=true,scale=10)",
// "estimated" (re-solve on estimates), "reach-estimated+distributional(form=best-response)",
// "combined(weight=0.3)": [reach-][estimated[+|-]]GADGET. Throws InputError saying what is allowed;
// `also` is what the caller knows beyond.
Method make_method(std::string_view spec, std::string_view also = "");

// One of each, for help texts and `--method all`.
const std::vector<std::string>& all_methods();

// alt(I) in V units, per private state of the opponent. `estimate` and `best_response` are
// counterfactual values in Burch's units, rho what they are divided by (0 where rho is 0).
Alternatives make_alternatives(const Method& method, std::span<const double> rho,
                               std::span<const double> best_response,
                               std::span<const double> estimate,
                               const std::vector<std::vector<Gift>>& gifts);

std::unique_ptr<Gadget> make_gadget(const Method& method, const GadgetInput& input);

}  // namespace cleave::decompose
