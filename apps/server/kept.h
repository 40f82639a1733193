#pragma once

#include <algorithm>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>

namespace cleave::server {

// What was used last, as much as fits. Asked by several threads.
template <class T>
class Kept {
 public:
  // `most_weight`: of all together, in whatever unit get() is given them.
  explicit Kept(size_t most, size_t most_weight = 0) : most_(most), most_weight_(most_weight) {}

  // Made where it is not there, one at a time: two that ask at once do not both make it.
  std::shared_ptr<T> get(const std::string& key, const std::function<std::shared_ptr<T>()>& make,
                         const std::function<size_t(const T&)>& weight = {}) {
    if (auto found = find(key)) return found;
    const std::lock_guard one(making_);
    if (auto found = find(key)) return found;
    auto made = make();
    const std::lock_guard lock(mutex_);
    entries_.push_front({key, made, weight ? weight(*made) : 0});
    size_t total = 0;
    size_t number = 0;
    std::erase_if(entries_, [&](const Entry& entry) {
      total += entry.weight;
      return ++number > 1 && (number > most_ || total > most_weight_);
    });
    return made;
  }

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<T> value;
    size_t weight;
  };
  std::shared_ptr<T> find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto at = std::ranges::find(entries_, key, &Entry::key);
    if (at == entries_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, at);
    return at->value;
  }

  std::mutex mutex_, making_;
  std::list<Entry> entries_;  // newest first
  size_t most_, most_weight_;
};

}  // namespace cleave::server
