#include "decompose/stretch.h"

namespace cleave::decompose {

Stretch begin_stretch(const Profile& profile, const Piece& piece, const Vectors& reach) {
  Stretch stretch;
  stretch.engine = piece.engine();
  profile.give(piece, *stretch.engine);
  for (size_t p = 0; p < 2; ++p) stretch.engine->follow(p, reach[p]);
  stretch.reach = leaf_reaches(*stretch.engine);
  return stretch;
}

void look_at_decisions(const Vectors& reach, const std::vector<Vectors>& best_below,
                       const std::vector<Vectors>& average_below, Stretch& stretch) {
  for (const Follow how : {Follow::kBestResponse, Follow::kAverage}) {
    const auto& below = how == Follow::kAverage ? average_below : best_below;
    auto& values = how == Follow::kAverage ? stretch.average : stretch.best_response;
    for (size_t p = 0; p < 2; ++p) {
      for (size_t leaf = 0; leaf < below.size(); ++leaf) {
        stretch.engine->set_leaf_values(leaf, p, below[leaf][p]);
      }
      values[p] = stretch.engine->decision_values(p, how, reach[1 - p]);
    }
  }
}

Arrival arrive(const Piece& piece, const Stretch& stretch, const Arrival& above, size_t leaf,
               const Below& below) {
  Arrival arrival{below.crossing.spread(stretch.reach[leaf])};
  for (size_t p = 0; p < 2; ++p) {
    if (stretch.average[p].action.empty()) continue;
    arrival.way[p] =
        cross(way_to(piece, leaf, p, above.way[p], stretch.best_response[p], stretch.average[p]),
              below.crossing, p, arrival.reach[p].size());
  }
  return arrival;
}

Entrance enter(const Profile& profile, const Piece& piece, Engine& engine, const Arrival& arrival,
               size_t hero) {
  const size_t opponent = 1 - hero;
  Entrance entrance{{arrival.reach, {}, {}}, arrival.way[opponent]};
  if (arrival.summary) {
    entrance.summary = *arrival.summary;
    return entrance;
  }
  engine.reset();
  profile.give(piece, engine);
  const std::vector<double>& reach = arrival.reach[hero];
  for (const Follow how : {Follow::kBestResponse, Follow::kAverage}) {
    Summary& summary = entrance.summary;
    auto& values = (how == Follow::kAverage ? summary.value : summary.best_response)[opponent];
    values.resize(arrival.reach[opponent].size());
    engine.values(opponent, how, reach, values);
  }
  return entrance;
}

}  // namespace cleave::decompose
