"""Python files that a user names: they are run, and errors in them name the file."""

from __future__ import annotations

import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType

from regretless.core.errors import BadFile
from regretless.core.files import require_readable

_files: dict[str, str] = {}  # files that were run: resolved path → path as given
_modules: dict[Path, tuple[bytes, ModuleType]] = {}  # with the text that was run


def run_file(path: str) -> ModuleType:
    """The module of a file; it can import its neighbours. Run again only if its text changes."""
    require_readable(path)
    place = Path(path).resolve()
    text = place.read_bytes()
    if place in _modules and _modules[place][0] == text:
        return _modules[place][1]
    name = f"regretless_file_{place.stem}_{abs(hash(place)):x}"
    spec = importlib.util.spec_from_file_location(name, place)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look up their module
    sys.path.insert(0, str(place.parent))
    _files[str(place)] = path
    try:
        exec(compile(text, str(place), "exec"), vars(module))  # compiled files may be older
    except (Exception, SystemExit) as error:
        sys.modules.pop(name, None)
        raise fault(error, path) from error
    finally:
        sys.path.remove(str(place.parent))
    _modules[place] = text, module
    return module


def blamed(error: BaseException) -> BadFile | None:
    """The error attributed to a user's file, if it passed through one."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename in _files:
            return fault(error, _files[frame.filename])
    return None


def fault(error: BaseException, path: str) -> BadFile:
    """An error in user code, with the line of the file."""
    frames = traceback.extract_tb(error.__traceback__)
    place = str(Path(path).resolve())
    lines = [frame.lineno or 0 for frame in frames if frame.filename == place]
    line = error.lineno if isinstance(error, SyntaxError) else (lines[-1] if lines else 0)
    told = " ".join(str(error).split())
    return BadFile(path, f"{type(error).__name__}: {told}", line=line or 0, column=1)
