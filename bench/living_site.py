"""A site that lives: the nursery of the tests, with all that makes real templates hard, and days that go wrong.

Rows that are not everywhere, prices that were and are, blocks with other trees' values in the same markup, classes with
a hash in their names, values that are links on some pages, half of the pages in a new template before the other half.
"""

from __future__ import annotations

import html
import random
import sys
import zlib
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "harvest"))

import nursery

EXTRAS = {
    "en": (("Height", "3 m"), ("Soil", "Loam"), ("Rootstock", "MM106")),
    "de": (("Höhe", "3 m"), ("Boden", "Lehm"), ("Unterlage", "MM106")),
    "fr": (("Hauteur", "3 m"), ("Sol", "Limon"), ("Porte-greffe", "MM106")),
    "id": (("Tinggi", "3 m"), ("Tanah", "Lempung"), ("Batang bawah", "MM106")),
}
MISSING = {
    "en": ("Page not found", "Sorry, we have looked everywhere."),
    "de": ("Seite nicht gefunden", "Leider haben wir überall vergeblich gesucht."),
    "fr": ("Page introuvable", "Désolé, nous avons cherché partout."),
    "id": ("Halaman tidak ditemukan", "Maaf, kami sudah mencari di mana-mana."),
}


@dataclass
class LivingSite(nursery.Site):
    """What is served today."""

    deploy: int = 0
    """Goes into the names of classes."""
    banner: str = ""
    following: str | None = None
    """The template that half of the pages have already."""
    soft: set[str] = field(default_factory=set)
    """Numbers of trees whose pages say with status 200 that there is no such page."""
    lost: list[nursery.Tree] = field(default_factory=list)
    """Trees that went, of which some return."""
    empty: bool = False
    """Whether the list shows nothing."""
    down: bool = False

    def page(self, path: str, query: str) -> tuple[int, str]:
        """Return the status and the page of an address."""
        if self.down:
            return 503, "<p>busy</p>"
        if path.startswith("/p/") and path.removeprefix("/p/") in self.soft:
            title, text = MISSING[self.language]
            return 200, self.frame(title, f"<h1>{title}</h1><p>{text}</p>")
        return super().page(path, query)

    def shown(self) -> set[str]:
        """Return the numbers of the trees that the site has a page for."""
        return {tree.sku for tree in self.trees} - self.gone

    def _named(self, name: str) -> str:
        return f"class='{name}-{zlib.crc32(f'{name}{self.deploy}'.encode()):08x}'"

    def frame(self, title: str, body: str) -> str:
        """Return a page, with a banner where there is one today."""
        page = super().frame(title, body)
        return page.replace("<main>", f"<main>{self.banner}") if self.banner else page

    def _list(self, number: int) -> str:
        kept = self.trees
        self.trees = [] if self.empty else [tree for tree in kept if tree.sku not in self.gone]
        try:
            return super()._list(number)
        finally:
            self.trees = kept

    def _detail(self, number: int) -> str:
        tree = self.trees[number]
        template = self.following if self.following and zlib.crc32(tree.sku.encode()) % 2 else self.template
        words = nursery.WORDS[self.language]
        values = nursery.values_of(tree, self.language)
        rows = [(words[3], values["sku"]), (words[0], self._price(tree)), (words[1], self._grower(tree))]
        rows += [(words[2], values["year"])] if "year" in values else []
        dice = random.Random(f"{tree.sku}{template}")  # noqa: S311 - a page, no secret
        for extra in EXTRAS[self.language]:
            if dice.random() < 0.5:  # noqa: PLR2004 - half of the pages have it
                rows.insert(dice.randrange(len(rows) + 1) if template == "cards" else len(rows), extra)
        facts = self._facts(template, rows)
        head = "h2" if template == "cards" else "h1"
        text = f"<p>{html.escape(tree.grower)} planted this tree with care; it bears every year.</p>"
        blocks = [f"<{head} {self._named('title')}>{html.escape(tree.name)}</{head}>", facts, text]
        others = self._others(template, number)
        blocks.insert(0 if template == "cards" else len(blocks), others)
        return self.frame(tree.name, "".join(blocks))

    def _price(self, tree: nursery.Tree) -> str:
        now = html.escape(nursery.price_of(tree, self.language))
        if tree.cents % 4:
            return now
        was = html.escape(nursery.price_of(nursery.changed(tree, cents=tree.cents + 500), self.language))
        return f"<del>{was}</del> <ins>{now}</ins>"

    def _grower(self, tree: nursery.Tree) -> str:
        name = html.escape(tree.grower)
        return name if zlib.crc32(tree.sku.encode()) % 3 else f"<a href='/growers/{len(name)}'>{name}</a>"

    def _facts(self, template: str, rows: list[tuple[str, str]]) -> str:
        if template == "table":
            body = "".join(f"<tr><th>{word}</th><td>{value}</td></tr>" for word, value in rows)
            return f"<table {self._named('facts')}>{body}</table>"
        if template == "list":
            body = "".join(f"<dt>{word}</dt><dd>{value}</dd>" for word, value in rows)
            return f"<section {self._named('data')}><dl>{body}</dl></section>"
        body = "".join(f"<div {self._named('f')}><span>{word}:</span> <b>{value}</b></div>" for word, value in rows)
        return f"<div {self._named('facts')}>{body}</div>"

    def _others(self, template: str, number: int) -> str:
        """Return other trees with their values, in the markup of the page's own."""
        words = nursery.WORDS[self.language]
        others = [self.trees[(number + step) % len(self.trees)] for step in (1, 2, 3)]
        cards = []
        for tree in others:
            values = nursery.values_of(tree, self.language)
            rows = [(words[0], html.escape(values["price"])), (words[1], html.escape(values["grower"]))]
            name = f"<h3><a href='/p/{tree.sku}'>{html.escape(tree.name)}</a></h3>"
            cards.append(f"<li>{name}{self._facts(template, rows)}</li>")
        return f"<aside {self._named('more')}><h3>{words[6]}</h3><ul>{''.join(cards)}</ul></aside>"
