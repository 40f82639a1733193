#include "server/guard.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "core/number.h"
#include "fmt/format.h"

namespace cleave::server {
namespace {

constexpr std::string_view kAnyAddress = "*:";  // and the port

bool same_letters(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// "192.168.0.7" or "[fe80::1]": cannot be the name of somebody's site.
bool is_address(std::string_view host) {
  if (host.starts_with('[') && host.ends_with(']')) {
    return host.size() > 2 &&
           host.find_first_not_of("0123456789abcdefABCDEF:.", 1) == host.size() - 1;
  }
  int parts = 0;
  while (true) {
    const size_t dot = host.find('.');
    const auto part = core::parse_number<uint8_t>(host.substr(0, dot));
    if (!part) return false;
    ++parts;
    if (dot == std::string_view::npos) return parts == 4;
    host.remove_prefix(dot + 1);
  }
}

bool matches_host(std::string_view header, std::string_view allowed) {
  if (!allowed.starts_with(kAnyAddress)) return same_letters(header, allowed);
  const std::string_view port = allowed.substr(1);
  return header.ends_with(port) && is_address(header.substr(0, header.size() - port.size()));
}

// How many bytes the character has that starts here; 0 where none does.
size_t utf8_length(std::string_view text) {
  const auto byte = [&](size_t at) { return static_cast<unsigned char>(text[at]); };
  const size_t length = byte(0) < 0x80                      ? 1
                        : byte(0) >= 0xc2 && byte(0) < 0xe0 ? 2
                        : byte(0) >= 0xe0 && byte(0) < 0xf0 ? 3
                        : byte(0) >= 0xf0 && byte(0) < 0xf5 ? 4
                                                            : 0;
  if (length == 0 || length > text.size()) return 0;
  for (size_t at = 1; at < length; ++at) {
    if ((byte(at) & 0xc0) != 0x80) return 0;
  }
  if (byte(0) == 0xe0 && byte(1) < 0xa0) return 0;   // could be shorter
  if (byte(0) == 0xed && byte(1) >= 0xa0) return 0;  // half of a pair
  if (byte(0) == 0xf0 && byte(1) < 0x90) return 0;
  if (byte(0) == 0xf4 && byte(1) >= 0x90) return 0;  // above the last character
  return length;
}

}  // namespace

std::vector<std::string> allowed_hosts(const std::string& host, int port) {
  std::vector<std::string> names = {"127.0.0.1", "localhost", "[::1]"};
  names.push_back(host.find(':') == std::string::npos ? host : "[" + host + "]");
  std::vector<std::string> out;
  for (const std::string& name : names) {
    out.push_back(fmt::format("{}:{}", name, port));
    if (port == 80) out.push_back(name);  // browsers leave it out
  }
  if (is_wildcard(host)) out.push_back(fmt::format("{}{}", kAnyAddress, port));
  return out;
}

bool is_wildcard(const std::string& host) { return host == "0.0.0.0" || host == "::"; }

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || (host.starts_with("127.") && is_address(host));
}

bool host_allowed(std::string_view header, std::span<const std::string> hosts) {
  return std::ranges::any_of(hosts, [&](const auto& host) { return matches_host(header, host); });
}

bool origin_allowed(std::string_view header, std::span<const std::string> hosts) {
  constexpr std::string_view kScheme = "http://";
  return header.starts_with(kScheme) && host_allowed(header.substr(kScheme.size()), hosts);
}

std::string_view header_value(std::string_view head, std::string_view name) {
  for (size_t end = head.find("\r\n"); end != std::string_view::npos; end = head.find("\r\n")) {
    head.remove_prefix(end + 2);  // the first line is none
    const size_t colon = head.find(':');
    if (colon != name.size() || !same_letters(head.substr(0, colon), name)) continue;
    const std::string_view value = head.substr(colon + 1, head.find("\r\n") - colon - 1);
    const size_t first = std::min(value.find_first_not_of(" \t"), value.size());
    const size_t last = value.find_last_not_of(" \t") + 1;
    return value.substr(first, std::max(first, last) - first);
  }
  return "";
}

std::string without_others(std::string_view head, std::span<const std::string_view> names) {
  constexpr std::string_view kEnd = "\r\n";
  std::string out;
  for (bool first = true; !head.empty(); first = false) {
    const std::string_view line = head.substr(0, head.find(kEnd));
    const auto control = [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7f; };
    if (line.size() == head.size() || std::ranges::any_of(line, control)) return "";
    const std::string_view name = line.substr(0, line.find(':'));
    const auto same = [&](std::string_view other) { return same_letters(name, other); };
    if (first || line.empty() || std::ranges::any_of(names, same)) out.append(line).append(kEnd);
    head.remove_prefix(line.size() + kEnd.size());
  }
  return out;
}

bool same_token(std::string_view given, std::string_view expected) {
  if (expected.empty()) return false;
  unsigned difference = given.size() == expected.size() ? 0 : 1;
  for (size_t i = 0; i < expected.size(); ++i) {
    const char c = given.empty() ? '\0' : given[i % given.size()];
    difference |= static_cast<unsigned char>(c ^ expected[i]);
  }
  return difference == 0;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

bool nested_deeper(std::string_view json, size_t most) {
  size_t depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (quoted && c == '\\') ++i;
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if ((c == '[' || c == '{') && ++depth > most) return true;
    if ((c == ']' || c == '}') && depth > 0) --depth;
  }
  return false;
}

}  // namespace cleave::server
