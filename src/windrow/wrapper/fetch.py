"""``Fetch``: how the pages of a wrapper are fetched and laid out, kept with it so that nobody has to remember it.

What opens doors is not kept: a wrapper is a file that people pass on. Headers and proxies may hold passwords, and
whether private addresses may be reached is for the person to say who runs it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Self

from windrow.options import Options

if TYPE_CHECKING:
    from collections.abc import Mapping

NOT_KEPT = ("headers", "proxy", "allow_private", "screenshot", "words")
WAITING = ("wait_for", "wait_for_text", "scroll", "load_more")
"""What only a live page in a browser can be asked for."""
DEFAULTS = Options()


@dataclass(frozen=True)
class Fetch:
    """Whether a browser lays the pages out, and the options that they are fetched with."""

    options: Options = field(default_factory=Options)
    render: bool = True

    def suited(self, *, live: bool) -> Fetch:
        """Return the same for a page that is live or saved: what is not live, or not laid out, is not waited for."""
        if live and self.render:
            return self
        return replace(self, options=replace(self.options, **{name: getattr(DEFAULTS, name) for name in WAITING}))

    def to_dict(self) -> dict[str, Any]:
        """Return what differs from the defaults and can be kept, as JSON can hold it."""
        usual = DEFAULTS.to_dict()
        plain = {
            name: value
            for name, value in self.options.to_dict().items()
            if value != usual[name] and name not in NOT_KEPT
        }
        if "limits" in plain:
            plain["limits"] = {name: value for name, value in plain["limits"].items() if value != usual["limits"][name]}
        return plain if self.render else {"render": False, **plain}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """Return what ``to_dict`` wrote; ``ValueError`` where it is something else."""
        given = dict(plain)
        render = given.pop("render", True)
        known = {each.name for each in fields(Options)} - {*NOT_KEPT}
        if not isinstance(render, bool) or not given.keys() <= known:
            raise ValueError("these are not options that a wrapper keeps")
        return cls(Options.from_dict(given), render)

    @property
    def not_kept(self) -> list[str]:
        """The options that were given and are not written into the file."""
        return [name for name in NOT_KEPT[:3] if getattr(self.options, name) != getattr(DEFAULTS, name)]
