"""Changes of a page with a ranked list into what other templates make of it: each edits a tree and returns the truth.

A change that a page cannot be put through returns nothing; then the page does not count.
"""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from turbohtml import Document, Element, Node

HEADING = re.compile("h[1-6]")
BLOCKS = frozenset("h1 h2 h3 h4 h5 h6 p div".split())
REST = 20
"""Characters beside its name from which on the element of a name says more than the name."""
CELL = 200
WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
AWARDS = (
    "overall|value|for families|on a budget|for beginners|for travel|looking|for small rooms|upgrade|for the office|"
    "newcomer|classic"
)
STORIES = (
    "Our Weekend by the Sea|Letters From a Small Harbour|What the Baker Taught Me|A Winter Without Heating|Walking to "
    "the Old Mill|The Quiet Side of the Valley|Spring Cleaning the Workshop|Notes on a Long Train Ride|Where the "
    "Gardeners Meet|A Kitchen in the Hills|Learning to Mend Boats|The Last Ferry Home"
)


@dataclass(frozen=True)
class Subject:
    """A page to be changed, with the elements that name the items of its list."""

    root: Document
    heads: list[Element]
    names: list[str]
    truth: list[set[str]]
    numbered: bool
    """Whether what is written anew has numbers."""

    @property
    def title(self) -> str:
        """The tag of headings that stand on the same level as the items."""
        return self.heads[0].tag if HEADING.fullmatch(self.heads[0].tag) else "h2"

    @property
    def lower(self) -> str:
        """The tag of headings one level below the items."""
        return f"h{min(int(self.title[1]) + 1, 6)}"

    def label(self, at: int) -> str:
        """Return the number before an item, and nothing where there is none."""
        return f"{at + 1}. " if self.numbered else ""

    @cached_property
    def groups(self) -> list[list[Node]]:
        """The nodes of each item, siblings of one another; nothing where two items share a node."""
        common = next(each for each in around(self.heads[0]) if all(each in around(other) for other in self.heads))
        branches = [next(each for each in [head, *around(head)] if each.parent is common) for head in self.heads]
        if len(set(branches)) < len(branches):
            return []
        found = [[first, *until(first, then)] for first, then in itertools.pairwise(branches)]
        longest = max(map(len, found), default=1)
        rest = [branches[-1], *branches[-1].next_siblings]
        tags = {branch.tag for branch in branches if HEADING.fullmatch(branch.tag)}
        ends = [at for at, node in enumerate(rest) if at and isinstance(node, Element) and node.tag in tags]
        return [*found, rest[: min([longest, *ends])]]


Mutate = Callable[[Subject], list[set[str]] | None]


@dataclass(frozen=True)
class Item:
    """An item as templates write it."""

    subject: Subject
    at: int
    body: str

    @property
    def name(self) -> str:
        """Its name."""
        return html.escape(self.subject.names[self.at])

    @property
    def text(self) -> str:
        """Its name with its number."""
        return self.subject.label(self.at) + self.name

    @property
    def number(self) -> int:
        """Its place."""
        return self.at + 1

    @property
    def award(self) -> str:
        """What it is the best at."""
        awards = AWARDS.split("|")
        return f"Best {awards[self.at % len(awards)]}"

    @property
    def plain(self) -> str:
        """The beginning of its text."""
        return html.escape(" ".join(re.sub("<[^>]*>", " ", self.body).split())[:CELL])


Template = Callable[[Item], str]


def around(node: Node) -> list[Element]:
    """Return the elements around a node, the nearest first."""
    return [each for each in node.ancestors if isinstance(each, Element)]


def until(first: Node, then: Node) -> list[Node]:
    """Return the siblings after a node and before another one."""
    siblings = list(first.next_siblings)
    return siblings[: siblings.index(then)]


def rest_of(subject: Subject, at: int) -> str:
    """Return what the element of a name says after the name."""
    text = " ".join(subject.heads[at].text.split())
    rest = text.partition(subject.names[at])[2]
    return f"<p>{html.escape(rest.strip(' :–—-.'))}</p>" if len(rest) > REST else ""


def bare(subject: Subject) -> bool:
    """Take the numbers out of the names; not where a name is one part of a list's or table's entry."""
    if any(head.tag not in BLOCKS for head in subject.heads):
        return False
    for at, head in enumerate(subject.heads):
        rest = rest_of(subject, at)
        if rest:
            head.insert_adjacent_html("afterend", rest)
            head.set_inner_html(f"<b>{html.escape(subject.names[at])}</b>")
        else:
            head.set_text(subject.names[at])
    return True


def keep(subject: Subject) -> list[set[str]]:
    """Change nothing."""
    return subject.truth


# ---- names in other elements ---------------------------------------------------------------------------------------


def named(write: Template) -> Mutate:
    """Write the element of each name anew, where it stands."""

    def change(subject: Subject) -> list[set[str]] | None:
        if any(head.tag not in BLOCKS for head in subject.heads):
            return None
        for at, head in enumerate(subject.heads):
            head.insert_adjacent_html("beforebegin", write(Item(subject, at, "")) + rest_of(subject, at))
            head.decompose()
        return subject.truth

    return change


