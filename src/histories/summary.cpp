#include "histories/summary.h"

#include <fmt/format.h>

#include "core/error.h"
#include "histories/tree_engine.h"
#include "tree/archive.h"

namespace cleave::histories {

using tree::kNone;

decompose::Vectors border_reach(const tree::Tree& game, const Border& border,
                                const tree::Strategy& strategy) {
  decompose::Vectors reach;
  for (size_t p = 0; p < 2; ++p) {
    // Parents have smaller numbers than the sets behind them.
    std::vector<double> plan(game.num_slots(), 0.0);
    for (uint32_t set = game.infoset_begin[p]; set < game.infoset_begin[p + 1]; ++set) {
      const uint32_t parent = game.sequence[p][game.first_history[set]];
      const double above = parent == kNone ? 1 : plan[parent];
      for (uint32_t slot = game.slot_begin[set]; slot < game.slot_begin[set + 1]; ++slot) {
        plan[slot] = above * strategy[slot];
      }
    }
    for (const PrivateState& state : border.states[p]) {
      const uint32_t slot = state.acts ? game.sequence[p][game.first_history[state.id]] : state.id;
      reach[p].push_back(slot == kNone ? 1 : plan[slot]);
    }
  }
  return reach;
}

std::vector<decompose::Summary> summarise(const CutGame& game, const tree::Strategy& strategy) {
  std::vector<decompose::Summary> summaries;
  for (const TreePiece& piece : game.subgames) {
    TreeEngine engine(piece);
    engine.set_strategy(strategy);
    summaries.push_back(summarise(engine, border_reach(game.game.tree, piece.root, strategy)));
  }
  return summaries;
}

namespace {

// "reach1", "value2", ...: all subgames one after another.
template <class Summaries, class Visit>
void visit_arrays(Summaries& summaries, const Visit& visit) {
  for (size_t p = 0; p < 2; ++p) {
    const std::string number = std::to_string(p + 1);
    for (auto& summary : summaries) visit("reach" + number, summary.reach[p]);
    for (auto& summary : summaries) visit("value" + number, summary.value[p]);
    for (auto& summary : summaries) visit("best_response" + number, summary.best_response[p]);
  }
}

}  // namespace

void write_summaries(const CutGame& game, const std::vector<decompose::Summary>& summaries,
                     const std::string& path) {
  tree::Archive archive;
  archive.texts["kind"] = "summaries";
  archive.texts["game"] = game.game.tree.name;
  archive.texts["cut"] = game.cut.name;
  archive.words["fingerprint"] = tree::fingerprint_words(game.game.tree);
  visit_arrays(summaries, [&](const std::string& name, const std::vector<double>& values) {
    auto& all = archive.reals[name];
    all.insert(all.end(), values.begin(), values.end());
  });
  tree::write_archive(archive, path);
}

std::vector<decompose::Summary> read_summaries(const CutGame& game, const std::string& path) {
  const tree::Archive archive = tree::read_archive(path);
  const auto kind = archive.texts.find("kind");
  if (kind == archive.texts.end() || kind->second != "summaries") {
    throw core::InputError(fmt::format("{}: not a file of subgame summaries", path));
  }
  if (archive.word("fingerprint", 2) != tree::fingerprint_words(game.game.tree) ||
      archive.text("cut") != game.cut.name) {
    throw core::InputError(fmt::format(
        "{}: summaries of {} cut at {}; needed are those of {} cut "
        "at {}",
        path, archive.text("game"), archive.text("cut"), game.game.tree.name, game.cut.name));
  }
  std::vector<decompose::Summary> summaries(game.subgames.size());
  for (size_t s = 0; s < summaries.size(); ++s) {
    for (size_t p = 0; p < 2; ++p) {
      const size_t states = game.subgames[s].root.states[p].size();
      for (decompose::Vectors* vectors :
           {&summaries[s].reach, &summaries[s].value, &summaries[s].best_response}) {
        (*vectors)[p].resize(states);
      }
    }
  }
  std::map<std::string, size_t> used;
  visit_arrays(summaries, [&](const std::string& name, std::vector<double>& values) {
    const std::vector<double>& all = archive.real(name);
    size_t& at = used[name];
    if (at + values.size() > all.size()) {
      throw core::InputError(fmt::format("{}: '{}' is too short", path, name));
    }
    std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(at), values.size(), values.begin());
    at += values.size();
  });
  return summaries;
}

}  // namespace cleave::histories
