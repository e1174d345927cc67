"""The command `regretless`."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from types import FrameType
from typing import Any

from regretless.core.errors import Interrupted, RegretlessError, printable
from regretless.core.interrupts import exit_code, heard, insistent, signals
from regretless.core.python_files import blamed

BAD_INPUT, INTERRUPTED, TERMINATED = 2, 130, 143


def _one_line(message: Warning | str, *_: Any, **__: Any) -> None:
    _complain(f"regretless: {printable(str(message))}\n")


def _unraisable(lost: sys.UnraisableHookArgs) -> None:
    """Stay silent about a Ctrl-C raised in a finaliser: it will be raised again."""
    if lost.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(lost)


def main() -> None:
    """Run the command line. Any error is one line: exit code 2; 130 for Ctrl-C, 143 for SIGTERM."""
    with insistent() as pressed:
        code = _run(pressed)
        heard()
        code = pressed() or code
    if code:
        sys.exit(code)


def _run(pressed: Callable[[], int]) -> int:
    code = 1
    try:
        from regretless.interfaces.cli.console import readable_everywhere
        from regretless.interfaces.cli.shortcut import is_taken

        warnings.showwarning = _one_line
        sys.unraisablehook = _unraisable
        readable_everywhere()
        try:
            code = 0 if is_taken(sys.argv[1:]) else _called()
            if code == INTERRUPTED:  # Typer turns Ctrl-C into a silent exit
                raise KeyboardInterrupt
        except SystemExit as stop:
            heard()
            if (theirs := blamed(stop)) is not None:  # their program must not end ours
                raise theirs from None
            code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
        sys.stdout.flush()
    except (Interrupted, KeyboardInterrupt) as error:
        heard()
        code = INTERRUPTED
        _complain(f"\nregretless: {str(error) or 'interrupted'}\n")
    except RegretlessError as error:
        code = BAD_INPUT
        _complain(f"regretless: {error}\n")
    except BrokenPipeError:  # the reader of our output has exited, as `head` does
        _mute()
    except MemoryError:
        code = BAD_INPUT
        _complain("regretless: not enough memory for this\n")
    except OSError as error:
        code = BAD_INPUT
        _mute()
        where = f"{error.filename}: " if error.filename else ""
        _complain(f"regretless: {printable(f'{where}{error.strerror or error}')}\n")
    except Exception as error:
        heard()
        if pressed():  # Ctrl-C in the middle of a compilation
            _complain("\nregretless: interrupted\n")
            return pressed()
        if hasattr(error, "format_message"):  # of Typer: an option or its value
            _complain(f"regretless: {printable(_usage(error))}\n")
            return BAD_INPUT
        theirs = blamed(error)  # a game or an agent that the user wrote
        if theirs is None:
            raise
        code = BAD_INPUT
        _complain(f"regretless: {theirs}\n")
    return code


def run() -> None:
    """Run `main` as a process that Ctrl-C and SIGTERM end at once.

    Otherwise, if one of them hits code generated at run time, as most imports do, Python would
    die of the signal instead of returning the exit code."""
    for one in signals(terminate=True):
        signal.signal(one, _leave)
    _open_streams()
    try:
        main()
    except (SystemExit, KeyboardInterrupt) as stop:
        code = INTERRUPTED if isinstance(stop, KeyboardInterrupt) else stop.code
        if code in (INTERRUPTED, TERMINATED):
            with suppress(OSError):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)
        raise
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all done: keep the exit code


def _open_streams() -> None:
    """Read nothing and write nowhere in place of streams that the caller has closed (`>&-`).

    Otherwise the next file to be opened would get their number, and foreign output."""
    while (handle := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(handle)
    for name, number, mode in (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def _complain(text: str) -> None:
    """Write to stderr, if that can be written."""
    with suppress(OSError):
        sys.stderr.write(text)


def _leave(number: int, frame: FrameType | None) -> None:
    os.write(2, b"\nregretless: interrupted\n")
    os._exit(exit_code(number))


def _called() -> int:
    """The exit code of the command that was called; errors in its options are raised."""
    try:
        code = _command()(prog_name="regretless", standalone_mode=False)
    except Exception as error:
        if type(error).__name__ != "NoArgsIsHelpError":
            raise
        error.show()  # type: ignore[attr-defined]
        return BAD_INPUT
    return code if isinstance(code, int) else 0


def _usage(error: Any) -> str:
    """What is wrong with the options, on one line, and where they are listed."""
    told = " ".join(error.format_message().split()).rstrip(".")
    where = getattr(getattr(error, "ctx", None), "command_path", "regretless")
    return f"{told[:1].lower()}{told[1:]}; see `{where} --help`"


@cache
def _command() -> Any:
    from typer.main import get_command

    from regretless.interfaces.cli.app import app

    return get_command(app)


def _mute() -> None:
    """Discard unwritten output; otherwise Python would complain on exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
