"""What new sources begin with, as it is chosen in the settings; secrets of it are shown to nobody."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING

from windrow.errors import RefusedError, UsageError
from windrow.harvest.secret_values import is_secret_target, secret_reference
from windrow.harvest.settings import Manners, Warn
from windrow.store.preferences import get_preference, set_preference

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.engine import Connection

PREFERENCE = "beginnings"
USUAL = Manners()


@dataclass(frozen=True)
class Beginnings:
    """Settings that new sources begin with."""

    rate: float = USUAL.rate
    concurrency: int = USUAL.concurrency
    send: tuple[str, ...] = field(default=(), repr=False)

    @property
    def manners(self) -> Manners:
        """How hosts are treated."""
        return Manners(rate=self.rate, concurrency=self.concurrency)

    @property
    def public(self) -> Beginnings:
        """The same with a reference in place of each secret, for pages and their twins."""
        references = (
            secret_reference(PREFERENCE, f"send {number}") if is_secret_target(address) else address
            for number, address in enumerate(self.send, 1)
        )
        return replace(self, send=tuple(references))

    def put_back(self, send: Iterable[str]) -> tuple[str, ...]:
        """Return addresses with the secrets of these, wherever they only name what stood in their place."""
        kept = dict(zip(self.public.send, self.send, strict=True))
        return tuple(kept.get(each, each) for each in send)


def find_beginnings(connection: Connection) -> Beginnings:
    """Return what new sources begin with, where it was chosen and where not."""
    kept = get_preference(connection, PREFERENCE, {})
    return Beginnings(**{**kept, "send": tuple(kept.get("send", ()))})


def save_beginnings(connection: Connection, rate: str, concurrency: str, send: Iterable[str]) -> None:
    """Keep what somebody wrote; a file of this machine is named on its command line only."""
    chosen = Manners(rate=_number(rate), concurrency=round(_number(concurrency)))
    addresses = Warn(send=find_beginnings(connection).put_back(send)).send
    if any(each.startswith("file:") for each in addresses):
        raise RefusedError("An address in a file was refused: files of this machine are named on its command line.")
    set_preference(connection, PREFERENCE, asdict(Beginnings(chosen.rate, chosen.concurrency, addresses)))


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise UsageError(f"{text[:40]!r} is no number. Write it as in 0.5.")
    return number
