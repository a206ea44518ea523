PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: env demo up test check smoke lock clean

env: $(VENV)/.made

$(VENV)/.made: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Proofdesk needs Python 3.11 to 3.13; set PYTHON=... (this is %d.%d)" % sys.version_info[:2]) if not (3, 11) <= sys.version_info[:2] <= (3, 13) else 0'
	@$(PYTHON) -m venv $(VENV) || { echo "python3 -m venv failed: on Debian or Ubuntu install python3-venv"; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

demo: env
	$(BIN)/proofdesk demo

up: env
	$(BIN)/proofdesk up

test: env check
	$(BIN)/python -m pytest -n auto --dist loadfile

check: env
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright
	$(BIN)/lint-imports
	$(BIN)/deptry .

# A real small model behind the analysis: opt-in, Linux x86-64, 130 MB, in an environment of its own.
smoke: env .smoke/.made
	$(BIN)/python -m pytest smoke -s

.smoke/.made: smoke/requirements.txt
	$(PYTHON) -m venv .smoke
	.smoke/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r smoke/requirements.txt
	@touch $@

lock:
	uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes --no-annotate --no-header -o requirements.lock

clean:
	rm -rf $(VENV) .smoke
