"""Small pages in the likeness of what one meets: shops, forums, searches, directories. All of it is made up."""

from __future__ import annotations

MENU = (
    '<nav><ul><li><a href="/a">Home</a></li><li><a href="/b">Shop</a></li><li><a href="/c">About</a></li>'
    '<li><a href="/d">Help</a></li><li><a href="/e">Contact</a></li></ul></nav>'
)
FOOTER = (
    '<footer><ul><li><a href="/x">Imprint</a></li><li><a href="/y">Privacy</a></li>'
    '<li><a href="/z">Jobs</a></li></ul></footer>'
)
FRUIT = ("Apple", "Pear", "Quince", "Medlar", "Plum", "Cherry", "Damson", "Peach", "Apricot")


def page(body: str, head: str = "") -> str:
    """Put a menu above and a footer below."""
    start = f"<!doctype html><html><head><title>Orchard</title>{head}</head>"
    return f"{start}<body>{MENU}<main>{body}</main>{FOOTER}</body></html>"


def card(name: str, price: str, *, extra: str = "") -> str:
    """Return a product card."""
    slug = name.lower()
    return (
        f'<div class="card"><a href="/fruit/{slug}"><img src="/{slug}.png" alt=""></a>'
        f'<h3><a href="/fruit/{slug}">{name} tree</a></h3><span class="price">{price}</span>{extra}</div>'
    )


def result(name: str, *, date: str = "", tags: tuple[str, ...] = ()) -> str:
    """Return a search result with an optional date and some tags."""
    when = f'<span class="date">{date}</span>' if date else ""
    words = "".join(f'<a class="tag" href="/tag/{tag}">{tag}</a> ' for tag in tags)
    return (
        f'<li class="result"><h3><a href="/r/{name.lower()}">All about the {name}</a></h3>{when}'
        f"<p>How to plant, prune and harvest a <b>{name}</b> in a small garden, year by year.</p>{words}</li>"
    )


def search(results: list[str], below: str = "") -> str:
    """Return a page of search results."""
    return page(f'<h1>Results</h1><ol class="results">{"".join(results)}</ol>{below}')


SHOP = page(
    '<div class="grid">' + "".join(card(name, f"${number}.50") for number, name in enumerate(FRUIT, 3)) + "</div>"
)
SHOP_IN_ROWS = page(
    "".join(
        '<div class="row">'
        + "".join(card(name, f"${number}.50") for number, name in enumerate(FRUIT[k : k + 3], k + 3))
        + "</div>"
        for k in (0, 3, 6)
    )
)
SEARCH = search([result(name, date=f"{day} May 2021") for day, name in enumerate(FRUIT, 1)])
WITH_ADVERTISEMENTS = search(
    [
        part
        for number, name in enumerate(FRUIT)
        for part in (
            [result(name)]
            if number % 3
            else ['<li class="ad"><iframe></iframe>Sponsored: buy a spade today</li>', result(name)]
        )
    ]
)
DEFINITIONS = page(
    "<dl>"
    + "".join(
        f'<dt><a href="/{n}">{n}</a></dt><dd>A fruit that ripens late and keeps through the winter, number {n}.</dd>'
        for n in FRUIT
    )
    + "</dl>"
)
ROW_PAIRS = page(
    "<table>"
    + "".join(
        f'<tr class="head"><td>{k}.</td><td><a href="/t/{k}">{name} trees for windy places</a></td></tr>'
        f'<tr class="sub"><td></td><td>{k} points by <a href="/u/{k}">grower{k}</a> {k} hours ago</td></tr>'
        for k, name in enumerate(FRUIT, 2)
    )
    + "</table>"
)
FORUM = page(
    "<table><thead><tr><th>Thread</th><th>Replies</th><th>Last post</th></tr></thead><tbody>"
    + "".join(
        f'<tr><td><a href="/thread/{k}">Why does my {name.lower()} not bear?</a></td>'
        f"<td>{k}</td><td>2021-05-{k:02d}</td></tr>"
        for k, name in enumerate(FRUIT, 1)
    )
    + "</tbody></table>"
)
SECTIONS = page(
    "".join(
        f'<section><h2>Shelf {k}</h2><ul class="books">'
        + "".join(
            f'<li class="book"><a href="/b/{n}{k}">The {n} book</a><p>By Ann {n}, with {k} plates.</p></li>'
            for n in FRUIT[:4]
        )
        + "</ul></section>"
        for k in range(3)
    )
)
OFFERS = page(
    '<div class="products">'
    + "".join(
        f'<div class="product"><h2><a href="/p/{n}">{n} press</a></h2>'
        f"<p>A press for {n} juice, made of oak and iron.</p><ul>"
        + "".join(f'<li class="offer"><a href="/o/{n}{k}">Shop {k}</a> <b>${k}9.00</b></li>' for k in range(1, 4))
        + "</ul></div>"
        for n in FRUIT[:5]
    )
    + "</div>"
)
FLAT = page(
    "".join(
        f'<a href="/f/{n}">{n} of the old sort</a> - keeps well and is good for cider in a cold year<br>' for n in FRUIT
    )
)
ONE = search([result("Medlar", date="3 May 2021")])
PAGER = '<div class="pager"><span>1</span> <a href="?p=2">2</a> <a href="?p=3">3</a> {next}</div>'
