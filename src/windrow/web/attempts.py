"""How often something may be tried: logging in, loading pages, restoring. What fails often waits ever longer."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque

from windrow.errors import WindrowError

FREE_FAILURES = 5
"""Failures that cost nothing: people mistype."""
LONGEST_WAIT = 30.0
"""Seconds; people behind one address share it, and none of them may lock the others out for long."""
MOST_KNOWN = 10_000
"""Addresses that are remembered; the longest unseen is forgotten first."""


class TooOftenError(WindrowError):
    """Something was tried too often; ``seconds`` is how long to wait."""

    kind = "too-often"

    def __init__(self, seconds: float, why: str = "That was tried too often.") -> None:
        """Say how long to wait."""
        self.seconds = max(1, round(seconds))
        super().__init__(f"{why} Wait {self.seconds} seconds, then try again.")


class Attempts:
    """Counts what was tried, by what and by whom."""

    def __init__(self) -> None:
        """Know of nothing."""
        self._lock = threading.Lock()
        self._failures: OrderedDict[tuple[str, str], tuple[int, float]] = OrderedDict()
        self._times: OrderedDict[tuple[str, str], deque[float]] = OrderedDict()

    def begin(self, what: str, who: str) -> None:
        """Refuse a try that comes too soon after others that failed; any other counts as failed until it succeeds.

        Both at once, so that a crowd of tries that come together is slowed down like those that come one by one.
        """
        now = time.monotonic()
        with self._lock:
            failures, last = self._failures.pop((what, who), (0, 0.0))
            wait = min(LONGEST_WAIT, 2.0 ** (failures - FREE_FAILURES)) if failures >= FREE_FAILURES else 0.0
            left = last + wait - now
            self._failures[what, who] = (failures, last) if left > 0 else (failures + 1, now)
            while len(self._failures) > MOST_KNOWN:
                self._failures.popitem(last=False)
        if left > 0:
            raise TooOftenError(left)

    def succeed(self, what: str, who: str) -> None:
        """Forget the failures before a success."""
        with self._lock:
            self._failures.pop((what, who), None)

    def count(self, what: str, who: str, most: int, seconds: float) -> None:
        """Refuse more than so many tries in so many seconds, whatever comes of them."""
        now = time.monotonic()
        with self._lock:
            times = self._times.setdefault((what, who), deque())
            self._times.move_to_end((what, who))
            while times and times[0] <= now - seconds:
                times.popleft()
            if len(times) >= most:
                raise TooOftenError(times[0] + seconds - now)
            times.append(now)
            while len(self._times) > MOST_KNOWN:
                self._times.popitem(last=False)
