#pragma once

#include <span>
#include <string>
#include <vector>

#include "tree/tree.h"

// Histories as a person follows them.
namespace cleave::tree {

// From the root to the history, itself last.
std::vector<uint32_t> path_to(const Tree& tree, uint32_t history);
// The actions on the way.
std::vector<std::string> line_to(const games::Game& game, const Tree& tree, uint32_t history);
// Of both players at a terminal history, as the rules have them.
std::array<double, 2> payoffs_at(const games::Game& game, const Tree& tree, uint32_t history);

// The histories of every information set, ascending.
class Members {
 public:
  Members() = default;
  explicit Members(const Tree& tree);
  std::span<const uint32_t> operator[](uint32_t set) const {
    return std::span(member_).subspan(begin_[set], begin_[set + 1] - begin_[set]);
  }

 private:
  std::vector<uint32_t> begin_;  // [infoset + 1]
  std::vector<uint32_t> member_;
};

}  // namespace cleave::tree
