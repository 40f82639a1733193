#include "solve/checkpoint.h"

#include "core/error.h"
#include "fmt/format.h"

namespace cleave::solve {

constexpr const char* kKind = "cleave checkpoint 1";

void save_record(const Record& record, tree::Archive& archive) {
  archive.reals["seconds"] = {record.seconds};
  auto& points = archive.reals["history"];  // [point][iteration, seconds, exploitability, value]
  for (const HistoryPoint& point : record.history) {
    points.insert(points.end(), {static_cast<double>(point.iteration), point.seconds,
                                 point.exploitability, point.value});
  }
}

Record load_record(const tree::Archive& archive) {
  Record record;
  record.seconds = archive.real("seconds", 1)[0];
  const auto& points = archive.real("history");
  if (points.size() % 4 != 0) {
    core::reject("its history has {} numbers; a point has four", points.size());
  }
  for (size_t i = 0; i < points.size(); i += 4) {
    record.history.push_back(
        {static_cast<int64_t>(points[i]), points[i + 1], points[i + 2], points[i + 3]});
  }
  return record;
}

void write_checkpoint(const std::string& path, const Problem& problem, const Task& task,
                      const Solver& solver, const Record& record) {
  tree::Archive archive;
  solver.save(archive);
  archive.texts["kind"] = kKind;
  archive.texts["game"] = task.game;
  archive.texts["algorithm"] = task.algorithm;
  archive.words["fingerprint"] = tree::fingerprint_words(problem.tree);
  archive.words["seed"] = {task.options.seed};
  archive.words["planned_iterations"] = {static_cast<uint64_t>(task.options.planned_iterations)};
  save_record(record, archive);
  tree::write_archive(archive, path);
}

Checkpoint::Checkpoint(const std::string& path, const Problem& problem)
    : path_(path), archive_(tree::read_archive(path)) {
  const auto kind = archive_.texts.find("kind");
  if (kind == archive_.texts.end() || kind->second != kKind) {
    core::reject("{}: not a checkpoint; --resume takes a file that --checkpoint wrote", path);
  }
  task_.game = archive_.text("game");
  task_.algorithm = archive_.text("algorithm");
  if (archive_.word("fingerprint", 2) != tree::fingerprint_words(problem.tree)) {
    core::reject("{}: a checkpoint of {}, which is not the game {}", path, task_.game,
                 problem.tree.name);
  }
  task_.options.seed = archive_.word("seed", 1)[0];
  task_.options.planned_iterations =
      static_cast<int64_t>(archive_.word("planned_iterations", 1)[0]);
  try {
    record_ = load_record(archive_);
  } catch (const core::InputError& error) {
    core::reject("{}: {}", path, error.what());
  }
}

void Checkpoint::restore(Solver& solver) const {
  try {
    solver.load(archive_);
  } catch (const core::InputError& error) {
    core::reject("{}: does not fit {} on {}: {}", path_, task_.algorithm, task_.game, error.what());
  }
}

}  // namespace cleave::solve
