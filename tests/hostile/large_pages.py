"""Pages that have far too much of one thing, in as many nodes as are asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from family import page

Make: TypeAlias = Callable[[int], str]

SIZES: dict[str, Make] = {}


def size(make: Make) -> Make:
    """Enter a generator into the list under its own name."""
    SIZES[make.__name__.replace("_", "-")] = make
    return make


def repeat(count: int, write: Callable[[int], str]) -> str:
    """Write something again and again, with its number."""
    return "".join(map(write, range(count)))


@size
def records(nodes: int) -> str:
    return page(
        f"<ul>{repeat(nodes // 6, lambda n: f'<li><a href=/p/{n}>Pear {n}</a> <b>{n % 97}.50 €</b></li>')}</ul>"
    )


@size
def wide_table(nodes: int) -> str:
    return page(f"<table><tr>{repeat(nodes // 4, lambda n: f'<th>h{n}')}<tr>{repeat(nodes // 4, lambda n: f'<td>{n}')}")


@size
def square_table(nodes: int) -> str:
    side = int((nodes // 2) ** 0.5)
    return page(f"<table>{repeat(side, lambda row: '<tr>' + repeat(side, lambda n: f'<td>{row * n}'))}</table>")


@size
def long_table(nodes: int) -> str:
    rows = repeat(nodes // 9, lambda n: f"<tr><td>Pear {n}<td>{n}<td>{n % 7}.5<td>x{n}")
    return page(f"<table><tr><th>Name<th>A<th>B<th>C{rows}</table>")


@size
def small_tables(nodes: int) -> str:
    rows = "<table><tr><th>A<th>B<tr><td>Pear {0}<td>{0}.5<tr><td>Plum<td>{0}</table>"
    return page(repeat(nodes // 33, rows.format))


@size
def covered_places(nodes: int) -> str:
    side = min(nodes // 6, 1_900)
    head = repeat(side, lambda n: f"<td>{n}")
    rows = repeat(side - 2, lambda n: f"<tr><td>{n}")
    return page(f"<table><tr>{head}<tr><td>0<td colspan={side - 1} rowspan={side - 1}>x{rows}</table>")


@size
def covered_text(nodes: int) -> str:
    return covered_places(nodes).replace(">x<", f">{'long text ' * min(nodes, 10_000)}<")


@size
def definitions(nodes: int) -> str:
    return page(f"<dl>{repeat(nodes // 4, lambda n: f'<dt>Term {n}<dd>Definition number {n}')}</dl>")


@size
def headings(nodes: int) -> str:
    return page(repeat(nodes // 2 - 10, lambda n: f"<h2>Heading {n}</h2>"))


@size
def landmarks(nodes: int) -> str:
    return page(repeat(nodes // 4, lambda n: f"<nav aria-label=n{n}><a href=/{n}>a</a></nav>"))


@size
def ranked(nodes: int) -> str:
    items = repeat(nodes // 5, lambda n: f"<li><h3>{n}. Pear {n}</h3><p>grows well</p></li>")
    return page(f"<ol>{items}</ol>").replace("<title>Hay", f"<title>Top {nodes // 5} pears of 2020")


@size
def grids_of_divs(nodes: int) -> str:
    cells = "<div class=cell>c</div>" * 8
    return page(f"<div>{repeat(nodes // 17, lambda _: f'<div class=row>{cells}</div>')}</div>")


@size
def paragraphs(nodes: int) -> str:
    return page(repeat(nodes // 2 - 10, lambda n: f"<p class=a{n}>Some words {n}</p>"))


@size
def siblings(nodes: int) -> str:
    return page("<br>" * 2 * nodes)


@size
def attributes(nodes: int) -> str:
    return page(repeat(nodes // 2, lambda n: f"<i id=i{n} class='c{n % 5} d{n}' title=t{n}>"))
