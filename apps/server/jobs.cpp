#include "server/jobs.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/error.h"
#include "fmt/format.h"

namespace cleave::server {
namespace {

enum class JobState { kQueued, kRunning, kDone, kFailed, kCancelled };

const char* to_string(JobState state) {
  switch (state) {
    case JobState::kQueued:
      return "queued";
    case JobState::kRunning:
      return "running";
    case JobState::kDone:
      return "done";
    case JobState::kFailed:
      return "failed";
    case JobState::kCancelled:
      break;
  }
  return "cancelled";
}

int64_t seconds_since_1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

}  // namespace

struct Jobs::Entry {
  int64_t id = 0;
  std::string kind, title;
  int64_t created = 0;
  Json request;
  Work work;  // let go of at the end: it may hold much
  JobState state = JobState::kQueued;
  std::atomic<bool> stop{false};
  Json progress, result, error;
  uint64_t version = 1;

  bool ended() const { return state != JobState::kQueued && state != JobState::kRunning; }
};

class Jobs::Context final : public JobContext {
 public:
  Context(Jobs& jobs, Entry& entry) : jobs_(jobs), entry_(entry) {}
  const std::atomic<bool>& stop() const override { return entry_.stop; }
  void report(Json progress) override {
    const std::lock_guard lock(jobs_.mutex_);
    entry_.progress = std::move(progress);
    ++entry_.version;
    jobs_.changed_.notify_all();
  }

 private:
  Jobs& jobs_;
  Entry& entry_;
};

Jobs::Jobs() : worker_([this] { run(); }) {}

Jobs::~Jobs() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    for (const auto& entry : entries_) entry->stop = true;
  }
  changed_.notify_all();
  worker_.join();
}

Json Jobs::add(const std::string& kind, const std::string& title, Json request, Work work) {
  const std::lock_guard lock(mutex_);
  const auto waiting = std::ranges::count_if(
      entries_, [](const auto& entry) { return entry->state == JobState::kQueued; });
  if (static_cast<size_t>(waiting) >= kMostWaiting) {
    throw Refusal(429, fmt::format("{} jobs wait already; cancel some or wait", waiting));
  }
  auto entry = std::make_unique<Entry>();
  entry->id = ++last_id_;
  entry->kind = kind;
  entry->title = title;
  entry->created = seconds_since_1970();
  entry->request = std::move(request);
  entry->work = std::move(work);
  entries_.push_back(std::move(entry));
  changed_.notify_all();
  return describe(*entries_.back());
}

Json Jobs::list() const {
  const std::lock_guard lock(mutex_);
  std::vector<Json> out;
  for (const auto& entry : entries_) out.push_back(describe(*entry));
  std::ranges::reverse(out);
  return out;
}

Json Jobs::get(int64_t id) const {
  const std::lock_guard lock(mutex_);
  return describe(find(id));
}

Json Jobs::cancel(int64_t id) {
  const std::lock_guard lock(mutex_);
  Entry& entry = find(id);
  entry.stop = true;
  if (entry.state == JobState::kQueued) {
    entry.state = JobState::kCancelled;
    entry.work = nullptr;
    for (const auto& other : entries_) ++other->version;  // places in the queue
  }
  changed_.notify_all();
  Json out = describe(entry);
  forget_oldest();  // it may be this one
  return out;
}

void Jobs::remove(int64_t id) {
  const std::lock_guard lock(mutex_);
  if (!find(id).ended()) {
    throw Refusal(409, fmt::format("job {} has not ended; cancel it first", id));
  }
  entries_.remove_if([&](const auto& entry) { return entry->id == id; });
  changed_.notify_all();
}

Json Jobs::wait(int64_t id, uint64_t& version, std::chrono::milliseconds longest) const {
  std::unique_lock lock(mutex_);
  const auto until = std::chrono::steady_clock::now() + longest;
  while (find(id).version == version) {
    if (ending_ || changed_.wait_until(lock, until) == std::cv_status::timeout) break;
  }
  const Entry& entry = find(id);
  if (entry.version == version) return nullptr;
  version = entry.version;
  return describe(entry);
}

void Jobs::run() {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    const auto next = std::ranges::find_if(
        entries_, [](const auto& entry) { return entry->state == JobState::kQueued; });
    if (next == entries_.end()) {
      changed_.wait(lock);
      continue;
    }
    Entry& entry = **next;  // stays: only what has ended is removed
    entry.state = JobState::kRunning;
    for (const auto& other : entries_) ++other->version;
    changed_.notify_all();
    lock.unlock();
    Json result, error;
    try {
      Context context(*this, entry);
      result = entry.work(context);
    } catch (const std::bad_alloc&) {
      error = "out of memory; use a smaller problem or a larger machine";
    } catch (const std::exception& caught) {
      error = caught.what();
    } catch (...) {
      error = "an unknown error";
    }
    entry.work = nullptr;  // without the lock: what it held may take a while to end
    lock.lock();
    entry.state = entry.stop        ? JobState::kCancelled
                  : error.is_null() ? JobState::kDone
                                    : JobState::kFailed;
    entry.result = std::move(result);
    entry.error = std::move(error);
    ++entry.version;
    forget_oldest();
    changed_.notify_all();
  }
}

Json Jobs::describe(const Entry& entry) const {
  const auto place = [&] {
    int64_t before = 1;
    for (const auto& other : entries_) {
      if (other.get() == &entry) break;
      if (other->state == JobState::kQueued) ++before;
    }
    return before;
  };
  return {{"id", entry.id},
          {"kind", entry.kind},
          {"title", entry.title},
          {"state", to_string(entry.state)},
          {"place", entry.state == JobState::kQueued ? place() : 0},
          {"created", entry.created},
          {"request", entry.request},
          {"progress", entry.progress},
          {"result", entry.result},
          {"error", entry.error}};
}

Jobs::Entry& Jobs::find(int64_t id) const {
  const auto found =
      std::ranges::find_if(entries_, [&](const auto& entry) { return entry->id == id; });
  if (found == entries_.end()) throw Refusal(404, fmt::format("there is no job {}", id));
  return **found;
}

void Jobs::forget_oldest() {
  const auto ended = [](const auto& entry) { return entry->ended(); };
  if (static_cast<size_t>(std::ranges::count_if(entries_, ended)) <= kMostEnded) return;
  entries_.erase(std::ranges::find_if(entries_, ended));
}

}  // namespace cleave::server
