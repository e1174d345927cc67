# Everything from a fresh clone with Python 3.11+ and make:  make run, make test
PYTHON ?= python3
BIN := .venv/bin
# What a change breaks most often: without the suites that start processes, compile or run documents.
QUICK := core cards games strategy evaluation runs solvers test_kernels.py test_layers.py \
	test_published_numbers.py test_public_names.py

# A file's tests share fixtures and compiled kernels: they stay in one process.
PYTEST := $(BIN)/python -m pytest -n 2 --dist loadfile

.PHONY: run test slow quick check wheel site bench clean

run: .venv/ready
	mkdir -p out
	$(BIN)/regretless solve leduc --target 1e-6 --out out/leduc.strategy --force --plot out/leduc.png
	$(BIN)/regretless show out/leduc.strategy

test: .venv/dev
	$(BIN)/python tests/compile_kernels.py
	$(PYTEST) -m "not slow"

slow: .venv/dev
	$(BIN)/python tests/compile_kernels.py
	$(PYTEST) -m slow

check: .venv/dev
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/test_layers.py

quick: .venv/dev
	$(PYTEST) -m "not slow" $(addprefix tests/,$(QUICK))

# Built, installed without any development tool, and tried, with every Python that is there.
wheel: .venv/dev
	rm -rf out/wheel
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir out/wheel .
	tests/try_wheel.sh out/wheel/*.whl

# The documents as pages in out/site, with the API reference; a broken link is an error.
site: .venv/docs
	$(BIN)/mkdocs build --strict

bench: .venv/bench
	$(BIN)/python -m benchmarks

# What a user needs; byte code is written when it is first needed.
.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt -e '.[pictures]'
	touch $@

.venv/dev: .venv/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

.venv/docs: .venv/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[docs]'
	touch $@

.venv/bench: .venv/ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	touch $@

clean:
	rm -rf .venv out .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
