"""Available memory, checked before any is allocated."""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from pathlib import Path

from regretless.core.errors import TooLarge

KEEP_FREE = 0.1  # share of the available memory, for everything that is not estimated
RESERVE = 256 * 2**20  # running work stops when less than this is free


def available_bytes() -> int:
    """Memory that this process can still allocate."""
    found = [_meminfo(), _address_space_left(), _cgroup_left()]
    return min(amount for amount in found if amount is not None)


def usable_bytes() -> int:
    """The part of it that we allow ourselves to use."""
    return int(available_bytes() * (1 - KEEP_FREE))


def require(needed: int, what: str) -> None:
    """Refuse what does not fit."""
    usable = usable_bytes()
    if needed > usable:
        raise TooLarge(f"{what} needs {size_text(needed)} of memory: {size_text(usable)} is free")


def keep(what: str) -> None:
    """Stop work that grows while it runs, before the system does."""
    free = available_bytes()
    if free < RESERVE:
        raise TooLarge(f"{what} needs more memory than there is: {size_text(free)} is free")


def give_back() -> None:
    """Return freed memory to the system, if the C library supports that (glibc does).

    Otherwise many small objects leave tens of megabytes behind."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def size_text(count: float) -> str:
    """A number of bytes, human-readable."""
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if count < 1024 or unit == "TiB":
            return f"{count:.3g} {unit}" if count < 1000 else f"{count:,.0f} {unit}"
        count /= 1024
    raise AssertionError


def _meminfo() -> int:
    try:
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 4 * 2**30  # unknown: assume a small machine


def _address_space_left() -> int | None:
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit == resource.RLIM_INFINITY:
            return None
        used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        return max(limit - used, 0)
    except (ImportError, OSError):
        return None


def _cgroup_left() -> int | None:
    try:
        limit = Path("/sys/fs/cgroup/memory.max").read_text().strip()
        used = int(Path("/sys/fs/cgroup/memory.current").read_text())
        return None if limit == "max" else max(int(limit) - used, 0)
    except (OSError, ValueError):
        return None
