#include "decompose/pass.h"

#include <fmt/format.h>

namespace cleave::decompose {

Pass make_pass(std::string_view spec, std::string_view also) {
  if (spec == "blueprint") {
    return {"blueprint",
            "everything stays as the trunk's strategy has it",
            true,
            "nothing changes",
            {}};
  }
  const Method method = make_method(spec, fmt::format("; also blueprint{}", also));
  return {method.name, method.gadget->summary, method.safe, method.condition, method};
}

}  // namespace cleave::decompose
