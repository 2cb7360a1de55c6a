"""From a node to the expressions that find it again: XPath and CSS.

Inside a frame or an open shadow tree the path starts over; the path to it stands before it, separated by ``>>``.
Foreign elements are matched by local name, which works in browsers and in XML libraries alike.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from windrow.nodes.columns import Kind

if TYPE_CHECKING:
    from windrow.nodes.columns import Ids
    from windrow.nodes.elements import Elements, Handle
    from windrow.nodes.tree import Nodes

BOUNDARY = " >> "
KEPT, ASKED = "_xpath_steps", "_xpaths_asked_for"
DOCUMENT, DOCTYPE, FRAGMENT, ELEMENT = (
    kind.value for kind in (Kind.DOCUMENT, Kind.DOCTYPE, Kind.FRAGMENT, Kind.ELEMENT)
)
"""Plain numbers: those of an enumeration are compared slowly."""
NAMES = {Kind.TEXT.value: "text()", Kind.COMMENT.value: "comment()"}
MANY = 64  # not a decision: only faster
"""Siblings from which on the steps to all are found together."""
FEW = 8  # the same
"""Paths up to which no columns are made, which cost about as much: each of them goes through the page anew."""
PLAIN_NAME = re.compile(r"[a-z_][a-z0-9_-]*")


def xpath(nodes: Nodes, node: int) -> str:
    """Return the absolute XPath of an element, text node or comment; an empty one for the document itself."""
    asked = vars(nodes)[ASKED] = vars(nodes).get(ASKED, 0) + 1
    if not nodes.has_columns and asked <= FEW:
        path = _find_path(nodes.elements, nodes.elements.at(node))
        if path is not None:
            return path
    if nodes.kind.item(node) == DOCTYPE:
        return ""  # no expression finds it
    scopes: list[list[str]] = [[]]
    known: dict[int, str] = vars(nodes).setdefault(KEPT, {})  # the values of a page share most of their ancestors
    for step in _ancestors_of(nodes, node):
        if nodes.kind.item(step) in (DOCUMENT, FRAGMENT):
            scopes.append([])
            continue
        if step not in known:
            known.update(_xpath_steps(nodes, step))
        scopes[-1].append(known[step])
    return BOUNDARY.join("/" + "/".join(reversed(steps)) for steps in reversed(scopes) if steps)


def _find_path(elements: Elements, node: Handle) -> str | None:
    """Return the XPath of an element or a text out of the tree, no column made; None where there is more on the way."""
    steps: list[str] = []
    while (parent := elements.parent(node)) is not None:
        siblings = elements.children(parent)
        if tag := elements.tag(node):
            name, kind, kinds = element_name(tag), tag, list(map(elements.tag, siblings))
        elif not steps and elements.string(node) is not None:
            name, kind, kinds = "text()", "text", ["" if elements.string(each) is None else "text" for each in siblings]
        else:
            return None
        steps.append(_place_among(name, kinds[: siblings.index(node)].count(kind), kinds.count(kind)))
        node = parent
    return "/" + "/".join(reversed(steps)) if steps else ""


def find_by_xpath(nodes: Nodes, path: str) -> int | None:
    """Return the node that ``xpath`` would give a path to; None where there is none."""
    node = 0
    for number, scope in enumerate(path.split(BOUNDARY)):
        if number:
            inner = (each for each in nodes.children(node).tolist() if nodes.kind[each] in (DOCUMENT, FRAGMENT))
            node = next(inner, -1)
        for step in scope.removeprefix("/").split("/"):
            children = nodes.children(max(node, 0))
            known = (each for each in children.tolist() if nodes.kind[each] not in (DOCUMENT, FRAGMENT, Kind.DOCTYPE))
            node = next((each for each in known if node >= 0 and _xpath_step(nodes, each, children) == step), -1)
    return node if node > 0 else None


def css_path(nodes: Nodes, node: int) -> str:
    """Return the CSS path of an element, by position; of a text node or comment, that of its parent element."""
    scopes: list[list[str]] = [[]]
    for step in _ancestors_of(nodes, node):
        kind = nodes.kind[step]
        if kind in (Kind.DOCUMENT, Kind.FRAGMENT):
            scopes.append([])
        elif kind == Kind.ELEMENT:
            scopes[-1].append(_css_step(nodes, step))
    return BOUNDARY.join(" > ".join(reversed(steps)) for steps in reversed(scopes) if steps)


def _ancestors_of(nodes: Nodes, node: int) -> list[int]:
    """Return a node and its ancestors, the document of the page left out."""
    way = []
    while node > 0:
        way.append(node)
        node = nodes.parent.item(node)
    return way


def _xpath_steps(nodes: Nodes, node: int) -> dict[int, str]:
    """Return the step to a node; among many siblings those to all, since counting for each would take them squared."""
    siblings = nodes.children(nodes.parent.item(node))
    if len(siblings) <= MANY:
        return {node: _xpath_step(nodes, node, siblings)}
    members = siblings.tolist()
    names = [_name_of(nodes, each) for each in members]
    count, before = Counter(names), Counter[str]()
    steps = {}
    for each, name in zip(members, names, strict=True):
        steps[each] = _place_among(name, before[name], count[name])
        before[name] += 1
    return steps


def _name_of(nodes: Nodes, node: int) -> str:
    """Return what a step calls a node by."""
    if nodes.kind.item(node) == ELEMENT:
        return element_name(nodes.tag[node])
    return NAMES.get(nodes.kind.item(node), "processing-instruction()")


def _xpath_step(nodes: Nodes, node: int, siblings: Ids) -> str:
    """Return the step to one of some siblings."""
    name = _name_of(nodes, node)
    if len(siblings) == 1:
        return name
    column = nodes.tag.codes if nodes.kind.item(node) == ELEMENT else nodes.kind
    kinds, own = column[siblings].tolist(), column.item(node)
    return _place_among(name, kinds[: siblings.searchsorted(node)].count(own), kinds.count(own))


@lru_cache(maxsize=1024)
def element_name(tag: str) -> str:
    """Return what a step calls an element by."""
    if PLAIN_NAME.fullmatch(tag) is not None:
        return tag
    local = tag.partition(":")[2] if tag.startswith(("svg:", "math:")) else tag
    return f"*[name()={_literal(local)}]"


def _place_among(name: str, before: int, count: int) -> str:
    """Return a step to one of so many siblings of a name, behind so many of them."""
    return f"{name}[{before + 1}]" if count > 1 else name


def _literal(text: str) -> str:
    """Return a string as an XPath literal; one with both kinds of quotes is concatenated."""
    if "'" not in text:
        return f"'{text}'"
    return "concat(" + ', "\'", '.join(f"'{part}'" for part in text.split("'")) + ")"


def _css_step(nodes: Nodes, node: int) -> str:
    siblings = nodes.children(int(nodes.parent[node]))
    elements = siblings[nodes.kind[siblings] == Kind.ELEMENT]
    name = nodes.tag[node].removeprefix("svg:").removeprefix("math:")
    name = name if PLAIN_NAME.fullmatch(name) else "*"
    position = int((elements <= node).sum())
    return f"{name}:nth-child({position})" if len(elements) > 1 or name == "*" else name
