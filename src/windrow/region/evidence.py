"""What speaks for a group being the list that the page is about: one row of numbers a group."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from windrow.geometry import BOTTOM, LEFT, RIGHT, TOP, has_box, height, hull, width
from windrow.region.columns import likeness

if TYPE_CHECKING:
    from windrow.geometry import Mask
    from windrow.region.columns import Columns
    from windrow.region.groups import Group

ASIDE_TAGS = frozenset({"nav", "header", "footer", "aside"})
ASIDE_ROLES = frozenset({"navigation", "banner", "contentinfo", "complementary", "menu", "menubar", "search"})
ASIDE_NAMES = re.compile(r"\b(?:nav|navbar|navigation|menu|footer|sidebar|breadcrumbs?|filters?|facets?|refine)\b")
MAIN_ROLES = frozenset({"main", "feed"})
NAME_PARTS = re.compile(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z]+")


def mark_aside(columns: Columns) -> Mask:
    """Mark everything that stands in navigation, headers, footers, sidebars or filters."""
    nodes = columns.nodes
    aside = nodes.tag.is_in(ASIDE_TAGS)
    for node, role in nodes.attributes.having("role").items():
        aside[node] |= role.strip().lower() in ASIDE_ROLES
    for name in ("class", "id"):
        for node, value in nodes.attributes.having(name).items():
            if ASIDE_NAMES.search(NAME_PARTS.sub(" ", value).lower()):
                aside[node] = True
    aside &= columns.chars < 0.8 * columns.chars[0]
    return nodes.inside(aside)


def mark_main(columns: Columns) -> Mask:
    """Mark everything that stands in the page's main part, where the page says which that is."""
    nodes = columns.nodes
    main = nodes.tag.is_in({"main"})
    for node, role in nodes.attributes.having("role").items():
        main[node] |= role.strip().lower() in MAIN_ROLES
    return nodes.inside(main)


def measure(columns: Columns, group: Group, aside: Mask, main: Mask) -> dict[str, float]:
    nodes = columns.nodes
    firsts = np.array([record[0] for record in group.records])
    everything = np.array([node for record in group.records for node in record])
    owner = np.repeat(np.arange(len(firsts)), [len(r) for r in group.records])
    chars = np.bincount(owner, columns.chars[everything])
    total = chars.sum()
    page = max(int(columns.chars[0]), 1)
    texts = np.bincount(owner, columns.texts[everything])
    links = np.bincount(owner, columns.links[everything])
    pics = np.bincount(owner, columns.pictures[everything])
    shapes = [columns.shapes.of(int(v)) for v in firsts[:30]]
    out = {
        "share": np.log(max(total, 1) / page),
        "n": np.log(min(len(firsts), 20)),
        "chars": np.log(min(max(np.median(chars), 1), 300)),
        "link": columns.link_chars[everything].sum() / max(total, 1),
        "coherent": float(np.mean([likeness(a, b) for a, b in zip(shapes, shapes[1:])])) if len(shapes) > 1 else 1.0,
        "aside": float(aside[firsts].mean()),
        "main": float(main[firsts].mean()),
        "pics": float((pics > 0).mean()),
        "texts": np.log(min(max(np.median(texts), 1), 12)),
        "linked": float((links > 0).mean()),
        "even": float(min(chars.std() / max(chars.mean(), 1), 2)),
        "heading": float((np.bincount(owner, columns.headings[everything]) > 0).mean()),
        "prose": np.log(1 + min(np.median(chars - np.bincount(owner, columns.link_chars[everything])), 200)),
        "links": np.log(1 + np.median(links)),
        "empty": float((chars == 0).mean()),
    }
    if nodes.layout is not None:
        boxes = nodes.layout.box
        all_ = hull(boxes[everything])
        pagebox = boxes[nodes.tag.where("html")[:1]][0] if len(nodes.tag.where("html")) else all_
        w = nodes.layout.viewport[0]
        b = boxes[firsts]
        out["area"] = float(np.log(max(np.nansum(width(boxes[everything]) * height(boxes[everything])), 1) / (w * 1000)))
        out["width"] = float(np.nanmean(width(b)) / w)
        out["center"] = float(abs((all_[LEFT] + all_[RIGHT]) / 2 - w / 2) / w)
        out["top"] = float(min(all_[TOP], 3000) / 1000)
        left = np.round(b[:, LEFT][has_box(b)] / 4)
        out["lefts"] = float(len(np.unique(left)) / max(len(left), 1))
    return out
