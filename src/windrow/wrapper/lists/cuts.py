"""Values that are a part of a text: what stands around them in the pasted rows, and where that is so elsewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from windrow.wrapper.normalization import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

TOKEN = re.compile(r"\d(?:[\d.,]*\d)?|[^\W\d_]+|\s+|.", re.DOTALL)
"""What a text is made of: figures, words, white space and single marks."""
FIGURE = r"\d(?:[\d.,]*\d)?"
ANYTHING = "\0"
"""The token that stands for all that follows."""


@dataclass(frozen=True)
class Cut:
    """What of a text is the value: what stands before and after it, as patterns in which figures may vary."""

    before: str = ""
    after: str = ""
    figures: bool = False
    """Whether the value has figures and no letters."""
    keeps_struck: bool = False
    """Whether what is struck out is of the value: otherwise it no longer holds."""

    def apply(self, text: str) -> str | None:
        """Return the value within a text; None where its surroundings are not as learned."""
        if not self.before and not self.after:
            return text
        value = r"[\W\d_]+?" if self.figures else ".+?"
        found = re.fullmatch(f"{self.before}({value}){self.after}", text, re.DOTALL)
        return shown(found[1]) if found else None

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON can hold."""
        said = {name: True for name in ("figures", "keeps_struck") if getattr(self, name)}
        return {"before": self.before, "after": self.after} | said

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> Cut:
        """Return what ``to_dict`` wrote."""
        said = (bool(plain.get(name)) for name in ("figures", "keeps_struck"))
        return cls(str(plain["before"]), str(plain["after"]), *said)


def learn_cut(prefixes: Sequence[str], suffixes: Sequence[str], values: Sequence[str]) -> Cut | None:
    """Return the cut that some surroundings have in common; None where they have nothing in common."""
    before = _learn_side([prefix[::-1] for prefix in prefixes], is_before=True)
    after = _learn_side(suffixes, is_before=False)
    if before is None or after is None:
        return None
    figures = not any(char.isalpha() for value in values for char in value)
    return Cut(before, after, figures=figures)


def _learn_side(texts: Sequence[str], *, is_before: bool) -> str | None:
    """Return the pattern of what stands on one side of the value; it may be absent where some have nothing there."""
    there = [text for text in texts if text]
    if not there:
        return ""
    tokens = _generalize(there)
    if tokens is None:
        return None
    if len(there) < len(texts):
        # Where it may be absent, its first word must end the value wherever it comes.
        words = [number for number, token in enumerate(tokens) if token.strip()]
        tokens = [*tokens[: words[0] + 1], ANYTHING]
    pattern = _pattern([token[::-1] for token in reversed(tokens)] if is_before else tokens)
    return pattern if len(there) == len(texts) else f"(?:{pattern})?"


def _generalize(texts: Sequence[str]) -> list[str] | None:
    """Return the tokens that all texts have from the value outwards, ending with one that stands for anything."""
    split = [TOKEN.findall(text) for text in texts]
    if len({len(tokens) for tokens in split}) == 1 and all(_alike(column) for column in zip(*split, strict=True)):
        return split[0]
    common: list[str] = []
    for column in zip(*split, strict=False):
        if not _alike(column):
            break
        common.append(column[0])
    return [*common, ANYTHING] if any(token.strip() and not token.isspace() for token in common) else None


def _alike(tokens: Sequence[str]) -> bool:
    return len(set(tokens)) == 1 or all(token[0].isdigit() for token in tokens)


def _pattern(tokens: Sequence[str]) -> str:
    parts = []
    for token in tokens:
        if token == ANYTHING:
            parts.append(".*?")
        elif token[0].isdigit():
            parts.append(FIGURE)
        else:
            parts.append(r"\s+" if token.isspace() else re.escape(token))
    return "".join(parts)
