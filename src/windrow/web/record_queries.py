"""What the address of a list of records says: search, filters, order, state and page; and such addresses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args
from urllib.parse import urlencode

from windrow.errors import UsageError
from windrow.store.browsing import Asked
from windrow.store.selection import Filter, How, State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.datastructures import QueryParams

    from windrow.store.selection import Chosen

HOWS = {"has": "has in it", "is": "is", "lacks": "is missing", "least": "is at least", "most": "is at most"}
MOST_FILTERS = 20
LONGEST = 1000


@dataclass(frozen=True)
class Query:
    """A question that an address asks."""

    asked: Asked
    facets: bool = False
    """Whether the values are to be counted however many records there are."""

    @property
    def chosen(self) -> Chosen:
        """The question without the page of the answer that is asked for."""
        return self.asked.chosen

    def to_text(self, **changes: str | None) -> str:
        """Return it as the query of an address, with something changed; a change to None leaves something out."""
        asked = self.asked
        about: dict[str, str] = {"search": asked.search, "sort": asked.sort}
        about |= {"desc": "1" if asked.descending else "", "state": asked.state if asked.state != "present" else ""}
        about |= {"facets": "1" if self.facets else "", "cursor": asked.cursor}
        if changes.keys() - {"cursor"}:
            about.pop("cursor")  # of another question, another page
        about |= {name: value or "" for name, value in changes.items()}
        pairs = [(name, value) for name, value in about.items() if value]
        return urlencode([*pairs, *self.filter_pairs])

    def with_filter(self, added: Filter) -> str:
        """Return the query with one filter more."""
        pairs = [pair for pair in self.filter_pairs if pair != _pair(added)]
        return _joined(self.to_text(cursor=None), [*pairs, _pair(added)], self.filter_pairs)

    def without_filter(self, number: int) -> str:
        """Return the query with one filter less."""
        pairs = self.filter_pairs
        return _joined(self.to_text(cursor=None), pairs[:number] + pairs[number + 1 :], pairs)

    @property
    def filter_pairs(self) -> list[tuple[str, str]]:
        """The filters as parts of a query."""
        return [_pair(each) for each in self.asked.filters]


def _pair(each: Filter) -> tuple[str, str]:
    return f"{each.how}.{each.label}", each.text


def _joined(text: str, pairs: Sequence[tuple[str, str]], before: Sequence[tuple[str, str]]) -> str:
    plain = text.removesuffix(urlencode(before)).removesuffix("&")
    return "&".join(filter(None, [plain, urlencode(pairs)]))


def read_query(given: QueryParams, limit: int = 50) -> Query:
    """Return the question of an address; what is no part of one is left out."""
    filters = [
        Filter(name.partition(".")[2], how, value)
        for name, value in given.multi_items()
        for how in get_args(How)
        if name.startswith(f"{how}.") and name.partition(".")[2]
    ]
    if given.get("label") and (added := given.get("how", "")) in HOWS:
        text = given.get("text", "")
        if text or added == "lacks":
            filters.append(Filter(given["label"], added, text))  # type: ignore[arg-type] # one of HOWS
    if len(filters) > MOST_FILTERS or any(len(each.text) > LONGEST for each in filters):
        raise UsageError(f"That are too many filters, or too long ones. {MOST_FILTERS} of up to {LONGEST} letters do.")
    state = given.get("state", "present")
    asked = Asked(
        search=given.get("search", "")[:LONGEST],
        filters=tuple(dict.fromkeys(filters)),
        sort=given.get("sort", ""),
        descending=given.get("desc") == "1",
        state=state if state in get_args(State) else "present",  # type: ignore[arg-type] # looked at just now
        cursor=given.get("cursor", ""),
        limit=limit,
    )
    return Query(asked, given.get("facets") == "1")
