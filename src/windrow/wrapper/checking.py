"""Has the template changed? By the paper's variable sets, and by what closes their gaps.

On the address that was learned, the whole skeleton is compared: a renamed tag, two siblings that changed places, an
element more or less anywhere count, texts and addresses do not. Where the skeleton is the same, a learned text that
left its place and stands in another one of the same kind has changed places too. On another address only the
fingerprint is compared, which pages of one template share however their contents vary. The learned text need not be
there for either.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from windrow.nodes import xpath
from windrow.weights import load_weights
from windrow.wrapper.bartree import VARIABLE_SETS, BarTree, changed_depths, find_case, grow_bartree
from windrow.wrapper.change import Change
from windrow.wrapper.normalization import folded
from windrow.wrapper.page_features import features_of
from windrow.wrapper.reference import choose_places, element_number, tree_of_texts
from windrow.wrapper.skeleton import (
    FIRST,
    Alignment,
    Fingerprint,
    align,
    find_counted,
    find_pairs,
    read_digest,
    read_skeleton,
)
from windrow.wrapper.text_search import TextIndex

if TYPE_CHECKING:
    from windrow.nodes import Nodes
    from windrow.nodes.columns import Ids
    from windrow.wrapper.bartree import Case
    from windrow.wrapper.change import ChangeKind
    from windrow.wrapper.page_features import PageFeatures
    from windrow.wrapper.reference import Reference


@dataclass(frozen=True)
class CheckParameters:
    """When a difference counts; set by principle, but for the likeness of templates, which is fitted."""

    least_likeness: float = load_weights("wrapper").thresholds["template"]
    """Likeness of its fingerprint below which another address shows another template."""
    least_overlap: float = 0.8
    """Share of common pairs below which the learned address was restyled although its tags are the same: a few classes
    say what is open, new or chosen, most of them name the design."""
    wall_length: int = 2500
    """A wall in front of the page has fewer characters than this: a screen or two, with its small print."""
    mention_length: int = 800
    """So many, where its words stand in the margin of other pages too and it asks for no password."""


PARAMETERS = CheckParameters()
SAME = "The layout and the learned text are the same."
WALL = re.compile(
    r"access denied|forbidden|captcha|are you (?:a )?(?:human|robot)|unusual traffic|just a moment"
    r"|checking your browser|enable javascript|error \d{3}|too many requests|subscribe to continue",
    re.IGNORECASE,
)
"""What only a wall says."""
MENTION = re.compile(
    r"log ?in|sign ?in|anmelden|consent|cookies?|not found|page (?:is )?unavailable|temporarily"
    r"|\b(?:403|404|410|429|500|502|503)\b",
    re.IGNORECASE,
)
"""What a wall says, and the margin of many a page too."""


@dataclass(frozen=True, eq=False)
class Checked:
    """A page under check; each view of it is made when first asked for."""

    nodes: Nodes
    reference: Reference
    fingerprint: Fingerprint
    status: int | None = None

    @cached_property
    def features(self) -> PageFeatures:
        """The page's columns."""
        return features_of(self.nodes)

    @cached_property
    def index(self) -> TextIndex:
        """The page's texts."""
        return TextIndex(self.features)

    @cached_property
    def counted(self) -> Ids:
        """The elements of its skeleton."""
        return find_counted(self.nodes)

    @cached_property
    def alignment(self) -> Alignment:
        """The two skeletons side by side."""
        return align(self.reference.skeleton, read_skeleton(self.nodes))

    @cached_property
    def has_same_layout(self) -> bool:
        """Whether its skeleton is the learned one."""
        return read_digest(self.nodes) == self.reference.digest

    @cached_property
    def in_place(self) -> list[bool]:
        """Whether each learned text stands in its element, where the layout is the same."""
        return [
            folded(target.text) in folded(self.features.text_of(int(self.counted[target.element])))
            for target in self.reference.targets
        ]

    @cached_property
    def shows_texts(self) -> bool:
        """Whether any learned text is on the page."""
        return any(folded(text) in self.index.whole for text in self.reference.texts)


def check_by_paper(page: Checked, method: str) -> Change:
    """Check by one of the paper's variable sets; where the text is gone, the target is deferred."""
    old = page.reference.tree
    new = tree_of_texts(page.index, page.reference.texts, old.ratio)
    if new is None:
        return Change(changed=True, kind="gone", sentence="The learned text is no longer on the page.", old=old)
    if VARIABLE_SETS[method](old, new):
        return Change(changed=False, kind="same", sentence="The bar-tree is the same.", old=old, new=new)
    depths = changed_depths(old, new)
    where = f"at depth {depths[0]}" if depths else "beside the way to the region"
    sentence = f"The bar-tree differs {where}."
    return Change(
        changed=True, kind="template", case=find_case(old, new), depth=depths[0] if depths else None, sentence=sentence,
        old=old, new=new,
    )  # fmt: skip


def check_nowhere(page: Checked) -> Change:
    """Check a page of which nobody says where it lives, nor where the learned one did: it may be the same or not."""
    if page.has_same_layout and all(page.in_place):
        return Change(changed=False, kind="same", sentence=SAME)
    return check_other_address(page)


