#include "whole/subgames.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/stopwatch.h"
#include "core/threads.h"
#include "decompose/resolver.h"
#include "hands/problem.h"

namespace cleave::whole {
namespace {

constexpr std::string_view kBlueprint = "blueprint", kPathRecovery = "path-recovery";

std::vector<Way> make_ways(const std::vector<std::string>& names) {
  std::vector<Way> ways;
  for (const std::string& name : names) ways.push_back(make_way(name));
  return ways;
}

// Hands of the whole game that a board leaves, in order: the states of a subgame under it.
std::vector<uint16_t> hands_under(const Game& game, const hands::Board& board) {
  std::vector<uint16_t> hands;
  for (size_t h = 0; h < game.setup().hands[0].size(); ++h) {
    if ((game.setup().hands[0][h] & board.cards) == 0) hands.push_back(static_cast<uint16_t>(h));
  }
  return hands;
}

// The blueprint's strategies at every decision of a subgame, as the engine's averages.
class BlueprintRows {
 public:
  BlueprintRows(const Game& game, const Blueprint& blueprint, size_t board,
                const std::vector<uint16_t>& hands, hands::VectorEngine& engine)
      : game_(game), blueprint_(blueprint), engine_(engine), arrays_(engine.arrays(false)) {
    const hands::Side& whole = game.street().boards[board].side[0];
    const auto buckets = blueprint.last_street().buckets_of(board);
    const hands::Side& side = engine.layout().streets[0].boards[0].side[0];
    for (const uint16_t hand : side.hand) bucket_.push_back(buckets[whole.row[hands[hand]]]);
  }

  void write(size_t line) {
    const hands::Street& street = game_.street();
    chunk_ = 0;
    while (line >= street.chunks[chunk_].first_line + street.chunks[chunk_].num_lines) ++chunk_;
    write_node(hands::entry_node(street, static_cast<uint32_t>(line)), 0);
  }

 private:
  void write_node(uint32_t whole, uint32_t here) {
    const hands::Node& from = game_.street().nodes[whole];
    if (from.kind != poker::BettingNode::Kind::kDecision) return;
    const hands::Node& to = engine_.layout().streets[0].nodes[here];
    const Block& block = blueprint_.last_street().blocks(from.player)[chunk_];
    const auto decision = std::ranges::find(block.decisions, whole, &Block::Decision::node);
    const float* values = blueprint_.strategy(from.player).data() + block.first + decision->row;
    auto* rows = reinterpret_cast<float*>(arrays_[from.player].bytes.data());
    const size_t width = engine_.layout().streets[0].boards[0].side[from.player].width;
    for (size_t a = 0; a < from.num_children; ++a) {
      float* row = rows + (to.storage_row + a) * width;
      for (size_t i = 0; i < bucket_.size(); ++i) row[i] = values[bucket_[i] * block.rows + a];
      write_node(from.first_child + static_cast<uint32_t>(a),
                 to.first_child + static_cast<uint32_t>(a));
    }
  }

  const Game& game_;
  const Blueprint& blueprint_;
  hands::VectorEngine& engine_;
  std::vector<tree::BulkArray> arrays_;
  std::vector<uint16_t> bucket_;  // [row of the engine]
  size_t chunk_ = 0;
};

}  // namespace

Way make_way(std::string_view name) {
  Way way{std::string(name), {}, false};
  if (name == kBlueprint) return way;
  if (name == kPathRecovery) {
    way.method = decompose::make_method("estimated");
    way.recovers_path = true;
    return way;
  }
  way.method =
      decompose::make_method(name, fmt::format("; also {} and {}", kBlueprint, kPathRecovery));
  return way;
}

// One subgame of one hero, [hand that the board leaves].
struct SubgameJob::Subgame {
  const std::vector<uint16_t>& hands;  // of the whole game
  hands::VectorEngine& engine;
  double images = 1;  // boards that this one stands for: the subgame is all of them
  int hero = 0;
  std::vector<double> hero_reach, opponent_reach;
  std::vector<double> rho, best_response, estimate;  // the opponent's
  std::vector<const PathStep*> steps = {};

