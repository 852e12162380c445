# Everything a user types. `make help` lists it.
PYTHON ?= python3
PY := .venv/bin/python
PREPARE := $(PYTHON) benchmarks/environment/prepare.py
# Both keep the source folder fastpaths from hiding the installed build; Python 3.10 lacks -P.
PYTEST = $(if $(shell $(PY) -P -c 'print(1)' 2>/dev/null),$(PY) -P -m pytest,.venv/bin/pytest)

.DEFAULT_GOAL := help
.PHONY: help bench test lint build dev gate table publish preview doctor clean distclean

help: ## list these targets
	@sed -n 's/^\([a-z][a-z-]*\):.*## /  \1\t/p' Makefile | expand -t 14

bench: ## measure this commit, publish the pages, print the table
	@$(PREPARE) bench
	@$(PY) -m benchmarks run; measured=$$?; \
	[ $$measured -le 1 ] || exit $$measured; \
	$(PY) -m reports publish; published=$$?; \
	$(PY) -m reports table; shown=$$?; \
	[ $$measured -eq 0 ] && [ $$published -eq 0 ] && [ $$shown -eq 0 ]

test: ## set up and pass the tests
	@$(PREPARE) test
	@$(PYTEST)

lint: ## ruff, cython-lint, mypy and the stubs, without the other tests
	@$(PREPARE) lint
	@$(PYTEST) tests/setup/test_lint.py tests/test_layering.py

build: ## compile and install fastpaths and the ruler into .venv
	@$(PREPARE) build

dev: ## as build, and all that tests and benchmarks need
	@$(PREPARE) test
	@$(PREPARE) bench

BASE ?= HEAD
GATE := build/gate
gate: ## hold the working tree against a revision: make gate BASE=main
	@$(PREPARE) build
	@$(PY) -m benchmarks compare $(BASE)
	@$(PY) -m reports gate --suspects $(GATE)/suspects.json > $(GATE)/first.txt; \
	if [ "$$(tr -d '[:space:]' < $(GATE)/suspects.json)" != "[]" ]; then \
	    $(PY) -m benchmarks compare $(BASE) --again $(GATE)/suspects.json; \
	fi
	@$(PY) -m reports gate --json $(GATE)/verdict.json --markdown $(GATE)/verdict.md \
	    --junit $(GATE)/verdict.xml $(if $(GITHUB_ACTIONS),--github)

table: ## print the table of the newest run
	@$(PY) -m reports table

publish: ## write the pages to reports/html
	@$(PY) -m reports publish

preview: publish ## serve the pages on this machine alone
	@$(PY) -m http.server --bind 127.0.0.1 --directory reports/html 8080

doctor: ## say what this machine can measure, and what to do about the rest
	@$(if $(wildcard $(PY)),$(PY),$(PYTHON)) -m benchmarks doctor

clean: ## remove what was built
	rm -rf build .asv reports/html reports/runs/scratch

distclean: clean ## remove .venv too; CuPy's wheel stays in the cache
	rm -rf .venv .venvs .cache
