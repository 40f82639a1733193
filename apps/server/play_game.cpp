#include "fmt/format.h"
#include "server/play.h"
#include "server/sight.h"

namespace cleave::server {
namespace {

using tree::kChance;
using tree::kTerminal;

// "KsQh" -> "Ks", "Qh"; other texts stay whole.
void add_cards(const std::string& label, Json& cards) {
  bool are_cards = label.size() % 2 == 0 && label.size() >= 4;
  for (size_t i = 0; i + 1 < label.size(); i += 2) {
    are_cards = are_cards && std::string("23456789TJQKA").find(label[i]) != std::string::npos &&
                std::string("cdhs").find(label[i + 1]) != std::string::npos;
  }
  if (!are_cards) {
    cards.push_back(label);
    return;
  }
  for (size_t i = 0; i < label.size(); i += 2) cards.push_back(label.substr(i, 2));
}

class GameTable final : public PlayTable {
 public:
  GameTable(std::shared_ptr<const OpenStrategy> opponent, Seats seats, uint64_t seed)
      : PlayTable(seats, seed),
        opponent_(std::move(opponent)),
        game_(*opponent_->game),
        tree_(game_.tree()),
        chips_(game_) {}

 protected:
  void deal() override {
    history_ = 0;
    play_on();
  }

  void take(size_t action) override {
    history_ = tree_.child_begin[history_] + static_cast<uint32_t>(action);
    play_on();
  }

  std::vector<PlayAction> actions() const override {
    const uint32_t set = tree_.infoset[history_];
    std::vector<PlayAction> out;
    tree::replay(game_.game(), tree_, std::span(&history_, 1),
                 [&](uint32_t, const std::byte* state) {
                   for (uint32_t a = 0; a < tree_.num_actions(set); ++a) {
                     const uint32_t slot = tree_.slot_begin[set] + a;
                     out.push_back({game_.game().action_label(state, static_cast<int>(a)),
                                    opponent_->strategy[slot],
                                    opponent_->worth.action_value[slot] + already_put(set)});
                   }
                 });
    return out;
  }

  // While the hand is played all of it comes from the person's information set.
  Json look() const override {
    Json out = {{"game", game_.name()}, {"kind", "game"}, {"opponent", opponent_text()}};
    out.update(finished() ? whole_hand() : seen_hand());
    return out;
  }

 private:
  using By = SeenStep::By;
  enum class Holder { kMe, kOther, kBoard };

  void play_on() {
    while (tree_.actor[history_] != kTerminal && tree_.actor[history_] != seat()) {
      const uint32_t begin = tree_.child_begin[history_];
      std::vector<double> weights;
      for (uint32_t child = begin; child < tree_.child_begin[history_ + 1]; ++child) {
        weights.push_back(
            tree_.actor[history_] == kChance
                ? tree_.probability[child]
                : opponent_->strategy[tree_.slot_begin[tree_.infoset[history_]] + child - begin]);
      }
      history_ = begin + static_cast<uint32_t>(draw(weights));
    }
    if (tree_.actor[history_] != kTerminal) return;
    tree::replay(game_.game(), tree_, std::span(&history_, 1),
                 [&](uint32_t, const std::byte* state) {
                   finish(game_.game().payoff(state, seat()).to_double());
                 });
  }

  std::string opponent_text() const {
    if (!opponent_->certificate) return opponent_->text;
    return fmt::format("{}, exploitability {:.3g} chips", opponent_->text,
                       opponent_->certificate->exploitability);
  }

  // What the person has in the pot: values count from now on.
  double already_put(uint32_t set) const {
    if (!chips_.known()) return 0;
    const uint32_t member = game_.members(set)[0];
    return put_at(member)[static_cast<size_t>(seat())];
  }

  std::vector<tree::Actor> actors_to(uint32_t history) const {
    std::vector<tree::Actor> out;
    for (const uint32_t h : game_.path(history)) out.push_back(tree_.actor[h]);
    out.pop_back();
    return out;
  }
  std::array<double, 2> put_at(uint32_t history) const {
    return chips_.put(actors_to(history), game_.lines(std::span(&history, 1))[0]);
  }

  void add_chips(uint32_t history, Json& out) const {
    out["pot"] = out["put"] = nullptr;
    out["stacks"] = nullptr;
    if (!chips_.known()) return;
    const auto put = put_at(history);
    out["pot"] = put[0] + put[1];
    const auto me = static_cast<size_t>(seat());
    out["put"] = {put[me], put[1 - me]};
  }

