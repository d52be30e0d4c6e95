# `make demo` and `make test` set up everything they need in .venv.
PYTHON ?= $(firstword $(foreach v,3.13 3.12 3.11 3.10,$(if $(shell python$(v) -c '' 2>/dev/null && echo yes),python$(v))) python3)
VENV := .venv
RUN := $(VENV)/bin
SOURCES := $(wildcard engine/*.hpp engine/*/*.hpp engine/*.cpp checkers/*.hpp) CMakeLists.txt pyproject.toml
CPP := $(wildcard engine/*.hpp engine/*/*.hpp engine/*.cpp checkers/*.hpp)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Where a root user runs make, pip's advice against it is noise: the packages go into .venv.
export PIP_ROOT_USER_ACTION := ignore

.PHONY: setup demo lint format test test-slow sanitize fuzz tsan tsan-short docs bench reproduce clean

setup: $(VENV)/.ready

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 13))' \
	  || { echo "buchi needs Python 3.10 to 3.13; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV) || { echo "the venv module is missing (Debian: apt install python3-venv)"; rm -rf $(VENV); exit 1; }

$(VENV)/.ready: $(VENV)/bin/python $(SOURCES)
	$(RUN)/pip install -q scikit-build-core nanobind cmake ninja
	$(RUN)/pip install -q --no-build-isolation -e '.[dev]'
	@touch $@

demo: setup
	@sh examples/demo.sh $(RUN)/buchi

lint: setup
	$(RUN)/ruff check .
	$(RUN)/ruff format --check .
	$(RUN)/clang-format --dry-run --Werror $(CPP)
	MYPYPATH=src $(RUN)/mypy -p buchi

format: setup
	$(RUN)/ruff check --fix-only -q .
	$(RUN)/ruff format .
	$(RUN)/clang-format -i $(CPP)

# Tests send Ctrl-C to themselves, which a job in the background would ignore.
# They start hundreds of processes, for which byte code is kept whatever the shell says.
PYTEST := env --default-signal=INT -u PYTHONDONTWRITEBYTECODE $(RUN)/pytest -q

test: lint
	$(PYTEST) -n auto

test-slow: setup
	$(PYTEST) -m slow --durations=20

# The engine with the address and undefined-behaviour sanitizers, under the tests that drive it.
sanitize: setup
	$(RUN)/pip install -q --no-build-isolation --no-deps --upgrade --target build/sanitized \
	  -C build-dir=build/sanitize -C cmake.define.BUCHI_SANITIZE=ON .
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=build/sanitized $(RUN)/python tests/sanitized.py

# What workers share, and searches with several workers, under the thread sanitizer; the second needs clang.
tsan:
	tests/engine/teams.sh 10 -fsanitize=thread
	tests/fuzz/threads.sh

tsan-short:
	tests/engine/teams.sh 1 -fsanitize=thread

# Every reader, guided by coverage, then the engine under sanitizers; needs atheris (Python 3.11 or older) and clang.
# Stops at the first finding, which stays in the corpus. make fuzz SECONDS=1800 FUZZED='hoa dve' chooses.
SECONDS ?= 60
FUZZED ?= $(notdir $(wildcard tests/fuzz/corpus/*)) engine
fuzz: setup
	$(RUN)/pip install -q atheris
	@set -e; for target in $(filter-out engine,$(FUZZED)); do \
	  $(RUN)/python tests/fuzz/run.py $$target --seconds $(SECONDS); done
	$(if $(filter engine,$(FUZZED)),tests/fuzz/engine.sh $(SECONDS))

# What documents take from the code: the list of plugins, and what the commands they show print.
docs: setup
	$(RUN)/python docs/list_plugins.py
	$(RUN)/python tests/update_docs.py

bench: setup
	$(RUN)/python benchmarks/peers.py

# The tables of the papers (docs/reproduce-*.md): results and pages in build/reproduce. Interrupted, it goes on where it was.
reproduce: setup
	@test -d "$(DATA)" || { echo "where is the benchmark data? make reproduce DATA=DIR"; exit 1; }
	@mkdir -p build/reproduce
	@set -e; for file in experiments/*.yaml; do name=$$(basename $$file .yaml); echo "$$name"; \
	  $(RUN)/buchi run $$file --data "$(DATA)" --results build/reproduce/$$name.sqlite; \
	  $(RUN)/buchi report build/reproduce/$$name.sqlite --html build/reproduce/$$name.html > build/reproduce/$$name.txt; done
	$(RUN)/python benchmarks/reproduced.py bloemen build/reproduce/bloemen.sqlite --data "$(DATA)"
	$(RUN)/python benchmarks/reproduced.py bloemen-mcc build/reproduce/bloemen-mcc.sqlite --data "$(DATA)"
	$(RUN)/python benchmarks/reproduced.py schwoon-esparza build/reproduce/schwoon-esparza.sqlite
	$(RUN)/python benchmarks/reproduced.py geldenhuys-hansen-2 build/reproduce/geldenhuys-hansen-2.sqlite
	$(RUN)/python benchmarks/reproduced.py renault build/reproduce/renault.sqlite

clean:
	rm -rf $(VENV) build
