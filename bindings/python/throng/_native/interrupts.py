"""Ctrl-C while the library works: long calls of the main thread check now and then whether a signal came.

The library asks a callback on the thread that made the call. Entering Python there runs the handlers of
signals. An exception of one, such as KeyboardInterrupt, has to end the call, and then be raised by it. ctypes
would only print an exception of a callback, and a handler may run before the first line of a function. So the
callback is a generator: it is entered inside of its `try`. Other threads are not asked, since Python runs no
handlers there.
"""

from __future__ import annotations

import atexit
import os
import threading
from typing import Generator, Optional

from . import structs
from .library import library

# What handlers raised during the call that is under way.
found: list[BaseException] = []


def _looks() -> Generator[int, None, None]:
    while True:
        try:
            while True:
                yield 1 if found else 0
        except GeneratorExit:
            return
        except BaseException as error:
            found.append(error)


_generator = _looks()
_callback = structs.cancelled(_generator.send)
_is_watching = False


def watch() -> None:
    """Makes the calls of the main thread check; on another thread it does nothing."""
    global _is_watching
    if not _is_watching and threading.current_thread() is threading.main_thread():
        library.throng_cancel_with(_callback, None)
        _is_watching = True


def raised() -> Optional[BaseException]:
    """What a handler raised during a call of the main thread that is over now."""
    if not found or threading.current_thread() is not threading.main_thread():
        return None
    error = found[0]
    found.clear()
    return error


def _watch_again() -> None:
    global _is_watching
    _is_watching = False
    watch()


def _stop() -> None:
    library.throng_cancel_with(structs.cancelled(0), None)


watch()
atexit.register(_stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_watch_again)
