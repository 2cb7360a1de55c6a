"""The detail pages of the data folder with their known values, and how a text is compared with a known one."""

from __future__ import annotations

import gzip
import hashlib
import html
import os
import re
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import turbohtml
from data import data_folder, read_rows

import windrow

Truth = Mapping[str, list[str]]


@dataclass(frozen=True)
class Known:
    """A page with the values that it shows, by label."""

    html: str
    url: str
    truth: Truth

    @cached_property
    def page(self) -> windrow.Page:
        """The page as it is read."""
        return windrow.parse(self.html, url=self.url)

    @property
    def shown(self) -> dict[str, list[str]]:
        """The labels that the page has."""
        return {label: texts for label, texts in self.truth.items() if texts}


def read_sites() -> dict[str, list[Known]]:
    """Return the detail pages of each site."""
    folder, sites = data_folder("wrappers"), defaultdict(list)
    for row in read_rows(folder / "pages.jsonl"):
        text = gzip.decompress((folder / row["html"]).read_bytes()).decode("utf-8", "replace")
        truth = {label: texts for label, texts in row["truth"].items() if not texts or row["on_page"].get(label)}
        sites[row["site"]].append(Known(text, row["url"], truth))
    return sites


def is_chosen(site: str) -> bool:
    """Whether a site belongs to the half that the variable HALF names: ``a``, ``b``, or all sites without it.

    The half is the parity of a digest of the site's name, so causes can be looked for in one and decisions made by the
    other.
    """
    half = os.environ.get("HALF", "").lower()
    if half not in {"", "a", "b"}:
        sys.exit(f"HALF is a or b, not {half!r}.")
    return not half or "ab"[hashlib.sha256(f"dev half {site}".encode()).digest()[0] & 1] == half


def comparable(text: str) -> str:
    """Return a text as it is compared with the truth: entities resolved, no white space."""
    text = unicodedata.normalize("NFKC", html.unescape(html.unescape(text)))
    return re.sub("[\\s\u200b\u00ad]+", "", text)


def parse_tree(text: str) -> turbohtml.Document:
    """Parse a page to be changed, into the same tree that Windrow reads."""
    return turbohtml.parse(text, scripting=True, allow_declarative_shadow_roots=False)


def settled(text: str) -> str:
    """Write a page out until that changes nothing more: broken markup is not the change that is measured."""
    for _ in range(4):
        before, text = text, parse_tree(text).html
        if before == text:
            break
    return text
