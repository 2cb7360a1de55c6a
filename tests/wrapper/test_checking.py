from __future__ import annotations

import re

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
        ('<div class="foot">', "<hr><div class=foot>", "lower"),
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
    assert f"from {change.path} on." in change.sentence


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("ul", "ol"),
        ("<h2>Chapters</h2>", ""),
        ('<div class="foot">', '<p>Sale</p><div class="foot">'),
        ("<h2>Chapters</h2>", "<h2><i>Chapters</i></h2><div></div>"),
    ],
    ids=["renamed", "removed", "added", "both"],
)
def test_every_change_of_layout_around_the_values_counts_on_the_learned_address(
    learned: windrow.Wrapper, was: str, now: str
) -> None:
    assert learned.check(at_home(PAGE.replace(was, now))).changed


def test_what_comes_and_goes_elsewhere_is_content(learned: windrow.Wrapper) -> None:
    change = learned.check(at_home(PAGE.replace("<li>Contact</li>", "<li>Contact</li><li>Help</li>")))
    assert (change.changed, change.affected, change.kind, change.severity) == (False, False, "content", "none")


def test_what_is_hidden_right_in_the_body_comes_and_goes(learned: windrow.Wrapper) -> None:
    hidden = "<p hidden>Sign up</p>"
    hung = PAGE.replace("<body>", "<body>" + hidden).replace("</body>", 2 * hidden + "</body>")
    assert not learned.check(at_home(hung)).changed
    assert not windrow.learn(at_home(hung), shelf.HAY).check(at_home(PAGE)).changed
    assert learned.check(at_home(hung.replace(" hidden", "", 1))).changed
    assert learned.check(at_home(PAGE.replace('<div id="book">', '<div id="book">' + hidden))).changed


def test_comments_are_content_but_a_new_kind_of_block_is_layout() -> None:
    threads = '<div class="talk">{}</div>'
    comment = '<article class="word"><b>Ann</b><p>Fine.</p></article>'
    learned = windrow.learn(at_home(PAGE.replace("<h2>", threads.format(comment) + "<h2>", 1)), shelf.HAY)
    more = PAGE.replace("<h2>", threads.format(comment * 3) + "<h2>", 1)
    assert not learned.check(at_home(more)).changed
    blocks = "".join(f'<section class="ad{number}"><h4>Sale</h4></section>' for number in range(6))
    assert learned.check(at_home(more.replace("<b>Ann</b>", blocks))).changed


def test_neighbours_elsewhere_that_change_places_are_a_change() -> None:
    parts = "<p>Shelf Ltd, Field Lane</p>", "<ul><li>Contact</li><li>Terms</li></ul>"
    old = PAGE.replace('<div class="foot">' + "".join(parts), f"<div>{parts[0]}</div><div>{parts[1]}")
    new = PAGE.replace('<div class="foot">' + "".join(parts), f"<div>{parts[1]}</div><div>{parts[0]}")
    assert windrow.learn(at_home(old), shelf.HAY).check(at_home(new)).changed


def test_a_layout_that_is_read_as_before_is_worth_a_note(learned: windrow.Wrapper) -> None:
    change = learned.check(at_home(PAGE.replace('<div id="book">', '<p>Sale</p><div id="book">')))
    assert (change.changed, change.affected, change.severity, change.labels) == (True, False, "note", ())
    assert change.sentence.endswith("Every label is read as before.")


def test_a_label_that_is_lost_is_a_warning(learned: windrow.Wrapper) -> None:
    change = learned.check(at_home(PAGE.replace("<tr><th>Price:</th><td><b>£12.50</b></td></tr>", "")))
    assert (change.changed, change.affected, change.severity, change.labels) == (True, True, "warning", ("price",))
    assert change.sentence.endswith("In doubt: price.")
    assert change.to_dict()["labels"] == ["price"]


def test_a_value_that_is_not_read_though_it_is_there_is_in_doubt() -> None:
    html = "<body><div><h1>Hay</h1><p>{}</p></div><div><p>Kent</p></div></body>"
    wrapper = windrow.learn(at_home(html.format("£12.50")), {"title": "Hay", "price": "£12.50"})
    change = wrapper.check(at_home(html.format("£15.00").replace("<p>Kent</p>", "<p>Kent</p><i>was £12.50</i>")))
    assert change.labels == ("price",)


def test_one_item_more_puts_a_list_in_no_doubt(learned: windrow.Wrapper) -> None:
    change = learned.check(at_home(PAGE.replace("<li>Turning", "<li>Raking</li><li>Turning")))
    assert (change.changed, change.affected) == (True, False)


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ('<div id="book">(.*?)</ul></div>', r'<div id="book"><div>\1</ul></div></div>'),
        ("<h1>(.*?)</h1>", r"<h2>\1</h2>"),
        ("<table>(.*?)</table>", r"<dl>\1</dl>"),
    ],
    ids=["wrap", "heading", "list"],
)
def test_a_changed_template_is_noticed_on_another_address(learned: windrow.Wrapper, was: str, now: str) -> None:
    for book in (shelf.WELL, shelf.BARN):
        html = re.sub(was, now, shelf.old_page(book), flags=re.DOTALL)
        if "<dl>" in html:
            html = re.sub("</?tr>", "", html).replace("<th>", "<dt>").replace("<td>", "<dd>")
        change = learned.check(windrow.parse(html, url=shelf.OTHER))
        assert (change.changed, change.affected, change.kind) == (True, True, "template")


