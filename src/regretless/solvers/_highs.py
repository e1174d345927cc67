"""HiGHS in a thread, so that Ctrl-C is heard while it works."""

from __future__ import annotations

import threading
from typing import Any

from regretless.core.errors import Interrupted
from regretless.core.interrupts import interrupted

LOOK_S = 0.05  # between two looks at Ctrl-C
PATIENCE_S = 0.5  # for HiGHS to stop; presolving does not ask


def run_highs(highs: Any) -> None:
    """Solve the model that was passed; Ctrl-C ends it with Interrupted."""
    if threading.current_thread() is not threading.main_thread():
        highs.run()  # no signals here
        return
    stop = threading.Event()

    def ask(event: Any) -> None:
        if stop.is_set():
            event.interrupt()

    worker = threading.Thread(target=highs.run, name="HiGHS", daemon=True)
    highs.cbSimplexInterrupt.subscribe(ask)
    worker.start()
    try:
        while worker.is_alive():
            worker.join(LOOK_S)
            if interrupted():
                raise KeyboardInterrupt
    except KeyboardInterrupt:
        stop.set()
        worker.join(PATIENCE_S)
        raise Interrupted("interrupted before the linear program was solved") from None
    finally:
        if not worker.is_alive():
            highs.cbSimplexInterrupt.unsubscribe(ask)
