#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "whole/blueprint.h"

namespace cleave::whole {

struct Estimate {
  double value = 0;
  double error = 0;  // half of a 95% interval; 0: not an estimate
};

// A figure measured on the known ones of some deals, out of `all` that there are, with its error by
// resampling. measure() gets a weight for each deal; weights of unknown deals are to be ignored.
Estimate resampled(const std::vector<size_t>& known, size_t num_deals, size_t all,
                   const std::function<double(const std::vector<double>& weight)>& measure);

// The betting before the first deal, with a blueprint's strategies: puts what deals bring together.
class Preflop {
 public:
  Preflop(const Game& game, Blueprint& blueprint);

  size_t num_lines() const { return game_.layout.streets[0].exits.size(); }
  size_t width() const { return game_.layout.streets[0].boards[0].side[0].width; }
  size_t size() const { return num_lines() * width(); }  // of what one deal brings
  size_t num_deals() const { return game_.layout.streets[1].boards.size(); }

  // Adds what a deal is worth to a player's rows on one of the lines to `out`, [line][row].
  void add_deal(size_t deal, size_t player, size_t line, const float* values, float* out) const;

  // What each deal brings to a player, [line][row]; null: unknown. Those that are known stand for
  // all; where the same is known of something else that is measured on all deals, only the
  // difference is estimated.
  struct Deals {
    std::vector<const float*> value;
    std::vector<const float*> base = {};  // where value is known
    std::vector<float> base_of_all = {};  // summed over all deals
  };
  // The sum of what best responses of the players get in chips; a player without deals is left out.
  // The error is by resampling deals, and zero if all flops that there are were dealt.
  Estimate best_responses(const std::array<Deals, 2>& deals);

 private:
  double best_response(size_t player, const Deals& deals, const std::vector<double>& weight);

  const Game& game_;
  std::unique_ptr<hands::VectorEngine> engine_;
  std::vector<double> ones_;
};

}  // namespace cleave::whole
