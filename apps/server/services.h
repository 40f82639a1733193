#pragma once

#include "server/jobs.h"
#include "server/routes.h"
#include "server/workspace.h"

namespace cleave::server {

class GameCache;
class Solutions;

// What the routes share.
struct Services {
  explicit Services(const std::string& folder, int num_threads = 1)
      : workspace(folder), threads(num_threads) {}
  Workspace workspace;
  int threads;
  std::string example;                   // a solution's file: what the first page shows
  std::shared_ptr<GameCache> games;      // see game_cache()
  std::shared_ptr<Solutions> solutions;  // see solutions_of()
  Jobs jobs;                             // last: its thread ends before what it works with
};

void add_files(Routes& routes, Services& services);  // state, files, jobs
void add_spots(Routes& routes, Services& services);  // ranges, spots, solutions
void add_games(Routes& routes, Services& services);  // any game: trees, cuts, runs
void add_play(Routes& routes, Services& services);   // tables

}  // namespace cleave::server
