"""What a page calls its texts: by a name before a text, within it, above its column, or in its row.

Of the candidates for a place only those count that are called as the learned value was, where it was called anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from windrow.wrapper.captions import captions_of
from windrow.wrapper.naming import is_name, name_of
from windrow.wrapper.normalization import folded

if TYPE_CHECKING:
    from collections.abc import Collection

    from windrow.wrapper.captions import Captions
    from windrow.wrapper.matching import Ranking
    from windrow.wrapper.page_features import PageFeatures
    from windrow.wrapper.rule import Place

NAME_TEXTS = 2  # not a decision: the name and its colon
"""Texts that a name at the beginning of an element may be made of."""


@dataclass(frozen=True, eq=False)
class PageNames:
    """The names of one page's texts."""

    features: PageFeatures

    @cached_property
    def _captions(self) -> Captions:
        return captions_of(self.features)

    @cached_property
    def _folded(self) -> list[str]:
        """The shown texts in the form in which they are compared."""
        return list(map(folded, self.features.words))

    def is_named(self, node: int, place: Place) -> bool:
        """Whether what stands before a value is what stood before the learned one, where that was a name."""
        if place.inner_name:
            return self._begins_with(node, place.inner_name)
        first, before = int(self.features.first_text[node]), place.location.before
        if not is_name(before):
            return True
        return name_of(self.features.text_before(first)) == name_of(before)

    def where_named(self, ranking: Ranking, place: Place) -> Ranking:
        """Keep the candidates that the page calls as it called the learned value, where it called it anything."""
        if place.is_labelled:
            ranking = self._with_label(ranking, place.location.before)
        elif place.location.rank == 1 and is_name(place.location.before):
            ranking = self._behind_name(ranking, place.location.before)
        ranking = self._without_longer_words(ranking, place)
        if place.inner_name:
            ranking = self._with_inner_name(ranking, place.inner_name)
        if place.own_label:
            ranking = ranking.where([self._begins_with(node, place.own_label) for node in ranking.nodes])
        if self._captions.tells(place.caption):
            return ranking.where([self._captions.fits(place.caption, node) for node in ranking.nodes])
        return ranking

    def find_beginning(self, name: str, known: Collection[str]) -> int | None:
        """Return the text of the page that begins with a name, wherever it stands; None where several do.

        ``known`` are learned texts in their folded form, which do not count: a menu repeats them with their names.
        """
        named = {text: rank for rank, text in enumerate(self._folded) if text.startswith(name) and text not in known}
        return int(self.features.texts[next(iter(named.values()))]) if len(named) == 1 else None

    def _begins_with(self, node: int, name: str) -> bool:
        """Whether what a node shows begins with a name, which may stand in an element of its own."""
        return folded(self._begin_of(node)).startswith(name)

    def _without_longer_words(self, ranking: Ranking, place: Place) -> Ranking:
        """Keep the candidates that begin with no longer word than the one before the learned value.

        Cut off "Weightlessness", what was read behind "Weight" would be "lessness".
        """
        prefix = place.location.prefix
        if place.location.attribute or not prefix[-1:].isspace() or not prefix.rstrip()[-1:].isalpha():
            return ranking
        name = folded(prefix)
        return ranking.where([not self._runs_on(node, name) for node in ranking.nodes])

    def _runs_on(self, node: int, name: str) -> bool:
        """Whether a node begins with a name, the last word of which goes on with more letters."""
        begin = ""
        for word in self._begin_of(node).split():
            begin += folded(word)
            if len(begin) >= len(name):
                break
        return begin.startswith(name) and begin[len(name) : len(name) + 1].isalpha()

    def _begin_of(self, node: int) -> str:
        """Return the beginning of what a node shows."""
        first, last = int(self.features.first_text[node]), int(self.features.last_text[node])
        return " ".join(self.features.words[first : min(last, first + NAME_TEXTS)])

    def _with_label(self, ranking: Ranking, label: str) -> Ranking:
        """Keep the candidates that a label stands before."""
        name, features = name_of(label), self.features
        firsts = map(int, features.first_text[ranking.nodes])
        return ranking.where([name_of(features.text_before(first)) == name for first in firsts])

    def _behind_name(self, ranking: Ranking, name: str) -> Ranking:
        """Keep the candidates whose block begins with the learned one's name, where another one has its position."""
        named = self._with_label(ranking, name)
        ranks = self.features.rank_in_block(self.features.first_text[named.nodes].astype("intp"))
        named = named.where((ranks == 1).tolist())
        is_shifted = bool(named.nodes) and ranking.nodes[ranking.best(1)[0]] not in named.nodes
        return named if is_shifted else ranking

    def _with_inner_name(self, ranking: Ranking, name: str) -> Ranking:
        """Keep the candidates that begin with the name that the learned text stood behind, if there are any."""
        named = ranking.where([self._begins_with(node, name) for node in ranking.nodes])
        return named if named.nodes else ranking
