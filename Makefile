# `make run` reads a sample page, `make test` checks everything; both set up what they need first.

SHELL := /bin/sh
BIN := .venv/bin
PYTHON := $(BIN)/python
PAGE ?= examples/orchard.html

# The folder that the benchmarks take their pages from.
WINDROW_BENCH_DATA ?= ../shared/data
export WINDROW_BENCH_DATA

# The readers whose weights a command fits.
FITTED := title table region toplist wrapper

BENCHES := parse render folder growth boxes conformance hostile sizes title tables regions region_stress toplist toplist_stress wrapper wrapper_stress recipes lists store evolving web pointing batch

.PHONY: help run test check lint format docs pictures bench $(BENCHES:%=bench-%) weights $(FITTED:%=weights-%) mutants crash crash-batch fuzz setup clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-10s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))
	@for name in $(BENCHES); do printf 'make bench-%s\n' "$$name"; done

run: setup ## Read PAGE (a file or an address) and print what stands on it; then harvest two small sites of our own
	$(BIN)/windrow read "$(PAGE)" $$($(PYTHON) -c \
	    'from windrow.render.executable import find_browser as found; print("" if found() else "--no-render")')
	$(PYTHON) examples/harvest.py

test: setup lint ## Lint, types and the whole test suite
	$(PYTHON) -m pytest -n auto

check: setup ## The tests that need no browser, for all day
	$(PYTHON) -m pytest -n auto -m "not browser"

lint: setup ## Style, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@if command -v shellcheck >/dev/null 2>&1; then shellcheck scripts/*.sh .ci/run; fi

format: setup ## Put the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: setup ## API documentation from the docstrings, into site/
	$(BIN)/pdoc --docformat restructuredtext --output-directory site windrow

pictures: setup ## Draw the pages that the tests of each reader have, with what is read on them, into docs/pictures
	$(PYTHON) bench/contact_sheet.py

bench: $(BENCHES:%=bench-%) ## All benchmarks, over the pages in WINDROW_BENCH_DATA

$(BENCHES:%=bench-%): setup
	$(PYTHON) bench/$(@:bench-%=%).py

weights: $(FITTED:%=weights-%) ## Fit the weights of all readers anew, from the pages in WINDROW_BENCH_DATA

$(FITTED:%=weights-%): setup
	$(PYTHON) bench/$(subst -,_,$@).py

mutants: setup ## Change the readers' decisions one at a time, and see whether the tests notice (ROOMS="title table")
	$(PYTHON) bench/mutants.py $(ROOMS)

crash: setup ## Kill a harvest at 200 random moments (KILLS=20), and see whether anything is lost, doubled or torn
	$(PYTHON) bench/crash.py

fuzz: setup ## Ask the API everything that its document allows, EXAMPLES=200 questions an address
	WINDROW_FUZZ_EXAMPLES=$(or $(EXAMPLES),200) $(PYTHON) -m pytest tests/web/test_api_document.py -s

crash-batch: setup ## Kill workers, drivers and Spark's machines during a batch (KILLS=20), with poison among the pages, and compare the output
	$(PYTHON) bench/crash_batch.py $(if $(shell command -v java),--spark)

setup: ## A virtual environment with everything in it, and a browser
	@sh scripts/setup.sh

clean: ## Remove everything that can be made again
	rm -rf .venv .tools site dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
