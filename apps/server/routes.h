#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// What the server can be asked, without HTTP: http.cpp serves it, tests call it. The shapes of
// arguments and answers are those of apps/web/src/types.ts.
namespace cleave::server {

using Json = nlohmann::ordered_json;

// What goes wrong with a status of its own. core::InputError is 400, everything else 500.
struct Refusal : std::runtime_error {
  Refusal(int code, const std::string& message) : std::runtime_error(message), status(code) {}
  int status;
};

// The arguments of a request: a query's texts, or the members of a body. Readers throw InputError
// that names the argument and what is allowed.
class Arguments {
 public:
  explicit Arguments(const std::map<std::string, std::string>& query);
  explicit Arguments(Json body);

  bool has(const std::string& name) const;  // and is not null
  std::string text(const std::string& name, size_t longest = 4096) const;
  std::string text_or(const std::string& name, const std::string& fallback,
                      size_t longest = 4096) const;
  int64_t whole(const std::string& name, int64_t low, int64_t high) const;
  int64_t whole_or(const std::string& name, int64_t fallback, int64_t low, int64_t high) const;
  double number(const std::string& name, double low, double high) const;
  bool flag_or(const std::string& name, bool fallback) const;
  // A list of texts or numbers; bodies only.
  std::vector<std::string> texts(const std::string& name, size_t most) const;
  std::vector<double> numbers(const std::string& name, size_t most) const;
  const Json& all() const { return values_; }

 private:
  const Json& find(const std::string& name) const;
  Json values_;
};

using Handler = std::function<Json(const Arguments&)>;
struct Routes {
  std::map<std::string, Handler> get, post;  // by path: "/api/state"
};

}  // namespace cleave::server
