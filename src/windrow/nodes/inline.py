"""What runs with the text around it: the displays and the elements of which a line is made."""

from __future__ import annotations

INLINE_BOXES = frozenset({"inline-block", "inline-flex", "inline-grid", "inline-table"})
"""Displays of boxes that stand in a line, but hold lines of their own."""
RUNNING_DISPLAYS = frozenset({"", "inline", "contents", "none", "ruby", "ruby-base", "ruby-text"})
"""Displays of what has no box of its own but its lines."""
INLINE_DISPLAYS = RUNNING_DISPLAYS | INLINE_BOXES
"""Displays of all that begins and ends no line."""

FORMATTING_TAGS = frozenset("b i em strong mark u small big sub sup font tt code wbr bdi bdo".split())
"""Elements that change how a text looks and say nothing of what it is."""
INLINE_TAGS = FORMATTING_TAGS | frozenset(
    "a abbr acronym cite data del dfn ins kbd label q s samp span strike time var".split()
)
"""Elements that run with the text around them: a word that one of them cuts is still one word."""
