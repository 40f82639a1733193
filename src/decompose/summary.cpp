#include "decompose/summary.h"

#include <algorithm>

#include "core/error.h"
#include "core/hash.h"
#include "tree/archive.h"

namespace cleave::decompose {
namespace {

std::pair<uint64_t, uint64_t> id_of(const Piece& piece) {
  const std::string key = piece.key();
  const core::Hash128 hash = core::Hasher().add_bytes(std::as_bytes(std::span(key))).finish();
  return {hash.hi, hash.lo};
}

// "reach1", "value2", ...: of all pieces one after another.
template <class AnySummary, class Visit>
void visit_vectors(AnySummary& summary, const Visit& visit) {
  for (size_t p = 0; p < 2; ++p) {
    const std::string number = std::to_string(p + 1);
    visit("reach" + number, p, summary.reach[p]);
    visit("value" + number, p, summary.value[p]);
    visit("best_response" + number, p, summary.best_response[p]);
  }
}

template <class Visit>
void visit_pieces(const Piece& trunk, const Visit& visit) {
  for (size_t leaf = 0; leaf < trunk.num_leaves(); ++leaf) {
    for (size_t i = 0; i < trunk.num_below(leaf); ++i) visit(*trunk.below(leaf, i).piece);
  }
}

}  // namespace

Summary summarise(Engine& engine, const Vectors& reach) {
  Summary summary{reach, {}, reach};
  engine.evaluate(reach, summary.value);
  for (size_t p = 0; p < 2; ++p) engine.best_response(p, reach[1 - p], summary.best_response[p]);
  return summary;
}

KeptSummaries::KeptSummaries(const Piece& trunk, std::vector<Summary> summaries)
    : where_("summaries") {
  size_t next = 0;
  visit_pieces(trunk, [&](const Piece& piece) {
    summaries_.emplace(id_of(piece), std::move(summaries.at(next++)));
  });
}

KeptSummaries::KeptSummaries(const std::string& path) : where_(path) {
  const tree::Archive archive = tree::read_archive(path);
  const auto kind = archive.texts.find("kind");
  if (kind == archive.texts.end() || kind->second != "summaries of pieces") {
    core::reject("{}: not a file of subgame summaries", path);
  }
  const std::vector<uint64_t>& pieces = archive.word("pieces");
  std::map<std::string, size_t> used;
  for (size_t i = 0; i + 3 < pieces.size(); i += 4) {
    Summary& summary = summaries_[{pieces[i], pieces[i + 1]}];
    visit_vectors(summary, [&](const std::string& name, size_t p, std::vector<double>& values) {
      const std::vector<double>& all = archive.real(name);
      const size_t states = pieces[i + 2 + p];
      size_t& at = used[name];
      if (states > all.size() - at) core::reject("{}: '{}' is too short", path, name);
      values.assign(all.data() + at, all.data() + at + states);
      at += states;
    });
  }
}

void KeptSummaries::write(const std::string& path) const {
  tree::Archive archive;
  archive.texts["kind"] = "summaries of pieces";
  auto& pieces = archive.words["pieces"];  // hash of the key, states of both players
  for (const auto& [id, summary] : summaries_) {
    pieces.insert(pieces.end(),
                  {id.first, id.second, summary.reach[0].size(), summary.reach[1].size()});
    visit_vectors(summary, [&](const std::string& name, size_t, const std::vector<double>& values) {
      auto& all = archive.reals[name];
      all.insert(all.end(), values.begin(), values.end());
    });
  }
  tree::write_archive(archive, path);
}

const Summary& KeptSummaries::of(const Piece& piece) const {
  const auto found = summaries_.find(id_of(piece));
  if (found != summaries_.end()) return found->second;
  const std::string key = piece.key();
  core::reject(
      "{}: nothing is kept of the piece '{}', but of {} others; needed are values of the same "
      "game and the same cut",
      where_, key.substr(0, key.find('\n')), summaries_.size());
}

std::vector<Summary> KeptSummaries::below(const Piece& trunk) const {
  std::vector<Summary> out;
  visit_pieces(trunk, [&](const Piece& piece) { out.push_back(of(piece)); });
  return out;
}

}  // namespace cleave::decompose
