#pragma once

#include <memory>
#include <string>

#include "server/jobs.h"
#include "server/routes.h"

// HTTP around the routes: the only file that knows of it is http.cpp.
namespace cleave::server {

struct HttpOptions {
  std::string host = "127.0.0.1";
  int port = 8620;    // 0: any that is free
  std::string token;  // guards everything below /api
};

// 32 letters and digits that nobody can guess.
std::string make_token();

class HttpServer {
 public:
  // Binds at once; throws core::RunError that says how to choose another port.
  HttpServer(HttpOptions options, const Routes& routes, Jobs& jobs);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const;
  std::string address() const;  // "http://127.0.0.1:8620/?token=..."
  void run();                   // until stop()
  void stop();                  // from any thread

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cleave::server
