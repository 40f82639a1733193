#include "decompose/leaves/solved_leaves.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/threads.h"
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

void SolvedLeaves::evaluate(std::span<LeafState> leaves, Players) {
  const auto threads = static_cast<size_t>(options_.threads);
  const bool side_by_side = leaves.size() >= 4 * threads && threads > 1;
  const int within = side_by_side ? 1 : options_.threads;
  const bool parks = options_.keep_warm && !options_.folder.empty();
  const bool stays = options_.keep_warm && !parks;
  if (parks && !file_) {
    file_ = std::make_unique<core::ScratchFile>(options_.folder);
    warm_.resize(leaves.size());
  }
  if (stays && warm_.empty()) {
    for (const LeafState& leaf : leaves)
      warm_.push_back({options_.make_engine(*leaf.piece, within)});
    for (const Solver& solver : warm_) peak_bytes_ += solver.engine->learning_bytes();
  }
  std::vector<size_t> bytes(leaves.size());
  std::vector<int64_t> iterations(leaves.size());
  core::parallel_for(leaves.size(), side_by_side ? options_.threads : 1, [&](size_t i) {
    if (stays) {
      iterations[i] = solve(warm_[i], leaves[i]);
      return;
    }
    Solver solver{options_.make_engine(*leaves[i].piece, within)};
    bytes[i] = solver.engine->learning_bytes();
    if (parks) fetch(warm_[i], solver);
    iterations[i] = solve(solver, leaves[i]);
    if (parks) put_away(warm_[i], solver);
  });
  for (const int64_t count : iterations) iterations_ += count;
  if (stays) return;
  std::ranges::sort(bytes, std::greater<>());
  const size_t at_once = std::min(bytes.size(), side_by_side ? threads : 1);
  peak_bytes_ = std::max(
      peak_bytes_,
      std::accumulate(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(at_once), size_t{0}));
}

void SolvedLeaves::fetch(Solver& waiting, Solver& solver) const {
  solver.iterations = waiting.iterations;
  size_t at = waiting.place;
  for (const std::span<std::byte> part : solver.engine->learnt()) {
    if (waiting.iterations > 0) file_->read(at, part);
    at += part.size();
  }
  if (waiting.iterations == 0) waiting.place = file_->add(at);
}

void SolvedLeaves::put_away(Solver& waiting, Solver& solver) const {
  waiting.iterations = solver.iterations;
  size_t at = waiting.place;
  for (const std::span<std::byte> part : solver.engine->learnt()) {
    file_->write(at, part);
    at += part.size();
  }
}

int64_t SolvedLeaves::solve(Solver& solver, LeafState& leaf) const {
  const Vectors entry = {entry_reach(leaf.reach[0]), entry_reach(leaf.reach[1])};
  int64_t look = next_look(0);
  for (int64_t done = 0; done < options_.iterations;) {
    solve::Iteration now = options_.schedule(++solver.iterations);
    // Averages over earlier calls would be of answers to other trunks.
    if (done == 0) now.average_decay = 0;
    iterate_fixed(*solver.engine, entry, now);
    if (++done != look || options_.accuracy <= 0) continue;
    if (gain(*solver.engine, leaf) <= options_.accuracy) return done;
    look = next_look(look);
  }
  solver.engine->evaluate(leaf.reach, leaf.values);
  return options_.iterations;
}

// Leaves the values in the leaf.
double SolvedLeaves::gain(Engine& engine, LeafState& leaf) {
  engine.evaluate(leaf.reach, leaf.values);
  double sum = 0;
  std::vector<double> best;
  for (size_t p = 0; p < 2; ++p) {
    best.resize(leaf.reach[p].size());
    engine.best_response(p, leaf.reach[1 - p], best);
    for (size_t s = 0; s < best.size(); ++s) {
      sum += leaf.reach[p][s] * (best[s] - leaf.values[p][s]);
    }
  }
  return sum;
}

void SolvedLeaves::reset() {
  warm_.clear();
  file_.reset();
  peak_bytes_ = 0;
  iterations_ = 0;
}

}  // namespace cleave::decompose
