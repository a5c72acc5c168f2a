# `make help` lists what there is. Everything happens in .venv; nothing else on your machine is touched.
# The first call sets .venv up: `make run` from requirements.lock, which has what running needs, everything else from
# requirements-dev.lock, which has that and the tools. Every file is pinned by its hash. Later calls are quick.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
RUNS := $(VENV)/runs
READY := $(VENV)/ready

.PHONY: help run test fast long soak screens rules lint types arrows audit bench format check lock clean
.DEFAULT_GOAL := help

help: ## what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: $(RUNS) ## start Bourse: your bot if .env holds a token, else a rehearsal table in your browser
	@$(BIN)/bourse

# The order of sets is the same in each run as well.
PYTEST := PYTHONHASHSEED=0 $(BIN)/python -m pytest -q -n auto --dist loadfile

test: $(READY) ## all tests
	@$(PYTEST)

fast: $(READY) ## the quick tests of rules, service and presentation
	@$(PYTEST) -m 'not slow' tests/rules tests/service tests/show

# The tests whose length SCALE_OF_TESTS multiplies.
LONG := tests/games/advciv/test_machine.py tests/games/ti4/test_machine.py \
	tests/rules/test_noninterference.py tests/cogs/test_two_worlds.py tests/cogs/test_router.py \
	tests/forged tests/wire/test_processes.py

long: SEED := $(or $(SEED),$(shell date +%s))
long: $(READY) ## random tables and evenings, and bots under load, longer than in make test, from a fresh SEED; SCALE=20
	@echo 'make long SEED=$(SEED)'
	@SCALE_OF_TESTS=$(or $(SCALE),3) SEED_OF_TESTS=$(SEED) \
		$(BIN)/python -m pytest -q -n auto --dist loadfile --hypothesis-seed=$(SEED) $(LONG)

# KILLS=50 FORGED=10000 SEED=2 MINUTES=10 make soak
soak: $(READY) ## forged interactions, then random play under kills and a hostile Discord; KILLS, FORGED, SEED, MINUTES
	@$(BIN)/python -m tests.forged --count $(or $(FORGED),100000) --seed $(or $(SEED),1)
	@$(BIN)/python -m tests.soak --kills $(or $(KILLS),300) --seed $(or $(SEED),1) --minutes $(or $(MINUTES),0)

screens: $(READY) ## pictures of every card, board, form and page, dark and light, desktop and phone, in build/screens
	@$(BIN)/python -m tests.page.gallery $(SCENES)

rules: $(READY) ## every rule with the plays that show it kept and refused
	@$(BIN)/python -m tests.rules_table

lint: $(READY) ## what ruff has to say about style and likely mistakes
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check

types: $(READY) ## mypy, strict
	@$(BIN)/mypy

arrows: $(READY) ## whether every import points to a floor below
	@$(BIN)/lint-imports

audit: $(READY) ## known vulnerabilities of what the locks pin, where advisories can be reached
	@$(BIN)/python -m tests.advisories

# make bench ARGS='--quick --only click,told'; --json prints one object, --plot FILE draws a picture.
bench: $(READY) ## how fast Bourse is here, as ratios; ARGS="--quick --only LINE[,LINE] --json --plot FILE"
	@$(BIN)/python -m tests.bench $(ARGS)

format: $(READY) ## lay the code out and mend what ruff can mend
	@$(BIN)/ruff format
	@$(BIN)/ruff check --fix

check: lint types arrows test ## all of it, as before a pull request

# Made with the newest Python we support: an older one leaves out what only the newer needs.
LOCK := CUSTOM_COMPILE_COMMAND='make lock' $(BIN)/pip-compile --quiet --generate-hashes --strip-extras --allow-unsafe \
	--build-deps-for=editable

lock: $(READY) ## write both locks anew from pyproject.toml (in a .venv of Python 3.13)
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info[:2] != (3, 13))' || \
		{ echo 'The locks are made with Python 3.13: make clean, then make lock PYTHON=python3.13.' >&2; exit 1; }
	@$(LOCK) --extra=rehearsal --extra=postgres --output-file=requirements.lock pyproject.toml
	@$(LOCK) --all-extras --constraint=requirements.lock --output-file=requirements-dev.lock pyproject.toml

clean: ## remove .venv and what the tools keep
	@rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

$(BIN)/python:
	@for python in $(PYTHON) python3.13 python3.12 python3.11 python3; do \
		if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			echo "Setting up $(VENV) with $$("$$python" --version); this takes about a minute, once."; \
			"$$python" -m venv --clear $(VENV) && exit; \
			rm -rf $(VENV); \
			echo 'That Python can not make a venv; on Debian and Ubuntu, apt-get install python3-venv helps.' >&2; \
			exit 1; \
		fi; \
	done; \
	echo 'Bourse needs Python 3.11 or newer and found none; install one, or name it: make run PYTHON=python3.13' >&2; \
	exit 1

# Without --no-compile, a third of the time goes into compiling modules that nobody imports. The build backend is in the
# locks as well, so nothing is fetched unpinned to link this folder in.
INSTALL := $(PIP) install --quiet --no-compile --require-hashes --requirement
LINK := $(PIP) install --quiet --no-deps --no-build-isolation --editable .

$(RUNS): requirements.lock pyproject.toml | $(BIN)/python
	@$(INSTALL) requirements.lock
	@$(LINK)
	@touch $@

$(READY): requirements-dev.lock pyproject.toml | $(BIN)/python
	@$(INSTALL) requirements-dev.lock
	@$(LINK)
	@touch $(RUNS) $@
