"""Hostile markup: depth, width, size, and everything that is never closed."""

from __future__ import annotations

import base64
import struct
import zlib
from typing import TYPE_CHECKING

from family import FIRST, LAST, family, page

if TYPE_CHECKING:
    from stage import Targets

DEEP = ("limit", "browser")


@family("20,000 nested divs with text at the bottom.", ends=DEEP)
def nested_divs(_: Targets) -> str:
    return page("<div>" * 20_000 + "<p>deep down</p>" + "</div>" * 20_000)


@family("100,000 nested divs.", ends=DEEP)
def nested_divs_100k(_: Targets) -> str:
    return page("<div>" * 100_000 + "</div>" * 100_000)


@family("20,000 nested spans, which are inline.", ends=DEEP)
def nested_spans(_: Targets) -> str:
    return page("<span>" * 20_000 + "deep down" + "</span>" * 20_000)


@family("5,000 nested lists.", ends=DEEP)
def nested_lists(_: Targets) -> str:
    return page("<ul><li>" * 5_000 + "deep down")


@family("Formatting tags that are never closed, so that each paragraph opens all of them again.", ends=DEEP)
def misnested_formatting(_: Targets) -> str:
    return page("".join(f"<p><b id=b{i}><i id=i{i}>" for i in range(1_000)))


@family("Formatting tags closed in the wrong order: the adoption agency at work.", ends=DEEP)
def adoption_agency(_: Targets) -> str:
    return page("<b><i><u><p></b></i></u>" * 2_000)


@family("Nested links and blocks, which the parser must take apart.", ends=DEEP)
def nested_links(_: Targets) -> str:
    return page("<a href=x><div>" * 3_000)


@family("Fonts in fonts, with end tags for other elements.", ends=DEEP)
def stray_end_tags(_: Targets) -> str:
    return page("<font>" * 2_000 + "</p></b></x>" * 20_000)


@family("200,000 siblings.", ends=DEEP)
def siblings(_: Targets) -> str:
    return page("<i>x</i> " * 200_000)


@family("A million elements, more than any document has.", ends=("limit",))
def million_elements(_: Targets) -> str:
    return page("<br>" * 1_000_000)


@family("One element with 50,000 attributes.")
def attributes(_: Targets) -> str:
    return page("<p " + " ".join(f"a{i}={i}" for i in range(50_000)) + ">many</p>")


@family("One attribute 50,000 times.")
def same_attribute(_: Targets) -> str:
    return page("<p " + "class=a " * 50_000 + ">same</p>")


@family("An attribute value of a megabyte.")
def long_attribute(_: Targets) -> str:
    return page(f"<p title='{'x' * 1_000_000}'>long</p>")


@family("50,000 classes on an element, and a thousand such elements' worth of names.")
def classes(_: Targets) -> str:
    return page(f"<p class='{' '.join(f'c{i}' for i in range(50_000))}'>classes</p>")


@family("A tag name of a megabyte.")
def long_tag_name(_: Targets) -> str:
    return page(f"<{'x' * 1_000_000}>named</p>")


@family("50,000 elements of names that nobody else has.")
def names(_: Targets) -> str:
    return page("".join(f"<x-{i}>x</x-{i}>" for i in range(50_000)))


@family("300,000 entities.", ends=("limit",))
def entities(_: Targets) -> str:
    return page("<p>" + "&amp;&lt;&notin;&#x1F33E;&CounterClockwiseContourIntegral;" * 60_000)


@family("Entities that never end, and numbers beyond all characters.")
def broken_entities(_: Targets) -> str:
    return page("<p>" + "&#99999999999;&#x;&#xD800;&#0;&nosuch&amp" * 20_000 + "&#" + "9" * 200_000)


@family("A comment that is never closed.", shown=(FIRST,))
def open_comment(_: Targets) -> str:
    return page("<!-- " + "x" * 100_000)


@family("A hundred thousand comments, each a beginning of the next.")
def comments(_: Targets) -> str:
    return page("<!---->" * 100_000 + "<!-" * 100_000 + ">")


