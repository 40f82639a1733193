#pragma once

#include "poker/spot.h"
#include "server/routes.h"

namespace cleave::server {

Json spot_form(const poker::Spot& spot);  // `SpotForm` of types.ts

// Of a text that a browser sent. Throws InputError "spot:LINE: ..." as parse_spot, and where the
// tree is larger than a browser may ask for.
poker::Spot read_spot_text(const std::string& text, const std::string& name);

}  // namespace cleave::server
