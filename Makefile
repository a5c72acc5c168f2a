# `make help` lists the targets. Everything is installed into .venv and nowhere else. The first call sets it up: `make run`
# from requirements-rehearsal.lock, all other targets from requirements-dev.lock, which has the tools as well. A server
# needs requirements.lock alone (deploy/Dockerfile). Every package is pinned by its hash. Later calls are quick.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
RUNS := $(VENV)/runs
READY := $(VENV)/ready

# Where Python may not keep compiled modules, every process compiles them again: a start takes twice as long, the tests
# three times.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run test fast long soak coverage screens pictures rules docs lint types arrows audit bench format check lock clean
.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: $(RUNS) ## start Bourse: your bot if .env has a token, else a rehearsal table in your browser
	@$(BIN)/bourse

# A fixed hash seed makes the order of sets the same in each run.
PYTEST := PYTHONHASHSEED=0 $(BIN)/python -m pytest -q --dist loadfile --no-loadscope-reorder

# Tests of whole programs often wait, so all tests have a worker more than there are processors. Each takes ten seconds of
# processor to collect the tests, and starts a PostgreSQL of its own.
test: WORKERS = $(shell $(BIN)/python -c 'import os; print(1 + os.cpu_count())')
test: $(READY) ## run all tests
	@$(PYTEST) -n $(WORKERS)

fast: $(READY) ## run the quick tests of rules, service and presentation
	@$(PYTEST) -n auto -m 'not slow' tests/rules tests/games tests/service tests/show

# SCALE_OF_TESTS multiplies the length of these tests.
LONG := tests/rules/test_nobody_acts_for_another.py tests/rules/test_noninterference.py \
	tests/rules/test_snapshots.py tests/games/advciv/test_machine.py tests/games/any/test_machine.py \
	tests/games/test_checks.py tests/games/test_checks_notice.py tests/games/test_never_silent.py \
	tests/games/test_presses.py tests/games/test_taken_back.py tests/games/ti4/test_machine.py \
	tests/ledger/test_fate.py tests/ledger/test_format.py tests/ledger/test_formats.py tests/ledger/test_plans.py \
	tests/service/test_history.py tests/service/test_tampered.py tests/exports tests/show \
	tests/delivery/test_crowds.py tests/delivery/test_life.py tests/delivery/test_phone.py \
	tests/delivery/test_pings.py tests/cogs/test_delivered_again.py tests/cogs/test_empty_states.py \
	tests/cogs/test_long_texts.py tests/cogs/test_other_games.py tests/cogs/test_router.py \
	tests/cogs/test_true_to_table.py tests/cogs/test_two_worlds.py tests/cogs/test_words.py tests/forged \
	tests/plays/test_pressed_late.py tests/lifecycle/test_starts.py tests/wire/test_crash.py \
	tests/wire/test_debts.py tests/wire/test_delivery_under_fire.py tests/wire/test_processes.py \
	tests/wire/test_starts_and_stops.py \
	tests/cli/test_attacks.py tests/cli/test_backup.py tests/cli/test_commands.py tests/cli/test_maintenance.py \
	tests/cli/test_new_game.py \
	tests/page/test_everybody.py tests/page/test_read_scenes.py tests/page/test_scenes.py \
	tests/page/test_site_read.py tests/plugin/test_examples.py tests/plugin/test_plugin.py \
	tests/install/test_wheel.py tests/tools/bench tests/soak/test_soak.py

long: SEED := $(or $(SEED),$(shell date +%s))
long: $(READY) ## run random tables and evenings, and bots under load, longer, from a fresh SEED; SCALE=20
	@echo 'make long SEED=$(SEED)'
	@SCALE_OF_TESTS=$(or $(SCALE),3) SEED_OF_TESTS=$(SEED) \
		$(PYTEST) -n auto --hypothesis-seed=$(SEED) $(LONG)

# KILLS=50 FORGED=10000 SEED=2 MINUTES=10 make soak; with PROCESSES=4, so many bots run on PostgreSQL
soak: $(READY) ## send forged interactions, then play at random with kills and a hostile Discord; KILLS, FORGED, SEED, MINUTES, PROCESSES
	@$(BIN)/python -m tests.forged --count $(or $(FORGED),100000) --seed $(or $(SEED),1)
	@$(BIN)/python -m tests.soak --kills $(or $(KILLS),300) --seed $(or $(SEED),1) --minutes $(or $(MINUTES),0) \
		--processes $(or $(PROCESSES),1)