@family("A script that is never closed.", shown=(FIRST,))
def open_script(_: Targets) -> str:
    return page("<script>" + "<!--<script>" * 10_000)


@family("A style sheet that is never closed, nested 10,000 deep.", shown=(FIRST,), ends=DEEP)
def open_style(_: Targets) -> str:
    return page("<style>" + "p{" * 10_000)


@family("A title that is never closed.", shown=(), laid_out=())
def open_title(_: Targets) -> str:
    return f"<p>{FIRST}</p><title>" + "x" * 100_000


@family("A CDATA section that is never closed.", shown=(FIRST,))
def open_cdata(_: Targets) -> str:
    return page("<svg><desc><![CDATA[" + "x]]" * 50_000)


@family("An attribute value that is never closed.", shown=(FIRST,))
def open_attribute(_: Targets) -> str:
    return page('<p title="' + "<p a='" * 20_000)


@family("A text area that is never closed.", laid_out=(FIRST,))
def open_textarea(_: Targets) -> str:
    return page("<textarea>")


@family("Plain text to the end, after an old tag.")
def plaintext(_: Targets) -> str:
    return page("<plaintext>" + "</plaintext>" * 1_000)


@family("NULs in text, names and values.")
def nuls(_: Targets) -> str:
    return page("<p>be\0fore\0</p>\0<di\0v ti\0tle='a\0b'>in a tag</di\0v>" + "\0" * 10_000)


@family("A doctype of a megabyte.")
def long_doctype(_: Targets) -> str:
    return "<!doctype html PUBLIC '" + "x" * 1_000_000 + "'>" + page("")


@family("A table cell that spans a thousand columns and 65,534 rows, a hundred times.", ends=DEEP)
def spans(_: Targets) -> str:
    return page("<table>" + "<tr><td colspan=1000 rowspan=65534>x<td colspan=99999999>y" * 100 + "</table>")


@family("A million cells by spans that overlap.", ends=DEEP)
def overlapping_spans(_: Targets) -> str:
    rows = "".join(f"<tr><td rowspan={1000 - i}>x<td colspan={i + 1}>y" for i in range(1_000))
    return page(f"<table>{rows}</table>")


@family("Tables in tables, 2,000 deep.", ends=DEEP)
def nested_tables(_: Targets) -> str:
    return page("<table><tr><td>" * 2_000 + "deep down" + "</table>" * 2_000)


@family("Text and blocks in a table where they may not stand, fostered out before it.")
def foster_parents(_: Targets) -> str:
    return page("<table>" + "<p>out<tr>of<td>in" * 10_000 + "</table>")


@family("50,000 options in one choice.")
def options(_: Targets) -> str:
    return page("<select>" + "<option>x" * 50_000 + "</select>")


@family("Choices within choices and what may not stand in them.", shown=(FIRST,))
def nested_selects(_: Targets) -> str:
    return page("<select><div><option><table><tr><td>" * 2_000 + "</select>")


@family("Templates in templates, 5,000 deep.", ends=DEEP)
def nested_templates(_: Targets) -> str:
    return page("<template>" * 5_000 + "<p>inert" + "</template>" * 5_000)


@family("MathML, 5,000 deep.", ends=DEEP)
def nested_math(_: Targets) -> str:
    return page("<math>" + "<msqrt><mrow>" * 5_000 + "<mi>x</mi></math>")


@family("SVG groups, 10,000 deep.", ends=DEEP)
def nested_svg(_: Targets) -> str:
    return page("<svg width=10 height=10>" + "<g>" * 10_000 + "<text>x</text></svg>")


@family("SVG that uses itself ten times on each of nine levels.", ends=DEEP)
def svg_use_bomb(_: Targets) -> str:
    levels = "".join(f"<g id=g{i}>" + f"<use href=#g{i - 1} />" * 10 + "</g>" for i in range(1, 9))
    return page(f"<svg width=10 height=10><defs><rect id=g0 width=1 height=1 />{levels}</defs><use href=#g8 /></svg>")


