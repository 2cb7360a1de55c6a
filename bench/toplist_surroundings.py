"""Changes of what stands around a ranked list, and all changes of its page together."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence

from toplist_mutations import BLOCKS, NAMED, NUMBERED, STORIES, WORDS, WRITTEN, Mutate, Subject, keep, named
from turbohtml import Element

FEWEST = 4
"""Items of a list that one is taken from."""
NEUTRAL = [
    f"We looked at many of them over several {time}, asked people who use them every day, and wrote down what they "
    f"said. {rest} Come back when the season allows it."
    for time, rest in (
        ("weeks", "Much of it depends on where you live."),
        ("months", "Prices change often, and so do the people who make these things."),
        ("years", "None of this is hard, but all of it takes time, and some of it a ladder."),
    )
]
QUESTIONS = (
    "What does it cost?|How long does it take?|Is it worth it?|Who is it for?|Can children come along?|Do they ship "
    "abroad?|When is the best time?|What should I bring?|Which one is the cheapest?|Are they open on Sundays?|How do I "
    "get there?|Does it need a permit?"
)
SECTIONS = "Home|Travel|Food & Drink|Style|Culture|Money|Health|Science|Sports|Family|Garden|Cars"


def placed(before: Callable[[Subject], str], after: Callable[[Subject], str]) -> Mutate:
    """Put something before the first item, and something after the last."""

    def change(subject: Subject) -> list[set[str]] | None:
        groups = subject.groups
        if not groups or any(head.tag not in BLOCKS for head in subject.heads):
            return None
        first, last = (Element("div"), Element("div"))
        groups[0][0].insert_before(first)
        groups[-1][-1].insert_after(last)
        for holder, write in ((first, before), (last, after)):
            holder.set_inner_html(write(subject))
            holder.unwrap()
        return subject.truth

    return change


def between(write: Callable[[Subject, int], str]) -> Mutate:
    """Put something between the items."""

    def change(subject: Subject) -> list[set[str]] | None:
        if not subject.groups or any(head.tag not in BLOCKS for head in subject.heads):
            return None
        for at, nodes in enumerate(subject.groups[:-1]):
            holder = Element("div")
            nodes[-1].insert_after(holder)
            holder.set_inner_html(write(subject, at))
            holder.unwrap()
        return subject.truth

    return change


def nothing(_subject: Subject) -> str:
    """Return nothing."""
    return ""


def headed(subject: Subject, titles: Sequence[str], tag: str = "") -> str:
    """Return sections with headings, on the level of the items unless told."""
    tag = tag or subject.title
    return "".join(f"<{tag}>{title}</{tag}><p>{NEUTRAL[at % len(NEUTRAL)]}</p>" for at, title in enumerate(titles))


def some(texts: str, count: int) -> list[str]:
    """Return so many of some texts, or all."""
    return texts.split("|")[:count]


def contents(subject: Subject) -> str:
    """Return an overview that leads to the items."""
    entries = (f"<li><a href='#i{at}'>{subject.label(at)}{name}</a></li>" for at, name in enumerate(subject.names))
    return f"<div class='q7'><p>In this guide</p><ul>{''.join(entries)}</ul></div>"


def comparison(subject: Subject) -> str:
    """Return a table of the items in another order."""
    rows = (f"<tr><td>{name}</td><td>{at + 3}</td><td>yes</td></tr>" for at, name in enumerate(subject.names[::-1]))
    return f"<h2>At a glance</h2><table><tr><th>Name</th><th>Score</th><th>Open</th></tr>{''.join(rows)}</table>"


def stories(subject: Subject, *, text: bool = False) -> str:
    """Return links to other pages, as many as there are items."""
    bodies = [f"<p>{said}</p>" if text else "" for said in NEUTRAL]
    entries = "".join(
        f"<div class='z4'><a href='/s/{at}'><img src='/s{at}.jpg'><h3>{title}</h3></a>{bodies[at % len(bodies)]}</div>"
        for at, title in enumerate(some(STORIES, len(subject.names)))
    )
    return f"<div class='z3'><h2>Keep going</h2>{entries}</div>"


def remarks(subject: Subject) -> str:
    """Return what readers wrote."""
    people = ("Ada", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lou")
    entries = "".join(
        f"<li><div><b>{people[at % 12]} {at}</b><span>May {at + 1}</span><p>{NEUTRAL[at % 3]}</p></div></li>"
        for at in range(len(subject.names))
    )
    return f"<div class='k2'><h2>{len(subject.names)} thoughts</h2><ol>{entries}</ol></div>"


def put_menu(subject: Subject) -> list[set[str]]:
    """Put a menu on top that no class tells."""
    titles = some(SECTIONS, len(subject.names))
    entries = "".join(f"<li><a href='/{at}'>{title}</a></li>" for at, title in enumerate(titles))
    for body in subject.root.select("body"):
        body.insert_adjacent_html("afterbegin", f"<div class='m1'><ul>{entries}</ul></div>")
    return subject.truth


def one_fewer(subject: Subject) -> list[set[str]] | None:
    """Drop the last item but one."""
    if not subject.groups or len(subject.heads) < FEWEST:
        return None
    for node in subject.groups[-2]:
        node.decompose()
    return [*subject.truth[:-2], subject.truth[-1]]


def one_more(subject: Subject) -> list[set[str]] | None:
    """Add one item."""
    at, title = len(subject.heads), "A Walk Along the Old Wall"
    tag = subject.heads[-1].tag
    written = f"<{tag}>{subject.label(at)}{title}</{tag}><p>{NEUTRAL[0]}</p>"
    return [*subject.truth, {title}] if placed(nothing, lambda _: written)(subject) else None


def strip_classes(subject: Subject) -> list[set[str]]:
    """Take the classes, ids and roles away."""
    for element in subject.root.select("[class], [id], [role]"):
        for name in ("class", "id", "role"):
            if element.attr(name) is not None:
                del element.attrs[name]
    return subject.truth


def hash_classes(subject: Subject) -> list[set[str]]:
    """Turn classes into what build tools make of them, and divs out of the elements that tell a page's parts."""
    for element in subject.root.select("[class]"):
        element.attrs["class"] = "c" + hashlib.sha256((element.attr("class") or "").encode()).hexdigest()[:6]
    for element in subject.root.select("nav, aside, footer, header, main, article, section"):
        element.tag = "div"
    return subject.truth


