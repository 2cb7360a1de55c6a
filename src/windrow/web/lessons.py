"""From a draft and its page to a wrapper: where each text stands, what is learned, and what that reads elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from windrow.errors import UsageError
from windrow.web.drafts import FieldDraft, lines_of
from windrow.web.pages import boxes_of, frame, load_page
from windrow.web.screen import to_number
from windrow.wrapper import Fetch, Field, Spot, learn
from windrow.wrapper.normalization import folded
from windrow.wrapper.page_features import features_of
from windrow.wrapper.spot import find_spots
from windrow.wrapper.text_search import TextIndex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from windrow.page import Page
    from windrow.region import Region
    from windrow.web.drafts import Draft
    from windrow.web.pages import Frame
    from windrow.web.screen import Call
    from windrow.wrapper import Wrapper

MOST_LISTS = 5
"""Lists of a page that are offered."""
BEYOND = 0xFFFF
"""Characters after this one count twice in a browser."""


@dataclass(frozen=True)
class Placed:
    """Where the text of a field stands."""

    spots: tuple[Spot, ...] = ()
    """All places, where there are several and none was chosen; else the one of each value."""
    chosen: bool = False
    problem: str = ""

    @property
    def is_open(self) -> bool:
        """Whether a person could say which place is meant."""
        return not self.chosen and len(self.spots) > 1


class Places:
    """Where texts stand on one page."""

    def __init__(self, page: Page, region: str | None = None) -> None:
        """Take a page, and the text of the region of interest, or its place."""
        self.page = page
        self._index = TextIndex(features_of(page.nodes), page.resolve)
        self._region = next((place.node for place in self._index.find(region or "")), None)

    def of_field(self, field: FieldDraft) -> Placed:
        """Return where a field's text stands; what was pointed at counts as long as the text is still that."""
        texts = field.texts
        found = [self._find(field, number, text) for number, text in enumerate(texts)]
        for text, places in zip(texts, found, strict=True):
            if not places:
                closest = self._index.closest(text)
                near = f" The closest text is {closest[:80]!r}." if closest else ""
                return Placed(problem=f"{text[:80]!r} is not on the page.{near} Paste it as the page displays it.")
        if len(found) == 1:
            return Placed(tuple(found[0]), chosen=self._pointed(field, 0, texts[0]) is not None)
        return Placed(tuple(places[0] for places in found), chosen=True)

    def _find(self, field: FieldDraft, number: int, text: str) -> list[Spot]:
        spot = self._pointed(field, number, text)
        return [spot] if spot is not None else find_spots(self.page, self._index, text, self._region)

    def _pointed(self, field: FieldDraft, number: int, text: str) -> Spot | None:
        places = field.at.split(",")
        return spot_at(self.page, places[number], text) if number < len(places) else None

    def wanted(self, field: FieldDraft) -> str | list[str]:
        """Return what is to be learned for a field."""
        placed = self.of_field(field)
        if placed.problem:
            raise UsageError(f"{field.label}: {placed.problem}")
        found: list[str] = [self._pointed(field, number, text) or text for number, text in enumerate(field.texts)]
        if field.kind != "text":
            found = [self._held(field, placed.spots[number]) for number in range(len(found))]
        return found if field.several else found[0]

    def _held(self, field: FieldDraft, spot: Spot) -> str:
        """Return the address of the link that a text is part of, or of the picture beside it."""
        if spot.node >= 0:
            return spot
        nodes, spans = self.page.nodes, self.page.nodes.spans
        column = self.page.links if field.kind == "link" else self.page.images
        around = [node for node in range(len(nodes)) if spans.start[node] <= spot.start and spot.end <= spans.end[node]]
        for node in reversed(around):
            inside = range(node, int(nodes.end[node])) if field.kind == "picture" else (node,)
            held = next((each for each in inside if column[each]), None)
            if held is not None:
                return Spot.held_by(self.page, held, str(column[held]))
        raise UsageError(f"{field.label}: no {field.kind} is at {str(spot)[:80]!r}. Choose a text that has one.")


def spot_at(page: Page, at: str, text: str) -> Spot | None:
    """Return the place ``start-end`` that a browser names; None where the text does not stand there any more."""
    start, end = (to_number(each) for each in at.partition("-")[::2])
    if start is None or end is None:
        return None
    try:
        return Spot.of(page, narrow(page.text, start), narrow(page.text, end), text)
    except UsageError:
        return None


def narrow(text: str, at: int) -> int:
    """Return a place that a browser counted in UTF-16 as one in characters."""
    if text.isascii():
        return at
    count = 0
    for place, each in enumerate(text):
        if count >= at:
            return place
        count += 2 if ord(each) > BEYOND else 1
    return len(text)


def widen(text: str, at: int) -> int:
    """Return a place in characters as a browser counts it."""
    return at if text.isascii() else at + sum(ord(each) > BEYOND for each in text[:at])


