// Any game: what there is, its tree, one history, strategies.
#include <algorithm>

#include "decompose/method.h"
#include "fmt/format.h"
#include "games/registry.h"
#include "report/history.h"
#include "server/game_runs.h"

namespace cleave::server {
namespace {

using tree::kChance;
using tree::kNone;
using tree::kTerminal;

constexpr size_t kMostTreeNodes = 600;
constexpr size_t kMostChildren = 200;
constexpr size_t kMostMembers = 50;
constexpr size_t kPageOfSets = 200;

Json params_json(const std::vector<core::ParamInfo>& params) {
  Json out = Json::array();
  for (const core::ParamInfo& p : params) {
    out.push_back({{"name", p.name}, {"default", p.default_value}, {"help", p.help}});
  }
  return out;
}

Json list_games(const Arguments&) {
  Json games = Json::array(), algorithms = Json::array(), methods = Json::array();
  for (const games::GameInfo& info : games::all_games()) {
    games.push_back(
        {{"name", info.name}, {"summary", info.summary}, {"params", params_json(info.params)}});
  }
  for (const solve::SolverInfo& info : solve::all_solvers()) {
    algorithms.push_back({{"name", info.name},
                          {"summary", info.summary},
                          {"params", params_json(info.params)},
                          {"exact", info.exact}});
  }
  for (const std::string& name : decompose::all_passes()) {
    const decompose::Pass pass = decompose::make_pass(name);
    methods.push_back({{"name", name},
                       {"summary", pass.summary},
                       {"safe", pass.safe},
                       {"condition", pass.condition}});
  }
  return {{"games", games}, {"algorithms", algorithms}, {"methods", methods}};
}

Json game_info(GameCache& cache, const Arguments& arguments) {
  const auto open = cache.game(arguments.text("game"));
  const tree::Tree& tree = open->tree();
  return {{"game", open->name()},
          {"histories", tree.num_histories()},
          {"terminals", tree.payoff.size()},
          {"infosets",
           {tree.infoset_begin[1] - tree.infoset_begin[0],
            tree.infoset_begin[2] - tree.infoset_begin[1]}},
          {"public_states", tree.num_public_states},
          {"levels", tree.num_levels()},
          {"perfect_recall", tree.perfect_recall()},
          {"zero_sum", tree.zero_sum()},
          {"cuts", open->cuts()}};
}

// What a question about histories is about: a game, and maybe a cut and a strategy.
struct HistoryQuestion {
  HistoryQuestion(GameCache& cache, const Arguments& arguments)
      : game(cache.game(arguments.text("game"))) {
    const std::string cut_name = arguments.text_or("cut", "");
    const std::string file = arguments.text_or("strategy", "");
    if (!cut_name.empty()) cut = game->cut(cut_name);
    if (!file.empty()) strategy = cache.strategy(arguments.text("game"), file);
  }
  uint32_t history(const Arguments& arguments, const std::string& name) const {
    const auto last = static_cast<int64_t>(game->tree().num_histories()) - 1;
    return static_cast<uint32_t>(arguments.whole_or(name, 0, 0, last));
  }

