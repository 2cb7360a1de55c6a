"""Has the template changed? By the paper's variable sets, and by what closes their gaps.

On the address that was learned, the skeleton is compared along the way to the values: a renamed tag, an element more or
less, two siblings that changed places count beside that way, texts and addresses do not. Away from it, comments and
teasers come and go; only other kinds of elements count. Where the skeleton is the same, a learned text that left its
place and stands in another one of the same kind has changed places too.

On another address contents vary as well. There the fingerprint is compared, which pages of one template share, and what
stands around the values: a text that stood near them and now stands in other tags has moved, a value that is read in
other tags too, and a page without the main heading that all examples have has lost it. What is read decides how much of
that is asked: where the record is read in its places, more may vary.

The learned text need not be there for either. Whether what is read is in doubt is another question, asked by label.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from windrow.nodes import xpath
from windrow.weights import load_weights
from windrow.wrapper.lists.rule import read_frame
from windrow.wrapper.normalization import folded
from windrow.wrapper.page_features import TEXT, features_of
from windrow.wrapper.reference import choose_places, element_number, tree_of_texts
from windrow.wrapper.template.alignment import Alignment, align, is_same_around
from windrow.wrapper.template.bartree import VARIABLE_SETS, BarTree, changed_depths, find_case, grow_bartree
from windrow.wrapper.template.change import Change
from windrow.wrapper.template.skeleton import FIRST, find_counted, read_digest, read_skeleton
from windrow.wrapper.template.surroundings import traces_of
from windrow.wrapper.template.walls import SENTENCES
from windrow.wrapper.text_search import TextIndex

if TYPE_CHECKING:
    from windrow.nodes import Nodes
    from windrow.nodes.columns import Ids
    from windrow.page import Page
    from windrow.wrapper.page_features import PageFeatures
    from windrow.wrapper.reference import Reference, Target
    from windrow.wrapper.result import Extraction
    from windrow.wrapper.template.bartree import Case
    from windrow.wrapper.template.change import ChangeKind
    from windrow.wrapper.template.surroundings import Traces
    from windrow.wrapper.template.walls import PageKind
    from windrow.wrapper.wrapper import Wrapper


@dataclass(frozen=True)
class CheckParameters:
    """When a difference counts; set by principle, but for the likeness of templates, which is fitted."""

    least_likeness: float = load_weights("wrapper").thresholds["template"]
    """Likeness of its fingerprint below which another address shows another template."""
    half_alike: float = 0.5
    """The same where the record is read in its place: then as much may vary as stays. Other templates of a site share
    far less, and what its pages leave out or add is often a third of them."""
    most_read: float = 0.5
    """Where more of the labels than this are read, and more than one, the record is there: others may be optional."""
    least_overlap: float = 0.8
    """Share of common pairs below which the learned address was restyled although its tags are the same: a few classes
    say what is open, new or chosen, most of them name the design."""
    least_kinds: float = 0.9
    """The same, where elements came and went away from the values: comments and teasers bring hardly any new kinds."""
    least_moved: int = 2
    """Texts near the values that must stand elsewhere: a single one may be the content's own."""
    moved_share: float = 0.3
    """Of all such texts that are on the page, unless so many are the values' next neighbours: pages of a template move
    a few where an optional part is missing, a redesign moves all that stand together."""


PARAMETERS = CheckParameters()
SAME = "The layout and the learned text are the same."