def in_turn(*tags: str) -> Template:
    """Return names in one element after the other: an editor who mixes levels."""
    return lambda item: f"<{(tag := tags[item.at % len(tags)])}>{item.text}</{tag}>"


NAMED: dict[str, Template] = {
    "h2": lambda item: f"<h2>{item.text}</h2>",
    "h3": lambda item: f"<h3>{item.text}</h3>",
    "h4": lambda item: f"<h4>{item.text}</h4>",
    "div of a hashed class": lambda item: f"<div class='sc-1x9f2'>{item.text}</div>",
    "div and span": lambda item: f"<div class='a1'><span class='b2'>{item.text}</span></div>",
    "strong in p": lambda item: f"<p><strong>{item.text}</strong></p>",
    "p alone": lambda item: f"<p>{item.text}</p>",
    "b and break in div": lambda item: f"<div><b>{item.text}</b><br></div>",
    "link in h3": lambda item: f"<h3><a href='/i/{item.number}'>{item.text}</a></h3>",
    "one level other": lambda item: f"<{(tag := 'h3' if item.at == 1 else 'h2')}>{item.text}</{tag}>",
    "subtitle under h2": lambda item: f"<h2>{item.text}</h2><h3>{item.award}</h3>",
    "award: name in h2": lambda item: f"<h2>{item.subject.label(item.at)}{item.award}: {item.name}</h2>",
    "award in h2, name below": lambda item: f"<h2>{item.subject.label(item.at)}{item.award}</h2><p>{item.name}</p>",
    "award in h2, name in h3": lambda item: f"<h2>{item.award}</h2><h3>{item.text}</h3>",
    "award in p above h3": lambda item: f"<p>{item.award}</p><h3>{item.text}</h3>",
}
NUMBERED: dict[str, Template] = {
    "number in a span": lambda item: f"<h3><span>{item.number}</span><span>{item.name}</span></h3>",
    "number in a div before h3": lambda item: f"<div class='n'>{item.number}</div><h3>{item.name}</h3>",
    "number in a div before div": lambda item: f"<div class='n'>{item.number}</div><div class='t'>{item.name}</div>",
    "number in a div after h3": lambda item: f"<h3>{item.name}</h3><div class='n'>#{item.number}</div>",
    "padded number": lambda item: f"<h3>{item.number:02}. {item.name}</h3>",
    "padded number apart": lambda item: f"<h3><span>{item.number:02}</span> {item.name}</h3>",
    "phrase and number": lambda item: f"<h3>Pick #{item.number}: {item.name}</h3>",
    "number in words": lambda item: f"<h3>{WORDS[item.number % 13].capitalize()}: {item.name}</h3>",
    "number after the name": lambda item: f"<h3>{item.name} (#{item.number})</h3>",
    "number and no dot": lambda item: f"<h3>{item.number} {item.name}</h3>",
    "number and bracket, p": lambda item: f"<p>{item.number}) {item.name}</p>",
    "number and slash": lambda item: f"<h3>{item.number} / {item.name}</h3>",
    "number of k": lambda item: f"<h3>{item.number} of {len(item.subject.names)}: {item.name}</h3>",
    "counter above": lambda item: f"<p>{item.number} / {len(item.subject.names)}</p><h3>{item.name}</h3>",
    "counter above div": lambda item: f"<p>{item.number} / {len(item.subject.names)}</p><div>{item.name}</div>",
}

# ---- items in other elements ---------------------------------------------------------------------------------------


def written(write: Template, opening: str = "", closing: str = "") -> Mutate:
    """Write each item anew, all in one element."""

    def change(subject: Subject) -> list[set[str]] | None:
        groups = subject.groups
        if not groups or any(head.tag not in BLOCKS for head in subject.heads):
            return None
        texts = []
        for at, (head, nodes) in enumerate(zip(subject.heads, groups, strict=True)):
            head.set_inner_html(rest_of(subject, at))
            body = "".join(node.html if isinstance(node, Element) else html.escape(node.text) for node in nodes)
            texts.append(write(Item(subject, at, body)))
        place = groups[0][0]
        holder = Element("div")
        place.insert_before(holder)
        for node in (node for nodes in groups for node in nodes):
            node.decompose()
        holder.set_inner_html(opening + "".join(texts) + closing)
        holder.unwrap()
        return subject.truth

    return change


