# The explorer's page: Vite makes three files of apps/web, which apps/server/pages.cpp takes into the program,
# so that `cleave serve` needs nothing beside it.
find_program(NPM npm)
if(NOT NPM)
  message(FATAL_ERROR "npm is missing, which builds the explorer's page. On Debian 12: scripts/bootstrap; "
                      "or configure with -DCLEAVE_WEB=OFF for a program without the page")
endif()
set(web ${CMAKE_SOURCE_DIR}/apps/web)
set(web_out ${CMAKE_BINARY_DIR}/web)
set(web_files ${web_out}/index.html ${web_out}/explorer.js ${web_out}/explorer.css)
file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${web}/src/*)

add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/web.installed
  COMMAND ${NPM} ci --no-audit --no-fund --loglevel=error
  COMMAND ${CMAKE_COMMAND} -E touch ${CMAKE_BINARY_DIR}/web.installed
  DEPENDS ${web}/package.json ${web}/package-lock.json
  WORKING_DIRECTORY ${web} COMMENT "Installing what the page is built with" VERBATIM)
add_custom_command(OUTPUT ${web_files}
  COMMAND ${CMAKE_COMMAND} -E env CLEAVE_WEB_OUT=${web_out} ${NPM} run --silent build -- --logLevel warn
  DEPENDS ${CMAKE_BINARY_DIR}/web.installed ${web_sources} ${web}/index.html ${web}/vite.config.ts
          ${web}/tsconfig.json
  WORKING_DIRECTORY ${web} COMMENT "Building the page" VERBATIM)

set_source_files_properties(${CMAKE_SOURCE_DIR}/apps/server/pages.cpp PROPERTIES
  COMPILE_DEFINITIONS CLEAVE_WEB_FOLDER="${web_out}" OBJECT_DEPENDS "${web_files}")
