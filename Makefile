# Everything from a fresh clone with Python 3.11+ and make:  make run, make test
PYTHON ?= python3
BIN := .venv/bin
# What a change breaks most often: without the suites that start processes, compile or run documents.
QUICK := core cards games strategy evaluation runs solvers test_kernels.py test_layers.py \
	test_published_numbers.py test_public_names.py

.PHONY: run test quick check bench clean

run: .venv/ready
	mkdir -p out
	$(BIN)/regretless solve leduc --target 1e-6 --out out/leduc.strategy --plot out/leduc.png
	$(BIN)/regretless show out/leduc.strategy

test: .venv/ready
	$(BIN)/python -m pytest -n 2

check: .venv/ready
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/test_layers.py

quick: .venv/ready
	$(BIN)/python -m pytest -n 2 -m "not slow" $(addprefix tests/,$(QUICK))

bench: .venv/bench
	$(BIN)/python -m benchmarks

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

.venv/bench: .venv/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	touch $@

clean:
	rm -rf .venv out .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
