#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <thread>

#include "fmt/format.h"
#include "games/registry.h"
#include "random_strategy.h"
#include "server/services.h"
#include "solve/problem.h"
#include "tree/strategy_file.h"

namespace cleave::server {

// The routes of spots, games and tables in a folder of their own, asked without HTTP.
class Desk {
 public:
  explicit Desk(int threads = 1) : services_(folder_.path.string(), threads) {
    add_spots(routes_, services_);
    add_games(routes_, services_);
    add_play(routes_, services_);
  }
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  Json get(const std::string& path, const std::map<std::string, std::string>& query = {}) {
    return routes_.get.at(path)(Arguments(query));
  }
  Json post(const std::string& path, const Json& body) {
    return routes_.post.at(path)(Arguments(body));
  }

  // The job once it has ended.
  Json wait(const Json& job) {
    const auto id = job["id"].get<int64_t>();
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(100);
    while (std::chrono::steady_clock::now() < give_up) {
      const Json now = services_.jobs.get(id);
      if (now["state"] != "queued" && now["state"] != "running") return now;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ADD_FAILURE() << "job " << id << " does not end";
    return services_.jobs.get(id);
  }

  Services& services() { return services_; }
  std::string path(const std::string& name) const { return (folder_.path / name).string(); }

  // The message of what is refused; "" where nothing is.
  std::string refusal(const std::function<void()>& what) const {
    try {
      what();
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }

 private:
  struct Folder {
    Folder() {
      static int number = 0;
      path = std::filesystem::temp_directory_path() /
             fmt::format("cleave_desk_{}_{}", ::getpid(), ++number);
      std::filesystem::remove_all(path);
    }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::filesystem::path path;
  };

  Folder folder_;  // goes last, when no job writes any more
  Routes routes_;
  Services services_;
};

// A game and its problem, made without the server.
struct Direct {
  explicit Direct(const std::string& spec)
      : game(games::make_game(spec)), problem(solve::make_problem(*game)) {}
  const tree::Tree& tree() const { return problem.tree; }
  std::unique_ptr<games::Game> game;
  solve::Problem problem;
};

inline void write_random_strategy(const Desk& desk, const Direct& direct, const std::string& file,
                                  uint64_t seed) {
  tree::write_strategy(*direct.game, direct.tree(), random_strategy(direct.tree(), seed),
                       desk.path(file));
}

}  // namespace cleave::server