@family("SVG filters over filters, each with a huge radius.", ends=DEEP)
def svg_filter_bomb(_: Targets) -> str:
    blur = "<feGaussianBlur stdDeviation=1000 /><feMorphology radius=500 /><feTurbulence numOctaves=99 />" * 50
    return page(
        f"<svg width=4000 height=4000><filter id=f>{blur}</filter><rect filter=url(#f) width=4000 height=4000 /></svg>"
    )


@family("HTML and SVG inside one another, 3,000 deep.", laid_out=(FIRST,), ends=DEEP)
def foreign_ping_pong(_: Targets) -> str:
    return page("<svg><foreignObject><div>" * 3_000)


def png(width: int, height: int) -> str:
    """Return a picture that declares a size which nobody can hold, as an address."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(b"\0" * 1_000_000, 9))
    data = b"\x89PNG\r\n\x1a\n" + head + body + chunk(b"IEND", b"")
    return "data:image/png;base64," + base64.b64encode(data).decode()


@family("A picture of 50,000 × 50,000 pixels in a kilobyte.")
def picture_bomb(_: Targets) -> str:
    return page(f"<img src='{png(50_000, 50_000)}' width=10 height=10>" * 20)


@family("5,000 pictures as data.", ends=DEEP)
def data_pictures(_: Targets) -> str:
    return page(
        "".join(
            f'<img width=1 height=1 src=\'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" id="i{i}"/>\'>'
            for i in range(5_000)
        )
    )


@family("A title of a megabyte.")
def long_title(_: Targets) -> str:
    return page("", head=f"<title>{'x' * 1_000_000}</title>")


@family("Titles in SVG, before and after the real one, and ten thousand more.")
def titles(_: Targets) -> str:
    return page("<svg><title>not this</title></svg>" + "<title>x</title>" * 10_000)


@family("One id 50,000 times, and labels that point to it.", ends=DEEP)
def same_id(_: Targets) -> str:
    return page("<a id=x name=x href=#x>x</a><label for=x>y</label>" * 25_000)


@family("Forms in forms, with fields of other forms.")
def nested_forms(_: Targets) -> str:
    return page("<form id=f><input form=f autofocus>" * 10_000)


@family("Framesets where a body should be.", shown=(), laid_out=())
def framesets(_: Targets) -> str:
    return "<title>Hay</title>" + "<frameset><frame src=about:blank>" * 500 + f"<noframes>{FIRST}"


@family("Bodies and roots over and over, each with attributes to merge.", ends=("limit",))
def many_bodies(_: Targets) -> str:
    return page("".join(f"<html a{i}=1><body b{i}=1>" for i in range(5_000)))


@family("Words without a space, a megabyte long.")
def long_word(_: Targets) -> str:
    return page(f"<p>{'x' * 1_000_000}</p>")


@family("A megabyte of spaces, tabs and line ends.")
def spaces(_: Targets) -> str:
    return page("<p>" + " \t\n\r\f" * 200_000 + "</p>" + "\n" * 500_000)


@family("A hundred thousand lines of preformatted text.")
def preformatted(_: Targets) -> str:
    return page("<pre>" + " \n" * 100_000 + "</pre>")


@family("Less-than signs and slashes, half a million.")
def angles(_: Targets) -> str:
    return page("<p>" + "<" * 250_000 + "</ " * 100_000 + ">")


@family("Rubies, details, dialogs and slots in one another.", laid_out=(FIRST,), ends=DEEP)
def odd_elements(_: Targets) -> str:
    return page("<details open><summary><ruby><rt><slot><dialog open><fieldset><legend>" * 500)


@family("Shadow trees declared in markup, 500 deep.", shown=(FIRST,), ends=DEEP)
def declared_shadows(_: Targets) -> str:
    return page("<div><template shadowrootmode=open><slot></slot><p>in the shadow</p>" * 500)


@family("Nothing but the two rows, without any tag that a page needs.")
def bare(_: Targets) -> str:
    return f"{FIRST}<p>{LAST}"
