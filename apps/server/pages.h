#pragma once

#include <span>
#include <string_view>

// The explorer's page: what Vite made of apps/web, part of the program.
namespace cleave::server {

struct Page {
  std::string_view path;  // "/index.html"
  std::string_view type;  // "text/html; charset=utf-8"
  std::string_view content;
};
std::span<const Page> pages();

}  // namespace cleave::server