def check_same_address(page: Checked) -> Change:
    """Check the address that was learned: every change of layout counts."""
    if not page.has_same_layout:
        return wall(page) or describe(page)
    in_place = page.in_place
    moved = [
        target
        for target, stays in zip(page.reference.targets, in_place, strict=True)
        if not stays and 0 < target.count <= page.index.whole.count(folded(target.text))
    ]
    if moved:
        node = choose_places(page.index, [moved[0].text])[moved[0].text].node
        sentence = f"{moved[0].text[:60]!r} has changed places with a neighbour of the same kind."
        return Change(
            changed=True, kind="template", path=xpath(page.nodes, node), sentence=sentence, depth=depth_of(page, node)
        )
    if page.fingerprint.overlap(find_pairs(page.features)) < PARAMETERS.least_overlap:
        return Change(changed=True, kind="template", sentence="The tags are the same, but most classes are not.")
    if all(in_place):
        return Change(changed=False, kind="same", sentence=SAME)
    return Change(changed=False, kind="content", sentence="The layout is the same, the text is new.")


def check_other_address(page: Checked) -> Change:
    """Check another page: what pages of the template vary in does not count."""
    likeness = page.fingerprint.likeness(find_pairs(page.features))
    if likeness >= PARAMETERS.least_likeness:
        return Change(changed=False, kind="content", sentence=f"{likeness:.0%} of the template's fingerprint is there.")
    found = wall(page)
    if found is not None:
        return found
    kind: ChangeKind = "template" if page.shows_texts or likeness > 0 else "gone"
    case, old, new = case_of(page)
    sentence = f"Only {likeness:.0%} of the template's fingerprint is there."
    return Change(changed=True, kind=kind, case=case, sentence=sentence, old=old, new=new)


def wall(page: Checked) -> Change | None:
    """Return the change to a page that stands in front of the wanted one: consent, login, an error."""
    refused = page.status is not None and page.status >= 400  # noqa: PLR2004 - where errors begin in HTTP
    if page.shows_texts or not (refused or says_wall(page)):
        return None
    sentence = (
        "The page shows a wall or an error instead of its content. Open it in a browser and see what it asks for."
    )
    return Change(changed=True, kind="blocked", case=case_of(page)[0], sentence=sentence)


def says_wall(page: Checked) -> bool:
    """Whether a page has the few words of a wall."""
    text = " ".join(page.features.words)
    if len(text) >= PARAMETERS.wall_length:
        return False
    asks = "password" in page.nodes.attributes.having("type").values()
    mentions = asks or len(text) < PARAMETERS.mention_length
    return WALL.search(text) is not None or (mentions and MENTION.search(text) is not None)


def describe(page: Checked) -> Change:
    """Return where the skeleton of the learned address changed."""
    alignment = page.alignment
    case, old, new = case_of(page)
    at = min(alignment.prefix, len(page.counted) - 1)
    node = int(page.counted[at]) if len(page.counted) else 0
    more = alignment.growth
    how = f"{abs(more)} element{'s' if abs(more) > 1 else ''} {'more' if more > 0 else 'fewer'}"
    how = how if more else "other elements, as many as before"
    where = {"upper": "above the region", "lower": "below the region", "none": "around the region"}.get(
        case, "above and below the region"
    )
    other = page.fingerprint.likeness(find_pairs(page.features)) < PARAMETERS.least_likeness
    kind: ChangeKind = "gone" if other and not page.shows_texts else "template"
    sentence = f"The page has {how} {where}, from {xpath(page.nodes, node)} on."
    depth, path = depth_of(page, node), xpath(page.nodes, node)
    return Change(changed=True, kind=kind, case=case, depth=depth, path=path, sentence=sentence, old=old, new=new)


def depth_of(page: Checked, node: int) -> int:
    """Return a node's depth, the document's own element at 0."""
    return int(page.nodes.depth[node]) - 1


def case_of(page: Checked) -> tuple[Case, BarTree, BarTree | None]:
    """Tell the case of Δ, around the elements that show the learned texts or stand in their places.

    Both trees are grown around the same texts, so that one that is gone is no difference.
    """
    pairs = find_elements(page)
    ratio = page.reference.tree.ratio
    if not pairs:
        return "both", page.reference.tree, None
    old, new = (
        grow_bartree(skeleton.to_nodes(), min(numbers) + FIRST, max(numbers) + FIRST, ratio)
        for skeleton, numbers in zip((page.alignment.old, page.alignment.new), zip(*pairs, strict=True), strict=True)
    )
    return find_case(old, new), old, new


def find_elements(page: Checked) -> list[tuple[int, int]]:
    """Return the element of each learned text, old and new: by the text, or else by the place."""
    found = choose_places(page.index, page.reference.texts)
    pairs = []
    for target in page.reference.targets:
        if target.text in found:
            pairs.append((target.element, element_number(page.features, page.counted, found[target.text].node)))
        elif (carried := page.alignment.carry(target.element)) is not None:
            pairs.append((target.element, carried))
    return pairs
