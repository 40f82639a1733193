#include "search/follower.h"

#include <algorithm>
#include <cmath>

#include "core/hash.h"
#include "decompose/translation.h"

namespace cleave::search {
namespace {

using door::Move;
using door::Question;
using door::Standing;

// A bet or raise in pots: what it adds to a call, as a part of the pot after the call.
double in_pots(double chips, double call) { return call > 0 ? (chips - call) / (2 * call) : 0; }

// Chips of a call before an event, as the table counts. What is in before the first move is the
// same in both games.
double call_before(const Question& question, size_t event, const Standing& at) {
  double call = 0;
  for (const door::Event& e : std::span(question.events).first(event)) {
    if (e.actor < 2) call = std::max(call, e.chips);
  }
  return call > 0 ? call : at.call;
}

void check_or_call(const Question& question, std::span<double> probabilities) {
  std::ranges::fill(probabilities, 0.0);
  const auto is_it = [](const Move& move) { return move.name == "check" || move.name == "call"; };
  const auto passive = std::ranges::find_if(question.moves, is_it);
  const auto number = passive == question.moves.end() ? 0 : passive - question.moves.begin();
  probabilities[static_cast<size_t>(number)] = 1;
}

// The strategy at a standing in the piece, for the table's moves.
void read_strategy(const Question& question, const Standing& at, decompose::Engine& engine,
                   std::span<double> probabilities) {
  const decompose::Decision decision = engine.decision(at.decision);
  std::vector<double> rows(decision.num_rows());
  engine.strategy(at.decision, rows);
  std::ranges::fill(probabilities, 0.0);
  for (size_t a = 0; a < decision.num_actions; ++a) {
    const Move& mine = at.moves[a];
    auto best = std::ranges::find(question.moves, mine.name, &Move::name);
    if (best == question.moves.end()) {
      const double wanted = in_pots(mine.chips, at.call);
      const auto distance = [&](const Move& move) {
        return move.name == "fold" ? INFINITY
                                   : std::abs(in_pots(move.chips, question.call) - wanted);
      };
      best = std::ranges::min_element(question.moves, {}, distance);
    }
    probabilities[static_cast<size_t>(best - question.moves.begin())] +=
        rows[a * decision.num_states + at.state];
  }
}

}  // namespace

// The move of this game that the event at a standing is taken for.
size_t Follower::counterpart(const Question& question, const Standing& at) const {
  const door::Event& event = question.events[at.event];
  const double x = in_pots(event.chips, call_before(question, at.event, at));
  size_t low = at.moves.size(), high = at.moves.size();
  for (size_t m = 0; m < at.moves.size(); ++m) {
    const double size = in_pots(at.moves[m].chips, at.call);
    if (at.moves[m].name == "fold" || size < 0) continue;
    if (size <= x && (low == at.moves.size() || at.moves[m].chips >= at.moves[low].chips)) low = m;
    if (size > x && (high == at.moves.size() || at.moves[m].chips < at.moves[high].chips)) high = m;
  }
  if (low == at.moves.size()) return high;
  if (high == at.moves.size()) return low;
  const auto draw = core::Hasher().add(seed_).add(question.hand).add(at.event).finish().lo;
  const double chance = decompose::pseudo_harmonic(in_pots(at.moves[low].chips, at.call), x,
                                                   in_pots(at.moves[high].chips, at.call));
  return static_cast<double>(draw >> 11) * 0x1.0p-53 < chance ? low : high;
}

Standing Follower::find(Question& question, const decompose::Piece& piece,
                        const decompose::Engine& engine) const {
  while (true) {
    Standing at = game_.find(question, piece, engine);
    const bool ends = at.event >= question.events.size() || at.moves.empty();
    if (at.kind != Standing::Kind::kUnknown || ends) return at;
    const size_t move = counterpart(question, at);
    if (move == at.moves.size()) return at;
    question.events[at.event].name = at.moves[move].name;
    question.knows.clear();  // the table's word for it
  }
}

void Follower::answer(const Question& asked, const std::function<Known(const Path&)>& know,
                      std::span<double> probabilities) const {
  Question question = asked;
  for (Path path;;) {
    const Known here = know(path);
    const Standing at = find(question, here.piece, here.engine);
    if (at.kind == Standing::Kind::kUnknown) return check_or_call(asked, probabilities);
    if (at.kind == Standing::Kind::kHere)
      return read_strategy(asked, at, here.engine, probabilities);
    path.emplace_back(at.leaf, at.number);
  }
}

}  // namespace cleave::search
