#include "server/pages.h"

#include <array>

// The files stand in the program as the assembler took them in: no array to parse.
#ifdef CLEAVE_WEB_FOLDER
#define CLEAVE_INCLUDE_PAGE(name, file)                         \
  asm(".section .rodata\n"                                      \
      ".global cleave_page_" #name                              \
      "\n"                                                      \
      "cleave_page_" #name                                      \
      ":\n"                                                     \
      ".incbin \"" CLEAVE_WEB_FOLDER "/" file                   \
      "\"\n"                                                    \
      ".global cleave_page_" #name                              \
      "_end\n"                                                  \
      "cleave_page_" #name                                      \
      "_end:\n"                                                 \
      ".byte 0\n"                                               \
      ".previous\n");                                           \
  extern "C" const char cleave_page_##name[];      /* NOLINT */ \
  extern "C" const char cleave_page_##name##_end[] /* NOLINT */

CLEAVE_INCLUDE_PAGE(index, "index.html");
CLEAVE_INCLUDE_PAGE(script, "explorer.js");
CLEAVE_INCLUDE_PAGE(style, "explorer.css");
#endif

namespace cleave::server {

std::span<const Page> pages() {
#ifdef CLEAVE_WEB_FOLDER
  static const std::array<Page, 3> all = {
      {{"/index.html", "text/html; charset=utf-8", {cleave_page_index, cleave_page_index_end}},
       {"/explorer.js",
        "text/javascript; charset=utf-8",
        {cleave_page_script, cleave_page_script_end}},
       {"/explorer.css", "text/css; charset=utf-8", {cleave_page_style, cleave_page_style_end}}}};
#else
  static const std::array<Page, 1> all = {
      {{"/index.html", "text/html; charset=utf-8",
        "<!doctype html><title>Cleave</title><p>This program was built without its page "
        "(CLEAVE_WEB=OFF). The interface below /api is there."}}};
#endif
  return all;
}

}  // namespace cleave::server
