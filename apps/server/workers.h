#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cleave::server {

// Threads that are made when there is work for them, up to a bound, and stay.
class Workers {
 public:
  using Task = std::function<void()>;  // must not throw

  explicit Workers(size_t most) : most_(most) {}
  ~Workers();  // what runs ends first; what waits is dropped
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void add(Task task);

 private:
  void run();

  const size_t most_;
  std::mutex mutex_;
  std::condition_variable work_;
  std::deque<Task> waiting_;
  size_t idle_ = 0;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace cleave::server
