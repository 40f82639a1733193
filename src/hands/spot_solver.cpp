#include "hands/spot_solver.h"

#include <algorithm>
#include <numeric>
#include <ostream>

#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "decompose/resolver.h"
#include "fmt/format.h"

namespace cleave::hands {
namespace {

constexpr const char* kKind = "cleave poker solution 1";

// What binds a file to its problem: everything that the arrays depend on.
std::vector<uint64_t> fingerprint(const Problem& problem) {
  core::Hasher hasher;
  const Setup& setup = problem.setup;
  hasher.add(setup.deck).add(setup.board).add(static_cast<uint64_t>(setup.hole_cards));
  for (const int cards : setup.deals) hasher.add(static_cast<uint64_t>(cards));
  for (size_t p = 0; p < 2; ++p) {
    for (size_t i = 0; i < setup.hands[p].size(); ++i) {
      hasher.add(setup.hands[p][i]).add(std::bit_cast<uint64_t>(problem.reach[p][i]));
    }
  }
  for (uint32_t n = 0; n < setup.tree.nodes.size(); ++n) {
    const poker::BettingNode& node = setup.tree.nodes[n];
    hasher.add(static_cast<uint64_t>(node.kind) << 32 | node.player).add(node.parent);
    if (node.num_children > 0) continue;
    for (size_t p = 0; p < 2; ++p) {
      const auto payoffs = setup.tree.payoffs(n, p);
      for (const double x : {payoffs.win, payoffs.lose, payoffs.tie}) {
        hasher.add(std::bit_cast<uint64_t>(x));
      }
    }
  }
  for (const poker::SuitMap& map : setup.symmetry) {
    for (const uint8_t suit : map) hasher.add(suit);
  }
  if (setup.merge_hands) hasher.add(1);
  for (const poker::Lock& lock : problem.locks) {
    hasher.add_bytes(std::as_bytes(std::span(lock.node)));
    for (const auto& part : lock.parts) {
      for (const float w : part.hands.weight) hasher.add(w > 0);
      for (const auto& [action, share] : part.frequencies) {
        hasher.add_bytes(std::as_bytes(std::span(action))).add(std::bit_cast<uint64_t>(share));
      }
    }
  }
  const core::Hash128 hash = hasher.finish();
  return {hash.hi, hash.lo};
}

double inner(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

using NodeKind = poker::BettingNode::Kind;

// Walks over all lines and boards.
class CsvWriter {
 public:
  CsvWriter(VectorEngine& engine, std::ostream& out)
      : engine_(engine), layout_(engine.layout()), out_(out) {}

  void write(size_t s, uint32_t b, uint32_t n, const std::string& line) {
    const Node& node = layout_.streets[s].nodes[n];
    const std::string before = line.empty() ? "" : line + "/";
    if (node.kind == NodeKind::kDecision) {
      const auto actions = actions_at(layout_, static_cast<int>(s), n);
      write_rows(s, b, n, actions, line);
      for (uint32_t a = 0; a < actions.size(); ++a) {
        write(s, b, node.first_child + a, before + poker::to_text(actions[a]));
      }
    }
    if (node.kind != NodeKind::kDeal || s + 1 == layout_.streets.size()) return;
    const Board& board = layout_.streets[s].boards[b];
    const Street& next = layout_.streets[s + 1];
    for (uint32_t c = board.first_child; c < board.first_child + board.num_children; ++c) {
      const std::string cards = poker::to_text(next.boards[c].cards & ~board.cards);
      write(s + 1, c, entry_node(next, node.first_child), before + cards);
    }
  }

 private:
  void write_rows(size_t s, uint32_t b, uint32_t n, const std::vector<poker::Action>& actions,
                  const std::string& line) {
    const size_t player = layout_.streets[s].nodes[n].player;
    const auto strategy = engine_.strategy_at(static_cast<int>(s), b, n);
    const Side& side = layout_.streets[s].boards[b].side[player];
    std::string rows;
    for (size_t h = 0; h < side.row.size(); ++h) {
      const size_t i = side.row[h];
      if (i == side.count) continue;
      const std::string hand = poker::to_text(layout_.setup.hands[player][h]);
      for (size_t a = 0; a < actions.size(); ++a) {
        fmt::format_to(std::back_inserter(rows), "{},{}|{},{},{}\n", player + 1, line, hand,
                       poker::to_text(actions[a]), strategy[a * side.count + i]);
      }
    }
    out_ << rows;
  }

  VectorEngine& engine_;
  const Layout& layout_;
  std::ostream& out_;
};

}  // namespace

SpotSolver::SpotSolver(Problem problem, SolverOptions options, std::shared_ptr<VectorEngine> engine)
    : problem_(std::move(problem)),
      options_(std::move(options)),
      engine_(std::move(engine)),
      schedule_(solve::make_schedule(options_.algorithm, options_.planned_iterations)) {
  if (engine_) return;
  EngineOptions made{options_.storage, options_.threads, {}};
  Layout sketch = sketch_layout(problem_.setup);
  if (!problem_.locks.empty()) {
    made.locks = place_locks(problem_, make_layout(sketch, options_.threads));
  }
  engine_ = make_vector_engine(std::move(sketch), std::move(made));
}

void SpotSolver::iterate() {
  decompose::iterate_fixed(*engine_, problem_.reach, schedule_(++iterations_));
}

solve::Certificate SpotSolver::certify() {
  solve::Certificate certificate;
  std::array<double, 2> value = {};
  const bool rakes = problem_.setup.tree.betting.rake > 0;
  std::vector<double> values;
  for (size_t p = 0; p < 2; ++p) {
    const std::vector<double>& other = problem_.reach[1 - p];
    values.resize(problem_.reach[p].size());
    engine_->best_response(p, other, values);
    certificate.best_response[p] = inner(values, problem_.reach[p]) + problem_.shift();
    if (p == 1 && !rakes) {
      value[1] = -value[0];  // nothing is taken: what one wins the other loses
    } else {
      engine_->values(p, decompose::Follow::kAverage, other, values);
      value[p] = inner(values, problem_.reach[p]);
    }
  }
  certificate.value = value[0] + problem_.shift();
  certificate.exploitability = (certificate.best_response[0] + certificate.best_response[1] -
                                value[0] - value[1] - 2 * problem_.shift()) /
                               2;
  return certificate;
}

int64_t SpotSolver::next_check(int64_t iteration) const {
  int64_t check = 10;
  while (check < iteration) check += std::max<int64_t>(10, check / 200 * 10);
  return check;
}

void SpotSolver::save(const std::string& path, const solve::Record& record, bool everything) {
  tree::Archive archive;
  archive.texts["kind"] = kKind;
  archive.texts["problem"] = problem_.text;
  archive.texts["name"] = problem_.name;
  archive.texts["algorithm"] = options_.algorithm;
  archive.texts["storage"] = to_string(options_.storage);
  archive.words["fingerprint"] = fingerprint(problem_);
  archive.words["iterations"] = {static_cast<uint64_t>(iterations_)};
  // A solution is the same bytes whichever way its iterations were run.
  archive.words["planned_iterations"] = {
      everything ? static_cast<uint64_t>(options_.planned_iterations) : 0};
  archive.words["checkpoint"] = {everything ? uint64_t{1} : 0};
  solve::save_record(record, archive);
  std::vector<tree::BulkArray> arrays = engine_->arrays(everything);
  if (!everything && problem_.pot > 0) {  // a spot: for looking at it
    engine_->measure_entries(problem_.reach);
    for (tree::BulkArray& array : engine_->entries()) arrays.push_back(std::move(array));
  }
  tree::write_archive(archive, path, arrays);
}

void SpotSolver::save_solution(const std::string& path, const solve::Certificate& c) {
  save(path, {0, {{iterations_, 0, c.exploitability, c.value}}}, false);
}

void write_strategy_csv(SpotSolver& solver, const std::string& path) {
  core::write_file_atomically(path, [&](std::ostream& out) {
    out << "player,infoset,action,probability\n";
    CsvWriter(solver.engine(), out).write(0, 0, 0, "");
  });
}

double target_chips(const Problem& problem, const solve::Target& target) {
  const poker::Betting& betting = problem.setup.tree.betting;
  return target.chips(
      static_cast<double>(betting.pot + betting.committed[0] + betting.committed[1]));
}

PokerFile::PokerFile(const std::string& path) : path_(path), file_(path) {
  archive_ = file_.read();
  const auto kind = archive_.texts.find("kind");
  if (kind == archive_.texts.end() || kind->second != kKind) {
    throw core::InputError(fmt::format(
        "{}: not a solution of a spot; allowed is a file that `cleave solve SPOT.toml` wrote",
        path));
  }
}

SolverOptions PokerFile::options() const {
  SolverOptions options;
  options.algorithm = archive_.text("algorithm");
  options.storage = parse_storage(archive_.text("storage"));
  options.planned_iterations = static_cast<int64_t>(archive_.word("planned_iterations", 1)[0]);
  return options;
}

void PokerFile::require_problem(const Problem& problem) const {
  if (archive_.word("fingerprint", 2) == fingerprint(problem)) return;
  throw core::InputError(fmt::format(
      "{}: of another spot than {}: cards, ranges, sizes or locks differ", path_, problem.name));
}

void PokerFile::load(SpotSolver& solver, bool everything) const {
  require_problem(solver.problem());
  if (everything && archive_.word("checkpoint", 1)[0] == 0) {
    throw core::InputError(
        fmt::format("{}: a solution without what later iterations need; --resume takes a file that "
                    "--checkpoint wrote",
                    path_));
  }
  solver.iterations_ = static_cast<int64_t>(archive_.word("iterations", 1)[0]);
  // Predictions exist from the first iteration on that makes one.
  if (everything && solver.iterations_ > 0 && solver.schedule_(1).regret.predict) {
    solver.engine().add_predictions();
  }
  for (const tree::BulkArray& array : solver.engine().arrays(everything)) file_.read_bulk(array);
}

}  // namespace cleave::hands