  Json seen_hand() const {
    const uint32_t set = tree_.infoset[history_];
    Json cards = Json::array(), board = Json::array(), log = Json::array();
    for (const SeenStep& step : make_sight(game_, set)) {
      if (!step.actor_known) continue;
      const bool seen = step.seen != By::kNobody;
      if (step.actor == seat()) {
        log.push_back(log_entry("you", seen ? step.label : "act"));
      } else if (step.actor != kChance) {
        log.push_back(log_entry("opponent", seen ? step.label : "acts unseen"));
      } else if (!seen) {
        log.push_back(log_entry("chance", "hidden from you"));
      } else {
        const bool mine = step.seen == By::kMe;
        add_cards(step.label, mine ? cards : board);
        log.push_back(log_entry("chance", step.label + (mine ? " to you" : "")));
      }
    }
    if (cards.empty()) add_label(set, cards);
    Json out = {{"cards", cards}, {"opponent_cards", nullptr}, {"board", board}, {"log", log}};
    add_chips(game_.members(set)[0], out);
    return out;
  }

  // Of games without private cards: what the person knows, in the game's own words.
  void add_label(uint32_t set, Json& cards) const {
    const uint32_t member = game_.members(set)[0];
    tree::replay(game_.game(), tree_, std::span(&member, 1), [&](uint32_t, const std::byte* state) {
      const std::string label = game_.game().infoset_label(state);
      if (!label.empty()) cards.push_back(label);
    });
  }

  // Whose a move of chance was, in the light of both players' last decisions.
  static Holder holder_of(size_t step, const std::vector<SeenStep>& mine,
                          const std::vector<SeenStep>& theirs) {
    const bool asked_me = step < mine.size();
    const bool asked_them = step < theirs.size();
    const By me = asked_me ? mine[step].seen : By::kNobody;
    const By them = asked_them ? theirs[step].seen : By::kNobody;
    if (me == By::kAll || them == By::kAll) return Holder::kBoard;
    if (me != them) return me == By::kMe ? Holder::kMe : Holder::kOther;
    // Nobody has shown to know it: it belongs to who was never asked.
    if (asked_me == asked_them) return Holder::kBoard;
    return asked_me ? Holder::kOther : Holder::kMe;
  }

  // The last information set of a player in this hand; kNone where the player never acted.
  uint32_t last_set(int player) const {
    for (uint32_t h = history_; h != tree::kNone; h = tree_.parent[h]) {
      if (tree_.actor[h] == player) return tree_.infoset[h];
    }
    return tree::kNone;
  }
  std::vector<SeenStep> last_sight(int player) const {
    const uint32_t set = last_set(player);
    return set == tree::kNone ? std::vector<SeenStep>() : make_sight(game_, set);
  }

  Json whole_hand() const {
    const auto mine = last_sight(seat());
    const auto theirs = last_sight(1 - seat());
    const auto actors = actors_to(history_);
    const auto labels = game_.lines(std::span(&history_, 1))[0];
    Json cards = Json::array(), other = Json::array(), board = Json::array();
    Json log = Json::array();
    for (size_t k = 0; k < actors.size(); ++k) {
      if (actors[k] != kChance) {
        log.push_back(log_entry(actors[k] == seat() ? "you" : "opponent", labels[k]));
        continue;
      }
      const Holder holder = holder_of(k, mine, theirs);
      add_cards(labels[k], holder == Holder::kMe      ? cards
                           : holder == Holder::kOther ? other
                                                      : board);
      const char* to = holder == Holder::kMe      ? " to you"
                       : holder == Holder::kOther ? " to the opponent"
                                                  : "";
      log.push_back(log_entry("chance", labels[k] + to));
    }
    if (cards.empty() && last_set(seat()) != tree::kNone) add_label(last_set(seat()), cards);
    if (!other.empty()) {
      std::string text = "had";
      for (const Json& card : other) text += " " + card.get<std::string>();
      log.push_back(log_entry("opponent", text));
    }
    log.push_back(log_entry("you", payoff_text(payoff())));
    Json out = {{"cards", cards}, {"opponent_cards", other}, {"board", board}, {"log", log}};
    add_chips(history_, out);
    return out;
  }

  std::shared_ptr<const OpenStrategy> opponent_;
  const OpenGame& game_;
  const tree::Tree& tree_;
  ChipCounter chips_;
  uint32_t history_ = 0;
};

}  // namespace

std::unique_ptr<PlayTable> make_game_table(std::shared_ptr<const OpenStrategy> opponent,
                                           PlayTable::Seats seats, uint64_t seed) {
  return std::make_unique<GameTable>(std::move(opponent), seats, seed);
}

}  // namespace cleave::server
