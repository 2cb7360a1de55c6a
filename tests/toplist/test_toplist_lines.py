from __future__ import annotations

import windrow
from windrow.toplist.language import load_language
from windrow.toplist.lines import Lines, is_article_heading, read_lines

ENGLISH = load_language("en")
PAGE = "<ul><li><p>a</p></li><li><p>b</p></li><li><div><p>c</p></div></li></ul><ol><li><p>d</p></li></ol><p>e</p>"


def lines_of(html: str) -> Lines:
    return read_lines(windrow.parse(html).nodes, ENGLISH)


def test_paths_are_equal_where_the_tags_above_are() -> None:
    lines = lines_of(PAGE)
    a, b, c, d, e = lines.path.tolist()
    assert a == b
    assert len({a, c, d, e}) == 4
    a, b, c, d, e = lines.similar_path.tolist()
    assert a == b == c
    assert len({a, d, e}) == 3


def test_lines_of_preformatted_text_stand_in_its_node() -> None:
    lines = lines_of("<p>Before</p><pre>1. Boskoop\n2. <b>Elstar</b>, red\n3. Gala\n4. Topaz</pre><p>After</p>")
    tags = [lines.nodes.tag[block] for block in lines.block.tolist()]
    assert tags == ["p", "pre", "pre", "pre", "pre", "p"]
    assert lines.nodes.parent[lines.first[5]] == lines.block[5]


def test_a_no_break_space_alone_is_no_line() -> None:
    lines = lines_of("<h2>Boskoop</h2><h2>&nbsp;</h2><h2>&nbsp;Elstar</h2>")
    assert [text.strip() for text in lines.texts] == ["Boskoop", "Elstar"]
    assert [lines.nodes.spans.text[start:].split("\n")[0].strip() for start in lines.start] == ["Boskoop", "Elstar"]


def test_headings_of_the_article_are_no_items() -> None:
    assert is_article_heading("Conclusion", ENGLISH, labelled=False)
    assert is_article_heading("Conclusion", ENGLISH, labelled=True)
    assert is_article_heading("Bonus: Quince", ENGLISH, labelled=True)
    assert not is_article_heading("Conclusion of the treaty", ENGLISH, labelled=True)
    assert not is_article_heading("Boskoop", ENGLISH, labelled=False)


def test_boilerplate_is_left_out_but_for_a_large_part_of_the_page() -> None:
    text = "A long text about apples that fills the page. " * 5
    assert lines_of(f"<p>{text}</p><div class=sidebar>News</div>").in_content.tolist() == [True, False]
    assert lines_of(f"<p>Short</p><div class=sidebar>{text}</div>").in_content.tolist() == [True, True]
    assert lines_of(f"<p>{text}</p><div class=menu><h1>Apples</h1></div>").in_content.tolist() == [True, True]
    assert lines_of(f"<p>{text}</p><div id=side-bar>News</div>").in_content.tolist() == [True, False]
    assert lines_of(f"<p>{text}</p><div class='text-widget'>News</div>").in_content.tolist() == [True, True]
    assert lines_of(f"<p>{text}</p><div role=navigation>News</div>").in_content.tolist() == [True, False]
