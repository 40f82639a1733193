#pragma once

#include <cstddef>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace cleave::core {

// Memory that begins at a cache line, as the kernels need it; large memory at a large page, which
// the system is asked to use.
template <class T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}  // NOLINT: allocators convert
  static constexpr std::align_val_t kLargePage{size_t{2} << 20};
  static constexpr size_t kLarge = size_t{8} << 20;
  static constexpr std::align_val_t alignment(size_t n) {
    return n * sizeof(T) >= kLarge ? kLargePage : kAlignment;
  }
  T* allocate(size_t n) {
    void* p = ::operator new(n * sizeof(T), alignment(n));
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (n * sizeof(T) >= kLarge) madvise(p, n * sizeof(T), MADV_HUGEPAGE);
#endif
    return static_cast<T*>(p);
  }
  void deallocate(T* p, size_t n) { ::operator delete(p, alignment(n)); }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;
using Reals = AlignedVector<double>;

}  // namespace cleave::core
