"""Changes of a detail page that sites really make: each edits a tree and returns the truth of the labels it concerns.

A change may concern no label of a page; then the page does not count.
"""

from __future__ import annotations

import copy
import hashlib
import html
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import turbohtml
from detail_pages import Truth, comparable
from page_rows import (
    HEADINGS,
    INLINE,
    Rows,
    filled_by,
    inline_around,
    is_a,
    region_of,
    reorder,
    rows_around,
    texts_of,
    visible_texts,
)
from turbohtml import Document, Element, Node, Text

if TYPE_CHECKING:
    import random

MONEY = re.compile(r"[$£€¥]\s?\d|\d\s?(?:€|USD|EUR|GBP)\b")
LONGEST_ENTRY = 60
"""Characters of a menu's entry."""
RELATED = 3
LEAST_ROWS = 3
WALLS = {
    "log-in": "<h1>Sign in</h1><p>Please log in to see this page.</p><form action='/login'><label>E-mail <input "
    "name='mail'></label><label>Password <input type='password' name='key'></label><button>Sign in</button></form>",
    "not found": "<h1>Page not found</h1><p>Sorry, the page that you asked for is no longer available. It may have "
    "been moved or deleted.</p><p><a href='/'>Back to the front page</a></p>",
    "no results": "<h1>Search results</h1><p>Your search gave no results. Check the spelling or try fewer words.</p>",
}


@dataclass(frozen=True)
class Spot:
    """Where a value stands."""

    label: str
    value: str
    text: Text
    is_only: bool
    """Whether the text stands nowhere else on the page."""


@dataclass(frozen=True)
class Subject:
    """A page to be changed, and what is known about its site."""

    root: Document
    truth: Truth
    spots: list[Spot]
    example: Truth
    """The values of the page that the site is learned from."""
    others: list[Truth]
    """The values of other pages."""
    related: list[str]
    """The fields of other pages, in their markup."""
    fixed: frozenset[str]
    """Texts that most pages share: the site's own labels."""
    chance: random.Random

    def truth_of(self, labels: set[str]) -> Truth:
        """Return the truth of some labels."""
        return {label: texts for label, texts in self.truth.items() if label in labels}

    def other_value(self, spot: Spot) -> str | None:
        """Return the value of the same label on another page."""
        own = set(map(comparable, self.truth[spot.label]))
        values = sorted({value for truth in self.others for value in truth.get(spot.label, ())})
        values = [value for value in values if comparable(value) not in own]
        return self.chance.choice(values) if values else None

    def has_label(self, group: list[Node]) -> bool:
        """Whether a row begins with a label of the site's."""
        texts = texts_of(group)
        return bool(texts) and not self.fixed.isdisjoint(label_forms(texts[0].data))


Mutate = Callable[[Subject], Truth]


def label_forms(text: str) -> set[str]:
    """Return the label that a text may be: the whole, or what stands before its colon."""
    whole = comparable(text)
    return {whole, re.split("[:=]", whole)[0] + ":"} if re.search("[:=]", whole) else {whole}


def keep(subject: Subject) -> Truth:
    """Change nothing."""
    return subject.truth


def add_menu(subject: Subject) -> Truth:
    """Put a menu on top in which the learned values are entries, as they are on every page."""
    named = {label: values for label, values in subject.example.items() if values}
    entries = [value for values in named.values() for value in values if len(value) <= LONGEST_ENTRY]
    links = "".join(f"<li><a href='/s'>{html.escape(text)}</a></li>" for text in ["Home", *entries, "Contact"])
    body(subject).insert_adjacent_html("afterbegin", f"<div class='menu'><ul>{links}</ul></div>")
    return subject.truth_of({label for label, values in named.items() if set(values) <= set(entries)})


def add_related(subject: Subject) -> Truth:
    """Put a block below the record that shows the fields of other pages in the same markup."""
    region = region_of([spot.text for spot in subject.spots])
    if region is None or not subject.related:
        return {}
    items = subject.chance.sample(subject.related, min(RELATED, len(subject.related)))
    inner = "".join(f"<div class='item'>{item}</div>" for item in items)
    region.insert_adjacent_html("beforeend", f"<div class='related'><h3>Related items</h3>{inner}</div>")
    return subject.truth


def add_link(subject: Subject) -> Truth:
    """Put a link behind each value."""
    for spot in subject.spots:
        node = link_around(spot.text) or inline_around(spot.text)
        node.insert_after(Text(" "), Element("a", {"href": "/more"}, [Text("see all")]))
    return subject.truth_of({spot.label for spot in subject.spots})


