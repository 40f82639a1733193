#pragma once

#include <string>
#include <vector>

#include "decompose/resolve.h"
#include "hands/problem.h"

namespace cleave::cli {

// `resolve` and `decompose` of what the vector engine is for: spots and whole games of hold'em.
struct ResolvePokerArguments {
  std::string game;
  std::string solution;  // empty: solved on the spot
  std::string cut;
  std::vector<std::string> methods;
  std::string blueprint;                      // algorithm of trunks that are solved on the spot
  std::vector<int64_t> blueprint_iterations;  // one trunk for each
  decompose::ResolveOptions options;
  std::string out;
  bool json = false;
  bool quiet = false;
};
void resolve_poker(const ResolvePokerArguments& args, hands::Problem problem);

struct DecomposePokerArguments {
  std::string game;
  std::string cut;
  std::string algorithm;
  std::string subgame_algorithm;
  int64_t iterations = 0;
  int64_t subgame_iterations = 0;
  double subgame_accuracy = 0;
  bool keep_warm = false;
  std::string method;
  int64_t resolve_iterations = 0;
  int threads = 0;
  bool json = false;
  bool quiet = false;
};
void decompose_poker(const DecomposePokerArguments& args, hands::Problem problem);

}  // namespace cleave::cli
