"""How the data files of the top-k reader are made: the title classifier, the ranker's weights, the isA table."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

import windrow
from windrow import toplist
from windrow.toplist.features import read_features
from windrow.toplist.isa import FILE as ISA_FILE
from windrow.toplist.isa import PLACE, hash_pair, pack_pairs
from windrow.toplist.language import Language, choose_language
from windrow.toplist.model import FILE as MODEL_FILE
from windrow.toplist.phrase import Phrase, find_phrase, is_superlative
from windrow.toplist.ranker import FILE as RANKER_FILE
from windrow.toplist.tokens import Mention, Token, find_mentions, split_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

PACKAGE = Path(toplist.__file__).parent
Example = tuple[list[str], int, float]
"""The features of one number, whether it is a promise, and how much the example counts."""

# ---- titles --------------------------------------------------------------------------------------------------------

NEWS = frozenset({"chakraborty_non_clickbait", "fb_cnn", "hackernews"})
COUNTING_NEWS = "chakraborty_non_clickbait"
"""News only: a number that opens a headline counts what happened."""
LISTICLES = frozenset({"chakraborty_clickbait", "fb_buzzfeed"})
"""Sources whose headlines open with a number only where a list follows."""
EPOCHS, RATE, SHRINK, LEAST_SEEN, LEAST_WEIGHT = 12, 0.3, 5e-4, 3, 0.02
RARE = 4.0
"""How much what is rare in headlines counts: mentions of a top ten, plans in five steps."""


def train_titles(folder: Path) -> None:
    """Label the headlines weakly, fit the classifier, and write its weights."""
    examples: list[Example] = []
    for line in (folder / "headlines.tsv").read_text("utf-8").splitlines():
        source, _, title = line.partition("\t")
        examples += label_title(source, title)
    weights = fit_titles(examples)
    text = json.dumps(dict(sorted(weights.items())), ensure_ascii=False, separators=(",", ":"))
    (PACKAGE / MODEL_FILE).write_text(f"{text}\n", "utf-8")
    print(
        f"{len(examples):,} numbers, {sum(label for _, label, _ in examples):,} of them promises; "
        f"{len(weights):,} weights"
    )


def label_title(source: str, title: str) -> list[Example]:
    """Label the numbers of a headline by the paper's rules and by where it comes from; doubtful ones are left out."""
    language = choose_language(title.split())
    tokens = split_tokens(title, language)
    numbers = []
    for mention in find_mentions(title, tokens, language):
        phrase = find_phrase(tokens, mention.after, language)
        numbers.append((mention, phrase, read_features(tokens, mention, phrase, language)))
    part = any("part of" in names for _, _, names in numbers)
    examples: list[Example] = []
    for mention, phrase, names in numbers:
        unit = "unit" in names or "head unit" in names
        if follows_rule(tokens, mention, phrase, language) and not unit:
            promise = int("after mention" not in names and not part)
            examples.append((names, promise, 1.0 if promise and "hyphen step" not in names else RARE))
            if promise and "after top" in names:  # the second rule: the same without "top"
                examples.append(
                    ([name for name in names if name not in {"after top", "before=top", "top opens"}], 1, 1.0)
                )
        elif (label := label_by_source(source, phrase, set(names), unit=unit)) is not None:
            examples.append((names, *label))
    return examples


def follows_rule(tokens: list[Token], mention: Mention, phrase: Phrase, language: Language) -> bool:
    """Say whether a number stands as in "top 10", "10 best", "10 most loved", and two more: "best 10", "10-step"."""
    before = tokens[mention.place - 1].word if mention.place else ""
    start, end = phrase.criterion
    if before in language.top and phrase.head >= 0:
        return True
    if (
        end > start
        and (is_superlative(tokens[start].word, language) or tokens[start].word in language.most)
        and phrase.plural
    ):
        return True
    if before and is_superlative(before, language) and phrase.plural and phrase.head == mention.after:
        return True
    return mention.hyphen and mention.after < len(tokens) and tokens[mention.after].word in language.steps


def label_by_source(source: str, phrase: Phrase, names: set[str], *, unit: bool) -> tuple[int, float] | None:
    """Label what the rules do not decide: a number that opens a headline is no negative but in the news."""
    if "own" in names:
        return 1, 2.0
    if unit or "after top" in names:
        return 0, 1.0
    if "opening=True" in names:
        if source in LISTICLES and phrase.plural:
            return 1, 1.0
        return (0, 2.0) if source == COUNTING_NEWS else None
    if "head listed" in names:
        return 1, 0.5
    return None if "head generic" in names and source not in NEWS else (0, 1.0)


def fit_titles(examples: Sequence[Example]) -> dict[str, float]:
    """Fit a logistic regression by AdaGrad, averaged over the epochs, and drop weights that hardly count."""
    seen = Counter(name for names, _, _ in examples for name in set(names))
    number = {name: place for place, name in enumerate(name for name in seen if seen[name] >= LEAST_SEEN)}
    rows = [np.array(sorted({number[name] for name in names if name in number})) for names, _, _ in examples]
    weights, squares, total = (np.full(len(number), value) for value in (0.0, 1e-6, 0.0))
    shuffle = np.random.default_rng(0)
    order = np.arange(len(rows))
    for _ in range(EPOCHS):
        shuffle.shuffle(order)
        for place in order.tolist():
            row, (_, label, counts) = rows[place], examples[place]
            chance = 1 / (1 + np.exp(-np.clip(weights[row].sum(), -30, 30)))
            step = (chance - label) * counts + SHRINK * weights[row]
            squares[row] += step * step
            weights[row] -= RATE * step / np.sqrt(squares[row])
        total += weights
    mean = total / EPOCHS
    return {name: round(float(mean[place]), 3) for name, place in number.items() if abs(mean[place]) >= LEAST_WEIGHT}


