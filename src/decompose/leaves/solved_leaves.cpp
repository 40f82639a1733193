#include "decompose/leaves/solved_leaves.h"

#include <algorithm>

#include "decompose/resolver.h"

namespace cleave::decompose {
namespace {

// Iterations between two looks at the accuracy: a look costs about as much as two of them.
int64_t next_look(int64_t iteration) { return iteration + std::max<int64_t>(8, iteration / 4); }

// Against a player who never comes here any answer is a best response, but the player looks at
// the answer when it thinks of coming: one to all its states alike keeps it from seeing gains that
// are not there. The values returned are still those of the true reach.
std::vector<double> entry_reach(const std::vector<double>& reach) {
  const bool absent = std::ranges::all_of(reach, [](double x) { return x == 0; });
  return absent ? std::vector<double>(reach.size(), 1.0) : reach;
}

}  // namespace

SolvedLeaves::SolvedLeaves(EngineFactory make_engine, SolvedLeavesOptions options)
    : make_engine_(std::move(make_engine)), options_(std::move(options)) {}

void SolvedLeaves::evaluate(size_t leaf, const Vectors& reach, Vectors& values) {
  if (!options_.keep_warm) {
    Solver solver{make_engine_(leaf)};
    peak_bytes_ = std::max(peak_bytes_, solver.engine->learning_bytes());
    solve(solver, reach, values);
    return;
  }
  if (leaf >= warm_.size()) warm_.resize(leaf + 1);
  Solver& solver = warm_[leaf];
  if (!solver.engine) {
    solver.engine = make_engine_(leaf);
    warm_bytes_ += solver.engine->learning_bytes();
    peak_bytes_ = std::max(peak_bytes_, warm_bytes_);
  }
  solve(solver, reach, values);
}

void SolvedLeaves::solve(Solver& solver, const Vectors& reach, Vectors& values) {
  for (size_t p = 0; p < 2; ++p) entry_[p] = entry_reach(reach[p]);
  int64_t look = next_look(0);
  for (int64_t done = 0; done < options_.iterations;) {
    solve::Iteration now = options_.schedule(++solver.iterations);
    // Averages over earlier calls would be of answers to other trunks.
    if (done == 0) now.average_decay = 0;
    iterate_fixed(*solver.engine, entry_, now);
    ++iterations_;
    if (++done != look || options_.accuracy <= 0) continue;
    if (gain(*solver.engine, reach, values) <= options_.accuracy) return;
    look = next_look(look);
  }
  solver.engine->evaluate(reach, values);
}

// Leaves the values in `values`.
double SolvedLeaves::gain(Engine& engine, const Vectors& reach, Vectors& values) {
  engine.evaluate(reach, values);
  double sum = 0;
  for (size_t p = 0; p < 2; ++p) {
    best_.resize(reach[p].size());
    engine.best_response(static_cast<int>(p), reach[1 - p], best_);
    for (size_t s = 0; s < best_.size(); ++s) sum += reach[p][s] * (best_[s] - values[p][s]);
  }
  return sum;
}

void SolvedLeaves::reset() {
  warm_.clear();
  warm_bytes_ = peak_bytes_ = 0;
  iterations_ = 0;
}

}  // namespace cleave::decompose
