#include "server/http.h"

#include <httplib.h>
#include <sys/random.h>

#include <csignal>
#include <utility>

#include "core/error.h"
#include "core/number.h"
#include "fmt/format.h"
#include "server/connections.h"
#include "server/guard.h"
#include "server/pages.h"

namespace cleave::server {
namespace {

constexpr size_t kMostBody = 2 << 20;
constexpr size_t kLongestTarget = 8192;
constexpr size_t kDeepestJson = 64;
constexpr size_t kMostKeys = 2000;
constexpr int kMostStreams = 64;
constexpr std::chrono::seconds kHeartbeat{10};
constexpr const char* kTokenHeader = "X-Cleave-Token";
constexpr std::array<std::string_view, 7> kHeaders = {
    "Host",           "Origin",           "X-Cleave-Token",   "Content-Type",
    "Content-Length", "Content-Encoding", "Transfer-Encoding"};
constexpr const char* kEventsPath = "/api/job/events";

struct Reply {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::function<std::optional<std::string>()> more;
};

const char* reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 409:
      return "Conflict";
    case 411:
      return "Length Required";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

// Every answer ends its connection: nothing that a client left unsent or sent too much can be taken
// for another request. There are no headers that would allow other sites to read answers.
std::string response_text(const Reply& reply) {
  std::string out = fmt::format(
      "HTTP/1.1 {} {}\r\n"
      "Content-Type: {}\r\n"
      "Connection: close\r\n"
      "Content-Security-Policy: default-src 'self'; style-src 'self' 'unsafe-inline'; "
      "img-src 'self' data: blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
      "form-action 'none'\r\n"
      "X-Content-Type-Options: nosniff\r\n"
      "Referrer-Policy: no-referrer\r\n"
      "Cross-Origin-Opener-Policy: same-origin\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\n"
      "Cache-Control: {}\r\n",
      reply.status, reason_of(reply.status), reply.type,
      reply.type == "application/json" || reply.more ? "no-store" : "no-cache");
  if (reply.status == 405) out += "Allow: GET, POST\r\n";
  if (!reply.more) out += fmt::format("Content-Length: {}\r\n", reply.body.size());
  return out + "\r\n" + reply.body;
}

// Texts of files and errors may hold any bytes; JSON may not.
std::string json_text(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Reply error_reply(int status, const std::string& message) {
  return {status, "application/json", json_text({{"error", message}}), {}};
}

// Whatever goes wrong becomes an answer.
Reply guarded(const std::function<Reply()>& work) {
  try {
    return work();
  } catch (const Refusal& refusal) {
    return error_reply(refusal.status, refusal.what());
  } catch (const core::InputError& error) {
    return error_reply(400, error.what());
  } catch (const std::bad_alloc&) {
    return error_reply(500, "out of memory; ask for less, or use a larger machine");
  } catch (const std::exception& error) {
    return error_reply(500, error.what());
  } catch (...) {
    return error_reply(500, "an unknown error");
  }
}

// A request's head, for httplib to read; what it would send is made here instead.
class HeadStream final : public httplib::Stream {
 public:
  explicit HeadStream(std::string_view text) : text_(text) {}
  bool is_readable() const override { return !text_.empty(); }
  bool is_writable() const override { return true; }
  ssize_t read(char* to, size_t size) override {
    const size_t got = text_.copy(to, size);
    text_.remove_prefix(got);
    return static_cast<ssize_t>(got);
  }
  ssize_t write(const char*, size_t size) override { return static_cast<ssize_t>(size); }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return -1; }

 private:
  std::string_view text_;
};

// httplib reads heads: its own sockets and threads could be held by eight slow clients. Bodies it
// never sees, nor headers that are of no use here: it matches ranges with a regular expression,
// which takes more stack the longer they are.
class HeadReader final : public httplib::Server {
 public:
  // False where it is no request. What `use` gets is gone afterwards.
  bool read(std::string_view head, const std::function<void(const httplib::Request&)>& use) {
    bool used = false;
    set_pre_routing_handler([&](const httplib::Request& request, httplib::Response&) {
      used = true;
      use(request);
      return HandlerResponse::Handled;
    });
    const std::string text = without_others(head, kHeaders);
    HeadStream stream(text);
    bool closed = false;
    process_request(stream, true, closed, nullptr);
    return used;
  }
};

bool is_api(const std::string& path) { return path == "/api" || path.starts_with("/api/"); }

Reply page_reply(const std::string& path) {
  const std::string_view wanted = path == "/" ? "/index.html" : std::string_view(path);
  for (const Page& page : pages()) {
    if (page.path == wanted) return {200, std::string(page.type), std::string(page.content), {}};
  }
  throw Refusal(404, "there is no such page");
}

Arguments query_arguments(const httplib::Request& request) {
  std::map<std::string, std::string> query;
  for (const auto& [name, text] : request.params) {
    if (!is_utf8(name) || !is_utf8(text)) {
      throw core::InputError("the address has bytes that are not UTF-8");
    }
    if (!query.emplace(name, text).second) {
      throw core::InputError(fmt::format("{}: given twice", name));
    }
  }
  return Arguments(query);
}

// The size of a body as its head says; none where it does not say it clearly.
std::optional<size_t> stated_length(std::string_view head) {
  if (!header_value(head, "Transfer-Encoding").empty()) return std::nullopt;
  return core::parse_number<size_t>(header_value(head, "Content-Length"));
}

void check_body(const httplib::Request& request, std::string_view head, std::string_view body) {
  std::string type = request.get_header_value("Content-Type");
  type = type.substr(0, type.find(';'));
  while (type.ends_with(' ')) type.pop_back();
  if (type != "application/json" || request.has_header("Content-Encoding")) {
    throw Refusal(415, "the body: allowed is Content-Type application/json, not encoded");
  }
  const auto length = stated_length(head);
  if (!length || request.get_header_value_count("Content-Length") != 1) {
    throw Refusal(411, "the body: its Content-Length is missing");
  }
  if (*length > kMostBody) {
    throw Refusal(413, fmt::format("the body: {} bytes; allowed are {}", *length, kMostBody));
  }
  if (body.size() != *length) throw core::InputError("the body: not as long as it says");
}

Arguments body_arguments(std::string_view body) {
  if (nested_deeper(body, kDeepestJson)) {
    throw core::InputError(fmt::format("the body: nested more than {} deep", kDeepestJson));
  }
  // Objects keep the order of their keys, and are slow with many.
  size_t keys = 0;
  const auto few = [&](int, Json::parse_event_t event, Json&) {
    return event != Json::parse_event_t::key || ++keys <= kMostKeys;
  };
  Json value = Json::parse(body, few, false);
  if (value.is_discarded()) throw core::InputError("the body: not JSON");
  if (keys > kMostKeys) {
    throw core::InputError(fmt::format("the body: {} keys; allowed are {}", keys, kMostKeys));
  }
  return Arguments(std::move(value));
}

}  // namespace

std::string make_token() {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  std::string token;
  while (token.size() < 32) {
    unsigned char byte = 0;
    if (::getentropy(&byte, 1) != 0) throw core::RunError("the system gives no random numbers");
    // All letters are equally likely.
    if (byte < 256 / kLetters.size() * kLetters.size()) token += kLetters[byte % kLetters.size()];
  }
  return token;
}

struct HttpServer::Impl {
  Impl(HttpOptions given, const Routes& all, Jobs& running)
      : options(std::move(given)), routes(all), jobs(running), connections(sockets(), protocol()) {
    std::signal(SIGPIPE, SIG_IGN);
    hosts = allowed_hosts(options.host, connections.port());
  }

