"""What markup alone says of display and visibility: the browser's default style sheet, as far as readers need it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from windrow.nodes.columns import Kind, Words

if TYPE_CHECKING:
    from windrow.geometry import Mask
    from windrow.nodes.tree import Nodes

UNSEEN = frozenset(
    "area audio base basefont datalist head link meta noembed noframes noscript option optgroup param rp script "
    "style template title track source svg:title svg:desc svg:defs svg:style svg:script".split()
)
"""Elements of which nothing is shown (an audio player without controls and the options of a closed list included)."""

INSTEAD = frozenset({"audio", "canvas", "iframe", "video"})
"""Elements that show something else than what stands in them, which is for browsers that don't know them."""

DISPLAYS = {
    "table": "table",
    "caption": "table-caption",
    "colgroup": "table-column-group",
    "col": "table-column",
    "thead": "table-header-group",
    "tbody": "table-row-group",
    "tfoot": "table-footer-group",
    "tr": "table-row",
    "td": "table-cell",
    "th": "table-cell",
    "li": "list-item",
    "summary": "block",
    "slot": "contents",
    **dict.fromkeys(("button", "input", "select", "textarea", "meter", "progress", "img"), "inline-block"),
    **dict.fromkeys(
        "html body address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure "
        "footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend listing main menu nav ol optgroup option p "
        "plaintext pre search section ul xmp".split(),
        "block",
    ),
    **dict.fromkeys(UNSEEN, "none"),
}

NEVER_SHOWN = np.isin(np.arange(max(Kind) + 1), (Kind.COMMENT, Kind.DOCTYPE, Kind.INSTRUCTION))
STYLE_DISPLAY = re.compile(r"(?:^|;)\s*display\s*:\s*([a-z-]+)", re.IGNORECASE)
STYLE_HIDDEN = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|content-visibility\s*:\s*hidden)",
    re.IGNORECASE,
)


def display(nodes: Nodes) -> Words:
    """Return the display of each element: that of its tag, or the one that its style attribute names."""
    names = [*dict.fromkeys(["inline", "none", *DISPLAYS.values()])]
    number = {name: code for code, name in enumerate(names)}
    of_tag = np.array([number[DISPLAYS.get(tag, "inline")] for tag in nodes.tag.words] + [-1], dtype=np.int32)
    codes = of_tag[nodes.tag.codes]
    styles = nodes.attributes.having("style")
    named = {style: found[1].lower() for style in set(styles.values()) if (found := STYLE_DISPLAY.search(style))}
    for node, style in styles.items() if named else ():
        if (name := named.get(style)) is not None:
            codes[node] = number.setdefault(name, len(number))
    return Words(codes, list(number))


def visible(nodes: Nodes) -> Mask:
    """Whether each node is visible: not hidden by tag, attribute or style, nor in a closed ``details``."""
    hidden = nodes.tag.is_in(UNSEEN) | NEVER_SHOWN[nodes.kind]
    hidden[list(nodes.attributes.having("hidden"))] = True
    hidden[find_hidden_by_style(nodes)] = True
    for node in nodes.tag.where("input").tolist():
        hidden[node] |= nodes.attributes[node].get("type", "").lower() == "hidden"
    for node in nodes.tag.where("dialog").tolist():
        hidden[node] |= "open" not in nodes.attributes[node]
    for node in nodes.attributes.having("shadowrootmode", "template"):
        hidden[node] &= nodes.tag[node] != "template"  # shown in place of its host's content
    hidden[1:] |= nodes.tag.is_in(INSTEAD)[nodes.parent[1:]]
    _hide_closed_details(nodes, hidden)
    return ~nodes.inside(hidden)


def find_hidden_by_style(nodes: Nodes) -> list[int]:
    """Return the elements that their own style attribute hides; most pages write few styles, many times."""
    styles = nodes.attributes.having("style")
    hiding = {style for style in set(styles.values()) if STYLE_HIDDEN.search(style)}
    return [node for node, style in styles.items() if style in hiding] if hiding else []


def _hide_closed_details(nodes: Nodes, hidden: Mask) -> None:
    for node in nodes.tag.where("details").tolist():
        if "open" not in nodes.attributes[node]:
            children = nodes.children(node)
            summaries = [child for child in children.tolist() if nodes.tag[child] == "summary"]
            hidden[children] = True
            hidden[summaries[:1]] = False
