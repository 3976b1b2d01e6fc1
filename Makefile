PYTHON ?= python3
BIN := .venv/bin
ENVIRONMENT := .venv/.made

.PHONY: run demo test fuzz fetch check bench chaos lock clean

run: $(ENVIRONMENT)  ## the sandbox at http://127.0.0.1:8080, until Ctrl-C
	$(BIN)/precedent dev

demo: $(ENVIRONMENT)  ## the story once, without a browser
	$(BIN)/python -m deploy.sandbox.demo

test: $(ENVIRONMENT)  ## every test; starts what it needs
	-$(BIN)/python -m tests.octokit.fetch
	$(BIN)/python -m pytest -n 3 --dist worksteal $(TESTS)

fuzz: $(ENVIRONMENT)  ## the property tests alone, with new random examples, many of them
	$(BIN)/python -m pytest -n 3 --hypothesis-profile=fuzz -m hypothesis $(TESTS)

fetch: $(ENVIRONMENT)  ## releases that some tests compare with; without them those tests skip
	$(BIN)/python -m tests.octokit.fetch
	$(BIN)/python -m tests.real_diffs.fetch

check: $(ENVIRONMENT)  ## style, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(ENVIRONMENT)  ## one table of figures, also as bench.json
	$(BIN)/python -m tests.bench

chaos: $(ENVIRONMENT)  ## the long fault-injection run
	$(BIN)/python -m tests.chaos

lock: $(ENVIRONMENT)  ## pin the dependencies again, with hashes and without addresses
	$(BIN)/pip-compile --quiet --all-extras --generate-hashes --allow-unsafe --strip-extras \
		--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-header --no-annotate \
		--output-file requirements.lock pyproject.toml

clean:
	rm -rf .venv build *.egg-info

$(ENVIRONMENT): pyproject.toml requirements.lock
	@echo "Installing into .venv; the first time this takes some minutes."
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@
