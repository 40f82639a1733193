#!/usr/bin/env bash
# Installs a build into a temporary folder, then builds and runs an example against it from outside.
# usage: install_consumer.sh BUILD_DIR EXAMPLE_DIR CXX
set -euo pipefail
build=$1 example=$2 cxx=$3

work=$(mktemp -d "${TMPDIR:-/tmp}/cleave consumer.XXXXXX")
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >/dev/null
cp -r "$example" "$work/example"  # a copy, so that no header of this tree is found by a relative path

cmake -S "$work/example" -B "$work/build" -G Ninja -DCMAKE_CXX_COMPILER="$cxx" \
  -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=Release
cmake --build "$work/build"
"$work/build/$(basename "$example")"  # a program is named as its folder
"$work/prefix/bin/cleave" --help >/dev/null