def toggle_link(subject: Subject) -> Truth:
    """Turn plain values into links and links into plain values."""
    labels = {spot.label for spot in subject.spots}
    for spot in subject.spots:
        link = link_around(spot.text)
        if link is None:
            spot.text.wrap(Element("a", {"href": "/value"}))
        elif comparable(link.text) == comparable(spot.value) and not has_text_beside(link):
            link.unwrap()
        else:
            labels.discard(spot.label)
    return subject.truth_of(labels)


def link_around(text: Text) -> Element | None:
    """Return the link that a text is in."""
    return next((node for node in text.ancestors if isinstance(node, Element) and node.tag == "a"), None)


def has_text_beside(node: Node) -> bool:
    """Whether a plain text touches a node, with which its own text would become one."""
    beside = (node.previous_sibling, node.next_sibling)
    return any(isinstance(other, Text) and bool(other.data.strip()) for other in beside)


def add_value(subject: Subject) -> Truth:
    """Put one more value beside the values of each label, in the same markup."""
    truth = dict[str, list[str]]()
    for spot in subject.spots:
        value, node = subject.other_value(spot), inline_around(spot.text)
        in_heading = any(is_a(parent, HEADINGS) for parent in spot.text.ancestors)
        if not spot.is_only or value is None or in_heading or spot.label in truth:
            continue
        if isinstance(node, Element):
            more = copy.deepcopy(node)
            texts_of([more])[0].data = value
            node.insert_after(Text(", "), more)
        elif is_a(item := filled_by(spot.text), {"li"}):
            item.insert_after(Element("li", None, [Text(value)]))
        else:
            node.insert_after(Element("br"), Text(value))
        truth[spot.label] = [*subject.truth[spot.label], value]
    return truth


def drop_row(subject: Subject) -> Truth:
    """Drop the row before a value's row."""
    held, labels = held_texts(subject), set[str]()
    for spot in subject.spots:
        rows = rows_around(spot.text)
        before = rows.groups[rows.own - 1] if rows and rows.own else None
        if before and subject.has_label(before) and not held & set(texts_of(before)):
            for node in before:
                node.decompose()
            labels.add(spot.label)
    return subject.truth_of(labels)


def insert_row(subject: Subject) -> Truth:
    """Put a row with another label before a value's row, in the same markup; once in a table or list."""
    done, labels = set[Node](), set[str]()
    for spot in subject.spots:
        rows = rows_around(spot.text)
        parent = rows.row[0].parent if rows else None
        if rows is None or parent is None:
            continue
        if parent not in done:
            rows.row[0].insert_before(*new_row(subject, rows))
            done.add(parent)
        labels.add(spot.label)
    return subject.truth_of(labels)


def new_row(subject: Subject, rows: Rows) -> list[Node]:
    """Return a row like another one that says something else; one without attributes where that has no label."""
    first = rows.row[0]
    is_line = not isinstance(first, Element) or first.tag in INLINE
    if not subject.has_label(rows.row):
        return plain_row(first.tag if isinstance(first, Element) and not is_line else "br")
    made = [copy.deepcopy(node) for node in rows.row]
    label, *rest = texts_of(made)
    label.data = "Remarks: " if ":" in label.data or not rest else "Remarks"
    for text in rest:
        text.data = "" if text is not rest[-1] else "none given"
    return [*made, Element("br")] if is_line else made


def plain_row(tag: str) -> list[Node]:
    """Return a row that shows a short text: a line where the tag is a break's."""
    text = Text("none given")
    if tag == "br":
        return [text, Element("br")]
    if tag == "tr":
        return [Element("tr", None, [Element("td", None, [text])])]
    return [Element("div" if tag in HEADINGS else tag, None, [text])]


def shuffle_rows(subject: Subject) -> Truth:
    """Put the labelled rows around a value into another order."""
    done, labels = set[Node](), set[str]()
    for spot in subject.spots:
        rows = rows_around(spot.text)
        parent = rows.row[0].parent if rows else None
        if rows is None or parent is None or not subject.has_label(rows.row):
            continue
        groups = [group for group in rows.groups if subject.has_label(group)]
        if parent not in done and len(groups) >= LEAST_ROWS:
            reorder(groups, subject.chance.sample(range(len(groups)), len(groups)))
            done.add(parent)
        labels |= {spot.label} if parent in done else set()
    return subject.truth_of(labels)


def add_old_price(subject: Subject) -> Truth:
    """Put an old price, struck through, before a price."""
    labels = set()
    for spot in subject.spots:
        value = subject.other_value(spot)
        if value is not None and MONEY.search(spot.value) and MONEY.search(value):
            inline_around(spot.text).insert_before(Element("s", None, [Text(value)]), Text(" "))
            labels.add(spot.label)
    return subject.truth_of(labels)


