#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "core/file.h"
#include "fmt/format.h"
#include "games/registry.h"
#include "solve/solver.h"
#include "source_path.h"

// The behaviour signature: a hash of the strategies that a few runs end with. It is the same on
// every x86 machine, with any compiler flags of ours and any number of threads; a change of it is a
// change of behaviour and belongs in the commit message. CLEAVE_UPDATE_GOLDEN=1 writes the new one.
// (Not in it: the scheduled variants, whose fractional exponents need the C library's pow.)
namespace cleave::solve {
namespace {

const std::string kFile = source_path("tests/solve/signature.txt");

std::string signature() {
  std::string out;
  for (const char* name : {"kuhn", "leduc", "goofspiel", "random(depth=5,branching=3,seed=1)"}) {
    const Problem problem = make_problem(*games::make_game(name));
    for (const char* algorithm : {"cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "cfr-br", "xfp", "fpira",
                                  "cfr-ira", "external-sampling", "chance-sampling", "pure-cfr"}) {
      const auto solver = make_solver(algorithm, problem);
      for (int t = 0; t < 200; ++t) solver->iterate();
      const tree::Strategy strategy = solver->strategy();
      core::Hasher hasher;
      hasher.add_bytes(std::as_bytes(std::span(strategy)));
      out += fmt::format("{} {} {:016x}\n", name, algorithm, hasher.finish().lo);
    }
  }
  return out;
}

TEST(Signature, IsUnchanged) {
  const std::string now = signature();
  if (std::getenv("CLEAVE_UPDATE_GOLDEN") != nullptr) std::ofstream(kFile) << now;
  EXPECT_EQ(now, core::read_file(kFile));
}

}  // namespace
}  // namespace cleave::solve
