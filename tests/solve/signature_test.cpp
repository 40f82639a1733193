#include "signature.h"

#include "games/registry.h"
#include "solve/solver.h"

namespace cleave::solve {
namespace {

// Not in it: the scheduled variants, whose fractional exponents need the C library's pow.
TEST(Signature, OfTheSolversIsUnchanged) {
  Signature signature;
  for (const char* name : {"kuhn", "leduc", "goofspiel", "random(depth=5,branching=3,seed=1)"}) {
    const Problem problem = make_problem(*games::make_game(name));
    for (const char* algorithm : {"cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "cfr-br", "xfp", "fpira",
                                  "cfr-ira", "external-sampling", "chance-sampling", "pure-cfr"}) {
      const auto solver = make_solver(algorithm, problem);
      for (int t = 0; t < 200; ++t) solver->iterate();
      signature.add(fmt::format("{} {}", name, algorithm), solver->strategy());
    }
  }
  signature.expect_unchanged("solve");
}

}  // namespace
}  // namespace cleave::solve
