# Each target does its own set-up. `make run` opens the page, `make test` runs every test.

PYTHON ?= $(or $(shell command -v python3.11),python3)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

# uv installs in a quarter of pip's time; pip does it where uv cannot.
UV_VERSION := 0.13.8

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

# Tests ask nobody outside this machine, and one thread a model keeps small machines quick.
test bench: export HF_HUB_OFFLINE := 1
test bench: export OMP_NUM_THREADS := 1
test bench: export GRADIO_ANALYTICS_ENABLED := False
test bench: export TOKENIZERS_PARALLELISM := false

.DEFAULT_GOAL := help
.PHONY: help setup run test bench lint browser

help:
	@echo "make setup   install everything into $(VENV)"
	@echo "make run     set up, then serve the page (ARGS=... are passed on)"
	@echo "make test    set up, get a browser, run every test (ARGS=... are passed on)"
	@echo "make bench   set up, then measure planning and running"
	@echo "make lint    set up, then check style and types"

# Installed anew only where the requirements differ from those that were installed last.
setup:
	@wanted=$$(cat requirements.txt requirements-dev.txt | cksum); \
	if [ -x $(BIN)/python ] && [ "$$(cat $(STAMP) 2>/dev/null)" = "$$wanted" ]; then exit 0; fi; \
	set -e; \
	command -v $(PYTHON) >/dev/null || { \
		echo "Python 3.11 is needed and $(PYTHON) was not found." \
			"Install it, or name yours: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; \
		exit 1; }; \
	[ -x $(BIN)/python ] || $(PYTHON) -m venv $(VENV); \
	{ $(BIN)/python -m pip install --quiet uv==$(UV_VERSION) && $(BIN)/uv pip install --quiet \
		--python $(BIN)/python -r requirements-dev.txt; } || \
		$(BIN)/python -m pip install --quiet -r requirements-dev.txt; \
	echo "$$wanted" > $(STAMP)

run: setup
	@$(BIN)/python app.py $(ARGS)

test: setup browser
	@$(BIN)/python -m pytest $(ARGS)

bench: setup
	@$(BIN)/python -m controlllm.evaluation $(ARGS)

lint: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

# The tests that drive the page need Chromium; one that is here already is used.
browser: setup
	@scripts/get_browser.sh $(BIN)/playwright
