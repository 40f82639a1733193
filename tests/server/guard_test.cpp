#include "server/guard.h"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <random>

namespace cleave::server {
namespace {

TEST(Guard, HostsOfThisMachine) {
  const auto hosts = allowed_hosts("127.0.0.1", 8620);
  for (const char* host : {"127.0.0.1:8620", "localhost:8620", "LocalHost:8620", "[::1]:8620"}) {
    EXPECT_TRUE(host_allowed(host, hosts)) << host;
  }
  for (const char* host : {"",
                           "localhost",
                           "127.0.0.1",
                           "localhost:8621",
                           "localhost:86200",
                           "evil.com:8620",
                           "evil.com",
                           "localhost.evil.com:8620",
                           "127.0.0.1.evil.com:8620",
                           "127.0.0.2:8620",
                           "192.168.0.7:8620",
                           "0.0.0.0:8620",
                           "localhost:8620 ",
                           " localhost:8620",
                           "user@localhost:8620",
                           "localhost:8620/",
                           "localhost:8620,evil.com",
                           "[::1]8620",
                           "*:8620",
                           ":8620"}) {
    EXPECT_FALSE(host_allowed(host, hosts)) << host;
  }
}

TEST(Guard, TheHostThatWasAskedFor) {
  EXPECT_TRUE(host_allowed("192.168.0.7:9000", allowed_hosts("192.168.0.7", 9000)));
  EXPECT_TRUE(host_allowed("solver.lan:9000", allowed_hosts("solver.lan", 9000)));
  EXPECT_TRUE(host_allowed("[fe80::1]:9000", allowed_hosts("fe80::1", 9000)));
  EXPECT_FALSE(host_allowed("evil.com:9000", allowed_hosts("solver.lan", 9000)));
}

TEST(Guard, AllAddressesButNoNamesWhereItListensOnAll) {
  for (const char* wildcard : {"0.0.0.0", "::"}) {
    const auto hosts = allowed_hosts(wildcard, 8620);
    for (const char* host : {"192.168.0.7:8620", "[fe80::1]:8620", "localhost:8620"}) {
      EXPECT_TRUE(host_allowed(host, hosts)) << host;
    }
    for (const char* host :
         {"evil.com:8620", "1.2.3.4.evil.com:8620", "1.2.3:8620", "1.2.3.4.5:8620",
          "1.2.3.256:8620", "192.168.0.7:80", "[evil.com]:8620", "[]:8620"}) {
      EXPECT_FALSE(host_allowed(host, hosts)) << host;
    }
  }
}

TEST(Guard, BrowsersLeavePort80Out) {
  EXPECT_TRUE(host_allowed("localhost", allowed_hosts("127.0.0.1", 80)));
}

TEST(Guard, OriginsAreThoseHosts) {
  const auto hosts = allowed_hosts("127.0.0.1", 8620);
  EXPECT_TRUE(origin_allowed("http://localhost:8620", hosts));
  EXPECT_TRUE(origin_allowed("http://127.0.0.1:8620", hosts));
  for (const char* origin : {"null", "", "https://localhost:8620", "http://localhost",
                             "http://localhost:8620.evil.com", "http://evil.com", "localhost:8620",
                             "file://", "http://localhost:5173", "http://localhost:8620/x"}) {
    EXPECT_FALSE(origin_allowed(origin, hosts)) << origin;
  }
}

TEST(Guard, Loopback) {
  for (const char* host : {"127.0.0.1", "127.1.2.3", "localhost", "::1"}) {
    EXPECT_TRUE(is_loopback(host)) << host;
  }
  for (const char* host : {"0.0.0.0", "::", "192.168.0.7", "127.evil.com", "solver.lan", ""}) {
    EXPECT_FALSE(is_loopback(host)) << host;
  }
}

TEST(Guard, TokensAreEqualOrNot) {
  EXPECT_TRUE(same_token("abc", "abc"));
  for (const char* given : {"", "a", "ab", "abcd", "abd", "xbc", "abcabc", "ABC"}) {
    EXPECT_FALSE(same_token(given, "abc")) << given;
  }
  EXPECT_FALSE(same_token("", ""));  // no token is no way in
  EXPECT_FALSE(same_token(std::string("abc\0", 4), "abc"));
}

TEST(Guard, HeadersByName) {
  const std::string head =
      "GET /?Host:x HTTP/1.1\r\nHost: a:1\r\ncontent-LENGTH:  12 \r\nEmpty:\r\nLast: z\r\n\r\n";
  EXPECT_EQ(header_value(head, "host"), "a:1");
  EXPECT_EQ(header_value(head, "Content-Length"), "12");
  EXPECT_EQ(header_value(head, "Empty"), "");
  EXPECT_EQ(header_value(head, "Last"), "z");
  EXPECT_EQ(header_value(head, "Length"), "");
  EXPECT_EQ(header_value("", "Host"), "");
  EXPECT_EQ(header_value("GET / HTTP/1.1\r\nHost", "Host"), "");
}

TEST(Guard, OtherHeadersAreLeftOut) {
  constexpr std::array<std::string_view, 2> kNames = {"Host", "Origin"};
  EXPECT_EQ(
      without_others("GET / HTTP/1.1\r\nhost: a\r\nRange: bytes=0-\r\nOrigin: b\r\n\r\n", kNames),
      "GET / HTTP/1.1\r\nhost: a\r\nOrigin: b\r\n\r\n");
  // A line within a line could be another header to another reader.
  for (const std::string& head :
       {std::string("GET / HTTP/1.1\r\nHost: a\nRange: b\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost: a\rRange: b\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n", 28),
        std::string("GET / HTTP/1.1\nHost: a\n\n"), std::string("GET / HTTP/1.1")}) {
    EXPECT_EQ(without_others(head, kNames), "") << head;
  }
}

// The JSON library has a decoder of its own.
TEST(Guard, Utf8AsTheJsonLibraryHasIt) {
  std::mt19937 random(1);
  const std::array<unsigned char, 16> bytes = {0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0,
                                               0xbf, 0xc2, 0xe0, 0xe2, 0xed, 0xf0, 0xf4, 0xff};
  int valid = 0;
  for (int i = 0; i < 50'000; ++i) {
    std::string text;
    for (size_t size = random() % 6; size > 0; --size) {
      text += static_cast<char>(bytes[random() % bytes.size()]);
    }
    bool same = true;
    try {
      static_cast<void>(nlohmann::json(text).dump());
    } catch (const nlohmann::json::type_error&) {
      same = false;
    }
    ASSERT_EQ(is_utf8(text), same)
        << nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    valid += same;
  }
  EXPECT_GT(valid, 1000);
}

TEST(Guard, DepthOfJson) {
  const auto nested = [](size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_FALSE(nested_deeper(nested(64), 64));
  EXPECT_TRUE(nested_deeper(nested(65), 64));
  EXPECT_TRUE(nested_deeper(std::string(100, '{'), 64));
  EXPECT_FALSE(nested_deeper("[[],[],[],[]]", 2));
  EXPECT_FALSE(nested_deeper(R"({"a": "[[[[[[\"[[[["})", 2));
  EXPECT_TRUE(nested_deeper(R"(["\\", [[]]])", 2));
  EXPECT_FALSE(nested_deeper("]]]]]]", 2));
}

}  // namespace
}  // namespace cleave::server
