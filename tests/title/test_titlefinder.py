from __future__ import annotations

import pytest

import windrow


def test_nearest_text_wins() -> None:
    html = "<title>Ferry ends in March | News</title><h1>Ferry ends in March</h1><p>The ferry in the valley ends.</p>"
    title = windrow.parse(html).title("titlefinder")
    assert title.text == "Ferry ends in March"
    assert set(title.candidates[0].terms) == {"cosine", "overlap"}
    assert 0 < title.score <= 1


def test_scripts_and_the_tag_itself_are_no_texts() -> None:
    html = "<title>Ferry ends</title><script>Ferry ends</script><style>Ferry</style><p>Ferry ends soon</p>"
    title = windrow.parse(html).title("titlefinder")
    assert [candidate.text for candidate in title.candidates] == ["Ferry ends soon"]


@pytest.mark.parametrize("html", ["<p>Ferry</p>", "<title>Ferry</title><p>Barley</p>", "<title>| -</title><p>x</p>"])
def test_nothing_near_says_why(html: str) -> None:
    title = windrow.parse(html).title("titlefinder")
    assert title.text == ""
    assert title.reason
