#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Who may ask, and what a request may look like: pure functions, so that every rule has a test.
namespace cleave::server {

// "127.0.0.1:8620", "localhost:8620", "[::1]:8620" and the host that was asked for. A page of
// another site whose name leads to this machine (DNS rebinding) names itself in the header.
std::vector<std::string> allowed_hosts(const std::string& host, int port);
// Where the server listens on all addresses, any address will do: names are what rebinding needs.
bool is_wildcard(const std::string& host);
bool is_loopback(const std::string& host);

bool host_allowed(std::string_view header, std::span<const std::string> hosts);
bool origin_allowed(std::string_view header, std::span<const std::string> hosts);

// The value of a header in the text of a request's head, the first; "" where there is none.
std::string_view header_value(std::string_view head, std::string_view name);

// The first line and the headers of these names: what nobody asks for is read by nobody. "" where a
// line has control characters or an end of another kind.
std::string without_others(std::string_view head, std::span<const std::string_view> names);

// In a time that does not depend on where they differ.
bool same_token(std::string_view given, std::string_view expected);

bool is_utf8(std::string_view text);
// Whether brackets of a JSON text stand more than `most` deep: parsers recurse.
bool nested_deeper(std::string_view json, size_t most);

}  // namespace cleave::server