  std::shared_ptr<const OpenGame> game;
  std::shared_ptr<const histories::Cut> cut;
  std::shared_ptr<const OpenStrategy> strategy;
};

// The probability of the step into a history; null where it is a player's and unknown.
Json step_json(const HistoryQuestion& question, uint32_t h) {
  const tree::Tree& tree = question.game->tree();
  if (h == 0) return 1;
  if (question.strategy) return tree::probability_of_step(tree, question.strategy->strategy, h);
  return tree.actor[tree.parent[h]] == kChance ? Json(tree.probability[h]) : Json(nullptr);
}

Json history_value(const HistoryQuestion& question, uint32_t h) {
  const tree::Tree& tree = question.game->tree();
  if (tree.actor[h] == kTerminal) return tree.payoff[tree.infoset[h]] + tree.shift;
  return question.strategy ? Json(question.strategy->worth.value[h]) : Json(nullptr);
}

// A number, or -1 where there is none.
int64_t or_minus_one(uint32_t number) { return number == kNone ? -1 : int64_t{number}; }

Json tree_node(const HistoryQuestion& question, uint32_t h, const std::string& action,
               const std::string& label) {
  const tree::Tree& tree = question.game->tree();
  const tree::Actor actor = tree.actor[h];
  return {{"id", h},
          {"parent", or_minus_one(tree.parent[h])},
          {"action", action},
          {"player", actor == kChance     ? 2
                     : actor == kTerminal ? 3
                                          : int{actor}},
          {"infoset", actor < 2 ? int64_t{tree.infoset[h]} : -1},
          {"label", label},
          {"public_state", or_minus_one(tree.public_state[h])},
          {"subgame", question.cut ? or_minus_one(question.cut->subgame[h]) : -1},
          {"num_children", tree.child_begin[h + 1] - tree.child_begin[h]},
          {"probability", step_json(question, h)},
          {"reach", question.strategy ? Json(question.strategy->worth.reach[h]) : Json(nullptr)},
          {"value", history_value(question, h)}};
}

// In the order given; labels come from replaying the histories and their parents.
Json tree_nodes(const HistoryQuestion& question, const std::vector<uint32_t>& histories) {
  const games::Game& game = question.game->game();
  const tree::Tree& tree = question.game->tree();
  std::vector<std::string> action(histories.size()), label(histories.size());
  std::vector<uint32_t> above;
  for (const uint32_t h : histories) above.push_back(h == 0 ? 0 : tree.parent[h]);
  size_t at = 0;
  tree::replay(game, tree, above, [&](uint32_t, const std::byte* state) {
    const uint32_t h = histories[at];
    if (h > 0) action[at] = game.action_label(state, static_cast<int>(tree.action(h)));
    ++at;
  });
  at = 0;
  tree::replay(game, tree, histories, [&](uint32_t h, const std::byte* state) {
    if (tree.actor[h] < 2) label[at] = game.infoset_label(state);
    ++at;
  });
  Json out = Json::array();
  for (size_t i = 0; i < histories.size(); ++i) {
    out.push_back(tree_node(question, histories[i], action[i], label[i]));
  }
  return out;
}

Json show_tree(GameCache& cache, const Arguments& arguments) {
  constexpr int64_t kMostDepth = 1000;
  const HistoryQuestion question(cache, arguments);
  const tree::Tree& tree = question.game->tree();
  const int64_t depth = arguments.whole_or("depth", 3, 0, kMostDepth);
  std::vector<uint32_t> histories = {question.history(arguments, "root")};
  size_t level_end = 1;
  int64_t level = 0;
  for (size_t i = 0; i < histories.size() && histories.size() < kMostTreeNodes; ++i) {
    if (i == level_end) {
      level_end = histories.size();
      ++level;
    }
    if (level == depth) break;
    const uint32_t h = histories[i];
    for (uint32_t child = tree.child_begin[h];
         child < tree.child_begin[h + 1] && histories.size() < kMostTreeNodes; ++child) {
      histories.push_back(child);
    }
  }
  return {{"nodes", tree_nodes(question, histories)},
          {"cut", question.cut ? cut_json(*question.game, *question.cut) : Json(nullptr)}};
}

Json members_json(const OpenGame& game, uint32_t set) {
  const auto all = game.members()[set];
  Json out = Json::array();
  for (const uint32_t h : all.first(std::min(all.size(), kMostMembers))) {
    const auto line = tree::line_to(game.game(), game.tree(), h);
    out.push_back({{"id", h}, {"path", fmt::format("{}", fmt::join(line, "/"))}});
  }
  return out;
}

// Numbers of slots; null where they are not known.
Json slots_json(const std::vector<double>& numbers, uint32_t begin, uint32_t end) {
  Json out = Json::array();
  for (uint32_t slot = begin; slot < end; ++slot) {
    if (std::isnan(numbers[slot])) return nullptr;
    out.push_back(numbers[slot]);
  }
  return out;
}

Json infoset_json(const HistoryQuestion& question, uint32_t h) {
  const OpenGame& game = *question.game;
  const tree::Tree& tree = game.tree();
  if (tree.actor[h] > 1) return nullptr;
  const uint32_t set = tree.infoset[h];
  Json actions = Json::array();
  std::string label;
  tree::replay(game.game(), tree, std::span(&h, 1), [&](uint32_t, const std::byte* state) {
    label = game.game().infoset_label(state);
    for (uint32_t a = 0; a < tree.num_actions(set); ++a) {
      actions.push_back(game.game().action_label(state, static_cast<int>(a)));
    }
  });
  Json out = {{"label", label},
              {"player", tree.player(set)},
              {"actions", actions},
              {"size", tree.infoset_size[set]},
              {"members", members_json(game, set)},
              {"strategy", nullptr},
              {"action_values", nullptr},
              {"value", nullptr},
              {"best_response", nullptr},
              {"reach", nullptr}};
  if (!question.strategy) return out;
  const solve::Worth& worth = question.strategy->worth;
  const uint32_t begin = tree.slot_begin[set];
  const uint32_t end = tree.slot_begin[set + 1];
  out["strategy"] = slots_json(question.strategy->strategy, begin, end);
  out["action_values"] = slots_json(worth.action_value, begin, end);
  out["value"] = number_or_null(worth.set_value[set]);
  out["best_response"] = number_or_null(worth.best[set]);
  out["reach"] = worth.own_reach[set];
  return out;
}

Json show_history(GameCache& cache, const Arguments& arguments) {
  const HistoryQuestion question(cache, arguments);
  const tree::Tree& tree = question.game->tree();
  // An information set stands for its first history.
  const auto last_set = static_cast<int64_t>(tree.num_infosets()) - 1;
  const uint32_t h =
      arguments.has("infoset")
          ? tree.first_history[static_cast<size_t>(arguments.whole("infoset", 0, last_set))]
          : question.history(arguments, "id");
  std::vector<uint32_t> path = tree::path_to(tree, h);
  path.pop_back();
  std::vector<uint32_t> children;
  for (uint32_t child = tree.child_begin[h];
       child < tree.child_begin[h + 1] && children.size() < kMostChildren; ++child) {
    children.push_back(child);
  }
  return {
      {"node", tree_nodes(question, {h})[0]},
      {"path", tree_nodes(question, path)},
      {"children", tree_nodes(question, children)},
      {"payoff", tree.actor[h] == kTerminal ? Json(tree::payoffs_at(question.game->game(), tree, h))
                                            : Json(nullptr)},
      {"infoset", infoset_json(question, h)}};
}

std::string lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

Json show_strategy(GameCache& cache, const Arguments& arguments) {
  const auto open = cache.strategy(arguments.text("game"), arguments.text("strategy"));
  const tree::Tree& tree = open->game->tree();
  const tree::Labels& labels = open->game->labels();
  const int64_t player = arguments.whole_or("player", -1, 0, 1);
  const int64_t from = arguments.whole_or("from", 0, 0, int64_t{1} << 32);
  const std::string search = lower_case(arguments.text_or("search", ""));
  Json sets = Json::array();
  int64_t total = 0;
  for (uint32_t set = 0; set < tree.num_infosets(); ++set) {
    if (player >= 0 && static_cast<int64_t>(tree.player(set)) != player) continue;
    if (lower_case(labels.infoset[set]).find(search) == std::string::npos) continue;
    if (total++ < from || sets.size() == kPageOfSets) continue;
    Json actions = Json::array();
    for (uint32_t slot = tree.slot_begin[set]; slot < tree.slot_begin[set + 1]; ++slot) {
      actions.push_back(labels.action[slot]);
    }
    sets.push_back({{"id", set},
                    {"player", tree.player(set)},
                    {"label", labels.infoset[set]},
                    {"actions", actions},
                    {"probabilities",
                     slots_json(open->strategy, tree.slot_begin[set], tree.slot_begin[set + 1])}});
  }
  return {{"total", total}, {"infosets", sets}};
}

Json evaluate(GameCache& cache, const Arguments& arguments) {
  const auto open = cache.strategy(arguments.text("game"), arguments.text("strategy"));
  open->game->problem();  // says why there is no certificate
  return certificate_json(*open->certificate);
}

Json show_run(const Workspace& workspace, const Arguments& arguments) {
  const std::string path = workspace.existing(arguments.text("file"), {".csv"});
  const report::History history = report::read_history_csv(path);
  return {{"game", history.game},
          {"algorithm", history.algorithm},
          {"points", points_json(history.points)}};
}

}  // namespace

void add_games(Routes& routes, Services& services) {
  const auto answer = [&](const char* path, Json (*handler)(GameCache&, const Arguments&)) {
    routes.get[path] = [&services, handler](const Arguments& arguments) {
      return handler(services.games, arguments);
    };
  };
  routes.get["/api/games"] = list_games;
  answer("/api/game", game_info);
  answer("/api/game/tree", show_tree);
  answer("/api/game/node", show_history);
  answer("/api/game/strategy", show_strategy);
  answer("/api/game/evaluate", evaluate);
  routes.get["/api/history"] = [&services](const Arguments& arguments) {
    return show_run(services.workspace, arguments);
  };
  add_game_solve(routes, services);
  add_game_resolve(routes, services);
}

}  // namespace cleave::server
