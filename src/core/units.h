#pragma once

#include <cstdint>
#include <string>

// Numbers as people read them.
namespace cleave::core {

std::string grouped(int64_t number);       // 1,234,567
std::string bytes_text(double bytes);      // "12.3 MiB"
std::string seconds_text(double seconds);  // "45 ms", "1.25 s", "3 min 20 s"
std::string rate_text(double per_second);  // "1,234", "3.2"

}  // namespace cleave::core