  Connections::Options sockets() const {
    Connections::Options out;
    out.host = options.host;
    out.port = options.port;
    return out;
  }
  Connections::Protocol protocol() {
    return {[this](std::string_view head) { return body_bytes(head); },
            [this](std::string_view head, std::string_view body) { return answer(head, body); },
            response_text(error_reply(431, "the request's head is too large")),
            response_text(error_reply(503, "too busy; try again"))};
  }

  // Nobody without the token makes the server keep more than a head.
  size_t body_bytes(std::string_view head) const {
    const size_t length = stated_length(head).value_or(0);
    const bool known = same_token(header_value(head, kTokenHeader), options.token);
    return known && length <= kMostBody ? length : 0;
  }

  Answer answer(std::string_view head, std::string_view body) {
    Reply reply = guarded([&] {
      if (head.find("\r\n") > kLongestTarget) throw Refusal(414, "the address is too long");
      Reply out;
      const auto use = [&](const httplib::Request& request) {
        out = guarded([&] { return handle(request, head, body); });
      };
      if (!HeadReader().read(head, use)) throw core::InputError("not an HTTP request");
      return out;
    });
    try {
      return {response_text(reply), std::move(reply.more)};
    } catch (const std::bad_alloc&) {
      return {"", {}};
    }
  }

