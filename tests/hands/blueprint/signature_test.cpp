#include "signature.h"

#include "decompose/resolve.h"
#include "decompose/second_pass.h"
#include "hands/blueprint/whole_games.h"
#include "hands/nested_games.h"

namespace cleave::hands {
namespace {

std::vector<decompose::Pass> passes(const std::vector<std::string>& names) {
  std::vector<decompose::Pass> out;
  for (const std::string& name : names) out.push_back(decompose::make_pass(name));
  return out;
}

// A blueprint over buckets, and its last street played by several ways.
void add_whole_game(const std::string& name, const char* text, size_t flops,
                    const std::vector<std::string>& ways, Signature& signature) {
  const auto game = few_flops(text, flops);
  const poker::Buckets buckets = make_test_buckets(*game, 6);
  const auto blueprint = std::make_shared<Blueprint>(game, buckets, BlueprintOptions{.batches = 2});
  for (int t = 0; t < 20; ++t) blueprint->iterate();
  blueprint->finish();
  signature.add(name + ", blueprint's value", blueprint->value());
  signature.add(name + ", blueprint's exploitability",
                (blueprint->best_response(0) + blueprint->best_response(1)) / 2);
  const auto grafted =
      decompose::graft(blueprint->trunk(), *blueprint, game->reach, {.iterations = 20});
  signature.add(name + ", graft's exploitability", (grafted[0] + grafted[1]) / 2);
  const bool turn = game->setup.deals.size() == 3;
  decompose::Resolution job(
      std::make_shared<HandsPiece>(game, turn ? std::vector<StreetCut>{{0, true}, {1, true}}
                                              : std::vector<StreetCut>{{0, true}}),
      blueprint, game->reach, {.solving = {.iterations = 20}, .passes = passes(ways)});
  job.run();
  for (size_t way = 0; way < ways.size(); ++way) {
    const std::string line = fmt::format("{}, {}", name, ways[way]);
    if (ways[way].find("distributional") == std::string::npos) {
      signature.add(line, job.exploitability(way).value);
    } else {  // the normal distribution's erfc
      signature.add_rounded(line, job.exploitability(way).value);
    }
  }
}

void add_nested(const char* name, const poker::Definition& definition, bool merge,
                const std::vector<std::string>& methods, Signature& signature) {
  const NestedGame game(definition, kSmall, kLarge, merge,
                        {.iterations = 20, .small_iterations = 20});
  signature.add(fmt::format("{}, small game's exploitability", name), game.small_exploitability());
  for (const std::string& method : methods) {
    signature.add(fmt::format("{}, {}", name, method), game.exploitability(method));
  }
}

TEST(Signature, OfWholeGamesIsUnchanged) {
  Signature signature;
  add_whole_game("two streets", kFlopGame, 3,
                 {"blueprint", "unsafe", "resolve", "maxmargin", "combined", "reach-maxmargin",
                  "reach-maxmargin(gifts=single)", "estimated", "reach-estimated+distributional",
                  "path-recovery"},
                 signature);
  add_whole_game("three streets", kTurnGame, 1,
                 {"blueprint", "resolve", "reach-maxmargin(gifts=single)"}, signature);
  const std::vector<std::string> methods = {"translation",
                                            "translation-anew",
                                            "resolve",
                                            "maxmargin",
                                            "reach-maxmargin",
                                            "reach-maxmargin(bound=false)",
                                            "reach-maxmargin(gifts=single)",
                                            "expensive-unsafe",
                                            "expensive-reach-maxmargin"};
  add_nested("nested, one card", miniature(3, 2, 1, 3), false, methods, signature);
  add_nested("nested, two cards merged", miniature(4, 2, 2, 2), true, methods, signature);
  signature.expect_unchanged("hands/blueprint");
}

}  // namespace
}  // namespace cleave::hands