def test_a_table_that_became_a_list_is_noticed_though_its_words_are_the_same() -> None:
    row, pair = "<tr><th>{}</th><td>{}</td></tr>", "<dt>{}</dt><dd>{}</dd>"
    html = "<body><h1>{}</h1>{}<h2>Delivery</h2><table><tr><th>By post</th><td>{}</td></tr></table></body>"
    fields = ("Price", "£{}"), ("Pages", "{} leaves"), ("Year", "19{}")

    def page(number: int, one: str, around: str, url: str) -> windrow.Page:
        rows = "".join(one.format(name, text.format(number)) for name, text in fields)
        facts = f"<{around}>{rows}</{around}>"
        return windrow.parse(html.format(f"Book {number}", facts, f"£{number % 7}"), url=url)

    wrapper = windrow.learn(
        page(31, row, "table", shelf.HOME), {"title": "Book 31", "price": "£31", "pages": "31 leaves"}
    )
    assert not wrapper.check(page(52, row, "table", shelf.OTHER)).changed
    change = wrapper.check(page(52, pair, "dl", shelf.OTHER))
    assert (change.changed, change.affected) == (True, True)
    assert {"price", "pages"} <= set(change.labels)


def test_a_value_that_is_sometimes_a_link_has_not_moved(learned: windrow.Wrapper) -> None:
    html = shelf.old_page(shelf.WELL).replace("<b>£8.00</b>", "<a href='/p'>£8.00</a>")
    assert not learned.check(windrow.parse(html, url=shelf.OTHER)).changed


def test_texts_that_change_places_are_a_change() -> None:
    html = "<body><table><tr><td>first of all</td><td>second to none</td></tr></table></body>"
    wrapper = windrow.learn(at_home(html), {"cell": "first of all"})
    swapped = html.replace("first of all", "?").replace("second to none", "first of all").replace("?", "second to none")
    assert wrapper.check(at_home(swapped)).changed
    assert not wrapper.check(at_home(html.replace("first of all", "something else"))).changed


def test_other_pages_of_the_template_are_no_change(learned: windrow.Wrapper) -> None:
    for book in (shelf.WELL, shelf.BARN):
        assert not learned.check(shelf.old(book, shelf.OTHER)).changed


def test_what_a_page_leaves_out_is_no_change_while_every_label_is_read_in_its_place() -> None:
    parts = "".join(f"<div class=part{kind}><p class=line{kind}>About {kind}</p></div>" for kind in "abcd")
    page = "<main><h1>{}</h1><p class=price>{}</p></main><aside>{}</aside>"
    wrapper = windrow.learn(
        windrow.parse(page.format("Hay", "£5", parts), url=shelf.HOME), {"name": "Hay", "price": "£5"}
    )
    other = "<section class=news><p class=new>News</p></section>"
    without = page.format("Straw", "£6", other + parts[: len(parts) // 2])
    assert not wrapper.check(windrow.parse(without, url=shelf.OTHER)).changed
    lost = without.replace("<p class=price>£6</p>", "")
    assert wrapper.check(windrow.parse(lost, url=shelf.OTHER)).changed


def test_words_that_stand_elsewhere_are_contents_while_the_record_is_read_in_its_place() -> None:
    page = "<main><h1>{}</h1><p class=price>{}</p><ul><li>{}</li><li>{}</li></ul><p>{}</p><b>{}</b></main>"
    old = windrow.parse(page.format("Hay", "£5", "Kent", "Sussex", "Dry", "Green"), url=shelf.HOME)
    wrapper = windrow.learn(old, {"name": "Hay", "price": "£5"})
    new = page.format("Straw", "£6", "Dry", "Green", "Kent", "Sussex")
    assert not wrapper.check(windrow.parse(new, url=shelf.OTHER)).changed
    lost = new.replace("<p class=price>£6</p>", "")
    assert wrapper.check(windrow.parse(lost, url=shelf.OTHER)).labels == ("price",)


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


def test_a_hidden_field_that_comes_is_a_change() -> None:
    html = "<body><form>{}<p>Hay for all horses</p></form></body>"
    wrapper = windrow.learn(windrow.parse(html.format(""), url=shelf.HOME), {"text": "Hay for all horses"})
    assert not wrapper.check(windrow.parse(html.format(""), url=shelf.HOME)).changed
    assert wrapper.check(windrow.parse(html.format("<input type=hidden name=key>"), url=shelf.HOME)).changed
