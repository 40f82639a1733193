#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "server/routes.h"

namespace cleave::server {

// What a job that runs is given.
class JobContext {
 public:
  virtual ~JobContext() = default;
  virtual const std::atomic<bool>& stop() const = 0;  // set by cancel, and when the server ends
  virtual void report(Json progress) = 0;             // `Progress` of types.ts, whole
};

// One job runs at a time, in the order they came; those that ended are kept, the oldest forgotten.
class Jobs {
 public:
  // Returns the result. Throws core::InputError or RunError where there is none; after stop() it
  // may return what was reached until then.
  using Work = std::function<Json(JobContext&)>;

  static constexpr size_t kMostWaiting = 32;
  static constexpr size_t kMostEnded = 200;

  Jobs();
  ~Jobs();  // stops what runs and waits for it
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  // `Job` of types.ts in all answers. Refusal 429 where too many wait, 404 for an unknown id, 409
  // for the removal of a job that has not ended.
  Json add(const std::string& kind, const std::string& title, Json request, Work work);
  Json list() const;  // newest first
  Json get(int64_t id) const;
  Json cancel(int64_t id);
  void remove(int64_t id);

  // Waits until the job differs from what it was at `version` (0: any), or until the time is over;
  // then `version` is the present one. Null where nothing changed.
  Json wait(int64_t id, uint64_t& version, std::chrono::milliseconds longest) const;

 private:
  struct Entry;
  class Context;
  void run();  // the one thread that works
  Json describe(const Entry& entry) const;
  Entry& find(int64_t id) const;
  void forget_oldest();

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::list<std::unique_ptr<Entry>> entries_;  // oldest first
  int64_t last_id_ = 0;
  bool ending_ = false;
  std::thread worker_;
};

}  // namespace cleave::server
