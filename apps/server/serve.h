#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

namespace cleave::server {

inline constexpr int kDefaultPort = 8620;

struct ServeOptions {
  std::string folder = ".";
  std::string host = "127.0.0.1";
  std::optional<int> port;  // kDefaultPort, or any that is free; 0: any that is free
  std::string token;        // "": one that nobody can guess
  int threads = 0;          // of solvers; 0: as many as the machine has
};

// The explorer, put together: what `cleave serve` runs.
class Explorer {
 public:
  // Binds at once. Throws InputError and RunError that name the fix.
  explicit Explorer(const ServeOptions& options);
  ~Explorer();  // jobs that run end first, and save what they have reached
  Explorer(const Explorer&) = delete;
  Explorer& operator=(const Explorer&) = delete;

  std::string address() const;    // with the token
  std::string workspace() const;  // the folder
  int port() const;
  int threads() const;
  bool is_open() const;  // to the network
  bool works() const;    // whether a job runs
  void run(const std::atomic<bool>& stop);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cleave::server
