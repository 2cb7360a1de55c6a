"""Any tree, for tests of what is reckoned over trees."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from windrow.nodes import Kind, ListedAttributes, Nodes, Words


@st.composite
def trees(draw: st.DrawFn) -> Nodes:
    """Draw any tree in document order: each node hangs on the last one or on an ancestor of it."""
    parent = [-1]
    for node in range(1, draw(st.integers(1, 60))):
        above = node - 1
        for _ in range(draw(st.integers(0, 6))):
            above = max(parent[above], 0)
        parent.append(above)
    count = len(parent)
    kind = np.full(count, Kind.ELEMENT, dtype=np.uint8)
    kind[0] = Kind.DOCUMENT
    return Nodes(
        kind=kind,
        parent=np.array(parent, dtype=np.int32),
        tag=Words(np.zeros(count, dtype=np.int32), ["div"]),
        attributes=ListedAttributes([{}] * count),
        text_source=lambda: [""] * count,
    )
