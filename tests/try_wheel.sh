#!/usr/bin/env bash
# Install a wheel into a fresh environment of every Python 3.11 to 3.13 at hand, and solve a game.
set -euo pipefail
wheel=$(realpath "$1")
constraints=$(realpath "$(dirname "$0")/../constraints.txt")
there=$(mktemp -d)
trap 'rm -rf "$there"' EXIT
cd "$there"  # nothing of the sources may be imported
tried=0
for version in 3.11 3.12 3.13; do
    for python in "python$version" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$version".*/bin/python; do
        "$python" -c 'import ensurepip, venv' 2>/dev/null || continue
        "$python" -m venv "$version"
        "$version/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile \
            -c "$constraints" "$wheel"
        "$version/bin/regretless" solve kuhn --target 1e-6 --out kuhn.strategy
        "$version/bin/regretless" show kuhn.strategy >/dev/null
        rm -f kuhn.strategy
        echo "Python $version: $(du -sm --exclude=__pycache__ "$version" | cut -f1) MB installed"
        rm -rf "$version"
        tried=$((tried + 1))
        break
    done
done
test "$tried" -gt 0
