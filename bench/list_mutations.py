"""Changes of list pages that sites really make: each edits a tree, and leaves the texts of the records as they are."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import turbohtml
from turbohtml import Document, Element, Node, Text

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

TOKEN = re.compile(r"[^\W\d_]+|\d+")
COVERED, OWN = 0.8, 0.6
"""Shares of a true record's words that its record must hold, and of a record's words that must be the true one's."""
PLAIN = frozenset("ul ol li dl dt dd article section table tbody tr td th h2 h3 h4 h5 main figure figcaption".split())
ITEMS = frozenset("li tr td dd dt".split())
"""Elements beside which nothing else may stand."""
CARDS, SECTION = 3, 4
"""Records that are put into one row, and into one section."""
FIELDS, DROPPED = 3, 0.34
"""Texts that a record keeps at least, and the share of the others that lose one."""


@dataclass(frozen=True)
class Subject:
    """A page to be changed: its tree, and the nodes of each record in it."""

    root: Document
    records: list[list[Node]]
    chance: random.Random

    @property
    def single(self) -> list[Element]:
        """The records, where each is one element; else none."""
        found = [record[0] for record in self.records if len(record) == 1 and isinstance(record[0], Element)]
        return found if len(found) == len(self.records) else []

    @property
    def blocks(self) -> list[Element]:
        """The records, where they stand in one parent and may be moved; else none."""
        free = len({record.parent for record in self.single}) == 1
        return self.single if free and not any(record.tag in ITEMS for record in self.single) else []


Change = Callable[[Subject], bool]
"""Edits a page; says whether it could."""


def agreement(found: Sequence[str], wanted: Sequence[str]) -> float:
    """Return the F1 of records by their words: most of a true record's, and not much besides."""
    free = [Counter(TOKEN.findall(text.casefold())) for text in found]
    hits = 0
    for text in wanted:
        asked = Counter(TOKEN.findall(text.casefold()))
        fitting = (
            number
            for number, words in enumerate(free)
            if (common := (words & asked).total()) >= COVERED * asked.total() and common >= OWN * words.total()
        )
        if (number := next(fitting, None)) is not None:
            del free[number]
            hits += 1
    return 2 * hits / max(len(found) + len(wanted), 1)


def flatten(subject: Subject) -> bool:
    """Take away the element around each record."""
    records = [r for r in subject.single if r.tag not in {"tr", "td"} and has_parts(r)]
    if len(records) < len(subject.records):
        return False
    for record in records:
        record.unwrap()
    return True


def wrap(subject: Subject) -> bool:
    """Put an element more around each record."""
    for record in subject.single:
        if record.tag in ITEMS:
            return False
        record.wrap(Element("div"))
    return bool(subject.single)


def group_rows(subject: Subject) -> bool:
    """Put three records at a time into one row."""
    records = subject.single
    if len(records) <= CARDS or len({r.parent for r in records}) > 1 or any(r.tag in {"tr", "td"} for r in records):
        return False
    for start in range(0, len(records), CARDS):
        row = Element("div", {"class": "row"})
        records[start].insert_before(row)
        for record in records[start : start + CARDS]:
            record.extract()
            row.append(record)
    return True