  int opponent() const { return 1 - hero; }
};

SubgameJob::SubgameJob(const Game& game, Blueprint& blueprint, SubgameOptions options)
    : game_(game),
      blueprint_(blueprint),
      options_(std::move(options)),
      ways_(make_ways(options_.ways)),
      paths_(game, blueprint),
      preflop_(game, blueprint),
      wanted_(spread_order(preflop_.num_deals())),
      log_(options_.file, options_.key, preflop_.num_deals(), 2 * ways_.size() * preflop_.size()) {
  if (options_.deals > 0) wanted_.resize(std::min(wanted_.size(), options_.deals));
}

void SubgameJob::run() {
  std::vector<size_t> open;
  for (const size_t d : wanted_) {
    if (log_.result(d).empty()) open.push_back(d);
  }
  size_t done = wanted_.size() - open.size();
  core::parallel_for(open.size(), options_.threads, [&](size_t i) {
    if (options_.stop && *options_.stop) return;
    core::Stopwatch watch;
    watch.start();
    std::vector<float> result = solve_deal(open[i]);
    if (result.empty()) return;  // stopped on the way
    const std::lock_guard lock(mutex_);
    solving_seconds_ += watch.seconds();
    log_.add(open[i], std::move(result));
    if (options_.progress) options_.progress(++done, wanted_.size());
  });
  if (options_.stop && *options_.stop) throw core::RunError("stopped");
}

Estimate SubgameJob::exploitability(size_t way) {
  std::array<Preflop::Deals, 2> deals;
  // The blueprint has been measured on all deals if they follow the first street at once.
  const auto base = std::ranges::find(options_.ways, kBlueprint) - options_.ways.begin();
  const bool has_base = game_.last == 1 && static_cast<size_t>(base) < ways_.size();
  for (size_t hero = 0; hero < 2; ++hero) {
    Preflop::Deals& out = deals[1 - hero];
    for (size_t d = 0; d < log_.num_deals(); ++d) {
      const float* result = log_.result(d).empty() ? nullptr : log_.result(d).data();
      const auto part = [&](size_t w) {
        return result ? result + (hero * ways_.size() + w) * preflop_.size() : nullptr;
      };
      out.value.push_back(part(way));
      if (has_base) out.base.push_back(part(static_cast<size_t>(base)));
    }
    if (!has_base) continue;
    for (const Floats& values : paths_.leaf_values(1 - hero, true)) {
      out.base_of_all.insert(out.base_of_all.end(), values.begin(), values.end());
    }
  }
  const Estimate both = preflop_.best_responses(deals);
  return {both.value / 2, both.error / 2};
}

std::vector<float> SubgameJob::solve_deal(size_t deal) {
  const kernels::FlushToZero flush;
  std::vector<float> out(2 * ways_.size() * preflop_.size(), 0);
  const size_t combinations = 2 * ways_.size();
  std::vector<std::vector<Floats>> leaves(combinations, std::vector<Floats>(game_.num_lines()));
  if (game_.last > 1) return solve_later_boards(deal);
  solve_board(0, deal, leaves);
  for (size_t i = 0; i < combinations; ++i) {
    const size_t opponent = 1 - i / ways_.size();
    for (size_t line = 0; line < game_.num_lines(); ++line) {
      preflop_.add_deal(deal, opponent, line, leaves[i][line].data(),
                        out.data() + i * preflop_.size());
    }
  }
  return out;
}

// With a street between: its boards one after the other, then a best response on that street.
std::vector<float> SubgameJob::solve_later_boards(size_t deal) {
  const size_t combinations = 2 * ways_.size(), lines = game_.num_lines();
  const hands::Board& board = game_.trunk_street().boards[deal];
  const auto zero = [&](size_t i) { return Floats(board.side[1 - i / ways_.size()].width, 0); };
  std::vector<std::vector<Floats>> sums(combinations), leaves(combinations);
  for (size_t i = 0; i < combinations; ++i) {
    sums[i].assign(lines, zero(i));
    leaves[i].resize(lines);
  }
  for (size_t b = board.first_child; b < board.first_child + board.num_children; ++b) {
    if (options_.stop && *options_.stop) return {};
    solve_board(deal, b, leaves);
    const hands::Board& below = game_.street().boards[b];
    for (size_t i = 0; i < combinations * lines; ++i) {
      const std::vector<uint16_t>& back = below.side[1 - i / lines / ways_.size()].back;
      Floats& sum = sums[i / lines][i % lines];
      for (size_t k = 0; k < back.size(); ++k) {
        sum[k % sum.size()] += leaves[i / lines][i % lines][back[k]];
      }
    }
  }
  std::vector<float> out(combinations * preflop_.size(), 0);
  for (size_t i = 0; i < combinations; ++i) {
    respond(deal, 1 - i / ways_.size(), sums[i], out.data() + i * preflop_.size());
  }
  return out;
}

// The opponent's best response on the street before the cut, given what comes after it.
void SubgameJob::respond(size_t deal, size_t opponent, const std::vector<Floats>& leaves,
                         float* out) {
  const std::lock_guard lock(blueprint_.trunk_mutex());
  const int p = static_cast<int>(opponent);
  hands::VectorEngine& trunk = blueprint_.trunk();
  const hands::Street& street = game_.trunk_street();
  const hands::Side& side = street.boards[deal].side[opponent];
  std::vector<double> values;
  for (size_t line = 0; line < leaves.size(); ++line) {
    values.assign(leaves[line].begin(), leaves[line].begin() + side.count);
    trunk.set_leaf_values(deal * leaves.size() + line, p, values);
  }
  const std::vector<double> ones(game_.setup().hands[0].size(), 1.0);
  for (size_t line = 0; line < preflop_.num_lines(); ++line) {
    const uint32_t node = hands::entry_node(street, static_cast<uint32_t>(line));
    const hands::View view = trunk.look(static_cast<int>(game_.last) - 1,
                                        static_cast<uint32_t>(deal), node, {ones, ones});
    Floats rows(side.width, 0);
    for (size_t h = 0; h < ones.size(); ++h) {
      rows[side.row[h]] = static_cast<float>(view.best_response[opponent][h]);
    }
    rows[side.count] = 0;
    preflop_.add_deal(deal, opponent, line, rows.data(), out);
  }
}

// `leaves`: [hero and way][line], values of the opponent's rows on the board.
void SubgameJob::solve_board(size_t parent, size_t b, std::vector<std::vector<Floats>>& leaves) {
  const hands::Board& board = game_.street().boards[b];
  const hands::Side& above = game_.trunk_street().boards[parent].side[0];
  const std::vector<uint16_t> hands = hands_under(game_, board);
  const auto images = static_cast<double>(board.images.size());
  for (size_t line = 0; line < game_.num_lines(); ++line) {
    const auto engine = hands::make_vector_engine(
        hands::sketch_layout(hands::below(game_.setup(), game_.entry(line), board.cards)), {});
    const size_t leaf = parent * game_.num_lines() + line;
    std::array<std::vector<double>, 2> reach;
    for (size_t p = 0; p < 2; ++p) {
      for (const uint16_t h : hands) {
        reach[p].push_back(blueprint_.leaf_reach(p)[leaf][above.row[h]]);
      }
    }
    for (int hero = 0; hero < 2; ++hero) {
      const auto own = static_cast<size_t>(hero);
      Subgame subgame{hands, *engine, images, hero, reach[own], reach[1 - own], {}, {}, {}, {}};
      engine->reset();
      BlueprintRows(game_, blueprint_, b, hands, *engine).write(line);
      for (auto* values : {&subgame.rho, &subgame.best_response, &subgame.estimate}) {
        values->resize(hands.size());
      }
      engine->counterfactual_reach(1 - hero, subgame.hero_reach, subgame.rho);
      engine->best_response(1 - hero, subgame.hero_reach, subgame.best_response);
      engine->average_values(1 - hero, subgame.hero_reach, subgame.estimate);
      subgame.steps = paths_.steps(parent, line, 1 - own);
      std::vector<std::vector<double>> values(ways_.size());
      solve_line(subgame, values);
      for (size_t w = 0; w < ways_.size(); ++w) {
        Floats& to = leaves[own * ways_.size() + w][line];
        to.assign(board.side[1 - own].width, 0);
        for (size_t i = 0; i < hands.size(); ++i) {
          to[board.side[1 - own].row[hands[i]]] = static_cast<float>(values[w][i]);
        }
      }
    }
  }
}

decompose::GadgetInput SubgameJob::make_input(const Subgame& subgame, const Way& way) const {
  decompose::GadgetInput input{subgame.opponent_reach, subgame.rho, {}};
  std::vector<std::vector<decompose::Gift>> gifts;
  for (size_t i = 0; i < subgame.hands.size(); ++i) {
    gifts.push_back(gifts_of(subgame.steps, subgame.hands[i], subgame.rho[i] * subgame.images));
  }
  input.alternatives = decompose::make_alternatives(*way.method, subgame.rho, subgame.best_response,
                                                    subgame.estimate, gifts);
  if (!way.recovers_path) return input;
  for (size_t i = 0; i < subgame.hands.size(); ++i) {
    if (subgame.rho[i] <= 0) continue;
    input.alternatives.mean[i] += detour(subgame.steps, subgame.hands[i]) / subgame.rho[i];
  }
  return input;
}

// What the opponent gets against each way: [way][hand].
void SubgameJob::solve_line(Subgame& subgame, std::vector<std::vector<double>>& values) {
  const auto reached = [](const std::vector<double>& reach) {
    return std::ranges::any_of(reach, [](double x) { return x > 0; });
  };
  for (size_t w = 0; w < ways_.size(); ++w) {
    values[w] = subgame.best_response;
    const Way& way = ways_[w];
    // Where the hero never comes nothing has to be solved: all values are zero.
    if (!way.method || !reached(subgame.hero_reach)) continue;
    if (way.method->gadget->needs_trunk_reach && !reached(subgame.opponent_reach)) continue;
    subgame.engine.reset();
    const auto gadget = decompose::make_gadget(*way.method, make_input(subgame, way));
    decompose::Resolver resolver(subgame.engine, *gadget, subgame.hero, subgame.hero_reach,
                                 solve::make_schedule(options_.algorithm, options_.iterations));
    for (int64_t t = 0; t < options_.iterations; ++t) resolver.iterate();
    subgame.engine.best_response(subgame.opponent(), subgame.hero_reach, values[w]);
    const std::lock_guard lock(mutex_);
    ++solved_;
  }
}

}  // namespace cleave::whole