# ---- the ranker ----------------------------------------------------------------------------------------------------

FOLDS, STEPS, PULL, PACE = 5, 400, 0.02, 0.3
Page = tuple[NDArray[np.float64], NDArray[np.bool_], int]
"""The evidence of a page's candidates, which of them are right, and its fold."""


def tune_ranker(cases: Sequence[tuple[dict[str, Any], str, list[set[str]]]], matches: Callable[..., bool]) -> None:
    """Fit the weights so that right candidates beat the others of their page; say what folds of other sites give."""
    pages: list[Page] = []
    columns: list[str] = []
    for row, html, gold in cases:
        evidence = windrow.parse(html, url=row["url"]).toplist_reading.evidence if row["is_topk"] else None
        if evidence is None:
            continue
        columns = list(evidence.columns)
        named = [[evidence.names[place] for place in candidate.lines] for candidate in evidence.candidates]
        right = np.array([matches(names, gold) or matches(names[::-1], gold) for names in named])
        pages.append((evidence.matrix(columns), right, zlib.crc32(urlsplit(row["url"]).netloc.encode()) % FOLDS))
    stacked = np.concatenate([page[0] for page in pages])
    centre, spread = stacked.mean(axis=0), stacked.std(axis=0) + 1e-6
    scaled = [((evidence - centre) / spread, right, fold) for evidence, right, fold in pages]
    held_out = sum(
        count_right(fit_ranker([p for p in scaled if p[2] != fold]), [p for p in scaled if p[2] == fold])
        for fold in range(FOLDS)
    )
    weights = fit_ranker(scaled)
    print(
        f"{len(pages)} pages: {held_out} right on sites left out, "
        f"{count_right(weights, scaled)} on those it was tuned on"
    )
    written = {"bias": round(float(-(weights * centre / spread).sum()), 3)}
    written |= {name: round(float(value), 3) for name, value in zip(columns, weights / spread, strict=True)}
    (PACKAGE / RANKER_FILE).write_text(json.dumps(written, indent=0) + "\n", "utf-8")


def fit_ranker(pages: Sequence[Page]) -> NDArray[np.float64]:
    """Maximise the share of the right candidates of each page by Adam, with a pull towards zero."""
    usable = [(evidence, right) for evidence, right, _ in pages if right.any()]
    weights = np.zeros(usable[0][0].shape[1])
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        slope = PULL * weights
        for evidence, right in usable:
            scores = evidence @ weights
            odds = np.exp(scores - scores.max())
            wanted = np.where(right, odds, 0.0)
            slope = slope + (odds / odds.sum() - wanted / wanted.sum()) @ evidence / len(usable)
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        pace = PACE / (1 + step / 100)
        weights = weights - pace * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return weights


def count_right(weights: NDArray[np.float64], pages: Sequence[Page]) -> int:
    """Count the pages whose best candidate is a right one."""
    return sum(bool(right[int((evidence @ weights).argmax())]) for evidence, right, _ in pages)


# ---- what is a what ------------------------------------------------------------------------------------------------

STEPS_UP = 4
FEWEST, MOST = 3, 6000
"""How many instances a concept must have, and may: what holds of everything says nothing."""
FARTHEST = 12
SHORTEST = 2
Synset = tuple[list[str], list[str], bool]
"""The lemmas, the synsets above, and whether it is a single thing."""


def derive_isa(folder: Path) -> None:
    """Write pairs of a noun and what it is a kind or an instance of, from WordNet's database files."""
    synsets = dict(read_synsets(folder / "data.noun"))
    instances = Counter[str]()
    rows = []
    for name, (lemmas, _, single) in synsets.items():
        above = {word for each in climb(synsets, name, STEPS_UP) for word in synsets[each][0] if word.isalpha()}
        rows.append((lemmas, above, single and is_place(synsets, name)))
        instances.update({word: len(lemmas) for word in above})
    pairs = {
        hash_pair(lemma, word)
        for lemmas, above, _ in rows
        for lemma in lemmas
        for word in above
        if FEWEST <= instances[word] <= MOST and len(lemma) > SHORTEST
    }
    pairs |= {hash_pair(lemma, PLACE) for lemmas, _, place in rows if place for lemma in lemmas}
    (PACKAGE / ISA_FILE).write_bytes(pack_pairs(pairs))
    print(f"{len(synsets):,} synsets, {len(pairs):,} pairs")


def read_synsets(file: Path) -> Iterator[tuple[str, Synset]]:
    """Read the nouns: offset, lemmas in lower case, hypernyms."""
    for line in file.read_text("utf-8").splitlines():
        if line.startswith("  "):
            continue
        fields = line.partition(" | ")[0].split()
        count = int(fields[3], 16)
        lemmas = [fields[4 + 2 * at].lower().replace("_", " ") for at in range(count)]
        start = 4 + 2 * count
        pointers = [(fields[start + 1 + 4 * at], fields[start + 2 + 4 * at]) for at in range(int(fields[start]))]
        above = [target for sign, target in pointers if sign in {"@", "@i"}]
        yield fields[0], (lemmas, above, any(sign == "@i" for sign, _ in pointers))


def climb(synsets: dict[str, Synset], name: str, steps: int) -> set[str]:
    """Give the synsets at most so many steps above one."""
    found: set[str] = set()
    level = {name}
    for _ in range(steps):
        level = {above for each in level for above in synsets[each][1]} - found
        found |= level
    return found


def is_place(synsets: dict[str, Synset], name: str) -> bool:
    """Say whether something is somewhere: a country, a city, a river's basin."""
    return any({"location", "region"} & set(synsets[each][0]) for each in climb(synsets, name, FARTHEST))
