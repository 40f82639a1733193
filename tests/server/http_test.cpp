#include "server/http.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <set>
#include <thread>
#include <utility>

#include "core/error.h"
#include "server/pages.h"

namespace cleave::server {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr const char* kToken = "the-token";
constexpr size_t kLarge = 3 << 20;  // more than sockets hold

// A connection that does as it is told, well or not.
class Client {
 public:
  explicit Client(int port, int receive_buffer = 0) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    if (receive_buffer > 0) {
      ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    }
    const timeval patience = {20, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
      throw std::runtime_error("no connection");
    }
  }
  ~Client() { ::close(fd_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t put = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (put <= 0) return;  // the server may have had enough
      bytes.remove_prefix(static_cast<size_t>(put));
    }
  }
  // Until `end` is in it, or the server ends the connection.
  std::string receive(std::string_view end = {}) {
    std::string out;
    std::array<char, 65536> block;
    while (end.empty() || out.find(end) == std::string::npos) {
      const ssize_t got = ::recv(fd_, block.data(), block.size(), 0);
      if (got <= 0) break;
      out.append(block.data(), static_cast<size_t>(got));
    }
    return out;
  }

 private:
  int fd_;
};

struct Response {
  int status = 0;
  std::string head, body;
  bool has(const std::string& header) const {
    return head.find("\r\n" + header + "\r\n") != std::string::npos;
  }
  std::string error() const { return Json::parse(body).at("error"); }
};

Response parse_response(const std::string& text) {
  Response out;
  const size_t end = text.find("\r\n\r\n");
  if (!text.starts_with("HTTP/1.1 ") || end == std::string::npos) return out;
  out.status = std::stoi(text.substr(9, 3));
  out.head = text.substr(0, end + 2);
  out.body = text.substr(end + 4);
  return out;
}

class HttpTest : public testing::Test {
 protected:
  HttpTest() {
    routes_.get["/api/echo"] = [](const Arguments& args) { return args.all(); };
    routes_.post["/api/echo"] = routes_.get["/api/echo"];
    routes_.get["/api/fail"] = [](const Arguments& args) -> Json {
      const std::string how = args.text("how");
      if (how == "input") throw core::InputError("do it like this");
      if (how == "refusal") throw Refusal(409, "there already");
      if (how == "memory") throw std::bad_alloc();
      if (how == "range") return std::vector<int>().at(3);
      if (how == "int") throw 7;
      return "broken \xff text \xc3";
    };
    routes_.get["/api/large"] = [](const Arguments&) { return Json(std::string(kLarge, 'x')); };
    server_ = std::make_unique<HttpServer>(HttpOptions{"127.0.0.1", 0, kToken}, routes_, jobs_);
    thread_ = std::thread([this] { server_->run(); });
  }
  ~HttpTest() override {
    server_->stop();
    thread_.join();
  }

  int port() const { return server_->port(); }
  std::string host() const { return fmt::format("Host: 127.0.0.1:{}\r\n", port()); }
  static std::string token() { return fmt::format("X-Cleave-Token: {}\r\n", kToken); }
  Response raw(const std::string& request) const {
    Client client(port());
    client.send(request);
    return parse_response(client.receive());
  }
  Response ask(const std::string& method, const std::string& target, const std::string& headers,
               const std::string& body = "") const {
    return raw(fmt::format("{} {} HTTP/1.1\r\n{}\r\n{}", method, target, headers, body));
  }
  Response get(const std::string& target) const { return ask("GET", target, host() + token()); }
  Response post(const std::string& target, const std::string& body,
                const std::string& type = "application/json") const {
    return ask("POST", target,
               fmt::format("{}{}Content-Type: {}\r\nContent-Length: {}\r\n", host(), token(), type,
                           body.size()),
               body);
  }
  // A job that goes on until it is told otherwise.
  Json add_job() {
    return jobs_.add("x", "", {}, [this](JobContext& context) -> Json {
      for (int step = 0; !finish_ && !context.stop(); ++step) {
        context.report({{"iteration", step}});
        std::this_thread::sleep_for(20ms);
      }
      return "done";
    });
  }