def parted(write: Template, parts: int, headings: Callable[[Subject], str]) -> Mutate:
    """Write the items under a few headings, or in a few elements."""

    def change(subject: Subject) -> list[set[str]] | None:
        size = -(-len(subject.names) // parts)
        tag = headings(subject)
        starts = {at: f"Part {STORIES.split('|')[at // size]}" for at in range(0, len(subject.names), size)}

        def write_part(item: Item) -> str:
            opening = f"<{tag}>{starts[item.at]}</{tag}>" if item.at in starts and tag else ""
            first, last = item.at % size == 0, item.number % size == 0 or item.number == len(subject.names)
            return ("<section>" if first else "") + opening + write(item) + ("</section>" if last else "")

        return written(write_part)(subject)

    return change


def card(item: Item) -> str:
    """Return a card as shops have them."""
    return (
        f"<div class='c-9'><div class='c-1'>{item.award}</div>"
        f"<div class='c-2'><a href='/p/{item.number}'>{item.text}</a></div>"
        f"<div class='c-3'>${10 + 7 * item.at}.99</div><a class='c-4' href='/go/{item.number}'>Check price</a>"
        f"<div class='c-5'>{item.body}</div></div>"
    )


def headed_card(item: Item) -> str:
    """Return a card with a heading, a price and a button."""
    return (
        f"<div class='c-9'><span>{item.award}</span><h3>{item.text}</h3>"
        f"<div>${10 + 7 * item.at}.99 at <a href='/go'>Mill Store</a></div>"
        f"<a href='/go/{item.number}'>Buy now</a><div>{item.body}</div></div>"
    )


def judged(level: Callable[[Subject], str]) -> Template:
    """Return items with headings of their own for what is good and bad."""

    def write(item: Item) -> str:
        own, tag = item.subject.title, level(item.subject)
        words = html.escape(" ".join(item.plain.split()[:3]))
        lists = (
            f"<{tag}>{title}</{tag}><ul><li>{first}</li><li>{second}: {words}</li></ul>"
            for title, first, second in (("Pros", "Easy to find", "Good"), ("Cons", "Not cheap", "Less so"))
        )
        return f"<{own}>{item.text}</{own}>{item.body}{''.join(lists)}"

    return write


def specified(item: Item) -> str:
    """Return an item with a small table of what it is like."""
    own = item.subject.title
    rows = (("Weight", f"{item.number + 2} kg"), ("Made in", "Norway"), ("Warranty", "2 years"))
    table = "".join(f"<tr><td>{key}</td><td>{value}</td></tr>" for key, value in rows)
    return f"<{own}>{item.text}</{own}><table>{table}</table>{item.body}"


def own_level(item: Item) -> str:
    """Return an item as it is usual."""
    return f"<{item.subject.title}>{item.text}</{item.subject.title}>{item.body}"


WRITTEN: dict[str, Mutate] = {
    "in sections": written(lambda item: f"<section>{own_level(item)}</section>"),
    "in articles": written(
        lambda item: f"<article><header><h3>{item.text}</h3></header><div>{item.body}</div></article>",
        "<main>",
        "</main>",
    ),
    "in divs, picture first": written(
        lambda item: f"<div class='x1'><img src='/{item.number}.jpg'><div><h3>{item.text}</h3>{item.body}</div></div>"
    ),
    "in divs without headings": written(
        lambda item: f"<div class='x1'><div class='x2'>{item.text}</div><div class='x3'>{item.body}</div></div>"
    ),
    "ol of headings": written(lambda item: f"<li><h3>{item.text}</h3>{item.body}</li>", "<ol>", "</ol>"),
    "ul of strong": written(lambda item: f"<li><strong>{item.text}</strong>{item.body}</li>", "<ul>", "</ul>"),
    "ul of name: text": written(lambda item: f"<li>{item.text}: {item.plain}</li>", "<ul>", "</ul>"),
    "ol of names": written(lambda item: f"<li>{item.text}</li>", "<ol>", "</ol>"),
    "p of name – text": written(lambda item: f"<p>{item.text} – {item.plain}</p>"),
    "p of strong and text": written(lambda item: f"<p><strong>{item.text}</strong> {item.plain}</p>"),
    "dl": written(lambda item: f"<dt>{item.text}</dt><dd>{item.body}</dd>", "<dl>", "</dl>"),
    "table rows": written(
        lambda item: (
            f"<tr><td>{item.number if item.subject.numbered else ''}</td><td>{item.name}</td><td>{item.plain}</td></tr>"
        ),
        "<table><tr><th></th><th>Name</th><th>Why</th></tr>",
        "</table>",
    ),
    "figure captions": written(
        lambda item: f"<figure><img src='/{item.number}.jpg'><figcaption>{item.text}</figcaption></figure>{item.body}"
    ),
    "details": written(lambda item: f"<details open><summary>{item.text}</summary>{item.body}</details>"),
    "cards without headings": written(card),
    "cards with headings": written(headed_card),
    "rows of two": parted(own_level, 4, lambda _: ""),
    "parts under higher headings": parted(lambda item: f"<h3>{item.text}</h3>{item.body}", 3, lambda _: "h2"),
    "parts under equal headings": parted(own_level, 3, lambda subject: subject.title),
    "pros and cons one level below": written(judged(lambda subject: subject.lower)),
    "pros and cons on the same level": written(judged(lambda subject: subject.title)),
    "specifications under each": written(specified),
}
