"""From a page to sightings of records: by a wrapper, whose template the page must fit, or by one of the readers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from windrow.crawl.addresses import identity
from windrow.harvest.soft_errors import ABSENT, says_absent
from windrow.store.sightings import Origin, Sighting
from windrow.store.text import GREATEST_INTEGER, dump
from windrow.wrapper.known_records import KnownRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from windrow.page import Page
    from windrow.result import Data, Result
    from windrow.store.sightings import Texts
    from windrow.wrapper import Extraction, Wrapper

Verdict: TypeAlias = Literal["read", "wall", "misfit"]
Stored: TypeAlias = "Callable[[str], Mapping[str, Sequence[str]]]"
"""The values of the record with a key; none where there is none."""
URL = "url"
"""The word that stands for the address of a record's page in its key."""


@dataclass(frozen=True)
class PageReading:
    """What was read from a page, or why nothing was."""

    verdict: Verdict
    sightings: tuple[Sighting, ...] = ()
    sentence: str = ""
    """What does not fit."""
    keyless: int = 0
    """Records without a key, which are not stored."""
    labels: tuple[str, ...] = ()
    """The labels that it has."""
    missing: tuple[str, ...] = ()
    """Labels that the page surely lacks or does not surely have, for wrappers of one record."""
    equal: tuple[str, ...] = ()
    """Labels whose text is that of the first page that was learned from, though the page is another.

    Not that of any example: a heal learns from several pages, and where a label has few texts, as a genre has, most
    pages would seem to show the learned one, however right it is.
    """
    misfits: Mapping[str, int] = field(default_factory=dict)
    """Values that are not of the type that was declared for their label."""
    version: int | None = None
    """The version of the wrapper that read it."""
    is_absent: bool = False
    """Whether the page says that there is no such page."""


def read_by_wrapper(
    wrapper: Wrapper, page: Page, key: Sequence[str], address: str, stored: Stored = lambda _: {}
) -> PageReading:
    """Read a page by a wrapper, unless it is a wall, another page, or one whose frame puts what is read in doubt.

    What is ``stored`` under a key decides where the wrapper is not sure, or read a value of another record.
    """
    change = wrapper.check(page)
    if change.kind == "blocked":
        return _wall(page, change.sentence)
    if change.affected:
        return PageReading("misfit", sentence=change.sentence)
    found = wrapper.extract(page)
    if found.kind != "page":
        return _wall(page, found.sentence) if found.kind == "wall" else PageReading("misfit", sentence=found.sentence)
    if wrapper.list_rule is not None:
        return _read_list(found, key)
    if known := stored(key_of(_values_of(found), address, key)):
        found = KnownRecord(wrapper, page, known).settle(found)
    values = _values_of(found)
    if not values:
        return PageReading("misfit", sentence="None of the labels is surely found on the page.")
    record = Sighting(
        key_of(values, address, key),
        values,
        _typed_of(found),
        {label: _origin(places[0]) for label, places in found.located.items() if places},
        address,
    )
    learned = {} if any(each.is_of(page) for each in wrapper.examples) else wrapper.examples[0].values
    return PageReading(
        "read",
        (record,) if record.key else (),
        keyless=int(not record.key),
        labels=tuple(found.values),
        missing=tuple(found.missing),
        equal=tuple(label for label in values if tuple(found.values[label]) == learned.get(label)),
        misfits={label: len(texts) for label, texts in found.misfits.items()},
    )


def _values_of(found: Extraction) -> dict[str, Texts]:
    return {label: _one_or_several(texts) for label, texts in found.values.items() if texts}


def _wall(page: Page, sentence: str) -> PageReading:
    """Return that a page is a wall, unless it says that there is no such page."""
    if says_absent(page):
        return PageReading("misfit", sentence=ABSENT, is_absent=True)
    return PageReading("wall", sentence=sentence)


def _read_list(found: Extraction, key: Sequence[str]) -> PageReading:
    """Return a sighting a row of a list."""
    names, places = found.data.names, _places_by_row(found)
    sightings = []
    for number, cells in enumerate(found.data.rows):
        texts = {name: [value.text for value in cell] for name, cell in zip(names, cells, strict=True)}
        values = {label: _one_or_several(some) for label, some in texts.items() if some}
        if not values:
            continue
        link = found.links[number] if number < len(found.links) else ""
        url = identity(link) if link else None
        origin = places[number] if number < len(places) else {}
        typed = {name: value for name, cell in zip(names, cells, strict=True) if (value := _typed(cell)) is not None}
        sightings.append(Sighting(key_of(values, url, key), values, typed, origin, url))
    if not sightings and found.doubtful:
        return PageReading("misfit", sentence="None of the rows is surely read.")
    kept = tuple(each for each in sightings if each.key)
    misfits = {label: len(texts) for label, texts in found.misfits.items()}
    keyless = len(sightings) - len(kept)
    return PageReading("read", kept, keyless=keyless, labels=tuple(names), misfits=misfits)


