#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "decompose/gadget.h"
#include "decompose/summary.h"
#include "decompose/way.h"

namespace cleave::decompose {

// A way of re-solving: a gadget and what its alternative payoffs are made of. The parts compose:
// any gadget that has alternatives takes any base, gifts and distribution.
struct Method {
  std::string name;  // as written
  const GadgetInfo* gadget = nullptr;
  std::vector<std::pair<std::string, std::string>> gadget_arguments;
  bool estimated = false;  // alternatives: values of the trunk profile, not best responses
  GiftRule gifts;          // rule.kind == kNoGifts: no reach
  bool detours = false;    // Jackson's path recovery: what leaving the path brings is added
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

// A subgame as its trunk knows it: what every gadget is made from.
struct Entrance {
  Summary summary;  // both players' reach and values at the root
  Way way = {};     // the opponent's; empty: nothing passed by
};

// The one place where a gadget's input is put together. Where the opponent never comes by its own
// moves, all of its private states count alike: any distribution is as good, and this one leaves
// nothing out.
GadgetInput make_gadget_input(const Method& method, const Engine& engine, size_t hero,
                              const Entrance& entrance);

std::unique_ptr<Gadget> make_gadget(const Method& method, const GadgetInput& input);

// A way to play below a cut, by name: one of the methods (method.h), to leave it as the profile has
// it ("blueprint"), or to learn it with the trunk fixed ("graft").
struct Pass {
  std::string name;  // as written
  std::string summary;
  bool safe = false;
  std::string condition;
  std::optional<Method> method = {};  // none: nothing is re-solved
  bool grafts = false;
};

// Throws InputError saying what is allowed.
Pass make_pass(std::string_view spec);
// One of each that changes something, for help texts and `--method all`.
const std::vector<std::string>& all_passes();

}  // namespace cleave::decompose
