#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/game_json.h"
#include "server/services.h"
#include "solve/solver.h"

// The jobs of games. Numbers are those of `cleave solve` and `cleave resolve` with the same
// arguments.
namespace cleave::server {

inline constexpr int64_t kMostGameIterations = 1'000'000'000;

void add_game_solve(Routes& routes, Services& services);
void add_game_resolve(Routes& routes, Services& services);

// `Progress` of types.ts; `left` in seconds.
Json run_progress(const std::string& text, double seconds, std::optional<double> left,
                  int64_t iteration, const std::vector<solve::HistoryPoint>& points);

// Throws InputError for an algorithm that could neither end soon nor be stopped.
void refuse_large_program(const OpenGame& game, const solve::SolverInfo& info);

}  // namespace cleave::server
