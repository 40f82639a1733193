#pragma once

#include "server/game_cache.h"
#include "server/jobs.h"
#include "server/routes.h"

namespace cleave::server {

struct OpenSolution;

// What the routes share.
struct Services {
  explicit Services(const std::string& folder, int num_threads = 1)
      : workspace(folder), threads(num_threads) {}
  Workspace workspace;
  int threads;
  std::string example;  // a solution's file: what the first page shows
  GameCache games{workspace};
  Kept<OpenSolution> solutions{4};  // see open_solution()
  Jobs jobs;                        // last: its thread ends before what it works with
};

void add_files(Routes& routes, Services& services);  // state, files, jobs
void add_spots(Routes& routes, Services& services);  // ranges, spots, solutions
void add_games(Routes& routes, Services& services);  // any game: trees, cuts, runs
void add_play(Routes& routes, Services& services);   // tables

}  // namespace cleave::server
