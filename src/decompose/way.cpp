#include "decompose/way.h"

#include <algorithm>
#include <limits>

namespace cleave::decompose {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

struct Best {
  double of_all = kNever, of_others = kNever;
};

Best best_of(const std::vector<double>& rows, size_t states, const Passage& at) {
  Best best;
  for (size_t a = 0; a * states < rows.size(); ++a) {
    const double value = rows[a * states + at.state];
    best.of_all = std::max(best.of_all, value);
    if (a != at.action) best.of_others = std::max(best.of_others, value);
  }
  return best;
}

// The most that one of the actions is sure to bring.
double guaranteed_at(const DecisionValues& values, const Passage& at) {
  const size_t states = values.reach[at.decision].size();
  const std::vector<double>& action = values.action[at.decision];
  const std::vector<double>& sure = values.guaranteed[at.decision];
  double most = kNever;
  for (size_t i = at.state; i < action.size(); i += states) {
    if (action[i] > kClosed / 2) most = std::max(most, sure[i]);
  }
  return most;
}

}  // namespace

double best_at(const DecisionValues& best_response, const Passage& at) {
  return best_of(best_response.action[at.decision], best_response.reach[at.decision].size(), at)
      .of_all;
}

Way way_to(const Piece& trunk, size_t leaf, size_t player, const Way& above,
           const DecisionValues& best_response, const DecisionValues& average) {
  return way_along(trunk.way(leaf, player), above, best_response, average);
}

Way way_along(const std::vector<Trail>& trails, const Way& above,
              const DecisionValues& best_response, const DecisionValues& average) {
  Way way;
  for (const Trail& trail : trails) {
    auto& passed = way.emplace_back();
    if (!above.empty()) passed = above[trail.root];
    for (const Passage& at : trail.passages) {
      const std::vector<double>& rho = best_response.reach[at.decision];
      const std::vector<double>& best = best_response.action[at.decision];
      const std::vector<double>& mean = average.action[at.decision];
      const size_t taken = at.action * rho.size() + at.state;
      passed.push_back({.rho = rho[at.state],
                        .best = best_of(best, rho.size(), at).of_all,
                        .best_taken = best[taken],
                        .guaranteed = guaranteed_at(best_response, at),
                        .other = best_of(mean, rho.size(), at).of_others,
                        .taken = mean[taken],
                        .sole = at.sole});
    }
  }
  return way;
}

Way cross(const Way& way, const Crossing& crossing, size_t player, size_t states_below) {
  Way out;
  out.reserve(states_below);
  for (size_t s = 0; s < states_below; ++s) {
    out.push_back(way[crossing.above(player, s)]);
    for (Passed& at : out.back()) at.images *= static_cast<double>(crossing.num_images());
  }
  return out;
}

std::vector<Gift> find_gifts(const std::vector<Passed>& way, double rho) {
  std::vector<Gift> gifts;
  for (const Passed& at : way) {
    if (at.rho <= 0) continue;
    gifts.push_back({.gain = std::max(0.0, at.best - at.best_taken) / at.rho,
                     .bound = std::max(0.0, at.guaranteed - at.best_taken) / at.rho,
                     .reach = rho * at.images / at.rho,
                     .sole = at.sole});
  }
  return gifts;
}

double find_detour(const std::vector<Passed>& way) {
  double most = kNever;
  for (const Passed& at : way) most = std::max(most, at.other - at.taken);
  return most;
}

}  // namespace cleave::decompose
