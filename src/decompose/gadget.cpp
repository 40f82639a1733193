#include "decompose/gadget.h"

#include <fmt/format.h>

#include "core/error.h"
#include "decompose/gadgets/gadgets.h"

namespace cleave::decompose {

const std::vector<GadgetInfo>& all_gadgets() {
  static const std::vector<GadgetInfo> gadgets = {unsafe_gadget(), resolve_gadget(),
                                                  maxmargin_gadget(), distributional_gadget(),
                                                  combined_gadget()};
  return gadgets;
}

const GadgetInfo& find_gadget(std::string_view name) {
  std::string known;
  for (const GadgetInfo& info : all_gadgets()) {
    if (info.name == name) return info;
    known += (known.empty() ? "" : ", ") + info.name;
  }
  throw core::InputError(fmt::format("there is no gadget '{}'; there are {}", name, known));
}

}  // namespace cleave::decompose