def learn_draft(call: Call, draft: Draft, page: Page) -> Wrapper:
    """Learn what a draft says from its page, and from the pages of which something was corrected."""
    fields = draft.filled
    if nameless := next((each for each in fields if not each.label), None):
        raise UsageError(f"The field with the text {nameless.text[:60]!r} has no label. Name it.")
    if len(draft.labels) < len(fields):
        raise UsageError("Two fields have the same label. Put the values of one label into one field, a line each.")
    fields = [each for each in fields if each.texts]
    if not fields:
        raise UsageError("Nothing was pasted yet. Name a field, and paste its text as the page displays it.")
    said = {
        each.label: Field(type=each.type or None, several=each.several or None, required=not each.optional)  # type: ignore[arg-type] # refused where it is none
        for each in fields
    }
    fetch = Fetch(replace(call.desk.loader.options, allow_private=False, user_agent=None), page.rendered)
    region = region_of(draft, page)
    places = Places(page, region)
    if draft.rows:
        rows = [{each.label: places.wanted(each) for each in fields}]
        if any(each.other.strip() for each in fields):
            rows.append({each.label: each.other.strip() for each in fields if each.other.strip()})
        return learn(page, rows, name=draft.name, fields=said, fetch=fetch)
    examples: list[Any] = [(page, {each.label: places.wanted(each) for each in fields})]
    examples += _corrected(call, draft)
    try:
        return learn(examples, region=region, name=draft.name, fields=said, fetch=fetch)
    except UsageError as error:
        raise _named(error, examples[1:]) from error


def _corrected(call: Call, draft: Draft) -> list[tuple[Page, dict[str, list[str]]]]:
    found = []
    for each in draft.corrections:
        values = {label: lines_of(text) for label, text in each.values.items() if label in draft.labels}
        if any(values.values()):
            found.append((find_page(call, each.page, each.url), values))
    return found


def _named(error: UsageError, corrected: Sequence[tuple[Page, dict[str, list[str]]]]) -> UsageError:
    """Return an error that names the further page on which a text was not found, if it is that."""
    for page, values in corrected:
        places = Places(page)
        for label, texts in values.items():
            problem = places.of_field(FieldDraft(text="\n".join(texts), several=True)).problem
            if problem:
                return UsageError(f"{label} of {page.url}: {problem}")
    return error


def region_of(draft: Draft, page: Page) -> str | None:
    """Return the text of the region of interest, with its place where it was pointed at; None where none is given."""
    if draft.rows or not draft.region.strip():
        return None
    return spot_at(page, draft.region_at, draft.region) or draft.region


def find_page(call: Call, name: str, url: str) -> Page:
    """Return a page from the shelf, or load it again where it is no more there."""
    return call.desk.shelf.find(name) or load_page(call, url)


def frames_of(draft: Draft, page: Page, places: Sequence[Placed]) -> list[Frame]:
    """Return the frames of all fields, each in its colour; where it is open which place is meant, they are numbered."""
    frames = []
    for colour, (field, placed) in enumerate(zip(draft.fields, places, strict=True)):
        label = field.label or f"Field {colour + 1}"
        for number, spot in enumerate(placed.spots, 1):
            note = str(number) if placed.is_open else ""
            name = f"{label} {number}" if placed.is_open else label
            frames += [frame(box, name, colour, note=note, field=colour + 1) for box in boxes_of(page, spot)]
    return frames


def offered_lists(page: Page) -> list[Region]:
    """Return the lists of a page that could be meant."""
    return [region for region in page.regions()[:MOST_LISTS] if len(region.records) > 1]


def take_list(draft: Draft, page: Page, number: int) -> Draft:
    """Make a draft one of a list: its columns are the fields, with the texts of the first two records."""
    lists = offered_lists(page)
    if not 0 <= number < len(lists):
        raise UsageError("There is no such list on the page any more. Load the page again.")
    region = lists[number]
    full = sorted(region.records, key=lambda record: -len(record.fields))[:2]
    fields = []
    for name in region.columns:
        first, second = (record.fields.get(name, "") for record in (full * 2)[:2])
        if isinstance(first, str) and first:
            at = _at(page, full[0].places.get(name, ()), first)
            other = second if isinstance(second, str) and len(full) > 1 else ""
            fields.append(FieldDraft(label=name, text=first, at=at, other=other))
    return replace(draft, rows=True, fields=tuple(fields) or (FieldDraft(),), way="only", region="", region_at="")


def _at(page: Page, nodes: Sequence[int], text: str) -> str:
    """Return the place of a text that one node shows and that is all it shows."""
    if len(nodes) != 1:
        return ""
    start, end = int(page.nodes.spans.start[nodes[0]]), int(page.nodes.spans.end[nodes[0]])
    if folded(page.text[start:end]) != folded(text):
        return ""
    return f"{widen(page.text, start)}-{widen(page.text, end)}"
