#include "server/serve.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <thread>
#include <utility>

#include "core/error.h"
#include "core/threads.h"
#include "fmt/format.h"
#include "server/example.h"
#include "server/guard.h"
#include "server/http.h"
#include "server/services.h"

namespace cleave::server {
namespace {

constexpr std::chrono::milliseconds kStopNoticed{50};
constexpr size_t kShortestOpenToken = 16;  // where strangers may try

void check_serve_options(const ServeOptions& options) {
  if (options.port && (*options.port < 0 || *options.port > 65535)) {
    throw core::InputError(
        fmt::format("--port {}: allowed are 0 (any that is free) to 65535", *options.port));
  }
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
  };
  if (options.token.size() > 128 || !std::ranges::all_of(options.token, plain)) {
    throw core::InputError("--token: allowed are up to 128 letters, digits, '-', '_' and '.'");
  }
  if (!is_loopback(options.host) && !options.token.empty() &&
      options.token.size() < kShortestOpenToken) {
    throw core::InputError(
        fmt::format("--token: at least {} characters where --host is open to the network; leave "
                    "it out for one that nobody can guess",
                    kShortestOpenToken));
  }
}

Routes all_routes(Services& services) {
  Routes routes;
  add_files(routes, services);
  add_spots(routes, services);
  add_games(routes, services);
  add_play(routes, services);
  return routes;
}

std::unique_ptr<HttpServer> open_http(const ServeOptions& options, const Routes& routes,
                                      Jobs& jobs) {
  HttpOptions http{options.host, options.port.value_or(kDefaultPort),
                   options.token.empty() ? make_token() : options.token};
  try {
    return std::make_unique<HttpServer>(http, routes, jobs);
  } catch (const core::RunError& error) {
    if (options.port) throw;
    http.port = 0;  // nobody asked for that one
    try {
      return std::make_unique<HttpServer>(http, routes, jobs);
    } catch (const core::RunError&) {
      throw error;  // it was not the port
    }
  }
}

}  // namespace

struct Explorer::Impl {
  explicit Impl(const ServeOptions& options)
      : open(!is_loopback(options.host)),
        services(options.folder, options.threads > 0 ? options.threads : core::hardware_threads()),
        routes(all_routes(services)),
        http(open_http(options, routes, services.jobs)) {
    services.example = make_example(services.workspace, services.threads);
  }

  bool open;
  Services services;
  Routes routes;
  std::unique_ptr<HttpServer> http;
};

Explorer::Explorer(const ServeOptions& options)
    : impl_((check_serve_options(options), std::make_unique<Impl>(options))) {}
Explorer::~Explorer() = default;

std::string Explorer::address() const { return impl_->http->address(); }
std::string Explorer::workspace() const { return impl_->services.workspace.folder().string(); }
int Explorer::port() const { return impl_->http->port(); }
int Explorer::threads() const { return impl_->services.threads; }
bool Explorer::is_open() const { return impl_->open; }

bool Explorer::works() const {
  return std::ranges::any_of(impl_->services.jobs.list(),
                             [](const Json& job) { return job["state"] == "running"; });
}

void Explorer::run(const std::atomic<bool>& stop) {
  std::atomic<bool> ended{false};
  std::thread watcher([&] {
    while (!stop && !ended) std::this_thread::sleep_for(kStopNoticed);
    impl_->http->stop();
  });
  try {
    impl_->http->run();
  } catch (...) {
    ended = true;
    watcher.join();
    throw;
  }
  ended = true;
  watcher.join();
}

}  // namespace cleave::server