@dataclass(frozen=True, eq=False)
class Checked:
    """A page under check by a wrapper; each view of it is made when first asked for."""

    page: Page
    learned: Wrapper

    @property
    def nodes(self) -> Nodes:
        """The page's nodes."""
        return self.page.nodes

    @property
    def reference(self) -> Reference:
        """What is kept of the learned page."""
        return self.learned.reference

    @cached_property
    def features(self) -> PageFeatures:
        """The page's columns."""
        return features_of(self.nodes)

    @cached_property
    def traces(self) -> Traces:
        """What is compared of the page."""
        return traces_of(self.nodes)

    @cached_property
    def reading(self) -> Extraction:
        """What the wrapper reads from it, whatever kind of page it is."""
        return self.learned.read(self.page)

    @cached_property
    def kind(self) -> PageKind:
        """Whether it is a page of the template at all."""
        return self.learned.find_kind(self.page)

    @cached_property
    def likeness(self) -> float:
        """How much of the fingerprint is there."""
        return self.learned.fingerprint.likeness(self.traces.pairs)

    @cached_property
    def overlap(self) -> float:
        """How many of all pairs are those of the fingerprint."""
        return self.learned.fingerprint.overlap(self.traces.pairs)

    @cached_property
    def moved(self) -> frozenset[str]:
        """The texts that stood near the values and stand elsewhere now."""
        return self._moved[0]

    @cached_property
    def _moved(self) -> tuple[frozenset[str], int]:
        return self.learned.surroundings.find_moved(self.traces)

    @property
    def has_moved(self) -> bool:
        """Whether so many texts near the values stand elsewhere that their surroundings have changed."""
        moved, there = self._moved
        labels = self.learned.surroundings.labels.values()
        beside = {text for label in labels for text in label.neighbours & moved}
        is_much = len(moved) >= PARAMETERS.moved_share * there or len(beside) >= PARAMETERS.least_moved
        return is_much and len(moved) >= PARAMETERS.least_moved

    @cached_property
    def elsewhere(self) -> list[str]:
        """The labels of which every value is read in elements in which no example showed one."""
        nodes = {label: [place.node for place in places] for label, places in self.reading.located.items()}
        return self.learned.surroundings.find_elsewhere(self.traces, nodes)

    @cached_property
    def unread(self) -> set[str]:
        """The labels that are not surely read in their places."""
        return set(self.learned.labels) - set(self.reading.confidence) | set(self.elsewhere)

    @cached_property
    def is_read(self) -> bool:
        """Whether the record is read: every label in its place, or most of them and none elsewhere."""
        labels = len(self.learned.labels)
        read = labels - len(self.unread)
        return read == labels or (read > max(1, PARAMETERS.most_read * labels) and not self.elsewhere)

    @cached_property
    def is_alike(self) -> bool:
        """Whether enough of the fingerprint is there, more of it where the record is not read in its place."""
        return self.likeness >= (PARAMETERS.half_alike if self.is_read else PARAMETERS.least_likeness)

    @cached_property
    def index(self) -> TextIndex:
        """The page's texts."""
        return TextIndex(self.features, self.page.resolve)

    @cached_property
    def counted(self) -> Ids:
        """The elements of its skeleton."""
        return find_counted(self.nodes)

    @cached_property
    def alignment(self) -> Alignment:
        """The two skeletons side by side."""
        return align(self.reference.skeleton, read_skeleton(self.nodes))

    @cached_property
    def elements(self) -> set[int]:
        """The elements of the learned skeleton that show the values, in every place that one is read from."""
        found = {target.element for target in self.reference.targets}
        for place in self.learned.places:
            way = [(step.tag, step.ordinal) for step in place.location.steps if step.tag != TEXT]
            at = self.alignment.old.find(way[FIRST:]) if way and self.alignment.old.tags else None
            found |= set() if at is None else {at}
        return found

    @cached_property
    def has_same_layout(self) -> bool:
        """Whether its skeleton is the learned one."""
        return read_digest(self.nodes) == self.reference.digest

    @cached_property
    def in_place(self) -> list[bool]:
        """Whether each learned text stands in its element, where the layout is the same."""
        return [
            folded(target.text) in folded(self.features.text_of(int(self.counted[target.element])))
            or self._is_held(target)
            for target in self.reference.targets
        ]

    def _is_held(self, target: Target) -> bool:
        """Whether a text that the learned page did not display stands in an attribute of its element."""
        places = [] if target.count else self.index.find(target.text)
        return any(element_number(self.features, self.counted, place.node) == target.element for place in places)

    def is_in_another_row(self, text: str) -> bool:
        """Whether a text of a list is still read for a label that it was pasted for: rows change places."""
        if self.learned.list_rule is None:
            return False
        wanted = folded(text)
        labels = {
            label
            for example in self.learned.examples
            for label, texts in example.values.items()
            if wanted in map(folded, texts)
        }
        return any(wanted in map(folded, self.reading.values.get(label, ())) for label in labels)

    @cached_property
    def shows_texts(self) -> bool:
        """Whether any learned text is on the page."""
        texts, is_held = self.reference.texts, self.reference.is_held
        return any(folded(text) in self.index.whole or (is_held and bool(self.index.find(text))) for text in texts)


def check_by_paper(page: Checked, method: str) -> Change:
    """Check by one of the paper's variable sets; where the text is gone, the target is deferred."""
    old = page.reference.tree
    new = tree_of_texts(page.index, page.reference)
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
    """Check the address that was learned: every change of layout counts, new contents do not."""
    if not page.has_same_layout:
        return stop(page) or check_frame(page) or check_contents(page) or describe(page)
    in_place = page.in_place
    moved = [
        target
        for target, stays in zip(page.reference.targets, in_place, strict=True)
        if not stays
        and 0 < target.count <= page.index.whole.count(folded(target.text))
        and not page.is_in_another_row(target.text)
    ]
    if moved:
        node = choose_places(page.index, [moved[0].text])[moved[0].text].node
        sentence = f"{moved[0].text[:60]!r} has changed places with a neighbour of the same kind."
        return Change(
            changed=True, kind="template", path=xpath(page.nodes, node), sentence=sentence, depth=depth_of(page, node)
        )
    if page.overlap < PARAMETERS.least_overlap:
        return Change(changed=True, kind="template", sentence="The tags are the same, but most classes are not.")
    if all(in_place):
        return Change(changed=False, kind="same", sentence=SAME)
    return Change(changed=False, kind="content", sentence="The layout is the same, the text is new.")


