#pragma once

#include <array>
#include <string>

#include "core/aligned.h"
#include "kernels/kernels.h"
#include "solve/evaluate.h"
#include "solve/problem.h"
#include "tree/archive.h"

// A player who learns by regrets: its arrays over sequences, the half-steps of an iteration,
// storage.
namespace cleave::solve {

// What one player learns with in the full-width solvers, all in sequence order.
struct Learner {
  explicit Learner(const tree::Treeplex& plex);  // uniform, nothing learnt

  core::Reals regret, strategy, average, reach;
};

// The half-steps of an iteration, on levels `top` and below: the caller sees to what is above.
// Down: the learner's reach from its strategy, and into its average.
void descend_and_average(const tree::Treeplex& plex, int threads, double decay, Learner& learner,
                         size_t top = 0);
// Up: regrets and the next strategy from the action values in work.q[player].
void learn_from_values(const Problem& problem, size_t player, const kernels::RegretUpdate& update,
                       Workspace& work, Learner& learner, size_t top = 0);

// Stored under "<name>1" and "<name>2"; load throws InputError if the size is another.
void save_reals(tree::Archive& archive, const std::string& name, size_t player,
                std::span<const double> values);
void load_reals(const tree::Archive& archive, const std::string& name, size_t player,
                std::span<double> values);

}  // namespace cleave::solve
