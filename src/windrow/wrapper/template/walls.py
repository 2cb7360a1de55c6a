"""Is this a page of the template at all? Log-in, consent, captcha, paywall, an error or an empty result are not.

A wall in the site's own frame has its header, menu and footer, and often its main heading, but not the record: the
elements and texts that stand around the values and nowhere else. So the record decides. What a wall says decides only
what the page is called, and only by texts that are not part of the frame: "Log in" stands in the header of many pages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from windrow.wrapper.template.surroundings import Surroundings, Traces

PageKind = Literal["page", "wall", "other", "empty"]


@dataclass(frozen=True)
class WallParameters:
    """When a page counts as one of the template; set by principle."""

    least_presence: float = 0.3
    """Share of the record's elements or texts that a page of the template shows: one that lacks more than two thirds
    of both is another page."""
    most_presence: float = 0.8
    """The same, where a value reads like a wall: one that leaves parts of the record in place."""
    least_known: int = 3
    """With fewer elements and texts than this nothing is known of the record."""
    least_read: float = 0.5
    """Where more of the labels than this are read, and more than one, the record is there however little is left of
    its surroundings."""
    most_lost: int = 2
    """Where fewer than one label of so many is read, a page that speaks like a wall must show most of the record."""
    wall_length: int = 2500
    """A wall in front of the page has fewer characters than this: a screen or two, with its small print."""
    mention_length: int = 800
    """So many, where its words stand in the margin of other pages too and it asks for no password."""
    least_error: int = 400
    """From this status on a server says that there is no page."""


PARAMETERS = WallParameters()
WALL = re.compile(
    r"access denied|forbidden|captcha|are you (?:a )?(?:human|robot)|unusual traffic|just a moment"
    r"|checking your browser|enable javascript|error \d{3}|too many requests|subscribe to (?:continue|read)"
    r"|zugriff verweigert|accès refusé|acceso denegado|accesso negato|acesso negado|доступ запрещ[её]н"
    r"|アクセスが拒否|拒绝访问|접근이 거부",
    re.IGNORECASE,
)
"""What only a wall says."""
ABSENCE = re.compile(
    r"not (?:be )?found|no longer (?:available|exists?)|does not exist|nicht gefunden|nicht mehr verfügbar|introuvable"
    r"|no encontrad[ao]|non trovat[ao]|não encontrad[ao]|niet gevonden|nie znaleziono|не найден|見つかりません|找不到"
    r"|찾을 수 없|tidak ditemukan|bulunamad",
    re.IGNORECASE,
)
"""What a page says that stands for one that there is not."""
PHRASE = re.compile(
    rf"{ABSENCE.pattern}|log ?[io]n\b|sign ?in\b|(?:page|item) (?:is )?unavailable|temporarily unavailable"
    r"|(?:something|went) wrong|an error (?:has )?occurred|anmelden|einloggen|nicht verfügbar|se connecter|indisponible"
    r"|iniciar sesión|no disponible|accedi|inloggen|zaloguj|войти|ログイン|登录|로그인|masuk|giriş yap",
    re.IGNORECASE,
)
"""What a wall says, and the margin of many a page too, but hardly a value."""
MENTION = re.compile(
    r"subscri(?:be|ption)|abonnieren|consent|privacy|cookies?|connexion|unavailable|temporarily"
    r"|(?<![\w.,])(?:403|404|410|429|500|502|503)(?![.,]?\w)",
    re.IGNORECASE,
)
"""What a wall mentions, and other pages too."""
EMPTY = re.compile(
    r"\b(?:no|0) (?:\w+ )?(?:results?|matches|items|entries|hits|records)\b|nothing (?:was )?found|did not match"
    r"|keine (?:treffer|ergebnisse|einträge)|aucun résultat|sin resultados|ningún resultado|no se encontraron"
    r"|nessun risultato|nenhum resultado|geen resultaten|inga träffar|ingen treff|brak wyników|ничего не найдено"
    r"|нет результатов|該当する.{0,8}ありません|没有(?:找到)?.{0,6}结果|검색 결과가 없|tidak ada hasil|sonuç bulunamad",
    re.IGNORECASE,
)
"""What a search says that found nothing."""
SENTENCES: dict[PageKind, str] = {
    "page": "",
    "wall": "The page shows a wall or an error instead of its content. Open it in a browser and see what it asks for.",
    "empty": "The page shows no record: its list or search is empty. Look whether that is so, or ask for another page.",
    "other": (
        "The page does not show the record that was learned, nor what stood around it. Look whether it is a page of "
        "this kind; if its template changed, heal the wrapper or learn it again."
    ),
}


def find_kind(
    page: Traces, surroundings: Surroundings, read: Mapping[str, Sequence[str]], status: int | None = None
) -> PageKind:
    """Return what a page is, given the values that were read from it."""
    is_refused = status is not None and status >= PARAMETERS.least_error
    if has_record(page, surroundings, read, is_refused=is_refused):
        return "page"
    return "wall" if is_refused else name_other(page, surroundings)


def has_record(
    page: Traces, surroundings: Surroundings, read: Mapping[str, Sequence[str]], *, is_refused: bool
) -> bool:
    """Whether the record is on a page; where the server says that there is no page, both signs must say that it is."""
    found = [texts for texts in read.values() if texts]
    are_read = len(found) > max(1, PARAMETERS.least_read * len(surroundings.labels))
    if are_read and not is_refused:
        return True
    if len(surroundings.pairs) + len(surroundings.texts) < PARAMETERS.least_known:
        return bool(found) or not is_refused
    is_spoken = any(says(text, WALL, PHRASE, EMPTY) for texts in found for text in texts)
    least = PARAMETERS.most_presence if is_spoken else PARAMETERS.least_presence
    if 1 < len(surroundings.labels) > PARAMETERS.most_lost * len(found) and name_other(page, surroundings) == "wall":
        least = PARAMETERS.most_presence  # a heading and a paragraph are on every page
    is_there = (surroundings.presence(page) or 0.0) >= least
    return is_there and (bool(found) or not is_refused)


def name_other(page: Traces, surroundings: Surroundings) -> PageKind:
    """Return what a page without the record is, by what it says beside the frame."""
    words = [
        words for words, code in zip(page.features.words, page.codes, strict=True) if code not in surroundings.frame
    ]
    text = " ".join(words)
    asks = "password" in page.features.nodes.attributes.having("type").values()
    if not text:
        return "wall" if asks else "empty"
    if len(text) >= PARAMETERS.wall_length:
        return "other"
    if says(text, EMPTY):
        return "empty"
    mentions = asks or len(text) < PARAMETERS.mention_length
    if says(text, WALL) or (mentions and says(text, PHRASE, MENTION)):
        return "wall"
    return "other"


def says(text: str, *patterns: re.Pattern[str]) -> bool:
    """Whether a text says any of some things."""
    return any(pattern.search(text) is not None for pattern in patterns)
