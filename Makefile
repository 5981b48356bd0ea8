# What people do with this repository; `make help` lists it.
.PHONY: help play test setup check bench shots slow sanitize races package format stubs clean
.DEFAULT_GOAL := help

PYTHON ?= python3
BIN := .venv/bin
# pip's progress is noise here; its errors are not.
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

NATIVE := CMakeLists.txt pyproject.toml $(shell find core -name '*.h' -o -name '*.cpp' | grep -v '^core/tests/')
CXX_FILES := $(shell find core benchmarks -name '*.h' -o -name '*.cpp')
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -O1 -g
RACES := -fsanitize=thread -O1 -g
# The core's own tests in a build of their own: $(call core_tests,FOLDER,FLAGS,CTEST OPTIONS)
core_tests = $(BIN)/cmake -S . -B build/$(1) -G Ninja \
		-DCMAKE_MAKE_PROGRAM="$(CURDIR)/$(BIN)/ninja" -DCROSSBOARD_CORE_TESTS=ON \
		-DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS="$(2)" \
	&& $(BIN)/cmake --build build/$(1) && $(BIN)/ctest --test-dir build/$(1) --output-on-failure $(3)

help:      ## list the targets
	@grep -E '^[a-z]+: .*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 20

play: .venv/play.stamp  ## set up what playing needs and open the page
	@$(BIN)/crossboard play

test: setup    ## set up everything and run the tests
	$(BIN)/pytest

setup: .venv/setup.stamp  ## prepare .venv with everything: extras and development tools too

check: setup   ## formatting, lint, types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(CXX_FILES)

bench: setup   ## measure everything that has a demanded figure
	$(BIN)/python -m benchmarks

shots: setup   ## pictures of every view of the page, in build/shots
	$(BIN)/python -m benchmarks.screenshots build/shots

slow: setup    ## the tests that take minutes; with SIZE=reduced those that can be made smaller
	$(BIN)/pytest $(if $(filter reduced,$(SIZE)),-m sized --reduced,-m slow)

sanitize: setup  ## the core's own tests under AddressSanitizer and UndefinedBehaviorSanitizer
	$(call core_tests,sanitize,$(SANITIZE))

races: setup   ## the core's tests of threads under ThreadSanitizer
	$(call core_tests,races,$(RACES),-R 'split|exchange|table|search/duchess')

package: setup  ## build sdist and wheel, and import the wheel in an empty environment
	rm -rf dist build/empty
	$(BIN)/python -m build --outdir dist .
	$(PYTHON) -m venv build/empty
	build/empty/bin/python -m pip --quiet --disable-pip-version-check install --no-deps dist/*.whl
	cd build/empty && bin/python -c "import crossboard.draughts as d; assert d.Position().perft(6) == 36768"

format: setup  ## put all sources into the house's format
	$(BIN)/ruff check --fix --select I
	$(BIN)/ruff format
	$(BIN)/clang-format -i $(CXX_FILES)

stubs: setup   ## write the type stubs of the compiled core anew
	$(BIN)/python -m nanobind.stubgen -q -m crossboard._core -r -O src/crossboard

clean:         ## remove everything that was built
	rm -rf .venv build dist

.venv/python.stamp: 
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "crossboard needs Python 3.11 or newer as $(PYTHON); try make PYTHON=python3.12"; exit 1; }
	@command -v c++ >/dev/null || command -v g++ >/dev/null || command -v clang++ >/dev/null \
		|| { echo "crossboard needs a C++ compiler: on Debian or Ubuntu, apt install g++"; exit 1; }
	@$(PYTHON) -c 'import os, sysconfig; os.stat(os.path.join(sysconfig.get_path("include"), "Python.h"))' 2>/dev/null \
		|| { echo "Python's header files are missing: on Debian or Ubuntu, apt install python3-dev"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
		|| { echo "Python cannot make virtual environments: on Debian or Ubuntu, apt install python3-venv"; exit 1; }
	$(PYTHON) -m venv .venv
	$(PIP) install --upgrade pip
	$(PIP) install scikit-build-core nanobind cmake ninja
	@touch $@

# Editable: a change in Python needs nothing, one in C++ only what it touches is compiled again.
.venv/play.stamp: .venv/python.stamp $(NATIVE)
	$(PIP) install --no-build-isolation --editable .
	@touch $@

.venv/setup.stamp: .venv/play.stamp
	$(PIP) install --no-build-isolation --editable '.[mpi,tensorboard,dev]'
	@# A cross-check of our map, which has no wheel; tests skip it where it is missing.
	-$(PIP) install 'minisom==2.3.*'
	@touch $@
