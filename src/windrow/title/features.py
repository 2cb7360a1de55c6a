"""What speaks for and against a candidate, as numbers from 0 to about 1, each with a name that says what it is."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from windrow.title.address import to_letters
from windrow.title.context import WORD, Context, Grams, alike, grams, most_alike
from windrow.title.evidence import fold
from windrow.title.generic import is_generic, starts_generic

if TYPE_CHECKING:
    from windrow.title.candidates import Found

DOMAIN = re.compile(r"\w\.(?:com|net|org|info|biz|eu|[a-z]{2})\b", re.IGNORECASE)
UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
"""Letters of scripts that write no spaces: Thai, Lao, Japanese, Chinese."""
LIKE_DASH = dict.fromkeys(("arrow", "dot", "underscore", "bracket"), "dash")
"""Marks that are too rare to be weighed by themselves."""
SAME = 0.95
NEARLY = 0.85
SITE = 0.7
"""How much a text must be the site's name to count as it."""
SHORT = 4
SHARED = 0.2
"""The share of pairs in common below which texts without spaces are strangers."""
FAMILIES = {"twitter": "og", "meta": "og", "name": "", "piece": "", "styled": "", "crumb": "", "own": "", "large": ""}
MOST_FAMILIES = 4
OFTEN = 3.0
MANY_COMMAS = 4

Features = dict[str, float]


def read_features(found: Found, context: Context, parts: list[float]) -> Features:
    """Give the features of one candidate; ``parts`` says how much each part of the title tag is the site's name."""
    values: Features = dict(found.places)
    pairs, letters = grams(found.key), to_letters(found.text)
    _read_tag(values, found, context, parts)
    _read_agreement(values, found, context)
    values["like tag"] = alike(pairs, context.tag_grams)
    values["like og"] = alike(pairs, context.og_grams)
    values["like h1"] = most_alike(pairs, context.h1_grams)
    values["document"] = document = alike(letter_pairs := grams(letters), context.document)
    values["query"] = query = most_alike(letter_pairs, context.queries)
    values["address same"] = max(document, query) > NEARLY
    values["address covered"] = _share(context.document, letter_pairs)
    values["within address"] = _share(letter_pairs, context.document)
    values["program"] = alike(letter_pairs, context.program)
    values["host"] = host = context.score_host(letters, found.text)
    values["name"] = name = most_alike(pairs, context.names)
    values["copyright"] = most_alike(pairs, context.owners)
    values["host same"] = host > SAME
    values["name same"] = name > SAME
    values["site"] = max(host, name) > SITE
    values["h1 is name"] = "h1" in found.places and max(host, name) > SAME
    _read_words(values, found)
    return values


def _share(part: Grams, whole: Grams) -> float:
    return len(part & whole) / len(part) if part else 0.0


def _read_tag(values: Features, found: Found, context: Context, parts: list[float]) -> None:
    """Look at the parts of the title tag inside and outside of the candidate."""
    if found.run is None:
        values["within tag"] = found.key in context.tag
        values["not in tag"] = bool(context.tag) and found.key not in context.tag
        return
    first, last = found.run
    tag, end = context.evidence.tag, len(parts) - 1
    rest = parts[:first] + parts[last + 1 :]
    values["rest is site"] = any(part > SITE for part in rest)
    values["rest is other"] = math.log1p(sum(part <= SITE for part in rest))
    values["keeps site"] = last > first and any(part > SITE for part in parts[first : last + 1])
    values["tag last clean"] = last == end and bool(rest) and min(rest) > SITE
    for cut in sorted(found.cuts):
        values[f"cut at {LIKE_DASH.get(cut, cut)}"] = 1.0
    if (first == 0) != (last == end):
        other = fold(tag.run(last + 1, end) if first == 0 else tag.run(0, first - 1))
        values["other is h1"] = other in context.h1
        values["other is h2"] = other in context.lower


def _read_agreement(values: Features, found: Found, context: Context) -> None:
    """Look at who else on the page says the same, or more, or less."""
    key, places = found.key, found.places
    families = {FAMILIES.get(place.partition(" ")[0], place[0]) for place in places}
    values["agreement"] = len(families - {""}) / MOST_FAMILIES
    values["within h1"] = any(key in heading and key != heading for heading in context.h1)
    values["contains h1"] = any(heading in key and key != heading for heading in context.h1 if len(heading) >= SHORT)
    if "h1" in places:
        values["h1 strange"] = _is_strange(key, context)
        values["h1 only"] = context.headings == 1
        values["h1 only clear"] = context.clear == 1 and "h1 clear" in places
    if not context.h1:
        values["h2 for h1"] = places.get("h2 clear", 0.0)
    values["contains og"] = bool(context.og) and context.og in key and key != context.og
    count = context.evidence.texts[key] - ("tag whole" in places)
    values["stands alone"] = count > 0
    values["stands often"] = min(math.log1p(max(count, 0)), OFTEN) / OFTEN
    values["elsewhere"] = _score_elsewhere(found, context)


def _is_strange(key: str, context: Context) -> bool:
    """Say whether a heading has nothing in common with the title tag and og:title."""
    if not context.words or key in context.tag or key in context.og:
        return False
    if UNSPACED.search(key):
        own = grams(key)
        return len(own & (context.tag_grams | context.og_grams)) < SHARED * len(own)
    return context.words.isdisjoint(WORD.findall(key))


def _score_elsewhere(found: Found, context: Context) -> float:
    """Say whether other pages of the site have the same (1), or a part of it (1/2)."""
    elsewhere = context.evidence.elsewhere
    if not elsewhere or found.key in elsewhere:
        return float(found.key in elsewhere)
    first, last = found.run or (0, -1)
    tag = context.evidence.tag
    return 0.5 * any(fold(tag.run(place, place)) in elsewhere for place in range(first, last + 1))


def count_words(text: str) -> int:
    """Count words; where a script writes no spaces, two characters make one."""
    count = len(text.split())
    return count if text.isascii() else count + len(UNSPACED.findall(text)) // 2


def _read_words(values: Features, found: Found) -> None:
    """Look at the text itself."""
    text = found.text
    words = count_words(text)
    values["generic"] = is_generic(found.key)
    values["generic start"] = starts_generic(found.key)
    values["one word"] = words == 1
    values["words"] = math.log1p(words) / 3
    values["short"] = len(text) < SHORT
    values["commas"] = min(text.count(","), MANY_COMMAS) / MANY_COMMAS
    values["domain"] = DOMAIN.search(text) is not None
    values["lower"] = text[0].islower()
