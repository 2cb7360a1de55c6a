"""Where the words of a page stand: asked of the browser by a script of ours, put beside the nodes of the snapshot."""

from __future__ import annotations

import json
from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from windrow.nodes import Kind
from windrow.nodes.words import WORD, WordBoxes

if TYPE_CHECKING:
    from windrow.nodes import Nodes

_SCRIPT = """(() => {
    const pattern = new RegExp(%s, 'gu'), found = [];
    const visit = (node, x, y) => {
        if (node.nodeType === 3) {
            measure(node, x, y);
            return;
        }
        const inside = node.tagName === 'IFRAME' ? inner(node) : null;
        if (inside) {
            const frame = node.getBoundingClientRect();
            visit(inside, x + frame.left + node.clientLeft, y + frame.top + node.clientTop);
            return;
        }
        const slotted = node.tagName === 'SLOT' ? node.assignedNodes() : [];
        for (const child of slotted.length ? slotted : (node.shadowRoot || node).childNodes) visit(child, x, y);
    };
    const inner = frame => {
        try { return frame.contentDocument; } catch (refused) { return null; }
    };
    const measure = (node, x, y) => {
        const range = node.ownerDocument.createRange();
        range.selectNodeContents(node);
        if (!range.getClientRects().length) return;
        const boxes = [];
        let number = 0;
        for (const word of node.data.matchAll(pattern)) {
            range.setStart(node, word.index);
            range.setEnd(node, word.index + word[0].length);
            for (const box of range.getClientRects()) {
                if (box.width && box.height)
                    boxes.push(number, box.left + x, box.top + y, box.right + x, box.bottom + y);
            }
            number++;
        }
        if (boxes.length) found.push([node.data, boxes]);
    };
    visit(document, scrollX, scrollY);
    return found;
})()"""
SCRIPT = _SCRIPT % json.dumps(WORD)
"""Gives for each text node that is laid out its text and, for each box of a word, the word's number and the box."""
A_BOX = 5
"""Numbers that say where a word stands: its own, and four edges."""


def with_words(nodes: Nodes, answer: Any) -> Nodes:  # noqa: ANN401 - what the script gave, if it gave anything
    """Return the nodes with the boxes of words beside them; without, where the script gave none."""
    if nodes.layout is None or not isinstance(answer, list):
        return nodes
    places: dict[str, list[int]] = {}
    for node in np.flatnonzero(nodes.kind == Kind.TEXT).tolist():
        places.setdefault(nodes.text[node], []).append(node)
    owners: list[int] = []
    rows: list[list[float]] = []
    last = -1
    for text, flat in answer:
        alike = places.get(text, ())
        at = bisect_right(alike, last)
        if at == len(alike):
            continue  # the page has changed since the snapshot
        last = alike[at]
        found = [flat[start : start + A_BOX] for start in range(0, len(flat), A_BOX)]
        owners += [last] * len(found)
        rows += found
    columns = np.array(rows, np.float32).reshape(-1, A_BOX)
    words = WordBoxes(np.array(owners, np.int32), columns[:, 0].astype(np.int32), columns[:, 1:].copy())
    return replace(nodes, layout=replace(nodes.layout, words=words))