  Routes routes_;
  Jobs jobs_;
  std::atomic<bool> finish_{false};
  std::unique_ptr<HttpServer> server_;
  std::thread thread_;
};

TEST_F(HttpTest, Pages) {
  const Response start = ask("GET", "/", host());
  EXPECT_EQ(start.status, 200);
  EXPECT_TRUE(start.has("Content-Type: text/html; charset=utf-8"));
  for (const Page& page : pages()) {
    const Response response = ask("GET", std::string(page.path), host());
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, page.content);
    if (page.path == "/index.html") {
      EXPECT_EQ(start.body, page.content);
    }
  }
  for (const char* path : {"/other", "/../etc/passwd", "/%2e%2e/etc/passwd", "/apis", "//",
                           "/index.html/", "/index.html%00"}) {
    EXPECT_EQ(ask("GET", path, host()).status, 404) << path;
  }
}

TEST_F(HttpTest, AnswersCarryTheHeadersThatGuardThem) {
  for (const Response& response :
       {ask("GET", "/", host()), get("/api/echo"), get("/api/none"),
        ask("GET", "/api/echo", host()), ask("GET", "/", "Host: evil.com\r\n"),
        raw("nonsense\r\n\r\n"), post("/api/echo", "{"),
        raw("GET / HTTP/1.1\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n")}) {
    EXPECT_TRUE(response.has(
        "Content-Security-Policy: default-src 'self'; style-src 'self' 'unsafe-inline'; img-src "
        "'self' data: blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
        "form-action 'none'"));
    EXPECT_TRUE(response.has("X-Content-Type-Options: nosniff"));
    EXPECT_TRUE(response.has("Referrer-Policy: no-referrer"));
    EXPECT_TRUE(response.has("Cross-Origin-Opener-Policy: same-origin"));
    EXPECT_TRUE(response.has("Cross-Origin-Resource-Policy: same-origin"));
    EXPECT_TRUE(response.has("Connection: close"));
    EXPECT_EQ(response.head.find("Access-Control"), std::string::npos);
  }
  EXPECT_TRUE(get("/api/echo").has("Cache-Control: no-store"));
}

TEST_F(HttpTest, OtherHostsAndOrigins) {
  const auto port_text = std::to_string(port());
  for (const char* path : {"/", "/api/echo", "/none"}) {
    for (const std::string& hosts :
         {std::string("Host: evil.com\r\n"), "Host: evil.com:" + port_text + "\r\n",
          std::string("Host: localhost\r\n"), std::string(), host() + host(),
          host() + "Host: evil.com\r\n"}) {
      EXPECT_EQ(ask("GET", path, hosts + token()).status, 403) << hosts;
    }
    for (const std::string& origin :
         {std::string("null"), std::string("http://evil.com"), "http://evil.com:" + port_text,
          "https://127.0.0.1:" + port_text, std::string("http://127.0.0.1:1")}) {
      EXPECT_EQ(ask("GET", path, host() + token() + "Origin: " + origin + "\r\n").status, 403);
    }
  }
  for (const char* name : {"localhost", "127.0.0.1", "[::1]"}) {
    const std::string headers =
        fmt::format("Host: {0}:{1}\r\nOrigin: http://{0}:{1}\r\n", name, port()) + token();
    EXPECT_EQ(ask("GET", "/api/echo", headers).status, 200) << name;
  }
}

TEST_F(HttpTest, TheTokenGuardsEverythingBelowApi) {
  for (const char* path :
       {"/api", "/api/", "/api/echo", "/api/none", "/%61pi/echo", "/api/echo?token=the-token",
        "/api/job/events?id=1", "/api/job/events?id=1&token=wrong"}) {
    EXPECT_EQ(ask("GET", path, host()).status, 401) << path;
    EXPECT_EQ(ask("GET", path, host() + "X-Cleave-Token: wrong\r\n").status, 401) << path;
    EXPECT_EQ(ask("POST", path, host()).status, 401) << path;
  }
  EXPECT_EQ(get("/api/none").status, 404);
  EXPECT_EQ(get("/api/job/events?id=1").status, 404);
  EXPECT_EQ(ask("GET", "/api/job/events?id=1&token=the-token", host()).status, 404);
}

