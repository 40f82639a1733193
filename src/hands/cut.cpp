#include "hands/cut.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/number.h"

namespace cleave::hands {
namespace {

constexpr std::string_view kOutside = "outside:", kStops = "stops:";

// The street that a line of play comes to, as far as it can be followed: what does not fit is found
// where boards are looked at too.
int street_of(const poker::BettingTree& tree, std::string_view line) {
  uint32_t node = 0;
  for (const std::string_view step : poker::split_line(line)) {
    const poker::BettingNode& at = tree.nodes[node];
    uint32_t next = at.first_child;
    const bool deal = at.kind == poker::BettingNode::Kind::kDeal;
    while (!deal && next < at.first_child + at.num_children &&
           poker::to_text(tree.nodes[next].action) != step) {
      ++next;
    }
    if (next == at.first_child + at.num_children) break;
    node = next;
  }
  return tree.nodes[node].street;
}

StreetCut parse_cut(const Problem& problem, std::string_view spec) {
  StreetCut cut;
  const size_t colon = spec.find(':');
  const std::string_view kind = spec.substr(0, colon);
  if (colon != spec.npos && (kind == "line" || kind == "history")) {
    cut.line = spec.substr(colon + 1);
    if (cut.line.empty()) {
      throw core::InputError(
          "cut 'line:': name the actions that lead to the subgame, at least one");
    }
    std::ranges::replace(cut.line, '_', ' ');
    cut.street = street_of(problem.setup.tree, cut.line);
    return cut;
  }
  std::string allowed;
  for (size_t s = 1; s < problem.street_names.size(); ++s) {
    allowed += (s == 1 ? "" : ", ") + problem.street_names[s];
  }
  if (colon != spec.npos && (kind == "street" || kind == "deal")) {
    cut.dealt = kind == "deal";
    const std::string_view street = spec.substr(colon + 1);
    const auto number = core::parse_number<int>(street);
    for (size_t s = 1; s < problem.street_names.size(); ++s) {
      if (street != problem.street_names[s] && number != static_cast<int>(s) + 1) continue;
      cut.street = static_cast<int>(s) - 1;
      return cut;
    }
  }
  throw core::InputError(fmt::format(
      "cut '{}' does not fit {}; allowed are street:S (before its cards are dealt) and deal:S "
      "(after), with S out of {}, and line:ACTION/ACTION/CARDS/...",
      spec, problem.name, allowed.empty() ? "nothing: it has one street" : allowed));
}

}  // namespace

std::vector<StreetCut> parse_cuts(const Problem& problem, std::string_view spec) {
  std::vector<StreetCut> cuts;
  while (true) {
    const size_t comma = spec.find(',');
    cuts.push_back(parse_cut(problem, spec.substr(0, comma)));
    if (!cuts.back().line.empty() && (cuts.size() > 1 || comma != spec.npos)) {
      throw core::InputError(fmt::format("cut '{}': a line of play is cut alone", spec));
    }
    if (cuts.size() > 1 && cuts[cuts.size() - 2].street >= cuts.back().street) {
      throw core::InputError(fmt::format("cut '{}': the later street comes last", spec));
    }
    if (comma == spec.npos) return cuts;
    spec.remove_prefix(comma + 1);
  }
}

std::vector<StreetCut> cut_every_deal(const Setup& setup) {
  std::vector<StreetCut> cuts;
  for (size_t s = 1; s < setup.deals.size(); ++s) cuts.push_back({static_cast<int>(s) - 1, true});
  return cuts;
}

std::string to_text(const std::vector<StreetCut>& cuts) {
  std::string text;
  if (cuts.size() == 1 && !cuts[0].line.empty()) {
    text = "line:" + cuts[0].line;
    std::ranges::replace(text, ' ', '_');
    return text;
  }
  for (const StreetCut& cut : cuts) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", cut.dealt ? "deal" : "street",
                        cut.street + 2);
  }
  return text;
}

std::string to_text(const Outside& outside) {
  std::string text = fmt::format("{}{}:", kOutside, outside.hero);
  const std::vector<bool>& off = outside.bets.off;
  for (size_t n = 0; n < off.size(); ++n) {
    if (!off[n]) continue;
    const size_t first = n;
    while (n + 1 < off.size() && off[n + 1]) ++n;
    text += fmt::format("{}{}-{}", text.back() == ':' ? "" : ",", first, n);
  }
  return text;
}

std::string to_text(const Stops& stops) {
  return fmt::format("{}{}:{}", kStops, stops.player, stops.to_street_end ? "street" : "end");
}

bool is_outside_text(std::string_view text) { return text.starts_with(kOutside); }
bool is_stops_text(std::string_view text) { return text.starts_with(kStops); }

Stops parse_stops(std::string_view text) {
  for (const size_t player : {0, 1}) {
    for (const bool to_street_end : {false, true}) {
      const Stops stops{player, to_street_end};
      if (to_text(stops) == text) return stops;
    }
  }
  throw core::InputError(fmt::format("'{}' are nobody's stops", text));
}

std::shared_ptr<const Outside> parse_outside(const Problem& problem, std::string_view text) {
  const auto number = [](std::string_view& rest, char end) {
    const size_t at = std::min(rest.find(end), rest.size());
    const auto n = core::parse_number<size_t>(rest.substr(0, at));
    rest.remove_prefix(std::min(at + 1, rest.size()));
    return n.value_or(~size_t{0});
  };
  std::string_view rest = text.substr(kOutside.size());
  const size_t hero = number(rest, ':');
  std::vector<bool> off(problem.setup.tree.nodes.size(), false);
  while (!rest.empty()) {
    const size_t first = number(rest, '-'), last = number(rest, ',');
    if (hero > 1 || first > last || last >= off.size()) {
      throw core::InputError(fmt::format("'{}' are no bets of {}", text, problem.name));
    }
    for (size_t n = first; n <= last; ++n) off[n] = true;
  }
  return std::make_shared<const Outside>(
      Outside{map_bets(problem.setup.tree, std::move(off)), hero});
}

}  // namespace cleave::hands
