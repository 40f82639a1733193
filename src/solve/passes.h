#pragma once

#include <span>

#include "core/threads.h"
#include "kernels/kernels.h"
#include "tree/sequence_form.h"

// The two passes over one player's decisions that everything is made of: reach goes down, values
// come up.
namespace cleave::solve {

// Levels with fewer groups than this (8,192 information sets) are not worth waking a second thread.
inline constexpr uint32_t kParallelGroups = 16;

// Calls visit(group) for each group of a level, on `threads` threads where the level is wide.
template <class Visit>
void visit_level(const tree::Treeplex& plex, size_t level, int threads, const Visit& visit) {
  const uint32_t first = plex.level_begin[level];
  const uint32_t end = plex.level_begin[level + 1];
  if (threads > 1 && end - first >= kParallelGroups) {
    core::parallel_for(end - first, threads, [&](size_t i) { visit(plex.groups[first + i]); });
  } else {
    for (uint32_t g = first; g < end; ++g) visit(plex.groups[g]);
  }
}

// Top-down: parents before children, from level `top` on.
template <class Visit>
void descend(const tree::Treeplex& plex, int threads, const Visit& visit, size_t top = 0) {
  for (size_t level = top; level + 1 < plex.level_begin.size(); ++level) {
    visit_level(plex, level, threads, visit);
  }
}

// Bottom-up to level `top`: compute(group, value of the group's sets) reads q of the group's own
// sequences; the values are then added to q of the parent sequences, always in the order of
// positions.
template <class Compute>
void ascend(const tree::Treeplex& plex, int threads, double* q, double* value,
            const Compute& compute, size_t top = 0) {
  for (size_t level = plex.level_begin.size() - 1; level-- > top;) {
    visit_level(plex, level, threads,
                [&](const tree::Group& group) { compute(group, value + group.first_position); });
    for (uint32_t g = plex.level_begin[level]; g < plex.level_begin[level + 1]; ++g) {
      const tree::Group& group = plex.groups[g];
      const uint32_t end = group.first_position + group.width;
      for (uint32_t i = group.first_position; i < end; ++i) q[plex.parent[i]] += value[i];
    }
  }
}

}  // namespace cleave::solve
