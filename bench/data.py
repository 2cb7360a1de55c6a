"""The pages that the benchmarks run on: real ones, in a folder named by WINDROW_BENCH_DATA, no part of the project."""

from __future__ import annotations

import gzip
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def data_folder(name: str) -> Path:
    """Return a folder of the data, or end the program with a sentence that says what to do."""
    folder = Path(os.environ.get("WINDROW_BENCH_DATA", "")) / name
    if not os.environ.get("WINDROW_BENCH_DATA") or not folder.is_dir():
        sys.exit(
            f"There is no folder {name} with pages to measure on; set WINDROW_BENCH_DATA to the folder that holds it."
        )
    return folder


@dataclass(frozen=True)
class TitledPage:
    """A page with its true title."""

    corpus: str
    url: str
    title: str
    html: bytes

    @property
    def site(self) -> str:
        """Whose pages are left out together: the last two labels of the host, or three before a country's."""
        labels = (urlsplit(self.url).hostname or "").split(".")
        return ".".join(labels[-3 if len(labels[-1]) == 2 and len(labels) > 2 and len(labels[-2]) <= 3 else -2 :])  # noqa: PLR2004 - as it says


def titled_pages(limit: int = 0) -> list[TitledPage]:
    """Read the pages with known titles; with a limit, every so many of them."""
    folder = data_folder("titles")
    rows = read_rows(folder / "titles.jsonl")
    return [
        TitledPage(row["corpus"], row["url"], row["title"], gzip.decompress((folder / row["html_path"]).read_bytes()))
        for row in rows[:: max(1, len(rows) // limit) if limit else 1]
    ]


def title_pages() -> Iterator[tuple[str, bytes, str]]:
    """Return name, bytes and address of the pages with known titles."""
    folder = data_folder("titles")
    for row in read_rows(folder / "titles.jsonl"):
        yield row["id"], gzip.decompress((folder / row["html_path"]).read_bytes()), row["url"]


def record_pages() -> list[tuple[str, Path, str]]:
    """Return name, file and charset of the saved search-result pages."""
    folder = data_folder("records")
    return [
        (row["id"], folder / row["html_path"], row["charset"] or "utf-8") for row in read_rows(folder / "records.jsonl")
    ]


def read_rows(file: Path) -> list[dict[str, Any]]:
    """Read a file of JSON lines."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def quantile(values: Sequence[float], share: float) -> float:
    """Return the value below which that share of all values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def verdict(name: str, value: float, wanted: float, *, most: bool = False) -> bool:
    """Print one figure beside what it should be, and say whether it is."""
    reached = value <= wanted if most else value >= wanted
    sign = "≤" if most else "≥"
    print(f"{'ok  ' if reached else 'MISS'} {name}: {value:.3g} (wanted {sign} {wanted:g})")
    return reached
