#pragma once

#include <cmath>
#include <vector>

#include "server/game_cache.h"
#include "solve/run.h"

// Parts of the answers about games.
namespace cleave::server {

inline Json number_or_null(double number) {
  return std::isnan(number) ? Json(nullptr) : Json(number);
}

inline Json certificate_json(const solve::Certificate& c) {
  return {
      {"exploitability", c.exploitability}, {"best_response", c.best_response}, {"value", c.value}};
}

inline Json points_json(const std::vector<solve::HistoryPoint>& points) {
  Json out = Json::array();
  for (const solve::HistoryPoint& p : points) {
    out.push_back(Json::array({p.iteration, p.seconds, p.exploitability, p.value}));
  }
  return out;
}

inline Json cut_json(const OpenGame& game, const histories::Cut& cut) {
  return {{"cut", cut.name},
          {"text", histories::describe(game.tree(), cut)},
          {"remark", histories::remark(game.tree(), cut)},
          {"subgames", cut.roots.size()},
          {"pulled", cut.num_pulled}};
}

}  // namespace cleave::server