TEST_F(HttpTest, OtherMethods) {
  for (const char* method : {"PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE"}) {
    for (const char* path : {"/", "/api/echo"}) {
      const Response response = ask(method, path, host() + token());
      EXPECT_EQ(response.status, 405) << method;
      EXPECT_TRUE(response.has("Allow: GET, POST"));
    }
  }
  EXPECT_EQ(post("/", "{}").status, 405);
  EXPECT_EQ(post("/api/fail", "{}").status, 405);
  EXPECT_EQ(post("/api/job/events", "{}").status, 405);
}

TEST_F(HttpTest, QueriesAndBodies) {
  EXPECT_EQ(Json::parse(get("/api/echo?a=1&b=x%20y+z%2F%C3%A9").body),
            (Json{{"a", "1"}, {"b", "x y z/\xc3\xa9"}}));
  EXPECT_EQ(get("/api/echo?a=%FF").status, 400);
  EXPECT_EQ(get("/api/echo?a=1&a=2").status, 400);
  EXPECT_EQ(get("/api/echo?a=" + std::string(9000, 'x')).status, 414);
  EXPECT_EQ(post("/api/echo", R"({"a": [1, 2.5, "x"]})").body, R"({"a":[1,2.5,"x"]})");
  EXPECT_EQ(post("/api/echo", "{}", "application/json; charset=utf-8").status, 200);
  const std::string large = "{\"a\":\"" + std::string((2 << 20) - 8, 'x') + "\"}";
  EXPECT_EQ(post("/api/echo", large).body, large);
  EXPECT_EQ(post("/api/echo", large + " ").status, 413);
}

TEST_F(HttpTest, ManyKeysAreRefusedAtOnce) {
  std::string body = "{";
  while (body.size() < 1'900'000) body += fmt::format("\"{}\":0,", body.size());
  const auto begin = Clock::now();
  EXPECT_EQ(post("/api/echo", body + "\"last\":0}").status, 400);
  EXPECT_LT(Clock::now() - begin, 20s);  // minutes, were they all kept
}

TEST_F(HttpTest, BodiesThatAreNone) {
  for (const std::string& body :
       {std::string(), std::string("{"), std::string("{} x"), std::string("[1]"), std::string("7"),
        std::string("null"), std::string("{\"a\":\"\xff\"}"), std::string("\0", 1),
        std::string(1'000'000, '['), "{\"a\":" + std::string(64, '[') + std::string(64, ']') + "}",
        std::string(2 << 20, ' ')}) {
    EXPECT_EQ(post("/api/echo", body).status, 400) << body.substr(0, 20);
  }
  for (const char* type : {"text/plain", "application/x-www-form-urlencoded",
                           "multipart/form-data; boundary=x", "application/jsonp", ""}) {
    EXPECT_EQ(post("/api/echo", "{}", type).status, 415) << type;
  }
  const std::string json = host() + token() + "Content-Type: application/json\r\n";
  EXPECT_EQ(ask("POST", "/api/echo", json).status, 411);
  EXPECT_EQ(ask("POST", "/api/echo", json + "Content-Length: -1\r\n").status, 411);
  EXPECT_EQ(
      ask("POST", "/api/echo", json + "Content-Length: 2\r\nContent-Length: 2\r\n", "{}").status,
      411);
  EXPECT_EQ(
      ask("POST", "/api/echo", json + "Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\n\r\n")
          .status,
      411);
  EXPECT_EQ(ask("POST", "/api/echo", json + "Content-Encoding: gzip\r\nContent-Length: 2\r\n", "{}")
                .status,
            415);
  EXPECT_EQ(ask("POST", "/api/echo", json + "Content-Length: 99999999999999\r\n").status, 413);
}

