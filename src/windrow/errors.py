"""Everything that can go wrong, as sentences that say what happened and what to do.

Every error has a ``kind``, a stable short word for programs, and an ``exit_code`` for the command line:
1 a fault of ours, 2 wrong use, 3 could not be read or written, 4 refused by the guard or by robots.txt, 5 a limit was
reached, 6 read but not as it was learned, 7 another process is at it.

Everything imports the errors, so they import nothing: what they carry, a page or a report, they know only by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable


class WindrowError(Exception):
    """The root of all errors that Windrow raises on purpose; its text is a sentence for people."""

    kind: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1
    url: str = ""
    """The address whose request failed, after redirects and without credentials; empty where none was sent."""
    redirects: tuple[str, ...] = ()
    """The addresses that led there."""

    @property
    def public(self) -> str:
        """The sentence as those may read it who do not sit at the machine."""
        return str(self)

    def __reduce__(self) -> tuple[Callable[..., WindrowError], tuple[object, ...], dict[str, Any]]:
        """Go from one process to another with everything that is kept beside the sentence."""
        return _again, (type(self), *self.args), self.__dict__


def _again(kind: type[WindrowError], *arguments: object) -> WindrowError:
    return kind.__new__(kind, *arguments)


class UsageError(WindrowError):
    """The call itself is wrong: an option that does not exist, a file name that says nothing."""

    kind = "usage"
    exit_code = 2


class StaleError(UsageError):
    """Something was changed since it was looked at; ``current`` is what it is now."""

    kind = "stale"

    def __init__(self, message: str, current: object = None) -> None:
        """Keep what it is now beside the sentence."""
        super().__init__(message)
        self.current = current


class SourceError(WindrowError):
    """The source could not be read: not there, no answer, broken transfer."""

    kind = "unreadable"
    exit_code = 3


class StatusError(SourceError):
    """The server answered with an error status instead of the page."""

    kind = "status"

    def __init__(self, message: str, status: int, retry_after: float | None = None) -> None:
        """Keep the status beside the sentence, and for how many seconds the server wants to be left alone."""
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after


class UnreachableError(SourceError):
    """No answer came, or it broke off half-way; another try may bring it."""


class UnwrittenError(SourceError):
    """A file could not be written, as on a disk that is full; whatever else goes to that place fails as well."""


class NotHtmlError(SourceError):
    """The source is something else than a web page; the sentence says what it is."""

    kind = "not-html"


class EmptyError(NotHtmlError):
    """There is nothing in the source."""


class BrowserError(SourceError):
    """The browser is missing, could not start, or died; pages can still be read without it."""

    kind = "browser"


class RefusedError(WindrowError):
    """The guard did not let a request out: a private address, a scheme that is not the web's."""

    kind = "refused"
    exit_code = 4


class RobotsError(RefusedError):
    """The site's robots.txt asks us not to fetch this address."""

    kind = "robots"


class StoreError(WindrowError):
    """The store could not be opened, read or written; what was stored before stays as it was."""

    kind = "store"
    exit_code = 3

    @property
    def public(self) -> str:
        """The same without the place of the store, and without what its database says."""
        return "The store could not be read or written. What was stored before is safe; the log says more."


class LockedError(StoreError):
    """Others kept what was to be written to themselves for too long."""

    @property
    def public(self) -> str:
        """The same without the place of the store."""
        return "The store was busy for too long, and nothing was changed. Try again in a moment."


class BusyError(WindrowError):
    """Another process works on the same source."""

    kind = "busy"
    exit_code = 7


class LimitError(WindrowError):
    """A limit of time, bytes or nodes was reached; ``page`` is what was read until then, if anything."""

    kind = "limit"
    exit_code = 5

    def __init__(self, message: str, page: Any = None) -> None:  # noqa: ANN401 - a Page, which stands above the errors
        """Keep the part that was read beside the sentence."""
        super().__init__(message)
        self.page = page


class TooLargeError(LimitError):
    """A page is larger than a limit of bytes or nodes, at every try."""


class RegionGone(WindrowError):  # noqa: N818 - what happened, as the public face names it
    """The text that a wrapper was learned from is no longer on the page; ``report`` says what was looked for."""

    kind = "region-gone"
    exit_code = 6

    def __init__(self, message: str, report: Any) -> None:  # noqa: ANN401 - a HealReport
        """Keep the report beside the sentence."""
        super().__init__(message)
        self.report = report


class HealUncertain(WindrowError):  # noqa: N818 - what happened, as the public face names it
    """A wrapper might be healed, but a person must decide; ``report`` says what was found."""

    kind = "heal-uncertain"
    exit_code = 6

    def __init__(self, message: str, report: Any) -> None:  # noqa: ANN401 - a HealReport
        """Keep the report beside the sentence."""
        super().__init__(message)
        self.report = report
