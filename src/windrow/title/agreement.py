"""What a page is called beyond doubt: its heading, where the title tag or og:title say just the same, or say more.

Whoever writes a headline, a tag and a preview alike has said what the page is called, so that nothing needs weighing,
and the rest of the page need not be read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from windrow.title.address import to_letters
from windrow.title.candidates import trim
from windrow.title.features import UNCOUNTED, WORD
from windrow.title.generic import is_generic, starts_generic
from windrow.title.host import read_host
from windrow.title.likeness import fold
from windrow.title.segments import cut_segments

if TYPE_CHECKING:
    from collections.abc import Iterator

    from windrow.title.evidence import TitleEvidence
    from windrow.title.headings import Heading
    from windrow.title.segments import Segments


FEWEST = 2
"""Words of a heading that the tag says at greater length; a single one is in many tags."""
SITE = 0.7
"""How much a heading must be the site's name to count as it."""


def find_agreed(evidence: TitleEvidence) -> tuple[Heading, list[str]] | None:
    """Return the heading that a page is called by, and what says the same; None where that must be weighed.

    It stands in the main content and on the highest level that has such headings; it is no link, no name of the site
    and no word such as *Contact*. A front page is called by whose it is, so that no heading settles it.
    """
    if evidence.address.is_home:
        return None
    clear = [heading for heading in evidence.headings if heading.is_clear]
    said = [("tag", evidence.tag), *(("og", cut_segments(text)) for text in evidence.metas.get("og:title", []))]
    beginnings = [(place, key) for place, text in said for key in _beginnings(text)]
    for heading in clear:
        key = fold(trim(heading.text))
        agreeing = list(dict.fromkeys(place for place, beginning in beginnings if beginning == key))
        if agreeing and heading.level == clear[0].level and _may_be_called(heading, key, evidence):
            return heading, agreeing
    return _find_shortened(clear, evidence)


def _find_shortened(clear: list[Heading], evidence: TitleEvidence) -> tuple[Heading, list[str]] | None:
    """Return the only first heading of a page where all of its words, two at least, stand in the title tag.

    Such a tag says the same at greater length, for those who search.
    """
    first = [heading for heading in evidence.headings if heading.level == 1 and not heading.around & UNCOUNTED]
    if len(first) != 1 or not clear or first[0] is not clear[0]:
        return None
    key = fold(trim(first[0].text))
    words = WORD.findall(key)
    is_within = len(words) >= FEWEST and set(words) <= set(WORD.findall(fold(evidence.tag.text)))
    return (first[0], ["words in tag"]) if is_within and _may_be_called(first[0], key, evidence) else None


def _may_be_called(heading: Heading, key: str, evidence: TitleEvidence) -> bool:
    """Whether a heading may name a page: it is no link, and neither the site's name nor a word such as *Contact*."""
    if "link" in heading.around or not key or is_generic(key) or starts_generic(key) or key in evidence.elsewhere:
        return False
    if _may_be_section(key, evidence):
        return False
    names = (fold(name) for kind, name in evidence.names if kind != "author")
    return key not in names and read_host(evidence.address).score(to_letters(key), key) <= SITE


def _may_be_section(key: str, evidence: TitleEvidence) -> bool:
    """Whether a heading may name a section instead of the page: the tag begins with it, and goes on with more.

    Where the address names the page in words, it is no section's; elsewhere nothing tells them apart so far.
    """
    first, *rest = evidence.tag.parts() or [""]
    host = read_host(evidence.address)
    goes_on = any(host.score(to_letters(part), part) <= SITE for part in rest)
    return goes_on and fold(first) == key and not evidence.address.own_name


def _beginnings(text: Segments) -> Iterator[str]:
    """Yield a text folded, and all that may be left of it when it is cut at a mark."""
    return (fold(trim(text.run(0, last))) for last in range(len(text)))
