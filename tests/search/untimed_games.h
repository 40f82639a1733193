#pragma once

#include <fmt/format.h>

#include <map>
#include <string>

#include "core/random.h"
#include "games/efg.h"

namespace cleave {

// Random games of perfect recall without a common clock: who moves is drawn for every history, and
// a player notices another's move only sometimes, so that an information set holds histories of
// different lengths. Public states by level do not describe them; closures must.
class UntimedGame {
 public:
  explicit UntimedGame(uint64_t seed) : random_(seed) {
    text_ = "EFG 2 R \"untimed\" { \"A\" \"B\" }\n";
    add_node(0, {"", ""});
  }
  std::unique_ptr<games::Game> make() const { return games::read_efg(text_, "untimed"); }

 private:
  void add_node(int depth, std::array<std::string, 2> seen) {
    if (depth == 6 || (depth > 2 && random_.below(6) == 0)) {
      const auto payoff = static_cast<int>(random_.below(21)) - 10;
      text_ += fmt::format("t \"\" {} \"\" {{ {} {} }}\n", ++outcomes_, payoff, -payoff);
      return;
    }
    const auto actor = random_.below(5);
    if (actor == 4) {
      text_ += fmt::format("c \"\" {} \"\" {{ \"x\" 1/3 \"y\" 2/3 }} 0\n", ++chances_);
    } else {
      const size_t p = actor % 2;
      const auto set = sets_[p].try_emplace(seen[p], sets_[p].size() + 1).first->second;
      text_ += fmt::format("p \"\" {} {} \"{}\" {{ \"l\" \"r\" }} 0\n", p + 1, set, set);
    }
    for (int a = 0; a < 2; ++a) {
      auto next = seen;
      for (size_t p = 0; p < 2; ++p) {
        const bool own = actor < 4 && actor % 2 == p;
        if (own) {
          next[p] += a == 0 ? 'l' : 'r';
        } else if (random_.below(3) == 0) {
          next[p] += a == 0 ? '0' : '1';
        }
      }
      add_node(depth + 1, next);
    }
  }

  core::Random random_;
  std::string text_;
  std::array<std::map<std::string, size_t>, 2> sets_;
  int outcomes_ = 0;
  int chances_ = 0;
};

}  // namespace cleave