def split_columns(subject: Subject) -> bool:
    """Put one half of the records beside the other."""
    return put_into(subject, [Element("div", {"class": "column"}) for _ in range(2)], (len(subject.records) + 1) // 2)


def make_sections(subject: Subject) -> bool:
    """Put four records at a time under a heading, in a section."""
    titles = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    count = -(-len(subject.records) // SECTION)
    sections = [Element("section", None, [Element("h2", None, [Text(f"{titles[n % 7]} {n}")])]) for n in range(count)]
    return put_into(subject, sections, SECTION)


def put_into(subject: Subject, holders: list[Element], each: int) -> bool:
    """Put so many records at a time into each of some elements."""
    records = subject.blocks
    if len(records) <= CARDS:
        return False
    for number, holder in enumerate(holders):
        some = records[number * each : (number + 1) * each]
        some[0].insert_before(holder)
        for record in some:
            record.extract()
            holder.append(record)
    return True


def make_table(subject: Subject) -> bool:
    """Lay the records out in a table, a row each."""
    records = subject.blocks
    if not records:
        return False
    body = Element("tbody")
    records[0].insert_before(Element("table", None, [body]))
    for record in records:
        record.extract()
        cells = [Element("td", None, [child]) for child in list(record.children) if isinstance(child, Element)]
        body.append(Element("tr", None, cells))
    return True


def make_flat_table(subject: Subject) -> bool:
    """Lay the records out in a table, a row for each part, and an empty one between."""
    records = subject.blocks
    if not records or not all(map(has_parts, records)):
        return False
    body = Element("tbody")
    records[0].insert_before(Element("table", None, [body]))
    for record in records:
        record.extract()
        for child in list(record.children):
            if isinstance(child, Element):
                body.append(Element("tr", None, [Element("td", None, [child])]))
        body.append(Element("tr", None, [Element("td", {"height": "10"})]))
    return True


def vary_looks(subject: Subject) -> bool:
    """Give each third record another class and an element more around it."""
    records = subject.blocks
    for record in records[1::3]:
        record.add_class("sponsored")
        inner = Element("div", {"class": "inner"})
        for child in list(record.children):
            child.extract()
            inner.append(child)
        record.append(inner)
    return bool(records)


def link_all(subject: Subject) -> bool:
    """Make each record one large link."""
    for number, record in enumerate(subject.single):
        if record.tag in {"tr", "td"}:
            return False
        for link in record.select("a"):
            link.unwrap()
        link = Element("a", {"href": f"/thing/{number}"})
        for child in list(record.children):
            child.extract()
            link.append(child)
        record.append(link)
    return bool(subject.single)


def drop_classes(subject: Subject) -> bool:
    """Take away all classes and ids."""
    for element in elements(subject.root):
        for name in ("class", "id"):
            if name in element.attrs:
                del element.attrs[name]
    return True


def mark_records(subject: Subject) -> bool:
    """Give each record classes of its own, as blog systems do."""
    for number, record in enumerate(subject.single):
        kind = subject.chance.choice(("news", "sport", "science", "media"))
        for name in (f"post-{8000 + 17 * number}", f"category-{kind}", ("odd", "even")[number % 2]):
            record.add_class(name)
        if number == 0:
            record.add_class("first")
    return bool(subject.single)


def hash_classes(subject: Subject) -> bool:
    """Write all classes as builders do."""
    for element in elements(subject.root):
        if names := str(element.attr("class") or "").split():
            element.attrs["class"] = " ".join("css-" + hashlib.sha256(name.encode()).hexdigest()[:6] for name in names)
    return True


def put_ads(subject: Subject) -> bool:
    """Put something else after every third record."""
    for record in subject.records[2:-1:3]:
        ad = turbohtml.parse_fragment(
            "<div class=promo><a href='https://ads.example/x'>Boots that last</a><p>Sponsored by the cobblers</p></div>"
        ).children[0]
        record[-1].insert_after(ad if not_in_list(record) else around_like(record, ad))
    return True


def put_headings(subject: Subject) -> bool:
    """Part the records by headings."""
    for number, record in enumerate(subject.records[::4]):
        heading = Element("h2", None, [Text(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")[number % 5])])
        record[0].insert_before(heading if not_in_list(record) else around_like(record, heading))
    return True


def has_parts(record: Element) -> bool:
    """Whether a record has several elements."""
    return sum(isinstance(child, Element) for child in record.children) > 1


def not_in_list(record: list[Node]) -> bool:
    """Whether anything may stand beside a record, which is no item of a list and no part of a table."""
    return not (isinstance(record[0], Element) and record[0].tag in ITEMS)


def around_like(record: list[Node], inner: Node) -> Node:
    """Put something into an item or a row, as it must be to stand beside a record that is one."""
    tag = record[0].tag if isinstance(record[0], Element) else ""
    if tag == "tr":
        return Element("tr", None, [Element("td", {"colspan": "9"}, [inner])])
    return Element("td" if tag == "td" else "li", None, [inner])


def put_rules(subject: Subject) -> bool:
    """Part the records by rules."""
    if not all(map(not_in_list, subject.records)):
        return False
    for record in subject.records[1:]:
        record[0].insert_before(Element("hr"))
    return True


def put_clears(subject: Subject) -> bool:
    """Put an empty element after every second record."""
    if not all(map(not_in_list, subject.records)):
        return False
    for record in subject.records[1::2]:
        record[-1].insert_after(Element("div", {"class": "clearfix"}))
    return True


def make_plain(subject: Subject) -> bool:
    """Make divisions of lists, tables, headings and sections."""
    for element in elements(subject.root):
        if element.tag in PLAIN:
            new = Element("div", dict(element.attrs))
            element.wrap(new)
            element.unwrap()
    return True


def drop_fields(subject: Subject) -> bool:
    """Take the last text away from a third of the records."""
    for record in subject.single:
        texts = [t for t in record.descendants if isinstance(t, Text) and t.data.strip()]
        if len(texts) > FIELDS and subject.chance.random() < DROPPED:
            texts[-1].extract()
    return True


def put_tags(subject: Subject) -> bool:
    """Put a list of one to six tags into each record."""
    words = ["garden", "soil", "spring", "tools", "seeds", "rain"]
    for record in subject.single:
        if record.tag == "tr":
            return False
        links = "".join(f"<li><a href='/tag/{w}'>{w}</a></li>" for w in words[: subject.chance.randint(1, 6)])
        record.append(turbohtml.parse_fragment(f"<ul class=tags>{links}</ul>").children[0])
    return bool(subject.single)


def put_buttons(subject: Subject) -> bool:
    """Put the same two buttons into each record."""
    for record in subject.single:
        if record.tag == "tr":
            return False
        record.append(
            turbohtml.parse_fragment("<div class=act><button>Save</button><a href='#'>Share</a></div>").children[0]
        )
    return bool(subject.single)


def feature_first(subject: Subject) -> bool:
    """Show the first record larger than the others."""
    if len(subject.single) <= CARDS or subject.single[0].tag == "tr":
        return False
    record = subject.single[0]
    record.add_class("featured")
    record.append(
        turbohtml.parse_fragment("<p class=why>Picked by the editors, who like what is said here</p>").children[0]
    )
    return True


def keep(count: int) -> Change:
    """Keep the first few records only."""

    def cut(subject: Subject) -> bool:
        if len(subject.records) <= count:
            return False
        for record in subject.records[count:]:
            for node in record:
                node.extract()
        return True

    return cut


def put_beside(html: str, *, first: bool) -> Change:
    """Begin the body with something, or end it."""

    def put(subject: Subject) -> bool:
        body = subject.root.find("body")
        if not isinstance(body, Element):
            return False
        body.insert(0 if first else len(list(body.children)), turbohtml.parse_fragment(html).children[0])
        return True

    return put


def entries(count: int, pattern: str) -> str:
    """Write so many entries: {0} is their number, {1} a name, {2} a number between 0 and 90."""
    return "".join(pattern.format(n, f"Cedar {n}", 7 * n % 90) for n in range(1, count + 1))


def listing(called: str, count: int, pattern: str) -> str:
    """Write a list of so many entries."""
    return f"<div class={called}>{entries(count, pattern)}</div>"


BOX = entries(8, "<li><label><input type=checkbox> {1}</label> <span>({2})</span></li>")
FACETS = listing("filters", 5, f"<div class=facet><h4>{{1}}</h4><ul>{BOX}</ul></div>")
MEGA = listing(
    "mega",
    48,
    "<div class=entry><a href='/m/{0}'><b>{1}</b></a><p>All about {1} and where it grows</p></div>",
)
CONSENT = listing(
    "partners",
    60,
    "<div class=partner><h5>Partner {1}</h5><p>Uses cookies for {2} days to measure what is read.</p>"
    "<a href='https://p{0}.example/privacy'>Privacy policy</a></div>",
)
FOOT = listing("foot", 5, f"<div><h4>{{1}}</h4><ul>{entries(12, '<li><a href=/f/{0}>{1}</a></li>')}</ul></div>")
RELATED = listing(
    "more",
    20,
    "<div class=teaser><a href='/r/{0}'><img src='/i/{0}.png'></a>"
    "<h4><a href='/r/{0}'>What {1} taught us</a></h4></div>",
)
COMMENTS = listing(
    "talk",
    25,
    "<div class=comment><b>Ann {1}</b> <span>{2} days ago</span><p>I liked this very much, it is the best that I have "
    "read on {1} in a long time.</p><a href='#'>Reply</a></div>",
)
CALENDAR = listing("calendar", 30, "<a href='/day/{0}'>{0}</a>")
LANGUAGES = listing("langs", 40, "<a href='/l/{0}' hreflang=x{0}>Language {1}</a>")

SHORT = (2, 3, 5)
"""Records that short lists are left with."""
CHANGES: dict[str, Change] = {
    "none": lambda _: True,
    "records flat": flatten,
    "records wrapped": wrap,
    "rows of three": group_rows,
    "two columns": split_columns,
    "sections": make_sections,
    "rows of a table": make_table,
    "several rows each": make_flat_table,
    "two looks": vary_looks,
    "whole links": link_all,
    "no classes": drop_classes,
    "classes of each record": mark_records,
    "classes hashed": hash_classes,
    "divisions only": make_plain,
    "ads between": put_ads,
    "headings between": put_headings,
    "rules between": put_rules,
    "clears between": put_clears,
    "fields dropped": drop_fields,
    "tags in records": put_tags,
    "buttons in records": put_buttons,
    "first one featured": feature_first,
    **{f"{count} records": keep(count) for count in SHORT},
    "filters before": put_beside(FACETS, first=True),
    "large menu before": put_beside(MEGA, first=True),
    "consent before": put_beside(CONSENT, first=True),
    "footer": put_beside(FOOT, first=False),
    "related after": put_beside(RELATED, first=False),
    "comments after": put_beside(COMMENTS, first=False),
    "calendar before": put_beside(CALENDAR, first=True),
    "languages after": put_beside(LANGUAGES, first=False),
}


def elements(root: Document) -> list[Element]:
    """Return all elements below the body."""
    body = root.find("body")
    return [node for node in (body.descendants if body else ()) if isinstance(node, Element)]
