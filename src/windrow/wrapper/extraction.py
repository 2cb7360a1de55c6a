"""Reads a page by learned rules: the places of a value vote, and what is not sure is said to be doubtful."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from windrow.wrapper.location import COLUMNS, locate
from windrow.wrapper.matching import Candidates, Ranking, Sought, forgiving
from windrow.wrapper.naming import is_name
from windrow.wrapper.normalization import COLONS, LETTERS, folded, shape, signs_in
from windrow.wrapper.page_features import TEXT, features_of, steady_class
from windrow.wrapper.page_names import PageNames
from windrow.wrapper.reading import Reading, ReadValue, Vote, Winner, by_text
from windrow.wrapper.slices import cut
from windrow.wrapper.strikes import has_struck_part, text_that_holds
from windrow.wrapper.text_search import address_in
from windrow.wrapper.value_lists import count_kin_after, following, items_below, kin_of, showing_only

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from windrow.nodes import Nodes
    from windrow.wrapper.location import Location
    from windrow.wrapper.page_features import PageFeatures
    from windrow.wrapper.rule import Listing, Place, Rule
    from windrow.wrapper.text_search import Resolve

KEY, EXACT_PATH, AROUND = map(COLUMNS.index, ("key", "exact path", "around"))
NUMBERING = re.compile(r"^\W*\d+\s*[.):-]?\s*")
"""The number in front of an item."""


@dataclass(frozen=True)
class ExtractionParameters:
    """What is set by principle; how sure a value is, is fitted."""

    least_likeness: float = 0.33
    """Share of full agreement below which a place is not found: one that has a third in common is another one."""
    most_rivals: int = 6
    """So many of the best candidates are looked at for one with another text: neighbours often repeat the best one."""
    least_words: int = 5
    """Words of a text that reads on through links and bold words; names and figures are shorter."""


PARAMETERS = ExtractionParameters()


@dataclass
class PageReader:
    """One page being read; candidates are described once for all rules."""

    nodes: Nodes
    is_home: bool = True
    """Whether the page has the address that was learned."""
    resolve: Resolve | None = None
    """From a reference on the page to an address in full."""

    @cached_property
    def features(self) -> PageFeatures:
        """The page's columns."""
        return features_of(self.nodes)

    @cached_property
    def _names(self) -> PageNames:
        return PageNames(self.features)

    @cached_property
    def _candidates(self) -> dict[tuple[str, str], Candidates]:
        return {}

    @cached_property
    def _rankings(self) -> dict[int, tuple[Place, Ranking]]:
        return {}

    def candidates(self, tag: str, attribute: str = "") -> Candidates:
        """Return all shown texts, or all elements of a tag that show something or have an attribute."""
        key = tag, attribute
        if key not in self._candidates:
            features = self.features
            if attribute:
                having = self.nodes.attributes.having(attribute)
                found = np.array([node for node in having if self.nodes.tag[node] == tag], dtype=np.intp)
            elif tag == TEXT:
                found = features.texts
            else:
                found = features.showing(self.nodes.tag.where(tag).astype(np.intp))
            self._candidates[key] = Candidates(features, found)
        return self._candidates[key]

    def text_at(self, node: int, location: Location, *, with_struck: bool = True) -> str:
        """Return what a node shows in the way that a place was learned: a text, a part of it, or an attribute.

        What is struck out in it can be left out: it no longer holds.
        """
        if location.attribute:
            value = self.nodes.attributes[node].get(location.attribute, "")
            return address_in(location.attribute, value, node, self.resolve)
        features = self.features
        if with_struck or not has_struck_part(features, node):
            text = features.text_of(node)
        else:
            text = text_that_holds(features, int(features.first_text[node]), int(features.last_text[node]))
        return cut(text, location.prefix, location.suffix, location.part)

    def _text_of(self, node: int, place: Place) -> str:
        return self.text_at(node, place.location, with_struck=place.has_struck_part)

    def compare(self, everything: Iterable[Sought]) -> None:
        """Compare places with the page, all at once: what is read later is then only looked up."""
        for sought in everything:
            location = sought.places[0].location
            candidates = self.candidates(location.steps[-1].tag, location.attribute)
            for place, ranking in zip(sought.places, candidates.rank(sought), strict=True):
                self._rankings[id(place)] = (place, ranking)

    def read(self, rule: Rule, known: Collection[str] = ()) -> Reading | None:
        """Return one label's values by one rule; ``known`` are the folded texts that it was learned from."""
        found = [slot for places in rule.values if (slot := self.read_slot(places, known)) is not None]
        if rule.listing is not None and (listed := self.read_list(rule.listing)) is not None:
            found.append(listed)
        if not found:
            return None
        values = {(value.node, folded(value.text)): value for slot in found for value in slot.values}
        signals = {name: min(slot.signals[name] for slot in found) for name in found[0].signals}
        slots = len(rule.values) + (rule.listing is not None)
        firsts = {(slot.values[0].node, folded(slot.values[0].text)) for slot in found}
        signals["complete"] = len(firsts) / slots
        return Reading(tuple(values.values()), signals | {"agreement": 1.0})

    def find(self, places: Sequence[Place], known: Collection[str] = ()) -> Winner | None:
        """Let the places vote for what they find; None where they find nothing.

        The learned text, found again, says little: a menu shows it on every page. It counts where nothing else does.
        """
        found = self.votes(places)
        if (named := self._vote_by_name(places, known)) is not None and named.node not in {vote.node for vote in found}:
            found.append(named)
        fresh = [
            vote
            for vote in found
            if self.is_home or vote.place.is_labelled or vote.place.is_unique or folded(vote.text) not in known
        ]
        if not found:
            return None
        votes = by_text(fresh or found)
        weights = {text: sum(vote.weight for vote in some) for text, some in votes.items()}
        best, *others = sorted(weights, key=lambda text: -weights[text])
        ranked = sorted(votes[best], key=lambda vote: -vote.weight)
        share = weights[best] / (sum(weights.values()) or 1.0)
        rival = votes[others[0]][0].text if others else ranked[0].rival
        asked = sum(place.worth for place in places if self.is_home or not place.is_local)
        support = sum(vote.place.worth for vote in ranked) / (asked or 1.0)
        whole = [vote for vote in ranked if folded(vote.text) == best]
        return Winner(whole, share, support, rival, self.is_home or best not in known)

    def votes(self, places: Sequence[Place]) -> list[Vote]:
        """Return what each of some places finds; nothing for one that finds nothing."""
        self.compare(seek([place for place in places if id(place) not in self._rankings], is_home=self.is_home))
        return [vote for place in places if (vote := self._locate(place)) is not None]

    def _vote_by_name(self, places: Sequence[Place], known: Collection[str]) -> Vote | None:
        """Return the text of another page that begins with the name in a learned one, wherever it has moved to."""
        place = max(places, key=lambda one: one.worth)
        if self.is_home or not place.own_label or not place.location.is_text:
            return None
        node = self._names.find_beginning(place.own_label, known)
        if node is None or self.features.is_struck(node):
            return None
        likeness = Sought([place]).likeness_to(locate(self.features, node))
        return Vote(place, node, self._text_of(node, place), likeness, likeness, "")

    def read_slot(self, places: Sequence[Place], known: Collection[str] = ()) -> Reading | None:
        """Return one value, or all of them where this page has several in the place of the learned one."""
        winner = self.find(places, known)
        if winner is None:
            return None
        runs = [self._extend(vote) for vote in winner.votes]
        longest = max(range(len(runs)), key=lambda number: len(runs[number]))
        vote = winner.votes[longest]
        values = [
            ReadValue(text, node, winner.rival)
            for node in runs[longest]
            for text in vote.place.values_in(self._text_of(node, vote.place))
            if text
        ]
        signals = {
            "lead": winner.best.lead,
            "likeness": max(one.likeness for one in winner.votes),
            "share": winner.share,
            "support": winner.support,
            "fresh": float(winner.is_fresh),
            "anchored": float(any(self._is_anchored(one) for one in winner.votes)),
            "formatted": float(any(self._is_formatted(one) for one in winner.votes)),
        }
        return Reading(tuple(values), signals) if values else None

    def _extend(self, vote: Vote) -> list[int]:
        """Return the node of a vote, and its likes beside it where the learned one had none."""
        if vote.place.location.attribute:
            return [vote.node]
        if vote.place.is_run or vote.place.is_alone:
            more = following(self.features, vote.node)
            if more or vote.place.is_run:
                return [vote.node, *more]
        if (whole := self._around_all(vote.node, vote.place)) != vote.node:
            return [whole]
        if vote.place.is_kin:
            return self._kin(vote)
        chain = showing_only(self.features, vote.node)
        keys = [int(self.features.key[element]) for element in chain]
        for key in vote.place.single_keys:
            if key in keys and len(kin := kin_of(self.features, chain[keys.index(key)])) > 1:
                kinds = {signs_in(shape(self.features.text_of(one))) for one in kin}
                return kin if len(kinds) == 1 else [vote.node]
        return [vote.node]

    def _kin(self, vote: Vote) -> list[int]:
        """Return the nodes that are siblings of a kind, as all values of the learned page were."""
        chain = showing_only(self.features, vote.node)
        element = next((one for one in chain if int(self.features.key[one]) in vote.place.single_keys), -1)
        return kin_of(self.features, element) if element >= 0 else [vote.node]

    def _is_anchored(self, vote: Vote) -> bool:
        """Whether a value stands at the very place, after its name, or alone in its tags and classes."""
        features, location = self.features, vote.place.location
        if int(features.exact_path[vote.node]) == int(location.row[EXACT_PATH]):
            return True
        if (vote.place.inner_name or is_name(location.before)) and self._names.is_named(vote.node, vote.place):
            return True
        path = features.key_path[vote.node]
        return vote.place.is_unique and int(path) == location.key_path and int((features.key_path == path).sum()) == 1

    def _is_formatted(self, vote: Vote) -> bool:
        """Whether a value has figures and words where the learned one had some."""
        if not vote.place.location.is_text:
            return True
        here, learned = shape(self.features.text_of(vote.node)), vote.place.location.shape
        return signs_in(here) == signs_in(learned)

    def _locate(self, place: Place) -> Vote | None:
        """Return the node most like a place; where there is none, inline elements are forgiven."""
        if id(place) not in self._rankings:
            return None
        found = self._choose(place, self._rankings[id(place)][1])
        if found is None and place.location.is_text:
            found = self._choose(place, self.candidates(TEXT).rank(forgiving(place))[0])
            if found is not None and not self._names.is_named(found.node, place):
                return None
        return found

    def _choose(self, place: Place, ranking: Ranking) -> Vote | None:
        """Return the likest node, of those with the learned label where there was one; none that is itself a label."""
        ranking = self._names.where_named(ranking, place)
        best = ranking.best(PARAMETERS.most_rivals)
        if not place.is_struck and any(self.features.is_struck(ranking.nodes[one]) for one in best):
            ranking = ranking.where([not self.features.is_struck(node) for node in ranking.nodes])
            best = ranking.best(PARAMETERS.most_rivals)
        if not best:
            return None
        node, likeness = ranking.nodes[best[0]], ranking.scores[best[0]]
        if likeness < PARAMETERS.least_likeness or self._is_of_another(node, place.location):
            return None
        if self._is_classed_otherwise(node, place.location) or self._is_followed(node, place):
            return None
        text = self._text_of(self._around_all(node, place), place)
        if not text or not folded(text).startswith(place.own_label) or self._is_name(text, place.location):
            return None
        if place.location.is_text and text in (place.location.before, place.location.after):
            return None  # its neighbour has moved up: the value is not there
        rival, lead = self._rival(ranking, best, place.location)
        # Where another text agrees as well, nothing tells which of them is meant.
        return Vote(place, node, text, likeness, lead, rival) if lead > 0 else None

    def _around_all(self, node: int, place: Place) -> int:
        """Return the element around a text that reads on through links and bold words; where it does not, the text.

        The learned text was all that its element showed. On another page a link in its midst parts it.
        """
        features, steps = self.features, place.location.steps
        if not place.is_filling or place.location.shape.count(LETTERS) < PARAMETERS.least_words:
            return node
        element = int(features.up[node])
        while element > 0 and features.is_inline[element] and features.key[element] != steps[-2].key:
            element = int(features.up[element])
        inside = features.texts[features.first_text[element] : features.last_text[element]].tolist()
        if features.key[element] != steps[-2].key or len(inside) == 1:
            return node
        is_line = all(
            features.block[features.rank_of(text)] == features.block[features.rank_of(node)] for text in inside
        )
        reads_on = any(self._is_of_line(text, node, element) for text in inside if text != node)
        return element if is_line and reads_on and not self._is_broken(element) else node

    def _is_broken(self, element: int) -> bool:
        """Whether a line break parts what an element shows."""
        return any(self.nodes.tag[node] == "br" for node in range(element + 1, int(self.nodes.end[element])))

    def _is_of_line(self, text: int, node: int, element: int) -> bool:
        """Whether a text in an element belongs to the line of another: it stands there plain, or begins the line."""
        shown_text = self.features.text_of(text)
        begins = text < node and not shown_text.endswith(COLONS)
        return LETTERS in shape(shown_text) and (begins or int(self.features.up[text]) == element)

    @staticmethod
    def _is_name(text: str, location: Location) -> bool:
        """Whether a text names what comes after it, where the learned one did not."""
        return location.is_text and text.endswith(COLONS) and not location.shape.endswith(COLONS)

    def _is_of_another(self, node: int, location: Location) -> bool:
        """Whether a cell is headed by another name than the learned one, and figures or words are not as in it."""
        features, rank = self.features, self.features.rank_of(node)
        if not (rank and location.before and location.is_text) or features.text_before(rank) == location.before:
            return False
        format_here, learned = shape(features.words[rank]), location.shape
        if signs_in(format_here) == signs_in(learned):
            return False
        cell = self._around(node, {"td", "dd"})
        named = features.texts[: features.before[rank]][-1:].tolist()
        return cell > 0 and any(self._around(text, {"th", "dt"}, int(features.up[cell])) > 0 for text in named)

    def _is_followed(self, node: int, place: Place) -> bool:
        """Whether more of a kind follow where the learned one was the last: that may be meant, or the number."""
        is_named = place.is_labelled or bool(place.caption.column)
        return place.is_last and not is_named and bool(count_kin_after(self.features, node))

    def _is_classed_otherwise(self, node: int, location: Location) -> bool:
        """Whether an element has none of the learned one's classes but others, where those around it are the same.

        So an old price is told from the only one. Where all classes are new, as build tools make them, they say
        nothing.
        """
        own, around = location.steps[-1 - location.is_text :][:1], location.steps[: -1 - location.is_text]
        element = int(self.features.up[node]) if location.is_text else node
        here = set(steady_class(self.features.classes.get(element, "")).split())
        learned = set(own[0].names.split()) if own else set()
        if not here or not learned or here & learned:
            return False
        known = next((step for step in reversed(around) if step.names), None)
        above = int(self.features.up[element])
        while above > 0 and above not in self.features.classes:
            above = int(self.features.up[above])
        if known is None or not above:
            return known is None and not above  # neither has a class around it: these are the page's only names
        return int(self.features.key[above]) == known.key

    def _around(self, node: int, tags: set[str], within: int | None = None) -> int:
        """Return the nearest element of certain tags around a node, or 0; with ``within``, a child of that."""
        while node > 0 and self.nodes.tag[node] not in tags:
            node = int(self.nodes.parent[node])
        return node if within is None or (node > 0 and self.nodes.parent[node] == within) else 0

    def _rival(self, ranking: Ranking, best: list[int], location: Location) -> tuple[str, float]:
        """Return the next candidate with another text, and by how much it is behind."""
        first, *others = best
        read = self.features.text_of if not location.attribute else lambda node: self.text_at(node, location)
        own = folded(read(ranking.nodes[first]))
        for other in others:
            text = read(ranking.nodes[other])
            if folded(text) != own:
                return text, ranking.scores[first] - ranking.scores[other]
        return "", ranking.scores[first]

    def read_list(self, listing: Listing) -> Reading | None:
        """Return the items of the element around a list."""
        winner = self.find(listing.around) or self._find_groups(listing)
        if winner is None:
            return None
        around = winner.best.node
        items = [
            item
            for one in self._alike(around, listing)
            for item in items_below(self.features, one, listing.ways).tolist()
        ]
        texts = [self.features.text_of(item).removeprefix(listing.mark).strip() for item in items]
        shown_items = [NUMBERING.sub("", text) for text in texts] if listing.is_numbered else texts
        values = tuple(ReadValue(text, item) for text, item in zip(shown_items, items, strict=True) if text)
        signals = dict.fromkeys(("fresh", "formatted", "anchored"), 1.0) | {
            "lead": winner.best.lead,
            "likeness": winner.best.likeness,
            "share": winner.share,
            "support": winner.support,
        }
        return Reading(values, signals) if values else None

    def _find_groups(self, listing: Listing) -> Winner | None:
        """Return the first of several groups of a list, none of which leads, where the learned one was the only one."""
        paths = self.features.key_path
        for place in listing.around if listing.is_single else ():
            ranking = self._rankings[id(place)][1] if id(place) in self._rankings else Ranking([], [])
            best = next(iter(ranking.best(1)), None)
            if best is None or not place.location.has_class or not self._is_called_like(ranking.nodes[best], place):
                continue
            node, likeness = ranking.nodes[best], ranking.scores[best]
            others = [
                score for one, score in zip(ranking.nodes, ranking.scores, strict=True) if paths[one] != paths[node]
            ]
            lead = likeness - max(others, default=0.0)
            if lead > 0 and likeness >= PARAMETERS.least_likeness:
                return Winner([Vote(place, node, self.features.text_of(node), likeness, lead, "")], 1.0, 1.0, "")
        return None

    def _is_called_like(self, node: int, place: Place) -> bool:
        """Whether an element and the nearest one with a name above it are called as a learned place and its."""
        learned = place.location.row
        return bool(self.features.key[node] == learned[KEY]) and bool(self.features.around[node] == learned[AROUND])

    def _alike(self, around: int, listing: Listing) -> list[int]:
        """Return the elements in the same tags and classes, where the learned one was the only one.

        That they are called like the learned one is told by the names nearest to it: those far above are often the
        page's own.
        """
        alike = self.candidates(self.nodes.tag[around])
        paths = self.features.key_path
        if not listing.is_single or not any(self._is_called_like(around, place) for place in listing.around):
            return [around]
        return [int(node) for node in alike.nodes[paths[alike.nodes] == paths[around]]]


def seek(places: Iterable[Place], *, is_home: bool) -> list[Sought]:
    """Put together what can be looked for at once; doubtful places only on the page where they were learned."""
    by_tag: dict[tuple[str, str], list[Place]] = {}
    for place in places:
        if is_home or not place.is_local:
            by_tag.setdefault((place.location.steps[-1].tag, place.location.attribute), []).append(place)
    return [Sought(alike) for alike in by_tag.values()]
