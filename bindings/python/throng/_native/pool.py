"""The memory of large results that nothing holds any more, kept for the next ones.

Without it, the system would give the memory of each large answer page by page and take it back at once. That
costs up to ten times the search. A result object is kept as a whole, with all of its memory, and the next
call of its kind fills it.

The pool has at most an eighth of the machine's memory. What 64 frames in a row did not need goes back,
counting the frames of all engines. `release_memory` gives back all of it.
"""

from __future__ import annotations

import os
import threading
from typing import Any, Callable, Hashable, NamedTuple, TypeVar

_T = TypeVar("_T")

# Smaller ones cost little to make.
LEAST = 1 << 20
_FRAMES = 64


class Kept(NamedTuple):
    """A result object between two uses."""

    kind: Any
    owner: Any
    bytes: int
    frame: int


class Pool:
    """Any thread may call. Results that died come into the list `returned` at any moment, even in the middle
    of a method. The next method looks at them, and drops the small ones. The handler of a signal may call in the
    middle of a method of its own thread: it finds nothing here and changes nothing."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.frames = 0
        self._lock = threading.RLock()  # a handler that waited for its own thread would wait for ever
        self._is_busy = False
        self.returned: list[Any] = []  # each with an owner and a kind
        self._kept: list[Kept] = []  # the one that came last is the last one
        self._sizes: dict[Hashable, int] = {}

    def __bool__(self) -> bool:
        """Whether there is anything to take."""
        if self.returned:
            self._alone(self._settle, None)
        return bool(self._kept)

    @property
    def bytes(self) -> int:
        def settled() -> int:
            self._settle()
            return sum(each.bytes for each in self._kept)

        return self._alone(settled, 0)

    def take(self, kind: Any, like: Hashable) -> Any:
        """A result object for an answer of about the size that the last one for `like` had."""
        if not self:
            return None
        wanted = self._sizes.get(like, LEAST)
        # An object has some room to spare, so for such an answer it may be a large one.
        return None if wanted < LEAST // 8 else self._take(kind, wanted, 8 * max(wanted, LEAST), True)

    def take_room(self, kind: Any, bytes: int) -> Any:
        """One that has so many bytes, and not twice as many."""
        return self._take(kind, bytes, 2 * bytes, False)

    def _take(self, kind: Any, least: int, most: int, may_grow: bool) -> Any:
        def taken() -> Any:
            self._settle()
            its = [each for each in self._kept if each.kind is kind and each.bytes <= most]
            fitting = [each for each in its if each.bytes >= least]
            if fitting:
                found = min(fitting, key=lambda each: each.bytes)
            elif its and may_grow:
                found = max(its, key=lambda each: each.bytes)
            else:
                return None
            self._kept.remove(found)
            return found.owner

        return self._alone(taken, None)

    def learn(self, like: Hashable, bytes: int) -> None:
        self._sizes[like] = bytes

    def next_frame(self) -> None:
        """After a frame was published: drops what was not used for long."""
        self.frames += 1
        # Not by its number: another thread may take the last one meanwhile.
        if self.returned or any(oldest.frame + _FRAMES < self.frames for oldest in self._kept[:1]):
            self._alone(lambda: self._drop(lambda each: each.frame + _FRAMES < self.frames), None)

    def release(self) -> None:
        """Gives all of it back."""
        self._alone(lambda: self._drop(lambda each: True), None)

    def forget_lock(self) -> None:
        """In a forked child: the thread that had the lock may not be there."""
        self._lock = threading.RLock()
        self._is_busy = False

    def _alone(self, call: Callable[[], _T], otherwise: _T) -> _T:
        """Calls under the lock, or returns the other value in the midst of another call by this thread."""
        with self._lock:
            if self._is_busy:
                return otherwise
            try:
                self._is_busy = True
                return call()
            finally:
                self._is_busy = False

    # Under the lock.

    def _settle(self) -> None:
        while self.returned:
            left = self.returned.pop(0)
            bytes = int(left.kind.bytes(left.owner))
            if bytes >= LEAST:
                self._kept.append(Kept(left.kind, left.owner, bytes, self.frames))
        bytes = sum(each.bytes for each in self._kept)
        while bytes > self.most:
            bytes -= self._kept.pop(0).bytes

    def _drop(self, goes: Callable[[Kept], bool]) -> None:
        self._settle()
        self._kept = [each for each in self._kept if not goes(each)]


def _eighth_of_the_machine() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 8
    except (AttributeError, OSError, ValueError):
        return 1 << 30


pool = Pool(_eighth_of_the_machine())
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=pool.forget_lock)


def release_memory() -> None:
    """Gives the memory of results that nothing holds any more back to the system.

    It is kept for the next results: at most an eighth of the machine's memory, and for 64 frames.

    >>> import throng
    >>> throng.release_memory()
    """
    pool.release()
