"""Hostile style sheets: bombs for selectors, values and layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from family import FIRST, family, page

if TYPE_CHECKING:
    from stage import Targets

SLOW = ("limit", "browser")


def styled(rules: str, middle: str = "") -> str:
    return page(middle, head=f"<style>{rules}</style>")


@family("100,000 rules.", ends=SLOW)
def rules(_: Targets) -> str:
    return styled("".join(f".a{i} .b{i}{{color:red}}" for i in range(100_000)), "<p class=b1>x</p>" * 100)


@family("Relative selectors over thousands of elements.", ends=SLOW)
def has_selectors(_: Targets) -> str:
    rules = "".join(f":has(:not(.x{i}) ~ :has(+ .y{i})){{color:red}}" for i in range(200))
    return styled(rules, "<div><i></i></div>" * 5_000)


@family("Selectors that compare everything with everything.", ends=SLOW)
def sibling_selectors(_: Targets) -> str:
    return styled("i ~ i ~ i ~ i:nth-last-child(7n+3){color:red}", "<i>x</i>" * 10_000)


@family("A selector nested 5,000 deep.", ends=SLOW)
def nested_selectors(_: Targets) -> str:
    return styled(":not(" * 5_000 + "p" + ")" * 5_000 + "{color:red}" + "p{" * 5_000)


@family("A calculation nested 10,000 deep.", ends=SLOW)
def nested_calc(_: Targets) -> str:
    return styled("p{width:" + "calc(1px + " * 10_000 + "1px" + ")" * 10_000 + "}")


@family("Variables that double thirty times.", ends=SLOW)
def variables(_: Targets) -> str:
    doubled = "".join(f"--v{i}:var(--v{i - 1}) var(--v{i - 1});" for i in range(1, 31))
    return styled(f":root{{--v0:aaaaaaaa;{doubled}}} p::before{{content:var(--v30)}} p{{grid-area:var(--v30)}}")


@family("Variables in a circle of 5,000.", ends=SLOW)
def circular_variables(_: Targets) -> str:
    return styled("p{" + "".join(f"--c{i}:var(--c{(i + 1) % 5000});" for i in range(5_000)) + "width:var(--c0)}")


@family("Gradients with 10,000 stops, shadows without end.", ends=SLOW)
def gradients(_: Targets) -> str:
    stops = ",".join(f"#{i % 4096:03x} {i}px" for i in range(10_000))
    shadows = ",".join(f"{i}px {i}px 999px red" for i in range(2_000))
    return styled(f"p{{background:linear-gradient({stops});box-shadow:{shadows}}}")


@family("Letters as large as a town.", shown=(FIRST,), laid_out=())
def giant_font(_: Targets) -> str:
    return styled("p{font-size:1e9px}i{font-size:1e38px;letter-spacing:1e30px}", "<i>x</i>" * 100)


@family("Lengths beyond all numbers.", laid_out=())
def giant_lengths(_: Targets) -> str:
    return styled(
        "div{width:1e38px;height:1e38px;margin:-1e38px;padding:9e37px;transform:scale(1e38)}", "<div>x</div>" * 100
    )


@family("Margins that draw everything over everything.", laid_out=())
def negative_margins(_: Targets) -> str:
    return styled("div{margin:-99999px;position:relative;top:-9e9px}", "<div>x</div>" * 1_000)


@family("1,000 animations and transitions that never end.")
def animations(_: Targets) -> str:
    return styled(
        "@keyframes k{to{transform:rotate(1turn);width:1px}} i{animation:k 1ms infinite;display:block}",
        "<i>x</i>" * 1_000,
    )


@family("100,000 flexible items.", ends=SLOW)
def flex_items(_: Targets) -> str:
    return page("<div style='display:flex;flex-wrap:wrap'>" + "<i>x</i>" * 100_000 + "</div>")


@family("Flexible boxes in one another, 500 deep, each measured twice.", ends=SLOW)
def nested_flex(_: Targets) -> str:
    return page("<div style='display:flex;flex-direction:column'>" * 500 + "deep down" + "</div>" * 500)


@family("Grids with a million tracks.", ends=SLOW)
def grid_tracks(_: Targets) -> str:
    style = "display:grid;grid-template:repeat(1000000,1px)/repeat(1000000,minmax(auto,1fr))"
    return page(f"<div style='{style}'><i style='grid-area:999999/999999/1000000/1000000'>x</i></div>")


@family("Grids in one another, 100 deep.", ends=SLOW)
def nested_grids(_: Targets) -> str:
    return page(
        "<div style='display:grid;grid-template-columns:repeat(auto-fit,minmax(1px,1fr))'>" * 100
        + "deep down"
        + "</div>" * 100
    )


@family("1,000 columns of text, balanced.", ends=SLOW)
def columns(_: Targets) -> str:
    return page("<div style='columns:1000;column-fill:balance'>" * 3 + "hay " * 20_000 + "</div>" * 3)


@family("A hundred thousand floats.", ends=SLOW)
def floats(_: Targets) -> str:
    return page("<style>i{float:left;width:1px;height:1px;shape-outside:circle()}</style>" + "<i></i>" * 30_000)


@family("Counters and quotes on 50,000 elements.", ends=SLOW)
def counters(_: Targets) -> str:
    return styled(
        "i{counter-increment:a b c;quotes:'«' '»'} i::before{content:counters(a,'.') open-quote}", "<i>x</i>" * 50_000
    )


@family("Containers that ask for their own size.", ends=SLOW)
def containers(_: Targets) -> str:
    return styled(
        "div{container-type:inline-size;padding:1px}"
        + "".join(f"@container (min-width:{i}px){{div{{color:#{i:03x}}}}}" for i in range(500)),
        "<div>" * 200 + "x",
    )


@family("Blend modes and filters over the whole page, 300 layers.", ends=SLOW)
def layers(_: Targets) -> str:
    return page(
        "<div style='mix-blend-mode:difference;filter:blur(99px);will-change:transform;backdrop-filter:blur(99px)'>"
        * 300
    )


@family("A style sheet that is one open bracket after the other.")
def open_brackets(_: Targets) -> str:
    return styled("p{a:" + "([{" * 50_000)


@family("Style attributes on 20,000 elements, no two alike.", ends=SLOW)
def style_attributes(_: Targets) -> str:
    return page("".join(f"<i style='--x{i}:{i};margin:{i % 7}px;color:#{i % 4096:03x}'>x</i>" for i in range(20_000)))


@family("Fonts as data that are none.")
def broken_fonts(_: Targets) -> str:
    faces = "".join(
        f"@font-face{{font-family:f{i};src:url(data:font/woff2;base64,d09GMgABAAAA{i:08d})}}" for i in range(500)
    )
    return styled(faces + "p{font-family:" + ",".join(f"f{i}" for i in range(500)) + "}")


@family("Text hidden by every trick, between two rows that are not.")
def hidden_text(_: Targets) -> str:
    tricks = (
        "display:none",
        "visibility:hidden",
        "opacity:0",
        "font-size:0",
        "position:absolute;left:-9999px",
        "clip-path:inset(50%)",
    )
    return page("".join(f"<p style='{trick}'>spam</p>" * 1_000 for trick in tricks))
