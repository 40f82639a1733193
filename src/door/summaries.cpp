#include "door/summaries.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/error.h"
#include "decompose/leaf_evaluator.h"
#include "tree/archive.h"

namespace cleave::door {
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

void write_summaries(const AnyGame& game, const std::string& cut,
                     const std::vector<decompose::Summary>& summaries, const std::string& path) {
  tree::Archive archive;
  archive.texts["kind"] = "summaries";
  archive.texts["game"] = game.name();
  archive.texts["cut"] = cut;
  archive.words["fingerprint"] = game.fingerprint();
  visit_arrays(summaries, [&](const std::string& name, const std::vector<double>& values) {
    auto& all = archive.reals[name];
    all.insert(all.end(), values.begin(), values.end());
  });
  tree::write_archive(archive, path);
}

std::vector<decompose::Summary> read_summaries(const AnyGame& game, const std::string& cut,
                                               const std::string& path) {
  const tree::Archive archive = tree::read_archive(path);
  const auto kind = archive.texts.find("kind");
  if (kind == archive.texts.end() || kind->second != "summaries") {
    throw core::InputError(fmt::format("{}: not a file of subgame summaries", path));
  }
  if (archive.word("fingerprint", 2) != game.fingerprint() || archive.text("cut") != cut) {
    throw core::InputError(
        fmt::format("{}: summaries of {} cut at {}; needed are those of {} cut at {}", path,
                    archive.text("game"), archive.text("cut"), game.name(), cut));
  }
  const auto trunk = game.piece(cut);
  const decompose::Leaves leaves(*trunk, *trunk->engine());
  std::vector<decompose::Summary> summaries;
  for (const decompose::LeafState& leaf : leaves.states()) {
    summaries.push_back({leaf.reach, leaf.values, leaf.values});  // of the right sizes
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

}  // namespace cleave::door
