#include <optional>

#include "door/tree_hand.h"
#include "fmt/format.h"
#include "games/chip_counter.h"
#include "server/play.h"
#include "tree/sight.h"

namespace cleave::server {
namespace {

using tree::kChance;

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
        rules_(game_.game()),
        tree_(game_.tree()),
        chips_(rules_),
        hand_(tree_) {}

 protected:
  void deal() override {
    hand_ = door::TreeHand(tree_);
    play_on();
  }

  void take(size_t action) override {
    hand_.take(action);
    play_on();
  }

  std::vector<PlayAction> actions() const override {
    const uint32_t set = tree_.infoset[hand_.history()];
    const double put = already_put(set);
    std::vector<PlayAction> out;
    for (uint32_t slot = tree_.slot_begin[set]; slot < tree_.slot_begin[set + 1]; ++slot) {
      out.push_back({game_.labels().action[slot], opponent_->strategy[slot],
                     opponent_->worth.action_value[slot] + put});
    }
    return out;
  }

  // While the hand is played all of it comes from the person's information set.
  Json look() const override {
    Json out = {{"game", game_.name()}, {"kind", "game"}, {"opponent", opponent_text()}};
    out.update(finished() ? whole_hand() : seen_hand());
    return out;
  }

 private:
  using By = tree::SeenStep::By;

  void play_on() {
    door::play_on(hand_, random_, [&](size_t player) -> std::optional<size_t> {
      if (static_cast<int>(player) == seat()) return std::nullopt;
      const uint32_t set = tree_.infoset[hand_.history()];
      return random_.draw(
          std::span(opponent_->strategy).subspan(tree_.slot_begin[set], tree_.num_actions(set)));
    });
    if (hand_.actor() != tree::kTerminal) return;
    finish(tree::payoffs_at(rules_, tree_, hand_.history())[static_cast<size_t>(seat())]);
  }

  std::string opponent_text() const {
    if (!opponent_->certificate) return opponent_->text;
    return fmt::format("{}, exploitability {:.3g} chips", opponent_->text,
                       opponent_->certificate->exploitability);
  }

  // What the person has in the pot: values count from now on.
  double already_put(uint32_t set) const {
    if (!chips_.known()) return 0;
    return put_at(game_.members()[set][0])[static_cast<size_t>(seat())];
  }

  std::array<double, 2> put_at(uint32_t history) const {
    std::vector<tree::Actor> actors;
    for (const uint32_t h : tree::path_to(tree_, history)) actors.push_back(tree_.actor[h]);
    actors.pop_back();
    return chips_.put(actors, tree::line_to(rules_, tree_, history));
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
    const uint32_t set = tree_.infoset[hand_.history()];
    Json cards = Json::array(), board = Json::array(), log = Json::array();
    for (const auto& step : tree::make_sight(rules_, tree_, game_.members(), set)) {
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
    add_chips(game_.members()[set][0], out);
    return out;
  }

  // Of games without private cards: what the person knows, in the game's own words.
  void add_label(uint32_t set, Json& cards) const {
    const std::string& label = game_.labels().infoset[set];
    if (!label.empty()) cards.push_back(label);
  }

  Json whole_hand() const {
    Json cards = Json::array(), other = Json::array(), board = Json::array(), log = Json::array();
    for (const auto& step : tree::show_all(rules_, tree_, game_.members(), hand_.history())) {
      std::string text = step.label;
      if (step.actor == kChance) {
        const bool mine = step.holder == seat();
        add_cards(step.label, step.holder == kChance ? board : mine ? cards : other);
        if (step.holder != kChance) text += mine ? " to you" : " to the opponent";
      }
      log.push_back(log_entry(who_did(step.actor, seat()), text));
    }
    const uint32_t last = tree::last_set(tree_, hand_.history(), seat());
    if (cards.empty() && last != tree::kNone) add_label(last, cards);
    if (!other.empty()) {
      std::string text = "had";
      for (const Json& card : other) text += " " + card.get<std::string>();
      log.push_back(log_entry("opponent", text));
    }
    log.push_back(log_entry("you", payoff_text(payoff())));
    Json out = {{"cards", cards}, {"opponent_cards", other}, {"board", board}, {"log", log}};
    add_chips(hand_.history(), out);
    return out;
  }

  std::shared_ptr<const OpenStrategy> opponent_;
  const OpenGame& game_;
  const games::Game& rules_;
  const tree::Tree& tree_;
  games::ChipCounter chips_;
  door::TreeHand hand_;
};

}  // namespace

std::unique_ptr<PlayTable> make_game_table(std::shared_ptr<const OpenStrategy> opponent,
                                           PlayTable::Seats seats, uint64_t seed) {
  return std::make_unique<GameTable>(std::move(opponent), seats, seed);
}

}  // namespace cleave::server