def check_frame(page: Checked) -> Change | None:
    """Check a list of which only the rows may be others; None where more than that is not the same."""
    rule = page.learned.list_rule
    if rule is None or not page.reading.rows or read_frame(page.nodes, rule.pattern) != rule.frame:
        return None
    if page.overlap < PARAMETERS.least_overlap or find_differences(page):
        return None
    return Change(changed=False, kind="content", sentence="The layout around the list is the same, its rows are new.")


def check_contents(page: Checked) -> Change | None:
    """Check whether only contents came or went away from the values, such as comments; None where more did."""
    if page.overlap < PARAMETERS.least_kinds or find_doubtful(page):
        return None
    if not is_same_around(page.alignment.old, page.alignment.new, page.elements):
        return None
    sentence = "Contents came or went elsewhere; the layout around the values is the same."
    return Change(changed=False, kind="content", sentence=sentence)


def check_other_address(page: Checked) -> Change:
    """Check another page: what pages of the template vary in does not count."""
    stopped = stop(page)
    if stopped is not None:
        return stopped
    differences = find_differences(page)
    if page.kind == "page" and not differences:
        sentence = f"{page.likeness:.0%} of the template's fingerprint is there."
        return Change(changed=False, kind="content", sentence=sentence)
    case, old, new = case_of(page)
    is_known = page.shows_texts or 0 < page.likeness < PARAMETERS.least_likeness or page.kind == "page"
    kind: ChangeKind = "template" if is_known else "gone"
    sentence = " ".join(differences) or SENTENCES[page.kind]
    return Change(changed=True, kind=kind, case=case, sentence=sentence, old=old, new=new)


def find_differences(page: Checked) -> list[str]:
    """Say in what another page differs from the template."""
    found = []
    if not page.is_alike:
        found.append(f"Only {page.likeness:.0%} of the template's fingerprint is there.")
    if page.has_moved and (not page.is_read or is_left_behind(page)):
        found.append(f"{len(page.moved)} texts that stood near the values stand in other elements.")
    elsewhere = page.elsewhere
    read = [label for label, places in page.reading.located.items() if places]
    # A template may set one value in one element or another; with its surroundings, or with most labels, it has moved.
    if elsewhere and (page.moved or 2 * len(elsewhere) >= len(read)):
        found.append(f"Read in other elements than before: {', '.join(elsewhere)}.")
    if page.learned.surroundings.is_headed and not page.traces.is_headed:
        found.append("The page has no main heading any more.")
    return found


def is_left_behind(page: Checked) -> bool:
    """Whether a text that stood next to a label which is not read stands elsewhere now."""
    around = page.learned.surroundings.labels
    return any(around[label].neighbours & page.moved for label in page.unread if label in around)


def find_doubtful(page: Checked) -> tuple[str, ...]:
    """Return the labels whose values are lost or in doubt on a page whose layout changed.

    On the address of an example, a label that reads as before is not, wherever it stands now.
    """
    known = next((example.values for example in page.learned.examples if example.is_of(page.page)), None)
    doubtful = []
    for label in page.learned.labels:
        got, old = page.reading.values.get(label, []), () if known is None else known.get(label, ())
        if old and set(map(folded, got)) == set(map(folded, old)):
            continue
        is_expected = bool(old) if known is not None else all(each.values.get(label) for each in page.learned.examples)
        is_lost = not got and is_expected
        # An old value that the page still shows is not among what is read.
        is_another = any(folded(text) in page.index.whole for text in old if folded(text) not in map(folded, got))
        beside = page.learned.surroundings.labels.get(label)
        is_left = not old and beside is not None and bool(beside.neighbours & page.moved)
        if is_lost or is_another or label in page.elsewhere or (got and is_left):
            doubtful.append(label)
    return tuple(doubtful)


def grade(page: Checked, change: Change) -> Change:
    """Return a change with the labels that are in doubt, and a sentence that says them."""
    if not change.changed or change.labels:
        return change
    if change.affected:
        return replace(change, labels=tuple(page.learned.labels))
    labels = find_doubtful(page)
    says = f"In doubt: {', '.join(labels)}." if labels else "Every label is read as before."
    return replace(change, labels=labels, sentence=f"{change.sentence} {says}")


def stop(page: Checked) -> Change | None:
    """Return the change to a page that stands in front of the wanted one: consent, login, an error, nothing."""
    if page.kind not in {"wall", "empty"} or page.shows_texts:
        return None
    kind: ChangeKind = "blocked" if page.kind == "wall" else "gone"
    return Change(changed=True, kind=kind, case=case_of(page)[0], sentence=SENTENCES[page.kind])


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
    other = page.likeness < PARAMETERS.least_likeness or page.kind != "page"
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
    found = choose_places(page.index, page.reference.texts, held=page.reference.is_held)
    pairs = []
    for target in page.reference.targets:
        if target.text in found:
            pairs.append((target.element, element_number(page.features, page.counted, found[target.text].node)))
        elif (carried := page.alignment.carry(target.element)) is not None:
            pairs.append((target.element, carried))
    return pairs
