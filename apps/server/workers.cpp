#include "server/workers.h"

#include <system_error>
#include <utility>

namespace cleave::server {

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    waiting_.clear();
  }
  work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::add(Task task) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(task));
  if (waiting_.size() > idle_ && threads_.size() < most_) {
    try {
      threads_.emplace_back([this] { run(); });
    } catch (const std::system_error&) {
      if (threads_.empty()) throw;  // else those that are there will come to it
    }
  }
  work_.notify_one();
}

void Workers::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    work_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
    --idle_;
    if (ending_) return;
    const Task task = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace cleave::server
