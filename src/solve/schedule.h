#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "kernels/kernels.h"

namespace cleave::solve {

// What one iteration does with regrets and averages; t counts from 1.
struct Iteration {
  kernels::RegretUpdate regret;
  double average_decay = 1;  // average = average * decay + reach of the current strategy
};
// A member of the CFR family, whatever it runs on.
using Schedule = std::function<Iteration(int64_t t)>;

// Whether player two learns against player one's new strategy or against the one before.
enum class Updates { kAlternating, kSimultaneous };

// decay_t that makes the average a mean with weights t^exponent: ((t - 1) / t)^exponent.
double average_decay(int64_t t, double exponent);

// "cfr+" or "dcfr(gamma=3)". Throws InputError, listing them, unless it is one of the family.
// `planned_iterations`: the run's limit if there is one, else 0.
Schedule make_schedule(std::string_view spec, int64_t planned_iterations = 0);

}  // namespace cleave::solve
