// Solves Leduc hold'em with the installed library and prints how good the answer is.
#include <cstdio>
#include <exception>
#include <memory>

#include "games/registry.h"
#include "solve/evaluate.h"
#include "solve/problem.h"
#include "solve/solver.h"

int main() {
  try {
    const std::unique_ptr<cleave::games::Game> game = cleave::games::make_game("leduc");
    const cleave::solve::Problem problem = cleave::solve::make_problem(*game);
    const std::unique_ptr<cleave::solve::Solver> solver =
        cleave::solve::make_solver("dcfr", problem);
    while (solver->iterations() < 1000) solver->iterate();

    const cleave::solve::Certificate answer = cleave::solve::certify(problem, solver->strategy());
    std::printf("%s: value %.6f, exploitability %.6f after %d iterations\n", game->name().c_str(),
                answer.value, answer.exploitability, static_cast<int>(solver->iterations()));
    return answer.exploitability < 0.01 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
