"""Where the threads of oneTBB are: in the process that used them first, and not in its forked children."""

import os
from typing import Optional

_first: Optional[int] = None


def runs_alone(serial: bool) -> bool:
    """Whether a call runs on the calling thread alone: as is wanted, or since a child has no other threads."""
    global _first
    if not serial and _first is None:
        _first = os.getpid()
    return serial or _first != os.getpid()
