"""Everything on a page that may say what it is called, gathered once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from windrow.title.address import Address, read_address, to_letters
from windrow.title.elsewhere import Elsewhere
from windrow.title.headings import Heading, read_headings, read_large, read_styled
from windrow.title.likeness import fold, fold_marks, score_dice
from windrow.title.markup import TEXT, Markup, read_markup, read_tag
from windrow.title.metadata import Thing, read_items, read_json, read_metas
from windrow.title.names import read_linked_names, read_names, read_owners, spell_host
from windrow.title.segments import Segments, cut_segments

if TYPE_CHECKING:
    from windrow.nodes import Nodes

SITE_NAMES = frozenset({"og:site_name", "application-name", "data"})
NOWHERE = Elsewhere()
"""What is said where there are no other pages."""
CODE = frozenset({"script", "style"})


@dataclass(frozen=True)
class EvidenceParameters:
    """What is read, and when the rest can be left; set by hand, none tuned."""

    longest_tag: int = 1000  # not a decision: bounds the work
    """Letters of the title tag, far more than tags have, so that no page can make the work grow with its square."""
    shortest: int = 2
    longest: int = 219  # not a decision: bounds the work
    """Letters of the texts of the body that are looked at."""
    agreed: float = 0.45
    """How much a heading must be like the document's name in the address to be settled: about half of its pairs."""


PARAMETERS = EvidenceParameters()


@dataclass(frozen=True, eq=False)
class TitleEvidence:
    """What was found, still in the page's words."""

    tag: Segments
    """The title tag, without what those of other pages begin or end with."""
    whole_tag: Segments
    metas: dict[str, list[str]]
    things: list[Thing]
    headings: list[Heading]
    styled: list[str]
    texts: Counter[str]
    """How often each short text stands on the page, folded."""
    first: dict[str, int]
    """The first node that holds each short text."""
    names: list[tuple[str, str]]
    """Where a name of the site was found, and the name."""
    large: list[str]
    """The texts in the largest letters on the first screen, where there is a layout."""
    elsewhere: Elsewhere
    """What other pages of the site have in their titles and headings too."""
    address: Address
    markup: Markup


def gather(nodes: Nodes, url: str, elsewhere: Elsewhere = NOWHERE) -> TitleEvidence:
    """Read all evidence of a page; ``elsewhere`` is what other pages of the site say."""
    markup = read_markup(nodes)
    metas = read_metas(markup)
    things = read_json(markup)
    tag = read_tag(nodes)[: PARAMETERS.longest_tag]
    headings = read_headings(markup)
    address = _own_address(markup, url)
    names = read_names(metas, things)
    more = DearerEvidence()
    texts: Counter[str] = Counter()
    first: dict[str, int] = {}
    if not _is_settled(headings, metas, tag, address):
        is_clear = any(heading.level == 1 and heading.is_clear for heading in headings)
        if address.is_home or not is_clear or not any(kind in SITE_NAMES for kind, _ in names):
            more = _read_more(markup, address)
        short, texts, first = _read_texts(markup)
        more.names.extend(("copyright", name) for name in read_owners(short))
        if address.is_home:
            more.names.extend(("host", name) for name in spell_host(address.site, [tag, *short]))
        if not is_clear:
            more.styled.extend(read_styled(markup, nodes.attributes.having("class")))
    return TitleEvidence(
        tag=cut_segments(tag if address.is_home else elsewhere.own_part(tag)),
        whole_tag=cut_segments(tag),
        metas=metas,
        things=things + more.items,
        headings=headings,
        styled=more.styled,
        texts=texts,
        first=first,
        names=names + more.names,
        large=read_large(markup),
        elsewhere=elsewhere,
        address=address,
        markup=markup,
    )


@dataclass(frozen=True)
class DearerEvidence:
    """What costs more to read, and is read only where the rest does not agree."""

    items: list[Thing] = field(default_factory=list)
    names: list[tuple[str, str]] = field(default_factory=list)
    styled: list[str] = field(default_factory=list)


def _is_settled(headings: list[Heading], metas: dict[str, list[str]], tag: str, address: Address) -> bool:
    """Whether the one heading of the main content, the tag or og:title, and the address agree."""
    clear = [heading for heading in headings if heading.level == 1 and heading.is_clear]
    if len(clear) != 1 or "link" in clear[0].around or address.is_home:
        return False
    key = fold(clear[0].text)
    if key in map(fold, metas.get("og:title", [])):
        return True
    return (
        key in fold(tag)
        and score_dice(to_letters(key), address.letters[2] or "".join(address.letters[1][-1:])) > PARAMETERS.agreed
    )


def _read_more(markup: Markup, address: Address) -> DearerEvidence:
    """Return what microdata, links to the front page and logos say."""
    items = read_items(markup)
    links = markup.nodes.attributes.having("href")
    names = [("data", thing.text) for thing in items if thing.kind == "site"]
    return DearerEvidence(items, names + read_linked_names(markup, links, address))


def _read_texts(markup: Markup) -> tuple[list[str], Counter[str], dict[str, int]]:
    """Return the short texts, how often each stands on the page, folded, and the node where it stands first."""
    is_code = markup.nodes.tag.is_in(CODE)[markup.nodes.parent]
    written = np.flatnonzero((markup.nodes.kind == TEXT) & ~is_code)
    said = list(map(markup.nodes.text.__getitem__, written.tolist()))
    length = np.fromiter(map(len, said), np.int64, len(said))
    is_blank = np.fromiter(map(str.isspace, said), bool, len(said))
    kept = (length >= PARAMETERS.shortest) & (length <= PARAMETERS.longest) & ~is_blank
    nodes, short = written[kept].tolist(), list(compress(said, kept.tolist()))
    # Folding one long string is much cheaper than folding a thousand short ones.
    keys = list(map(str.strip, fold_marks("\0".join(short)).casefold().split("\0")))
    texts = Counter(keys)
    del texts[""]
    first = dict(zip(reversed(keys), reversed(nodes), strict=True)) if len(keys) == len(nodes) else {}
    first.pop("", None)
    return short, texts, first


def _own_address(markup: Markup, url: str) -> Address:
    """Return the page's address in parts: the canonical one where the given one is only the site's, or missing."""
    address = read_address(url)
    if address.is_home or not address.domain:
        for node in markup.telling["link"]:
            attributes = markup.attributes(node)
            if attributes.get("rel", "").lower() == "canonical":
                canonical = read_address(attributes.get("href", ""))
                return (
                    canonical
                    if canonical.domain and canonical.domain == (address.domain or canonical.domain)
                    else address
                )
    return address
