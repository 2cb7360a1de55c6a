from __future__ import annotations

import pytest
import shelf

import windrow

PAGE = shelf.old_page(shelf.HAY)


@pytest.fixture(scope="module")
def learned() -> windrow.Wrapper:
    return windrow.learn(shelf.old(shelf.HAY), shelf.HAY)


def at_home(html: str) -> windrow.Page:
    return windrow.parse(html, url=shelf.HOME)


def test_the_learned_page_is_the_same(learned: windrow.Wrapper) -> None:
    change = learned.check(at_home(PAGE))
    assert (change.changed, change.kind, change.case) == (False, "same", "none")


def test_the_learned_page_is_the_same_though_nobody_says_where_it_lives() -> None:
    wrapper = windrow.learn(windrow.parse(PAGE), shelf.HAY)
    assert wrapper.check(windrow.parse(PAGE)).kind == "same"
    assert wrapper.check(windrow.parse(shelf.old_page(shelf.WELL))).kind == "content"
    assert wrapper.check(windrow.parse(shelf.new_page(shelf.WELL))).changed


def test_new_text_on_the_learned_address_is_no_change(learned: windrow.Wrapper) -> None:
    change = learned.check(at_home(PAGE.replace("The Hay Year", "Another Year").replace("12.50", "99.00")))
    assert (change.changed, change.kind, change.case) == (False, "content", "none")


@pytest.mark.parametrize(
    ("was", "now", "case"),
    [
        ('<div id="book">', "<div><a><img></a><p>Sale</p></div><div id=book>", "upper"),
        ('<div class="foot">', "<div class=foot><hr>", "lower"),
        ('<div id="book">', "<div><div id=book>", "both-same"),
    ],
)
@pytest.mark.parametrize("text", ["The Hay Year", "Another Year"])
def test_a_change_is_placed_even_without_the_old_text(
    learned: windrow.Wrapper, was: str, now: str, case: str, text: str
) -> None:
    closing = "</div></div>\n      <div class=" if case == "both-same" else "</div>\n      <div class="
    html = PAGE.replace('</div>\n      <div class="foot"', closing + '"foot"').replace(was, now)
    change = learned.check(at_home(html.replace("The Hay Year", text)))
    assert (change.changed, change.kind, change.case) == (True, "template", case)
    assert change.path
    assert change.sentence.endswith(f"from {change.path} on.")


@pytest.mark.parametrize(
    ("was", "now"),
    [("ul", "ol"), ("<h2>Chapters</h2>", ""), ("<li>Contact</li>", "<li>Contact</li><li>Help</li>")],
    ids=["renamed", "removed", "added"],
)
def test_every_change_of_layout_counts_on_the_learned_address(learned: windrow.Wrapper, was: str, now: str) -> None:
    assert learned.check(at_home(PAGE.replace(was, now))).changed


def test_texts_that_change_places_are_a_change() -> None:
    html = "<body><table><tr><td>first of all</td><td>second to none</td></tr></table></body>"
    wrapper = windrow.learn(at_home(html), {"cell": "first of all"})
    swapped = html.replace("first of all", "?").replace("second to none", "first of all").replace("?", "second to none")
    assert wrapper.check(at_home(swapped)).changed
    assert not wrapper.check(at_home(html.replace("first of all", "something else"))).changed


def test_other_pages_of_the_template_are_no_change(learned: windrow.Wrapper) -> None:
    for book in (shelf.WELL, shelf.BARN):
        assert not learned.check(shelf.old(book, shelf.OTHER)).changed


def test_another_template_is_a_change_on_any_address(learned: windrow.Wrapper) -> None:
    assert learned.check(shelf.new(shelf.HAY)).kind == "template"
    assert learned.check(shelf.new(shelf.WELL, shelf.OTHER)).changed


@pytest.mark.parametrize(
    "html",
    [
        "<body><h1>Log in</h1><form><input type=password></form></body>",
        "<body><div><p>We use cookies. Give your consent.</p><button>Accept</button></div></body>",
        "<body><h1>404</h1><p>Not found</p></body>",
    ],
)
def test_a_wall_is_blocked_not_gone(learned: windrow.Wrapper, html: str) -> None:
    change = learned.check(at_home(html))
    assert (change.changed, change.kind) == (True, "blocked")


def test_a_link_to_log_in_is_no_wall(learned: windrow.Wrapper) -> None:
    html = (
        "<body><nav><a>Sign in</a></nav><main><h1>Other news</h1>" + "<p>Mown on a dry day.</p>" * 60 + "</main></body>"
    )
    assert learned.check(at_home(html)).kind == "gone"


def test_the_paper_needs_the_text(learned: windrow.Wrapper) -> None:
    for method in ("total", "bars", "delta"):
        assert not learned.check(at_home(PAGE), method=method).changed
        assert learned.check(at_home("<p>gone</p>"), method=method).kind == "gone"


def test_the_paper_misses_renamed_tags_and_we_do_not(learned: windrow.Wrapper) -> None:
    renamed = at_home(PAGE.replace("<div", "<section").replace("</div", "</section"))
    assert not learned.check(renamed, method="delta").changed
    assert learned.check(renamed).changed


def test_an_unknown_method_is_wrong_use(learned: windrow.Wrapper) -> None:
    with pytest.raises(windrow.UsageError, match="there are: best, total, bars, delta"):
        learned.check(at_home(PAGE), method="guess")


@pytest.mark.parametrize("html", ["", "<p>", "plain", "<table><tr><td>"])
def test_broken_pages_are_changes_not_faults(learned: windrow.Wrapper, html: str) -> None:
    assert learned.check(at_home(html)).changed
    assert learned.check(windrow.parse(html, url=shelf.OTHER)).changed


def test_a_text_with_hidden_words_in_it_has_not_moved() -> None:
    html = "<body><div><p>Hay for</p><p hidden>secret</p><p>all horses</p></div></body>"
    wrapper = windrow.learn(at_home(html), {"line": "Hay for all horses"})
    assert not wrapper.check(at_home(html)).changed
