"""Pages of a bookshop that does not exist, in an old and a new template."""

from __future__ import annotations

from html import escape
from typing import TypeAlias

import windrow

Book: TypeAlias = dict[str, str | list[str]]

HOME = "https://shelf.example/books/1"
OTHER = "https://shelf.example/books/2"

HAY: Book = {
    "title": "The Hay Year",
    "authors": ["Ada Rake", "Ben Fork"],
    "price": "£12.50",
    "isbn": "978-0-00-000001-7",
    "chapters": ["Mowing early in June", "Turning the rows", "Carting before rain"],
}
WELL: Book = {
    "title": "A Well in the Field",
    "authors": ["Cleo Pail"],
    "price": "£8.00",
    "isbn": "978-0-00-000002-4",
    "chapters": ["Digging", "Lining the shaft", "First water", "Dry summers"],
}
BARN: Book = {
    "title": "Barn Owls",
    "authors": ["Dora Loft", "Evan Beam", "Fay Tile"],
    "price": "£21.00",
    "isbn": "978-0-00-000003-1",
    "chapters": ["Nests", "Nights"],
}


def old_page(book: Book, banner: str = "") -> str:
    """Write a book's page in the first template."""
    authors = ", ".join(f'<a href="/a">{escape(name)}</a>' for name in book["authors"])
    chapters = "".join(f"<li>{escape(name)}</li>" for name in book["chapters"])
    return f"""<!DOCTYPE html><html><head><title>Shelf</title></head><body>
      <div class="top"><a href="/">Shelf</a> <a href="/new">New books</a> <a href="/sale">On sale now</a></div>{banner}
      <div id="book"><h1>{book["title"]}</h1><p class="by">by {authors}</p>
        <table><tr><th>Price:</th><td><b>{book["price"]}</b></td></tr><tr><th>ISBN:</th><td>{book["isbn"]}</td></tr></table>
        <h2>Chapters</h2><ul class="contents">{chapters}</ul></div>
      <div class="foot"><p>Shelf Ltd, Field Lane</p><ul><li>Contact</li><li>Terms</li></ul></div></body></html>"""


def new_page(book: Book) -> str:
    """Write a book's page in the second template."""
    authors = "; ".join(f"<span>{escape(name)}</span>" for name in book["authors"])
    chapters = "".join(f"<div class=chapter><p>{escape(name)}</p></div>" for name in book["chapters"])
    return f"""<!DOCTYPE html><html><head><title>Shelf</title></head><body>
      <header><nav><a href="/">Shelf</a></nav></header>
      <main class="detail"><section class="hero"><div class="headline"><h1>{book["title"]}</h1></div>
        <div class="names">{authors}</div><div class="cost">{book["price"]}</div></section>
      <section class="facts"><dl><dt>ISBN</dt><dd>{book["isbn"]}</dd></dl></section>
      <section class="inside">{chapters}</section></main><footer><p>Shelf Ltd, Field Lane</p></footer></body></html>"""


def old(book: Book, url: str = HOME, banner: str = "") -> windrow.Page:
    """Parse a book's page in the first template."""
    return windrow.parse(old_page(book, banner), url=url)


def new(book: Book, url: str = HOME) -> windrow.Page:
    """Parse a book's page in the second template."""
    return windrow.parse(new_page(book), url=url)


def values_of(book: Book) -> dict[str, list[str]]:
    """Give what a wrapper should read."""
    return {label: [value] if isinstance(value, str) else value for label, value in book.items()}
