#include "histories/nested.h"

#include "histories/piece.h"
#include "histories/profile.h"

namespace cleave::histories {

NestedResult solve_nested(const solve::Problem& game, const ActionAbstraction& abstraction,
                          size_t hero, const tree::Strategy& strategy,
                          const decompose::NestedMethod& method,
                          const decompose::ResolveOptions& solving) {
  const auto off_tree =
      std::make_shared<const OffTree>(find_off_tree(game.tree, abstraction, hero));
  NestedResult result;
  result.strategy = strategy;
  decompose::NestedOptions options;
  options.solving = solving;
  options.take = [&](const decompose::Piece& piece, const decompose::Profile& answer) {
    const auto engine = piece.engine();
    answer.give(piece, *engine);
    copy_strategy(piece, *engine, hero, result.strategy);
  };
  options.step = [&](const decompose::NestedStep& step) {
    const auto& piece = dynamic_cast<const TreePiece&>(*step.piece);
    result.steps.push_back({step, piece.leaves[step.leaf].histories});
    if (solving.progress) solving.progress(result.steps.size(), off_tree->subgames.size());
  };
  const decompose::Vectors ones = {std::vector<double>{1.0}, std::vector<double>{1.0}};
  decompose::Nested nested(
      std::make_shared<const TreePiece>(make_nested_piece(game.tree, off_tree)),
      std::make_shared<const TreeProfile>(strategy), ones, hero, method, options);
  nested.run();
  result.best_response = nested.best_response().value;
  return result;
}

}  // namespace cleave::histories
