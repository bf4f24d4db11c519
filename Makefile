# Knock-on: every command of the workshop. Needs Python 3.11 or newer with pip, and make; `make PYTHON=python3.13 …` picks one.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq
# Arguments for pytest: `make test ARGS="tests/expr -x"`.
ARGS ?=
# Processes that share the tests; the suite is timed for two. A file stays in one of them, or every process would start
# the services and answer the handed cases of its own (tests/sharing.py); tests/conftest.py puts the slowest files first.
WORKERS ?= auto
SHARING := --dist=loadfile --no-loadscope-reorder
# Set, it makes each of the hundred programs that tests start compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run setup test lint format types contracts check golden docs bench wheel lock clean

help:  ## say what there is
	@sed -n 's/^\([a-z]*\):.*## /make \1\t/p' $(MAKEFILE_LIST) | expand -t 18

run: $(VENV)/.run  ## set up, start the service on 127.0.0.1:8000, show the answer to the first question
	@$(BIN)/knockon serve --show-first-answer

setup: $(VENV)/.dev  ## make the virtual environment with everything that is locked
	@echo "ready: $(BIN)/knockon"

test: $(VENV)/.dev  ## set up and run the whole default test suite
	@$(BIN)/python -m pytest --numprocesses=$(WORKERS) $(SHARING) $(ARGS)

wheel: $(VENV)/.dev  ## build sdist and wheel, install the wheel elsewhere, ask it questions from another folder
	@$(BIN)/python -m pytest -m wheel $(ARGS)

lint: $(VENV)/.dev  ## style and likely mistakes; changes nothing
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

format: $(VENV)/.dev  ## mend what can be mended by machine
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

types: $(VENV)/.dev  ## mypy, strict, over service/
	@$(BIN)/python -m mypy

contracts: $(VENV)/.dev  ## who may import whom
	@$(BIN)/lint-imports

check: $(VENV)/.dev  ## the shipped catalog and rules: shape, references, sources, examples, proofs
	@$(BIN)/knockon catalog lint
	@$(BIN)/knockon rules lint
	@$(BIN)/knockon rules test
	@$(BIN)/python -m pytest -q -m proof

golden: $(VENV)/.dev  ## write the golden files anew; read the difference before you commit it
	@KNOCKON_GOLDEN=write $(BIN)/python -m pytest -q $(ARGS)

docs: $(VENV)/.dev  ## write docs/generated anew
	@KNOCKON_GOLDEN=write $(BIN)/python -m pytest -q tests/docs $(ARGS)

bench: $(VENV)/.dev  ## measure, as ratios against peers in the same run
	@$(BIN)/python bench/run.py $(ARGS)

# Locks hold for every platform and Python; pins stay where they are unless `make lock UPGRADE=--upgrade`.
UPGRADE ?=
COMPILE = UV_CUSTOM_COMPILE_COMMAND="make lock" $(VENV)/.uv/bin/uv pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url $(UPGRADE)
lock: $(VENV)/.uv/bin/uv  ## resolve the dependencies of pyproject.toml into requirements/*.lock
	@$(COMPILE) pyproject.toml --group dev --output-file requirements/dev.lock
	@$(COMPILE) pyproject.toml --constraint requirements/dev.lock --output-file requirements/run.lock
	@$(COMPILE) --group build --constraint requirements/dev.lock --output-file requirements/build.lock

clean:  ## remove everything that was made here, the database too
	@rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# --- the virtual environment, in two steps: what runs, then what develops -------------------------------------------

# Debian's Python has no ensurepip: there the pip beside it fills the new environment.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12"; exit 2; }
	@$(PYTHON) -m venv $(VENV) >/dev/null 2>&1 || { \
		$(PYTHON) -m venv --clear --without-pip $(VENV) && \
		$(PYTHON) -m pip -qq --python $@ install --require-hashes -r requirements/build.lock; }

# The package is installed without its dependencies (they are locked) and without build isolation (hatchling is locked too).
$(VENV)/.run: requirements/run.lock requirements/build.lock pyproject.toml | $(BIN)/python
	@echo "installing the locked dependencies into $(VENV) …"
	@$(PIP) install --require-hashes -r requirements/run.lock -r requirements/build.lock
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m compileall -q service  # once here, or every command would compile anew where Python may not
	@touch $@

# The law that is marked warming is tried here, so that its run compiles all tests and notes the constants of all modules:
# each process of a first run would do that by itself, for eight seconds.
$(VENV)/.dev: requirements/dev.lock $(VENV)/.run
	@$(PIP) install --require-hashes -r requirements/dev.lock
	@$(BIN)/python -m pytest -qq -m warming >/dev/null || test $$? -lt 4 \
		|| { echo "no test is marked warming: without one, the first run of the tests is slow"; exit 2; }
	@touch $@

$(VENV)/.uv/bin/uv: | $(BIN)/python
	@$(BIN)/python -m venv $(VENV)/.uv
	@$(VENV)/.uv/bin/python -m pip -qq install uv
