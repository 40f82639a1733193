#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cleave::decompose {

// Results of finished tasks, appended to a file one by one: a run that was killed goes on with the
// others. A record that was cut off or damaged counts as not there.
class Journal {
 public:
  // Reads what is there. `key` names everything that results depend on: a file of another key is
  // begun anew. An empty path keeps nothing. Throws RunError where the file cannot be written.
  Journal(std::string path, std::string key, size_t num_tasks, size_t result_size);

  const std::vector<float>& result(size_t task) const { return results_[task]; }  // empty: to do
  size_t result_size() const { return result_size_; }
  size_t num_done() const { return known().size(); }
  std::vector<size_t> known() const;                 // tasks that are done
  void add(size_t task, std::vector<float> result);  // one caller at a time
  // Does those of `wanted` that are not done, side by side, and adds each result as it comes. A
  // task that throws is left out; the first of what was thrown is thrown at the end. `progress`:
  // calls come one at a time.
  void fill(const std::vector<size_t>& wanted, int threads,
            const std::function<std::vector<float>(size_t task)>& solve,
            const std::function<void(size_t done, size_t all)>& progress);

 private:
  void read();
  void begin();

  std::string path_, key_;
  size_t result_size_;
  std::vector<std::vector<float>> results_;  // [task]
};

// The first of these, however many, are spread evenly over all `count`.
std::vector<size_t> spread_order(size_t count);

struct Estimate {
  double value = 0;
  double error = 0;  // half of a 95% interval; 0: not an estimate
};

// A figure measured on the known ones of some deals, out of `all` that there are, with its error by
// resampling. measure() gets a weight for each deal; weights of unknown deals are to be ignored.
Estimate resampled(const std::vector<size_t>& known, size_t num_deals, size_t all,
                   const std::function<double(const std::vector<double>& weight)>& measure);

}  // namespace cleave::decompose
