#pragma once

#include <functional>
#include <string>

#include "core/params.h"
#include "decompose/leaf_evaluator.h"

namespace cleave::decompose {

// v(private states | both reach vectors): counterfactual values at all leaves, into vectors that
// already have the right sizes. A network, a table, any rule.
using ValueFunction = std::function<void(std::span<LeafState> leaves, Players wanted)>;

// A value function by name: leaves "function(name=NAME,...)". `make` reads its own parameters.
struct FunctionInfo {
  std::string name;
  std::string summary;  // one line
  std::vector<core::ParamInfo> params;
  std::function<ValueFunction(core::Params& params)> make;
};
// To "public", the one that is there, before leaves are made. Throws InputError where the name is
// taken.
void add_function(FunctionInfo info);
const FunctionInfo& find_function(std::string_view name);  // throws InputError listing the names

// A value function from outside (DeepStack's leaves). What it answers is checked.
class FunctionLeaves final : public LeafEvaluator {
 public:
  explicit FunctionLeaves(ValueFunction function) : function_(std::move(function)) {}

  void evaluate(std::span<LeafState> leaves, Players wanted) override { function_(leaves, wanted); }

 private:
  ValueFunction function_;
};

}  // namespace cleave::decompose
