"""Everything on a page that may say what it is called, gathered once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from windrow.title.address import Address, read_address
from windrow.title.elsewhere import Elsewhere
from windrow.title.headings import Heading, read_headings, read_large, read_styled
from windrow.title.likeness import fold
from windrow.title.markup import Markup, read_markup, read_tag
from windrow.title.metadata import Thing, read_items, read_json, read_metas
from windrow.title.names import read_linked_names, read_names, read_owners, spell_host
from windrow.title.sections import SECTION, find_sections, strip_sections
from windrow.title.segments import Segments, cut_segments
from windrow.title.texts import StandingTexts, read_texts

if TYPE_CHECKING:
    from windrow.nodes import Nodes

SITE_NAMES = frozenset({"og:site_name", "application-name", "data"})
NOWHERE = Elsewhere()
"""What is said where there are no other pages."""
NO_TEXTS = StandingTexts()


@dataclass(frozen=True)
class EvidenceParameters:
    """What is read; set by hand, none tuned."""

    longest_tag: int = 1000  # not a decision: bounds the work
    """Letters of the title tag, far more than tags have, so that no page can make the work grow with its square."""


PARAMETERS = EvidenceParameters()


@dataclass(frozen=True, eq=False)
class TitleEvidence:
    """What was found, still in the page's words."""

    tag: Segments
    """The title tag, without what those of other pages begin or end with, and without the sections that begin it."""
    whole_tag: Segments
    metas: dict[str, list[str]]
    things: list[Thing]
    headings: list[Heading]
    names: list[tuple[str, str]]
    """Where a name of the site was found, and the name."""
    elsewhere: Elsewhere
    """What other pages of the site have in their titles and headings too."""
    address: Address
    markup: Markup
    styled: list[str] = field(default_factory=list)
    texts: StandingTexts = NO_TEXTS
    """Where each short text stands on the page, folded."""
    url: str = ""
    large: list[str] = field(default_factory=list)
    """The texts in the largest letters on the first screen, where there is a layout."""

    @property
    def is_home(self) -> bool:
        """Whether this is the front page of a site.

        Whoever asks for the root of a site asks for the site, whatever the page says of its own address.
        """
        return self.address.is_home or read_address(self.url).is_home


def read_witnesses(nodes: Nodes, url: str, elsewhere: Elsewhere = NOWHERE) -> TitleEvidence:
    """Read what few elements say that every page has at fixed places: the tag, metas, JSON-LD, headings, the address.

    ``elsewhere`` is what other pages of the site say.
    """
    markup = read_markup(nodes)
    metas, things = read_metas(markup), read_json(markup)
    tag = read_tag(markup)[: PARAMETERS.longest_tag]
    address = _own_address(markup, url)
    return TitleEvidence(
        tag=cut_segments(tag if address.is_home else elsewhere.own_part(tag)),
        whole_tag=cut_segments(tag),
        metas=metas,
        things=things,
        headings=read_headings(markup),
        names=read_names(metas, things),
        elsewhere=elsewhere,
        address=address,
        markup=markup,
        url=url,
    )


def gather(evidence: TitleEvidence) -> TitleEvidence:
    """Add what all of the page says, which costs more to read."""
    markup, address, items, names, styled = evidence.markup, evidence.address, list[Thing](), evidence.names, []
    is_clear = any(heading.level == 1 and heading.is_clear for heading in evidence.headings)
    if evidence.is_home or not is_clear or not any(kind in SITE_NAMES for kind, _ in names):
        items = read_items(markup)
        names = names + [("data", thing.text) for thing in items if thing.kind == "site"]
        names += read_linked_names(markup, address)
    short, texts = read_texts(markup)
    names = names + [("copyright", name) for name in read_owners(short)]
    if evidence.is_home:
        names += [("host", name) for name in spell_host(address.site, [evidence.whole_tag.text, *short])]
    if not is_clear:
        styled = read_styled(markup, markup.elements.having("class"))
    sections = () if evidence.is_home else _read_sections(evidence, texts)
    return replace(
        evidence,
        tag=cut_segments(strip_sections(evidence.tag, sections)),
        headings=[
            replace(heading, around=heading.around | {SECTION}) if fold(heading.text) in sections else heading
            for heading in evidence.headings
        ],
        things=evidence.things + items,
        styled=styled,
        texts=texts,
        names=names,
        large=read_large(markup),
    )


def _read_sections(evidence: TitleEvidence, texts: StandingTexts) -> tuple[str, ...]:
    """Return the sections that begin the title tag, folded; a page without an address has none."""
    markup = evidence.markup
    urls = [url for url in (evidence.url, _read_canonical(markup)) if url] if evidence.url else []
    return find_sections(
        evidence.tag, texts, markup, urls, lambda: read_styled(markup, markup.elements.having("class"))
    )


def _read_canonical(markup: Markup) -> str:
    """Return the address that a page says is its own, as it is written; empty where it says none."""
    for node in markup.named("link"):
        if markup.elements.attribute(node, "rel").lower() == "canonical":
            return markup.elements.attribute(node, "href")
    return ""


def _own_address(markup: Markup, url: str) -> Address:
    """Return the page's address in parts: the canonical one where the given one is only the site's, or missing."""
    address = read_address(url)
    if address.is_home or not address.domain:
        canonical = read_address(_read_canonical(markup))
        if canonical.domain and canonical.domain == (address.domain or canonical.domain):
            return canonical
    return address
