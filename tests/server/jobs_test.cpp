#include "server/jobs.h"

#include <gtest/gtest.h>

#include <future>
#include <vector>

#include "core/error.h"

namespace cleave::server {
namespace {

using namespace std::chrono_literals;

// Until the job has ended; what it was then.
Json ended(const Jobs& jobs, const Json& job) {
  uint64_t version = 0;
  while (true) {
    Json now = jobs.wait(job["id"], version, 10s);
    if (now.is_null()) throw std::runtime_error("waited in vain");
    if (now["state"] != "queued" && now["state"] != "running") return now;
  }
}

void wait_for_state(const Jobs& jobs, const Json& job, const char* state) {
  uint64_t version = 0;
  while (jobs.get(job["id"])["state"] != state) {
    ASSERT_FALSE(jobs.wait(job["id"], version, 10s).is_null());
  }
}

int status_of(const std::function<void()>& ask) {
  try {
    ask();
  } catch (const Refusal& refusal) {
    return refusal.status;
  }
  return 200;
}

// Runs until it is stopped or let go.
struct Gate {
  std::atomic<bool> open{false};
  Jobs::Work work() {
    return [this](JobContext& context) -> Json {
      while (!open && !context.stop()) std::this_thread::sleep_for(1ms);
      return context.stop() ? "part" : "whole";
    };
  }
};

TEST(Jobs, ResultsAndFailures) {
  Jobs jobs;
  const Json request = {{"game", "kuhn"}};
  const Json done = ended(jobs, jobs.add("solve-game", "kuhn", request, [](JobContext& context) {
    context.report({{"text", "half"}});
    return Json{{"value", 1}};
  }));
  EXPECT_EQ(done["state"], "done");
  EXPECT_EQ(done["kind"], "solve-game");
  EXPECT_EQ(done["title"], "kuhn");
  EXPECT_EQ(done["request"], request);
  EXPECT_EQ(done["progress"]["text"], "half");
  EXPECT_EQ(done["result"]["value"], 1);
  EXPECT_TRUE(done["error"].is_null());
  EXPECT_EQ(done["place"], 0);

  const auto fail = [&](const Jobs::Work& work) {
    return ended(jobs, jobs.add("x", "", {}, work));
  };
  const Json input = fail([](JobContext&) -> Json { throw core::InputError("wrong; do this"); });
  EXPECT_EQ(input["state"], "failed");
  EXPECT_EQ(input["error"], "wrong; do this");
  EXPECT_TRUE(input["result"].is_null());
  EXPECT_EQ(fail([](JobContext&) -> Json { throw std::bad_alloc(); })["state"], "failed");
  EXPECT_EQ(fail([](JobContext&) -> Json { throw 7; })["error"], "an unknown error");
}

TEST(Jobs, OneAtATimeInTheirOrder) {
  Jobs jobs;
  std::atomic<int> running{0};
  std::vector<int> order;
  std::vector<Json> all;
  Gate gate;
  const Json first = jobs.add("x", "first", {}, gate.work());
  for (int i = 0; i < 5; ++i) {
    all.push_back(jobs.add("x", "", {}, [&, i](JobContext&) -> Json {
      EXPECT_EQ(++running, 1);
      order.push_back(i);
      --running;
      return i;
    }));
  }
  wait_for_state(jobs, first, "running");
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(jobs.get(all[static_cast<size_t>(i)]["id"])["place"], i + 1);
  EXPECT_EQ(jobs.get(first["id"])["place"], 0);
  jobs.cancel(all[1]["id"]);
  EXPECT_EQ(jobs.get(all[2]["id"])["place"], 2);
  gate.open = true;
  ended(jobs, all.back());
  EXPECT_EQ(order, (std::vector<int>{0, 2, 3, 4}));
  const Json list = jobs.list();
  ASSERT_EQ(list.size(), 6);
  for (size_t i = 0; i + 1 < list.size(); ++i) EXPECT_GT(list[i]["id"], list[i + 1]["id"]);
}

TEST(Jobs, CancelKeepsWhatWasReached) {
  Jobs jobs;
  Gate gate;
  const Json job = jobs.add("x", "", {}, gate.work());
  const Json waits = jobs.add("x", "", {}, gate.work());
  wait_for_state(jobs, job, "running");
  EXPECT_EQ(jobs.cancel(waits["id"])["state"], "cancelled");
  jobs.cancel(job["id"]);
  const Json cancelled = ended(jobs, job);
  EXPECT_EQ(cancelled["state"], "cancelled");
  EXPECT_EQ(cancelled["result"], "part");
  EXPECT_EQ(jobs.cancel(job["id"])["state"], "cancelled");  // once more does no harm
  EXPECT_TRUE(jobs.get(waits["id"])["result"].is_null());
}

TEST(Jobs, TheEndStopsWhatRuns) {
  std::promise<Json> result;
  {
    Jobs jobs;
    const Json job = jobs.add("x", "", {}, [&](JobContext& context) -> Json {
      while (!context.stop()) std::this_thread::sleep_for(1ms);
      result.set_value("saved");
      return nullptr;
    });
    wait_for_state(jobs, job, "running");
    jobs.add("x", "", {}, [&](JobContext&) -> Json {
      ADD_FAILURE() << "nothing new begins";
      return nullptr;
    });
  }
  EXPECT_EQ(result.get_future().get(), "saved");
}

TEST(Jobs, RefusalsHaveAStatus) {
  Jobs jobs;
  Gate gate;
  const Json job = jobs.add("x", "", {}, gate.work());
  wait_for_state(jobs, job, "running");
  uint64_t version = 0;
  for (const auto& ask : std::vector<std::function<void()>>{
           [&] { jobs.get(99); }, [&] { jobs.cancel(99); }, [&] { jobs.remove(99); },
           [&] { jobs.wait(99, version, 0ms); }}) {
    EXPECT_EQ(status_of(ask), 404);
  }
  EXPECT_EQ(status_of([&] { jobs.remove(job["id"]); }), 409);
  for (size_t i = 0; i < Jobs::kMostWaiting; ++i) jobs.add("x", "", {}, gate.work());
  EXPECT_EQ(status_of([&] { jobs.add("x", "", {}, gate.work()); }), 429);
  gate.open = true;
  ended(jobs, job);
  jobs.remove(job["id"]);
  EXPECT_EQ(status_of([&] { jobs.get(job["id"]); }), 404);
}

TEST(Jobs, TheOldestAreForgotten) {
  Jobs jobs;
  Json last;
  for (size_t i = 0; i < Jobs::kMostEnded + 20; ++i) {
    last = ended(jobs, jobs.add("x", "", {}, [](JobContext&) { return Json(1); }));
  }
  EXPECT_EQ(jobs.list().size(), Jobs::kMostEnded);
  EXPECT_EQ(jobs.list()[0]["id"], last["id"]);
  EXPECT_EQ(status_of([&] { jobs.get(1); }), 404);
}

// The one that is cancelled may be the oldest of all.
TEST(Jobs, ForgettingWhatIsBeingCancelled) {
  Jobs jobs;
  Gate gate;
  const Json job = jobs.add("x", "", {}, gate.work());
  wait_for_state(jobs, job, "running");
  const Json oldest = jobs.add("x", "oldest", {}, gate.work());
  for (size_t i = 0; i < Jobs::kMostEnded; ++i) {
    jobs.cancel(jobs.add("x", "", {}, gate.work())["id"]);
  }
  EXPECT_EQ(jobs.cancel(oldest["id"])["title"], "oldest");
  EXPECT_EQ(status_of([&] { jobs.get(oldest["id"]); }), 404);
}

TEST(Jobs, WaitingForChanges) {
  Jobs jobs;
  Gate gate;
  const Json job = jobs.add("x", "", {}, gate.work());
  wait_for_state(jobs, job, "running");
  uint64_t version = 0;
  EXPECT_EQ(jobs.wait(job["id"], version, 0ms)["state"], "running");
  EXPECT_TRUE(jobs.wait(job["id"], version, 0ms).is_null());
  EXPECT_TRUE(jobs.wait(job["id"], version, 20ms).is_null());
  auto waiting = std::async(std::launch::async, [&] { return jobs.wait(job["id"], version, 10s); });
  gate.open = true;
  EXPECT_EQ(waiting.get()["state"], "done");
}

}  // namespace
}  // namespace cleave::server
