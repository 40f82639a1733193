#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/params.h"
#include "decompose/leaf_evaluator.h"
#include "decompose/profile.h"

// Leaf evaluators by name, wherever leaves are allowed.
namespace cleave::decompose {

// What an evaluator may be made from.
struct LeafSetting {
  std::shared_ptr<const Piece> trunk;        // whose leaves it will be asked about
  size_t hero = 0;                           // for whom the trunk is solved, where it is for one
  std::shared_ptr<const Profile> blueprint;  // where an evaluator goes by one
  int threads = 1;
};

// One evaluator: what help shows and how it is made. `make` reads its parameters.
struct LeafInfo {
  std::string name;
  std::string summary;  // one line
  std::vector<core::ParamInfo> params;
  std::unique_ptr<LeafEvaluator> (*make)(const LeafSetting& setting, core::Params& params);
  bool needs_blueprint = false;
};

const std::vector<LeafInfo>& all_leaves();

// "solved(iterations=100)", "zero", "checking(first=warm,second=stored(file=F))": see all_leaves().
// Throws InputError saying what is allowed.
std::unique_ptr<LeafEvaluator> make_leaves(core::Call call, const LeafSetting& setting);

// The same for trunks to come; refuses now what make_leaves would refuse.
using MakeLeaves = std::function<std::unique_ptr<LeafEvaluator>(const LeafSetting& setting)>;
MakeLeaves leaves_named(core::Call call, bool has_blueprint);

}  // namespace cleave::decompose