# Each Python process that the tests start measures itself; a killed one leaves nothing. TESTS="tests/cogs" measures less.
COVERAGE := COVERAGE_FILE=$(CURDIR)/build/coverage/data

coverage: $(READY) ## run the tests, or TESTS, and tell which lines and branches of the program they reach
	@rm -rf build/coverage && mkdir -p build/coverage
	@$(COVERAGE) COVERAGE_PROCESS_START=$(CURDIR)/pyproject.toml $(PYTEST) -n auto $(TESTS)
	@$(COVERAGE) $(BIN)/coverage combine --quiet
	@$(COVERAGE) $(BIN)/coverage report --skip-covered --skip-empty --sort=cover

screens: $(READY) ## take pictures of every card, board, form and page, dark and light, desktop and phone, in build/screens, and write down what a screen reader says
	@$(BIN)/python -m tests.page.gallery $(SCENES)

pictures: $(READY) ## take the pictures of docs/ and the animation anew, or those of PAGES="players hosts"
	@$(BIN)/python -m tests.page.pictures $(PAGES)

rules: $(READY) ## list every rule with the plays that show it kept and refused
	@$(BIN)/python -m tests.rules_table

docs: $(READY) ## build the documentation site in build/site; warnings are errors
	@$(BIN)/python -m tests.site

lint: $(READY) ## check layout, style and likely mistakes with ruff
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check

types: $(READY) ## check types with mypy, strict
	@$(BIN)/mypy

arrows: $(READY) ## check that every import points downward
	@$(BIN)/lint-imports

audit: $(READY) ## look for known vulnerabilities in the pinned packages, where advisories can be reached
	@$(BIN)/python -m tests.advisories

# make bench ARGS='--quick --only click,told'; --json prints one object, --plot FILE draws a picture.
bench: $(READY) ## measure how fast Bourse is here, as ratios; ARGS="--quick --only LINE[,LINE] --json --plot FILE"
	@$(BIN)/python -m tests.tools.bench $(ARGS)

format: $(READY) ## format the code and fix what ruff can fix
	@$(BIN)/ruff format
	@$(BIN)/ruff check --fix

check: lint types arrows test ## run lint, types, arrows and test, as before a pull request

# Made with the newest Python we support: an older one leaves out packages that only the newer one needs.
LOCK := CUSTOM_COMPILE_COMMAND='make lock' $(BIN)/pip-compile --quiet --generate-hashes --strip-extras --allow-unsafe
LINKED := --build-deps-for=editable

lock: $(READY) ## renew the three locks from pyproject.toml (in a .venv of Python 3.13)
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info[:2] != (3, 13))' || \
		{ echo 'The locks are made with Python 3.13: make clean, then make lock PYTHON=python3.13.' >&2; exit 1; }
	@$(LOCK) --extra=postgres --output-file=requirements.lock pyproject.toml
	@$(LOCK) $(LINKED) --extra=postgres --extra=rehearsal --constraint=requirements.lock \
		--output-file=requirements-rehearsal.lock pyproject.toml
	@$(LOCK) $(LINKED) --all-extras --constraint=requirements-rehearsal.lock --output-file=requirements-dev.lock \
		pyproject.toml

clean: ## remove .venv and the tools' caches
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

# Without --no-compile, a third of the time goes into compiling modules that nobody imports. Both locks have the build
# backend as well, so installing this folder fetches nothing unpinned.
INSTALL := $(PIP) install --quiet --no-compile --require-hashes --requirement
LINK := $(PIP) install --quiet --no-deps --no-build-isolation --editable .

$(RUNS): requirements-rehearsal.lock pyproject.toml | $(BIN)/python
	@$(INSTALL) requirements-rehearsal.lock
	@$(LINK)
	@touch $@

$(READY): requirements-dev.lock pyproject.toml | $(BIN)/python
	@$(INSTALL) requirements-dev.lock
	@$(LINK)
	@touch $(RUNS) $@