def _places_by_row(found: Extraction) -> list[dict[str, Origin]]:
    rows: dict[int, dict[str, Origin]] = {}
    for label, places in found.located.items():
        for place in places:
            rows.setdefault(place.row, {}).setdefault(label, _origin(place))
    return [rows[number] for number in sorted(rows) if number]


def read_by_reader(result: Result | None, page: Page, key: Sequence[str]) -> PageReading:
    """Return a sighting a row of what a reader found: a list of records, a table, a ranked list."""
    if result is None:
        return PageReading("misfit", sentence="The page has nothing that the reader looks for.")
    data, urls = result.data, _urls_of(result)
    sure = result.confidence if isinstance(result.confidence, float | int) else None
    sightings = []
    for number, cells in enumerate(data.rows):
        values, typed, origin = _row_of(data, cells, page, sure)
        link = urls[number] if number < len(urls) else None
        url = identity(link) if link else None
        sightings.append(Sighting(key_of(values, url, key), values, typed, origin, url))
    kept = tuple(each for each in sightings if each.key and each.values)
    return PageReading("read", kept, keyless=len(sightings) - len(kept), labels=tuple(data.names))


def _row_of(
    data: Data, cells: Sequence[Any], page: Page, sure: float | None
) -> tuple[dict[str, Texts], dict[str, Any], dict[str, Origin]]:
    values: dict[str, Texts] = {}
    typed: dict[str, Any] = {}
    origin: dict[str, Origin] = {}
    for name, cell in zip(data.names, cells, strict=True):
        texts = [value.text for value in cell if value.text]
        if not texts:
            continue
        values[name] = _one_or_several(texts)
        if (said := _typed(cell)) is not None:
            typed[name] = said
        if cell[0].node >= 0:
            origin[name] = Origin(page.xpath(cell[0].node), None if sure is None else round(sure, 3))
    return values, typed, origin


def _urls_of(result: Result) -> list[str | None]:
    """Return where the page of each row is, by the result's own records or items, else by the first link of a row."""
    for name in ("records", "items"):
        if (things := getattr(result, name, None)) is not None:
            return [thing.url for thing in things]
    return [next((value.link for cell in row for value in cell if value.link), None) for row in result.data.rows]


def key_of(values: Mapping[str, Texts], url: str | None, labels: Sequence[str]) -> str:
    """Return the key of a record: the text of its label, or several as a JSON array; empty where one is missing."""
    parts = [url if label == URL and URL not in values else values.get(label) for label in labels]
    if not all(parts):
        return ""
    if len(parts) == 1 and isinstance(parts[0], str):
        return parts[0]
    return dump(parts[0] if len(parts) == 1 else parts)


def _one_or_several(texts: Sequence[str]) -> Texts:
    return texts[0] if len(texts) == 1 else list(texts)


def _typed(cell: Sequence[Any]) -> Any:  # noqa: ANN401 - whatever JSON can hold
    """Return the numbers or dates of a cell; None where they say no more than the texts."""
    values = [value.plain if value.fits else None for value in cell]
    values = [None if isinstance(value, int) and abs(value) > GREATEST_INTEGER else value for value in values]
    if all(value is None for value in values):
        return None
    return values[0] if len(values) == 1 else values


def _typed_of(found: Extraction) -> dict[str, Any]:
    """Return what the texts of one record say, by label."""
    said = {}
    for number, name in enumerate(found.data.names):
        by_node = {value.node: value for row in found.data.rows for value in row[number]}
        if (typed := _typed(list(by_node.values()))) is not None:
            said[name] = typed
    return said


def _origin(place: Any) -> Origin:  # noqa: ANN401 - a Located of the wrapper's
    left_top_right_bottom = None if place.box is None else tuple(round(edge) for edge in place.box)
    return Origin(place.path, round(place.confidence, 3), left_top_right_bottom)
