# A compiler cache that needs nothing from the user: objects are found again from any clone, in any folder.
# Included before anything is compiled. A launcher that the user chose stays.
find_program(CCACHE ccache)
option(CLEAVE_CCACHE "Compile through ccache" ON)
if(NOT CLEAVE_CCACHE OR NOT CCACHE OR CMAKE_CXX_COMPILER_LAUNCHER)
  return()
endif()

# Paths below the clone are hashed, and given to the compiler, relative to the build folder. The precompiled
# header's macros and times do not change what is compiled.
set(launcher env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})

# A cache that cannot be written to must cost its hits only, not the build.
set(trial ${CMAKE_BINARY_DIR}/CMakeFiles/ccache_trial)
file(WRITE ${trial}.cpp "int main() {}\n")
execute_process(COMMAND ${launcher} ${CMAKE_CXX_COMPILER} -c ${trial}.cpp -o ${trial}.o
                RESULT_VARIABLE trial_status OUTPUT_QUIET ERROR_QUIET)
if(trial_status)
  message(STATUS "ccache cannot be used here (is its folder writable?): compiling without it")
  return()
endif()
set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})

# An object's debug information must not name the folder of another clone.
add_compile_options(-ffile-prefix-map=${CMAKE_BINARY_DIR}=.)