def retitle(write: Callable[[str], str]) -> Mutate:
    """Write the titles of the page anew."""

    def change(subject: Subject) -> list[set[str]] | None:
        for element in subject.root.select("title, h1"):
            element.set_text(write(" ".join(element.text.split())))
        for element in subject.root.select("meta[property='og:title']"):
            element.attrs["content"] = write(element.attr("content") or "")
        return subject.truth

    return change


def in_words(title: str) -> str:
    """Return a title with small numbers in words."""
    found = re.compile(r"(?<![\w.,#$-])(\d|1[0-2])(?![\w.,%])")
    return found.sub(lambda number: WORDS[int(number[1])].title(), title)


def untitle(subject: Subject) -> list[set[str]]:
    """Leave the number to the main heading."""
    for element in subject.root.select("title"):
        element.set_text(re.sub(r"\d+", "", element.text))
    for element in subject.root.select("meta[property='og:title']"):
        element.decompose()
    return subject.truth


PLACED: dict[str, Mutate] = {
    "as it is": keep,
    "contents before": placed(contents, nothing),
    "comparison after": placed(nothing, comparison),
    "contents and comparison": placed(contents, comparison),
    "k stories after": placed(nothing, stories),
    "k stories with text after": placed(nothing, lambda subject: stories(subject, text=True)),
    "k stories between, once": between(lambda subject, at: stories(subject) if at == 1 else ""),
    "2 questions, same level": placed(nothing, lambda subject: headed(subject, some(QUESTIONS, 2))),
    "k questions, same level": placed(nothing, lambda subject: headed(subject, some(QUESTIONS, len(subject.names)))),
    "questions below a heading": placed(
        nothing, lambda subject: headed(subject, ["Questions"]) + headed(subject, some(QUESTIONS, 4), subject.lower)
    ),
    "chapters before, same level": placed(
        lambda subject: headed(subject, ["How we chose", "The state of things"]), nothing
    ),
    "chapter before and after": placed(
        lambda subject: headed(subject, ["A few words first"]), lambda subject: headed(subject, ["Until next time"])
    ),
    "three chapters after": placed(
        nothing, lambda subject: headed(subject, ["What to look for", "Our way of testing", "The last word"])
    ),
    "remarks of readers": placed(nothing, remarks),
    "menu of k": put_menu,
    "advertisements between": between(
        lambda _, at: "<div class='u1'><span>Advertisement</span></div>" if at % 2 else ""
    ),
    "boxes with headings between": between(
        lambda subject, at: f"<div class='u2'>{headed(subject, ['Join 20,000 readers'])}</div>" if at % 4 == 1 else ""
    ),
    "one fewer": one_fewer,
    "classes taken away": strip_classes,
    "classes hashed, divs only": hash_classes,
    "title with the site": retitle(lambda title: f"{title} | Mill & Harbour"),
    "title in words": retitle(in_words),
    "title with bracket": retitle(lambda title: f"{title} [Updated 2024]"),
    "number in the heading only": untitle,
}


def both(first: Mutate, then: Mutate) -> Mutate:
    """Put what stands around a list, then write its names anew."""
    return lambda subject: then(subject) if first(subject) else None


PAIRS: dict[str, Mutate] = {
    f"{name}, {other}": both(PLACED[name], named(NAMED[other]))
    for name in ("chapters before, same level", "three chapters after", "k stories with text after", "contents before")
    for other in ("h3", "strong in p", "div of a hashed class")
}
MUTATIONS: dict[str, Mutate] = {
    **PLACED,
    **{name: named(write) for name, write in NAMED.items()},
    **WRITTEN,
    **PAIRS,
}
ONLY_NUMBERED: dict[str, Mutate] = {"one more": one_more} | {name: named(write) for name, write in NUMBERED.items()}
"""One more item without a number is what a chapter after the list looks like."""
