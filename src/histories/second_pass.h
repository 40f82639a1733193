#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "histories/resolve.h"

namespace cleave::histories {

// Any way of replacing the strategies below a cut, by name: the root gadgets (method.h), strategy
// grafting and path recovery.
struct SecondPass {
  std::string name;  // as written
  std::string summary;
  bool safe = false;
  std::string condition;
  std::function<tree::Strategy(const CutGame& game,
                               const std::vector<decompose::Summary>& summaries,
                               const tree::Strategy& trunk, const ResolveOptions& options)>
      run;
};

// make_method()'s names, "graft", "path-recovery(values=sampled,playouts=1000)". Throws InputError
// saying what is allowed.
SecondPass make_second_pass(std::string_view spec);

// One of each, for help texts and `--method all`.
const std::vector<std::string>& all_second_passes();

}  // namespace cleave::histories
