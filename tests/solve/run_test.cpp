#include "solve/run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "core/file.h"
#include "games/registry.h"
#include "solve/checkpoint.h"

namespace cleave::solve {
namespace {

class RunTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("cleave_run_" + std::to_string(::getpid()) + "_" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  Problem problem_ = make_problem(*games::make_game("leduc(ranks=2,suits=2)"));
  std::filesystem::path folder_;
};

TEST(NextCheck, IsAFixedIncreasingSequence) {
  EXPECT_EQ(next_check(0), 1);
  EXPECT_EQ(next_check(7), 7);
  int64_t last = 0;
  for (int64_t t = next_check(1); t < 100000; t = next_check(t + 1)) {
    EXPECT_GT(t, last);
    EXPECT_LE(t, std::max(last + 1, last + last / 20));
    last = t;
  }
}

TEST_F(RunTest, StopsForEachReason) {
  Record record;
  auto solver = make_solver("cfr+", problem_);
  RunResult r =
      run(problem_, *solver, {.iterations = 50, .target = {}, .seconds = {}}, 1, {}, record);
  EXPECT_EQ(r.stopped, Stopped::kIterations);
  EXPECT_EQ(solver->iterations(), 50);
  EXPECT_EQ(record.history.back().iteration, 50);

  r = run(problem_, *solver, {.iterations = {}, .target = 1e-3, .seconds = {}}, 1, {}, record);
  EXPECT_EQ(r.stopped, Stopped::kTarget);
  EXPECT_LE(r.certificate.exploitability, 1e-3);

  std::atomic<bool> stop{true};
  Hooks hooks;
  hooks.stop = &stop;
  const int64_t before = solver->iterations();
  r = run(problem_, *solver, {}, 1, hooks, record);
  EXPECT_EQ(r.stopped, Stopped::kInterrupted);
  EXPECT_EQ(solver->iterations(), before);

  r = run(problem_, *solver, {.iterations = {}, .target = {}, .seconds = record.seconds + 0.02}, 1,
          {}, record);
  EXPECT_EQ(r.stopped, Stopped::kSeconds);
  EXPECT_GE(record.seconds, 0.02);
}

TEST_F(RunTest, EveryAlgorithmResumesWithTheSameBits) {
  for (const SolverInfo& info : all_solvers()) {
    if (info.exact) continue;
    SCOPED_TRACE(info.name);
    RunOptions options;
    options.planned_iterations = 60;
    const Limits all{.iterations = 60, .target = {}, .seconds = {}};
    const Limits part{.iterations = 23, .target = {}, .seconds = {}};
    Record whole_record;
    const auto whole = make_solver(info.name, problem_, options);
    run(problem_, *whole, all, 1, {}, whole_record);

    Record first_record;
    const auto first = make_solver(info.name, problem_, options);
    run(problem_, *first, part, 1, {}, first_record);
    const Task task{problem_.tree.name, info.name, options};
    const std::string file = path("x.h5");
    write_checkpoint(file, problem_, task, *first, first_record);

    const Checkpoint checkpoint(file, problem_);
    EXPECT_EQ(checkpoint.task().algorithm, info.name);
    const auto second =
        make_solver(checkpoint.task().algorithm, problem_, checkpoint.task().options);
    checkpoint.restore(*second);
    Record second_record = checkpoint.record();
    EXPECT_EQ(second->iterations(), 23);
    run(problem_, *second, all, 1, {}, second_record);
    EXPECT_EQ(second->strategy(), whole->strategy());
    EXPECT_EQ(second_record.history.back().exploitability,
              whole_record.history.back().exploitability);
  }
}

TEST_F(RunTest, ForeignAndDamagedCheckpointsAreRefused) {
  const auto solver = make_solver("cfr+", problem_);
  solver->iterate();
  const std::string file = path("x.h5");
  write_checkpoint(file, problem_, {problem_.tree.name, "cfr+", {}}, *solver, {});
  const Problem other = make_problem(*games::make_game("kuhn"));
  EXPECT_THROW(Checkpoint(file, other), core::InputError);

  // A checkpoint of one algorithm does not load into another that keeps other arrays.
  const Checkpoint checkpoint(file, problem_);
  const auto sampler = make_solver("external-sampling", problem_);
  EXPECT_THROW(checkpoint.restore(*sampler), core::InputError);

  const std::string whole = core::read_file(file);
  for (const size_t size : {size_t{0}, size_t{100}, size_t{600}, whole.size() - 1}) {
    std::ofstream(path("cut.h5"), std::ios::binary) << whole.substr(0, size);
    EXPECT_THROW(Checkpoint(path("cut.h5"), problem_), core::InputError) << size;
  }
  std::string damaged = whole;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
  std::ofstream(path("bad.h5"), std::ios::binary) << damaged;
  EXPECT_THROW(Checkpoint(path("bad.h5"), problem_), core::InputError);
  EXPECT_THROW(Checkpoint(path("missing.h5"), problem_), core::InputError);
}

TEST_F(RunTest, CheckpointHookIsCalledInTime) {
  Hooks hooks;
  int saved = 0;
  hooks.checkpoint = [&](const Record&) { ++saved; };
  hooks.checkpoint_seconds = 0.01;
  Record record;
  const auto solver = make_solver("cfr+", problem_);
  run(problem_, *solver, {.iterations = {}, .target = {}, .seconds = 0.1}, 1, hooks, record);
  EXPECT_GE(saved, 2);
  EXPECT_LE(saved, 11);
}

}  // namespace
}  // namespace cleave::solve
