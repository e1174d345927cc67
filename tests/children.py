"""Processes that tests start: none outlives its test."""

import subprocess
from contextlib import contextmanager

SOON = 600  # seconds: only bounds a hang, on however busy a machine


@contextmanager
def none_left():
    """Kill what was started inside and still runs, however this ends."""
    started, begin = [], subprocess.Popen.__init__

    def noted(self, *words, **options):
        begin(self, *words, **options)
        started.append(self)

    subprocess.Popen.__init__ = noted
    try:
        yield
    finally:
        subprocess.Popen.__init__ = begin
        for process in started:
            if process.poll() is None:
                process.kill()
                process.wait()