def hash_classes(subject: Subject) -> Truth:
    """Give every class a suffix of the page's own, as build tools do."""
    salt = subject.chance.random()
    for element in subject.root.select("[class]"):
        names = (element.attr("class") or "").split()
        hashed = [f"{name}_{hashlib.sha256(f'{salt} {name}'.encode()).hexdigest()[:5]}" for name in names]
        element.attrs["class"] = " ".join(hashed)
    return subject.truth


def remove_values(subject: Subject) -> Truth:
    """Remove the rows of some labels, at least of one."""
    held = held_texts(subject)
    rows: dict[str, list[list[Node]]] = {}
    for label, values in subject.truth.items():
        own = [spot for spot in subject.spots if spot.label == label and spot.is_only]
        found = [around.row for spot in own if (around := rows_around(spot.text))]
        foreign = held - {spot.text for spot in own}
        if values and len(found) == len(values) and not any(foreign & set(texts_of(row)) for row in found):
            rows[label] = found
    chosen = subject.chance.sample(sorted(rows), (len(rows) + 1) // 2)
    for node in {node for label in chosen for row in rows[label] for node in row}:
        node.extract()
    return {label: [] for label in chosen}


def wall(kind: str) -> Mutate:
    """Return the change that puts a wall in the place of the record, in the site's frame."""

    def put_wall(subject: Subject) -> Truth:
        record = find_record(subject)
        if not record:
            return {}
        record[0].insert_before(turbohtml.parse_fragment(f"<div>{WALLS[kind]}</div>").children[0])
        for node in record:
            node.decompose()
        gone = {comparable(value) for values in subject.truth.values() for value in values}
        for _, text in list(visible_texts(subject.root)):
            if comparable(text.data) in gone:
                text.decompose()
        for title in subject.root.select("title"):
            title.set_text(kind.capitalize())
        return {label: [] for label in subject.truth}

    return put_wall


def find_record(subject: Subject) -> list[Node]:
    """Return what a wall would replace: all of the record's half of the page, but not the whole body."""
    texts = [spot.text for spot in subject.spots]
    region, whole = region_of(texts), body(subject)
    while region and region is not whole and len(region.text) < len(whole.text) / 2:
        region = region.parent if isinstance(region.parent, Element) else whole
    if region is not whole:
        return list(region.children) if region else []
    return [node for node in whole.children if not set(texts).isdisjoint(node.descendants)]


def body(subject: Subject) -> Element:
    """Return the body of a page, which the parser always makes; of a page of frames, the root."""
    found = subject.root.select_one("body") or subject.root.select_one("html")
    assert found is not None  # noqa: S101 - the parser makes both
    return found


def held_texts(subject: Subject) -> set[Text]:
    """Return the text nodes that hold values."""
    return {spot.text for spot in subject.spots}


def fields_to_html(subject: Subject) -> str:
    """Return the fields of a page in their markup, fit to stand in a block."""
    found = []
    for spot in subject.spots:
        rows = rows_around(spot.text)
        row = [copy.deepcopy(node) for node in rows.row] if rows else [copy.deepcopy(inline_around(spot.text))]
        first = next((node.tag for node in row if isinstance(node, Element)), "")
        around = {"tr": "table", "li": "ul", "dt": "dl", "dd": "dl"}.get(first, "div")
        for node in row:
            if isinstance(node, Element) and node.tag == "h1":
                node.tag = "h3"
        found.append(Element(around, None, row).html)
    return "".join(dict.fromkeys(found))


@dataclass(frozen=True)
class Mutation:
    """A change by name; a change of the whole template is made to the example pages too."""

    apply: Mutate
    everywhere: bool = False


MUTATIONS = {
    "none": Mutation(keep),
    "menu with the value": Mutation(add_menu, everywhere=True),
    "related items": Mutation(add_related, everywhere=True),
    "link after the value": Mutation(add_link),
    "link after, example too": Mutation(add_link, everywhere=True),
    "linked or unlinked": Mutation(toggle_link),
    "one more value": Mutation(add_value),
    "row before dropped": Mutation(drop_row),
    "row before inserted": Mutation(insert_row),
    "rows shuffled": Mutation(shuffle_rows),
    "old price before": Mutation(add_old_price),
    "classes hashed": Mutation(hash_classes, everywhere=True),
    "value absent": Mutation(remove_values),
} | {f"wall: {kind}": Mutation(wall(kind)) for kind in WALLS}
