#pragma once

#include "decompose/second_pass.h"
#include "games/registry.h"
#include "histories/piece.h"
#include "histories/profile.h"
#include "reproduce/target.h"
#include "solve/evaluate.h"

namespace cleave::reproduce {

using Summaries = std::vector<decompose::Summary>;  // [subgame]

// A small game, compiled and cut: what the targets on trees begin with.
struct CutTree {
  CutTree(const char* name, const char* where);
  CutTree(const CutTree&) = delete;  // pieces know where the game stands
  CutTree& operator=(const CutTree&) = delete;

  size_t num_subgames() const { return trunk->subgames.size(); }
  const histories::TreePiece& subgame(size_t s) const { return *trunk->subgames[s]; }
  double exploitability(const tree::Strategy& strategy) const {
    return solve::certify(problem, strategy).exploitability;
  }

  Summaries summarise(const tree::Strategy& strategy) const;
  // Of one subgame for one hero. Of the strategy only the part in the trunk is read.
  decompose::GadgetInput gadget_input(const decompose::Method& method,
                                      const tree::Strategy& strategy, const Summaries& summaries,
                                      size_t subgame, size_t hero) const;
  // The strategy with its subgames re-solved, all of them unless the options say otherwise.
  tree::Strategy resolve(const std::string& method, const tree::Strategy& strategy,
                         const Summaries& summaries,
                         const decompose::ResolveOptions& options) const;

  std::unique_ptr<games::Game> game;
  solve::Problem problem;
  histories::Cut cut;
  std::shared_ptr<const histories::TreePiece> trunk;  // its leaves are the subgames, in order
};

// A game solved whole, for so many iterations or to an exploitability within it.
struct Solved {
  tree::Strategy strategy;
  solve::Certificate certificate;
};
Solved solve_whole(const Context& context, const solve::Problem& problem, const char* algorithm,
                   int64_t iterations, double target);

}  // namespace cleave::reproduce
