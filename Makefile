# Shortcuts for what CMakePresets.json defines; `make help` lists them.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60

cpp_files = find $(wildcard src apps tests benchmarks examples fuzz) \( -name '*.cpp' -o -name '*.h' \) -print0
configure = cmake --preset release $(1) || { echo 'Is a dependency missing? On Debian 12: scripts/bootstrap'; exit 1; }

.PHONY: all help bootstrap demo test test-build test-full bench bench-spots format format-check lint \
        include-check asan tsan coverage fuzz install clean

all: build/build.ninja  ## build/cleave, the program (default)
	cmake --build build --target cleave_cli

build/build.ninja:
	$(call configure)

help:  ## this list
	@sed -n 's/^\([a-z][a-z -]*\):.*  ## /\1\t/p' Makefile | sort | expand -t 16

bootstrap:  ## install what a build needs (Debian 12)
	scripts/bootstrap

demo: bootstrap  ## install what is missing, build, show what Cleave does
	$(MAKE) all
	scripts/demo

test-build:
	scripts/bootstrap --with test
	$(call configure,-DCLEAVE_TESTS=ON)
	cmake --build build

test: test-build  ## all tests but the slow ones
	ctest --preset release -j $(JOBS)

test-full: test-build  ## all tests
	ctest --preset full -j $(JOBS)

bench:  ## the benchmarks; BENCH_ARGS go to Google Benchmark
	scripts/bootstrap --with bench
	$(call configure,-DCLEAVE_BENCHMARKS=ON)
	cmake --build build --target cleave_bench
	build/cleave_bench $(BENCH_ARGS)

bench-spots: all  ## hold'em spots to 0.1% of the pot, beside the best rival; SPOTS_ARGS go to the script
	scripts/bench_spots $(SPOTS_ARGS)

format:  ## format all sources in place
	scripts/bootstrap --with lint
	$(cpp_files) | xargs -0 clang-format -i

format-check:  ## fail if `make format` would change a file
	scripts/bootstrap --with lint
	$(cpp_files) | xargs -0 clang-format --dry-run --Werror

lint:  ## clang-tidy on src/ and apps/
	scripts/bootstrap --with lint
	cmake --preset lint
	scripts/lint --build build-lint --jobs $(JOBS)

include-check:  ## fail if a folder of src/ includes one below it
	scripts/check_includes
	scripts/check_layer

asan tsan:  ## unit tests under address+undefined or thread sanitizers
	scripts/bootstrap --with test
	cmake --preset $@
	cmake --build --preset $@
	ctest --preset $@ -j $(JOBS)

coverage:  ## line coverage of src/ by the tests, in build-coverage/
	scripts/bootstrap --with test,coverage
	cmake --preset coverage
	cmake --build --preset coverage
	ctest --preset coverage -j $(JOBS)
	gcovr --root . --filter src/ --html-details build-coverage/coverage.html --print-summary build-coverage

fuzz:  ## every fuzz target, FUZZ_SECONDS in all
	scripts/bootstrap --with fuzz
	cmake --preset fuzz
	cmake --build --preset fuzz
	@set -e; set -- build-fuzz/*_fuzz; for program; do \
	  name=$$(basename $$program _fuzz); echo "== $$name"; \
	  seeds=fuzz/corpus/$$name; test -d $$seeds || seeds=; \
	  dict=fuzz/$$name.dict; test -f $$dict && dict=-dict=$$dict || dict=; \
	  found=build-fuzz/corpus/$$name; mkdir -p $$found; \
	  $$program $$dict -max_total_time=$$(($(FUZZ_SECONDS) / $$#)) -timeout=20 -rss_limit_mb=4096 -verbosity=0 \
	    -print_final_stats=1 -artifact_prefix=build-fuzz/$$name- $$found $$seeds; \
	done

install: all  ## program, library and headers below PREFIX
	cmake --install build --prefix '$(PREFIX)'

clean:  ## remove all build folders
	rm -rf build build-*
