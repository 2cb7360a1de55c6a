"""Lists that scripts are still to fill are told, and pages that have their content are left alone."""

from __future__ import annotations

import pytest

import windrow
from windrow.errors import LimitError
from windrow.loader.fullness import find_unfilled

CARD = "<li class='card skeleton'><div class=line></div></li>"


@pytest.mark.parametrize(
    "html",
    [
        f"<h1>Pears</h1><ul class=cards>{CARD * 4}</ul>",
        "<h1>Pears</h1><div aria-busy=true><span></span></div>",
        "<h1>Pears</h1><ul id=search-results></ul><p>No more.",
        "<h1>Pears</h1><div class='product-results'><!-- scripts --></div>",
    ],
)
def test_a_list_without_its_content_is_told(html: str) -> None:
    notice = find_unfilled(windrow.parse(html).nodes)
    assert notice is not None
    assert notice.kind == "unfilled"
    assert "--wait" in notice.text


@pytest.mark.parametrize(
    "html",
    [
        "<h1>Pears</h1><ul class=cards><li class='card placeholder'>Red pear</li></ul>",
        f"<h1>Pears</h1><ul>{CARD}</ul>",
        "<h1>Pears</h1><div aria-busy=false></div>",
        "<h1>Pears</h1><ul id=results><li>Red pear</li></ul><div class='ad results'></div>",
        "<p>A page of words.",
    ],
)
def test_a_page_with_its_content_is_left_alone(html: str) -> None:
    assert find_unfilled(windrow.parse(html).nodes) is None


def test_both_limits_are_named_at_once() -> None:
    options = windrow.Options(limits=windrow.Limits(bytes=400, nodes=20))
    with pytest.raises(LimitError) as raised:
        windrow.parse("<p>x" * 200, options=options)
    assert "--max-bytes" in str(raised.value)
    assert "--max-nodes" in str(raised.value)
    with pytest.raises(LimitError) as raised:
        windrow.parse("<p>x" * 200, options=windrow.Options(limits=windrow.Limits(bytes=400)))
    assert "of 500,000 at most (--max-nodes" in str(raised.value)


@pytest.mark.browser
def test_a_list_that_was_laid_out_empty_is_told_and_one_that_is_not_shown_is_not() -> None:
    empty = "<h1>Pears</h1><ul class=results></ul><p>Pears are late."
    assert find_unfilled(windrow.parse(empty, render=True).nodes) is not None
    folded = empty.replace("class=results", "class=results style='display: none'")
    assert find_unfilled(windrow.parse(folded, render=True).nodes) is None


@pytest.mark.browser
def test_both_limits_are_named_at_once_with_a_browser() -> None:
    options = windrow.Options(limits=windrow.Limits(bytes=400, nodes=20))
    with pytest.raises(LimitError) as raised:
        windrow.parse("<p>x" * 200, options=options, render=True)
    assert "--max-bytes" in str(raised.value)
    assert "--max-nodes" in str(raised.value)
