#include "source_path.h"

namespace cleave {

std::string source_path(const std::string& file) { return CLEAVE_SOURCE_DIR "/" + file; }

}  // namespace cleave
