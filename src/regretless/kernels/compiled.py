"""The one decorator of every kernel.

Flags: compiled code is cached on disk, the GIL is released, divisions follow NumPy (the
default model checks each one and stops vectorisation), products and sums may be fused.
Numba does not notice that a function called by a cached kernel has changed, so the
cache is also keyed by a digest of the kernel's source and of all sources connected to it by
imports, in either direction: a learner is compiled into a sweep that never names it."""

from __future__ import annotations

import hashlib
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numba.core.event
from numba.core.caching import FunctionCache, NullCache
from numba.core.cpu import CPUTargetOptions

Function = TypeVar("Function", bound=Callable[..., Any])

# Not "reassoc": it makes LLVM vectorise sums over a handful of terms, at a loss.
FAST = {"contract"}


def source_digests(folder: Path) -> dict[str, str]:
    """[module] a digest of every source that can be compiled into its kernels."""
    texts = {source.stem: source.read_text("utf-8") for source in sorted(folder.glob("*.py"))}
    groups = {name: {name} for name in texts}
    for name, text in texts.items():
        near = re.findall(r"^\s*from [\w.]+\.(\w+) import", text, re.MULTILINE)
        if re.search(r"^def tuned\(", text, re.MULTILINE):
            near.append("learner")  # found through that contract, although nothing imports it
        for other in near:
            if other in texts and other != Path(__file__).stem:
                joined = groups[name] | groups[other]
                groups |= dict.fromkeys(joined, joined)
    return {
        name: hashlib.sha256(
            "\0".join(texts[one] for one in sorted({*group, Path(__file__).stem})).encode()
        ).hexdigest()[:16]
        for name, group in groups.items()
    }


class _Cache(FunctionCache):
    """Numba's cache, with the digest beside Numba's version: an index of other sources is not read,
    because types that it names may be gone."""

    digests = source_digests(Path(__file__).parent)
    missing = False  # no folder is writable

    def __init__(self, function: Any) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        digest = self.digests[Path(function.__code__.co_filename).stem]
        self._cache_file._version = f"{numba.__version__} {digest}"

    def save_overload(self, signature: Any, data: Any) -> None:
        """Save what was compiled; a full disk only means that it is compiled again."""
        with suppress(OSError):
            super().save_overload(signature, data)  # type: ignore[no-untyped-call]


def _cache_of(function: Any) -> Any:
    """Where the compiled function is kept: nowhere, with one warning, if no folder is writable."""
    try:
        return NullCache() if _Cache.missing else _Cache(function)
    except RuntimeError:  # Numba has tried the package, NUMBA_CACHE_DIR and the home directory
        _Cache.missing = True
        warnings.warn(
            "no folder for compiled code is writable, so it is compiled in every run; "
            "set NUMBA_CACHE_DIR to one that is",
            RuntimeWarning,
            stacklevel=2,
        )
        return NullCache()


def kernel(function: Function) -> Function:
    """Compile on first call."""
    return _compiled(function, counting=True)


def lean(function: Function) -> Function:
    """A kernel that allocates nothing and assigns no slices.

    It needs no reference counting, which otherwise happens with every slice: this makes
    sweeps over short rows twice as fast (docs/measurements/public-sweep.md)."""
    return _compiled(function, counting=False)


def apart(function: Function) -> Function:
    """A lean kernel whose written arrays overlap no other array.

    Without this promise every loop begins by comparing all addresses, which takes as long as
    summing a hundred numbers."""
    return _compiled(function, counting=False, apart=True)


def inlined(function: Function) -> Function:
    """A lean kernel that is compiled into its callers.

    A call passes seven numbers per array, and all arrays of a tuple: for a kernel that works on a
    few short rows this takes longer than the work."""
    return _compiled(function, counting=False, inline=True)


# Numba has this flag for its own loops, but no option for it.
CPUTargetOptions.noalias = CPUTargetOptions.Mapping("noalias")  # type: ignore[no-untyped-call]


def _compiled(
    function: Function, *, counting: bool, apart: bool = False, inline: bool = False
) -> Function:
    flags: dict[str, Any] = {
        "nogil": True,
        "error_model": "numpy",
        "fastmath": FAST,
        "_nrt": counting,
        "noalias": apart,
        "forceinline": inline,
    }
    compiled: Any = numba.njit(**flags)(function)
    # The constructor inspects the interpreted function; with the JIT off there is nothing to cache.
    if hasattr(compiled, "enable_caching"):
        compiled._cache = _cache_of(compiled.py_func)
    return cast(Function, compiled)


class _Announcer(numba.core.event.Listener):
    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say

    def on_start(self, event: Any) -> None:
        self.say(event.data["dispatcher"].py_func.__name__)

    def on_end(self, event: Any) -> None:
        """Report nothing."""


@contextmanager
def announced(say: Callable[[str], None]) -> Iterator[None]:
    """Within this context, `say` is called with the name of every kernel before it compiles."""
    with numba.core.event.install_listener("numba:compile", _Announcer(say)):
        yield
