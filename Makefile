# make app: set up and open the app, for this computer alone.  make test: set up and run all tests.  make bench: measure.
# make app HOST=0.0.0.0 ALLOWED=class.example.org: for others too, who reach it under that name (several with commas).
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
RUNTIME := .venv/.runtime-$(shell sha256sum requirements.txt | cut -c1-16)
TESTING := .venv/.testing-$(shell cat requirements.txt tests/requirements.txt | sha256sum | cut -c1-16)

HOST := 127.0.0.1
ALLOWED :=
COMMA := ,
# SQL queries are on if only this computer can open the app.
DPCORE_SQL ?= $(if $(filter localhost 127.0.0.1 ::1,$(HOST)),1)
NAMES = localhost 127.0.0.1 ::1 $(filter-out 127.0.0.1 0.0.0.0 ::,$(HOST)) $(subst $(COMMA), ,$(ALLOWED))

.PHONY: app test check bench pins
app: $(RUNTIME)
	$(if $(filter 0.0.0.0 ::,$(HOST)),$(if $(ALLOWED),,$(error With HOST=$(HOST) state the names that it is reached under, as in ALLOWED=class.example.org)))
	DPCORE_SQL=$(DPCORE_SQL) $(BIN)/streamlit run app.py --server.address $(HOST) $(NAMES:%=--server.allowedHosts %)

# Groups of tests (tests/conftest.py) go to workers in their own order: by the number of tests, those with few long ones would
# come last. NumPy has one thread in each worker: more would only wait for one another. Python keeps what it compiled: workers,
# servers and the processes of tests would compile all modules again.
test: check
	unset PYTHONDONTWRITEBYTECODE && export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 \
	&& CHROMIUM="$$(sh tests/browser/chromium.sh $(BIN))" && NODE="$$(sh tests/browser/node.sh $(BIN))" && export CHROMIUM NODE \
	&& $(BIN)/python -m pytest --numprocesses 3 --dist loadfile --no-loadscope-reorder

check: $(TESTING)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --site-dir .venv/site

bench: $(TESTING)
	CHROMIUM="$$(sh tests/browser/chromium.sh $(BIN))" && export CHROMIUM && $(BIN)/python -m tests.benchmarks.table

# After a change of pyproject.toml: compile both sets of pins again.
COMPILE := uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --python-version 3.11
pins: $(TESTING)
	$(BIN)/$(COMPILE) --extra app --output-file requirements.txt pyproject.toml
	$(BIN)/$(COMPILE) --output-file tests/requirements.txt --group dev --constraints requirements.txt

# The stamp's name holds the hash of the pins, so the environment is built anew when they change, and only then.
$(RUNTIME):
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] + ". Install it, or run make with PYTHON=/path/to/it.")'
	$(PYTHON) -m venv --clear .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	@touch $@

$(TESTING): | $(RUNTIME)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r tests/requirements.txt
	@rm -f .venv/.testing-*; touch $@