  Reply handle(const httplib::Request& request, std::string_view head, std::string_view body) {
    check_sender(request);
    const bool get = request.method == "GET";
    if (!get && request.method != "POST") throw Refusal(405, "allowed are GET and POST");
    if (!is_api(request.path)) {
      if (!get) throw Refusal(405, "allowed is GET");
      return page_reply(request.path);
    }
    check_token(request);
    if (get && request.path == kEventsPath) return events(query_arguments(request));
    const auto& mine = get ? routes.get : routes.post;
    const auto& others = get ? routes.post : routes.get;
    const auto found = mine.find(request.path);
    if (found == mine.end()) {
      if (others.contains(request.path) || request.path == kEventsPath) {
        throw Refusal(405, get ? "allowed is POST" : "allowed is GET");
      }
      throw Refusal(404, "there is nothing at this address");
    }
    if (!get) check_body(request, head, body);
    const Arguments args = get ? query_arguments(request) : body_arguments(body);
    return {200, "application/json", json_text(found->second(args)), {}};
  }

  void check_sender(const httplib::Request& request) const {
    if (request.get_header_value_count("Host") != 1 ||
        !host_allowed(request.get_header_value("Host"), hosts)) {
      throw Refusal(403, "another host: use the address that `cleave serve` printed");
    }
    const auto [first, last] = request.headers.equal_range("Origin");
    for (auto header = first; header != last; ++header) {
      if (!origin_allowed(header->second, hosts)) {
        throw Refusal(403, "pages of other sites may not ask");
      }
    }
  }

  // EventSource cannot send headers: there, and only there, the token may be in the address.
  void check_token(const httplib::Request& request) const {
    const bool in_query = request.path == kEventsPath && request.has_param("token");
    const std::string given =
        in_query ? request.get_param_value("token") : request.get_header_value(kTokenHeader);
    if (!same_token(given, options.token)) {
      throw Refusal(401,
                    "the token is missing or wrong: open the address that `cleave serve` "
                    "printed");
    }
  }

  Reply events(const Arguments& args) {
    const int64_t id = args.whole("id", 1, INT64_MAX);
    jobs.get(id);
    if (++streams > kMostStreams) {
      --streams;
      throw Refusal(429, fmt::format("{} pages follow jobs already; close some", kMostStreams));
    }
    // Counts down when the connection lets go of its function.
    const std::shared_ptr<void> counted(nullptr, [this](void*) { --streams; });
    auto next = [this, id, counted, version = uint64_t{0}, ended = false,
                 last = std::chrono::steady_clock::now()]() mutable -> std::optional<std::string> {
      if (ended) return std::nullopt;
      Json job;
      try {
        job = jobs.wait(id, version, std::chrono::milliseconds(0));
      } catch (const Refusal&) {
        return std::nullopt;  // removed
      }
      const auto now = std::chrono::steady_clock::now();
      if (job.is_null() && now - last < kHeartbeat) return "";
      last = now;
      if (job.is_null()) return ": waiting\n\n";
      ended = job["state"] != "queued" && job["state"] != "running";
      return fmt::format("event: job\ndata: {}\n\n", json_text(job));
    };
    Reply reply{200, "text/event-stream", "", {}};
    reply.body = next().value_or("");
    reply.more = std::move(next);
    return reply;
  }

  const HttpOptions options;
  const Routes& routes;
  Jobs& jobs;
  std::vector<std::string> hosts;
  std::atomic<int> streams{0};
  Connections connections;  // last: its threads end before what they use
};

HttpServer::HttpServer(HttpOptions options, const Routes& routes, Jobs& jobs)
    : impl_(std::make_unique<Impl>(std::move(options), routes, jobs)) {}
HttpServer::~HttpServer() = default;

int HttpServer::port() const { return impl_->connections.port(); }
void HttpServer::run() { impl_->connections.run(); }
void HttpServer::stop() { impl_->connections.stop(); }

std::string HttpServer::address() const {
  const std::string& host = impl_->options.host;
  const std::string shown = host == "0.0.0.0"                     ? "127.0.0.1"
                            : host == "::"                        ? "[::1]"
                            : host.find(':') == std::string::npos ? host
                                                                  : "[" + host + "]";
  return fmt::format("http://{}:{}/?token={}", shown, port(), impl_->options.token);
}

}  // namespace cleave::server