TEST_F(HttpTest, HeadsThatAreNone) {
  for (const std::string& head :
       {std::string("\r\n\r\n"), std::string("GET\r\n\r\n"), std::string("GET / HTTP/9\r\n\r\n"),
        std::string("SPOON / HTTP/1.1\r\n\r\n"), std::string("\0\1\2\r\n\r\n", 7),
        "GET / HTTP/1.1\r\n" + host() + "Bad\rHeader: x\r\n\r\n",
        "GET / HTTP/1.1\r\n" + host() + "X: a\nRange: bytes=0-1\r\n\r\n",
        std::string("\x16\x03\x01\x02\r\n\r\n")}) {
    EXPECT_EQ(raw(head).status, 400) << head;
  }
  EXPECT_EQ(raw("GET / HTTP/1.1\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n").status, 431);
  EXPECT_EQ(raw(std::string(100'000, 'x')).status, 431);
  // Ranges are matched by recursion in the library that reads heads.
  std::string ranges = "Range: bytes=0-0";
  while (ranges.size() < 8000) ranges += ",0-0";
  EXPECT_EQ(ask("GET", "/", host() + ranges + "\r\n").status, 200);
}

TEST_F(HttpTest, WhateverIsThrownBecomesAnAnswer) {
  const std::vector<std::pair<std::string, int>> expected = {
      {"input", 400}, {"refusal", 409}, {"memory", 500}, {"range", 500}, {"int", 500}};
  for (const auto& [how, status] : expected) {
    const Response response = get("/api/fail?how=" + how);
    EXPECT_EQ(response.status, status) << how;
    EXPECT_FALSE(response.error().empty());
  }
  EXPECT_EQ(get("/api/fail?how=input").error(), "do it like this");
  EXPECT_EQ(Json::parse(get("/api/fail?how=bytes").body), "broken \xef\xbf\xbd text \xef\xbf\xbd");
}

TEST_F(HttpTest, OneRequestForEachConnection) {
  const std::string request = "GET / HTTP/1.1\r\n" + host() + "\r\n";
  Client client(port());
  client.send(request + request);
  const std::string all = client.receive();
  EXPECT_EQ(all.find("HTTP/1.1"), all.rfind("HTTP/1.1"));
}

TEST_F(HttpTest, ARequestInPieces) {
  const std::string request = "GET / HTTP/1.1\r\n" + host() + "\r\n";
  Client client(port());
  for (const char c : request) {
    client.send(std::string_view(&c, 1));
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_EQ(parse_response(client.receive()).status, 200);
}

TEST_F(HttpTest, EventsUntilTheJobEnds) {
  const Json job = add_job();
  Client client(port());
  client.send(fmt::format("GET /api/job/events?id={}&token={} HTTP/1.1\r\n{}\r\n",
                          job["id"].get<int>(), kToken, host()));
  std::string text = client.receive("\"iteration\":5");
  EXPECT_NE(text.find("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"), std::string::npos);
  finish_ = true;
  text += client.receive();
  ASSERT_TRUE(text.ends_with("\n\n"));
  int64_t last = -1;
  std::string state;
  const std::string start = "event: job\ndata: ";
  for (size_t at = text.find(start); at != std::string::npos; at = text.find(start, at + 1)) {
    const size_t begin = at + start.size();
    const Json seen = Json::parse(text.substr(begin, text.find('\n', begin) - begin));
    state = seen["state"];
    if (seen["progress"].is_null()) continue;
    EXPECT_GE(seen["progress"]["iteration"], last);
    last = seen["progress"]["iteration"];
  }
  EXPECT_EQ(state, "done");
  EXPECT_GT(last, 0);
}

TEST_F(HttpTest, EventStreamsAreCountedAndFreed) {
  const Json job = add_job();
  const std::string target = fmt::format("/api/job/events?id={}", job["id"].get<int>());
  const std::string request = fmt::format("GET {} HTTP/1.1\r\n{}{}\r\n", target, host(), token());
  {
    std::vector<std::unique_ptr<Client>> clients;
    for (int i = 0; i < 64; ++i) {
      clients.push_back(std::make_unique<Client>(port()));
      clients.back()->send(request);
      EXPECT_NE(clients.back()->receive("\n\n").find("event: job"), std::string::npos);
    }
    EXPECT_EQ(get(target).status, 429);
    EXPECT_EQ(get("/api/echo").status, 200);
  }
  // The clients are gone: so are their places, soon.
  const auto deadline = Clock::now() + 5s;
  bool freed = false;
  while (!freed && Clock::now() < deadline) {
    Client client(port());
    client.send(request);
    freed = client.receive("\r\n").find(" 200 ") != std::string::npos;
  }
  EXPECT_TRUE(freed);
}

// Five hundred at each of the things a client can be slow at, and one who is not.
TEST_F(HttpTest, SlowClientsKeepNobodyOut) {
  const Json job = add_job();
  std::vector<std::unique_ptr<Client>> slow;
  const std::string body = "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{";
  for (int i = 0; i < 500; ++i) {
    slow.push_back(std::make_unique<Client>(port()));  // says nothing
    slow.push_back(std::make_unique<Client>(port()));
    slow.back()->send("GET / HTTP/1.1\r\nHost:");
    slow.push_back(std::make_unique<Client>(port()));
    slow.back()->send("POST /api/echo HTTP/1.1\r\n" + host() + token() + body);
  }
  for (int i = 0; i < 10; ++i) {
    slow.push_back(std::make_unique<Client>(port(), 4096));  // never reads
    slow.back()->send("GET /api/large HTTP/1.1\r\n" + host() + token() + "\r\n");
  }
  // The slow ones are sent away after ten seconds: nobody waits for that.
  for (int i = 0; i < 50; ++i) {
    const auto begin = Clock::now();
    ASSERT_EQ(get("/api/echo?a=1").status, 200);
    EXPECT_LT(Clock::now() - begin, 8s);
  }
  EXPECT_EQ(jobs_.get(job["id"])["state"], "running");
}

TEST_F(HttpTest, SlowReadersGetEverything) {
  Client client(port(), 4096);
  client.send("GET /api/large HTTP/1.1\r\n" + host() + token() + "\r\n");
  std::this_thread::sleep_for(300ms);
  EXPECT_EQ(parse_response(client.receive()).body.size(), kLarge + 2);
}

TEST_F(HttpTest, StopsWhileClientsAreConnected) {
  Client client(port());
  client.send("GET / HT");
  const auto begin = Clock::now();
  server_->stop();
  EXPECT_EQ(client.receive(), "");
  EXPECT_LT(Clock::now() - begin, 2s);
}

TEST_F(HttpTest, Addresses) {
  EXPECT_EQ(server_->address(), fmt::format("http://127.0.0.1:{}/?token={}", port(), kToken));
  // A second server does not share the port.
  EXPECT_THROW(HttpServer(HttpOptions{"127.0.0.1", port(), kToken}, routes_, jobs_),
               core::RunError);
  EXPECT_THROW(HttpServer(HttpOptions{"no.such.host.invalid", 0, kToken}, routes_, jobs_),
               core::RunError);
}

TEST(MakeToken, LettersAndDigitsThatDiffer) {
  std::set<std::string> tokens;
  std::set<char> letters;
  for (int i = 0; i < 200; ++i) {
    const std::string token = make_token();
    EXPECT_EQ(token.size(), 32);
    for (const char c : token) {
      EXPECT_TRUE(std::isalnum(static_cast<unsigned char>(c)));
      letters.insert(c);
    }
    tokens.insert(token);
  }
  EXPECT_EQ(tokens.size(), 200);
  EXPECT_EQ(letters.size(), 62);
}

}  // namespace
}  // namespace cleave::server
