"""A page in one file: a ZIP archive with the columns as ``.npy`` and everything else as JSON.

Nothing in it is code, so a file from somebody else can be opened; sizes are checked before anything is unpacked.
"""

from __future__ import annotations

import io
import json
import logging
import re
import stat
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

from windrow.atomic import written
from windrow.errors import LimitError, SourceError
from windrow.nodes import Kind, Layout, Lines, ListedAttributes, Nodes, Words
from windrow.nodes.words import WordBoxes
from windrow.options import MEBIBYTE, Limits
from windrow.provenance import Notice, Provenance

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from windrow.page import Page

logger = logging.getLogger(__name__)

SUFFIX = ".windrow"
FORMAT = 2
MOST_BYTES = 2048 * MEBIBYTE
FIELDS = ("source", "html", "cut")
WORDS = ("display", "position")
LINES = ("node", "start", "length", "box")
WORD_BOXES = ("node", "number", "box")
ARRAYS = {
    "box": ("<f4", 4),
    "font_size": ("<f4", 1),
    "font_weight": ("<i2", 1),
    "color": ("|u1", 4),
    "background": ("|u1", 4),
    "preserved": ("|b1", 1),
    "visible": ("|b1", 1),
}
COLUMNS: dict[str, tuple[str, int]] = {
    "kind": ("|u1", 1),
    **dict.fromkeys(("parent", "tag", *WORDS, "line_node", "line_start", "line_length"), ("<i4", 1)),
    **dict.fromkeys(("word_node", "word_number"), ("<i4", 1)),
    **ARRAYS,
    "line_box": ("<f4", 4),
    "word_box": ("<f4", 4),
}
"""Every column by its name in the file: how a number is stored, and how many of them make an entry."""
NPY = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '(.{3})', 'fortran_order': False, 'shape': .{1,40}, \} *\n", re.DOTALL
)
PNG = b"\x89PNG\r\n\x1a\n"
PLAIN_ZIP = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, MemoryError, OSError, struct.error),
    *(LookupError, ValueError, TypeError, AttributeError, OverflowError),
)
"""What reading a file that anybody may have written can raise."""


def write(page: Page, path: Path) -> None:
    """Write a page into a file, as a whole or not at all."""
    data = page_to_bytes(page)
    with written(path) as file:
        file.write(data)
    logger.debug("wrote %s: %d bytes", path, len(data))


def read(path: Path, limits: Limits) -> dict[str, Any]:
    """Read the parts of a page, by the names of its fields."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise SourceError(f"{path} is not an ordinary file. Name a page that Windrow saved.")
        if status.st_size > MOST_BYTES:
            raise SourceError(_too_large(str(path)))
        data = path.read_bytes()
    except FileNotFoundError:
        raise SourceError(f"There is no file {path}. Check the spelling of its name.") from None
    except (OSError, ValueError) as error:
        raise SourceError(f"{path} could not be read: {getattr(error, 'strerror', None) or error}.") from error
    logger.debug("read %s: %d bytes", path, len(data))
    return bytes_to_parts(data, str(path), limits)


def page_to_bytes(page: Page) -> bytes:
    """Return a page as the content of a file."""
    file = io.BytesIO()
    _pack(page, file)
    return file.getvalue()


def bytes_to_parts(data: bytes, name: str = "The page", limits: Limits | None = None) -> dict[str, Any]:
    """Read the parts of a page out of a file's content; ``name`` is what messages call it."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > MOST_BYTES:
                raise SourceError(_too_large(name))
            return _unpack(archive, name, limits)
    except DAMAGE as error:
        raise SourceError(
            f"{name} is not a page that Windrow saved, or it is damaged. Load and save the page again."
        ) from error


def _too_large(name: str) -> str:
    return f"{name} unpacks to more than {MOST_BYTES // MEBIBYTE} MiB, so it was not opened."


def _pack(page: Page, file: io.BytesIO) -> None:
    nodes, layout = page.nodes, page.nodes.layout
    about = {
        "format": FORMAT,
        **{name: getattr(page, name) for name in FIELDS},
        "provenance": page.provenance.to_dict(),
        "warnings": [notice.to_dict() for notice in page.warnings],
        "most_nodes": page.most_nodes,
        "siblings": page.siblings,
        "tags": nodes.tag.words,
        "text": list(nodes.text),
        "attributes": [dict(nodes.attributes[node]) for node in range(len(nodes))],
        "layout": None,
    }
    arrays: dict[str, NDArray[Any]] = {"kind": nodes.kind, "parent": nodes.parent, "tag": nodes.tag.codes}
    if layout is not None:
        sources = {str(node): source for node, source in layout.sources.items()}
        words = {name: getattr(layout, name).words for name in WORDS}
        about["layout"] = {"viewport": layout.viewport, "sources": sources, **words}
        arrays |= {name: getattr(layout, name) for name in ARRAYS}
        arrays |= {name: getattr(layout, name).codes for name in WORDS}
        arrays |= {f"line_{name}": getattr(layout.lines, name) for name in LINES}
        if layout.words is not None:
            arrays |= {f"word_{name}": getattr(layout.words, name) for name in WORD_BOXES}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        archive.writestr("page.json", _to_json(about))
        if page.screenshot is not None:
            archive.writestr("screenshot.png", page.screenshot)
        for name, array in arrays.items():
            data = io.BytesIO()
            np.save(data, array.astype(COLUMNS[name][0], order="C"), allow_pickle=False)
            archive.writestr(f"{name}.npy", data.getvalue())


def _to_json(about: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(about)
    except TypeError:
        # Lone surrogates, which file names have where they are not UTF-8, and which are not text.
        text = json.dumps(about, ensure_ascii=False)
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def _unpack(archive: zipfile.ZipFile, name: str, limits: Limits | None) -> dict[str, Any]:
    kind = _read_array(archive, "kind")
    if limits is not None and len(kind) > limits.nodes:
        raise LimitError(
            f"{name} has {len(kind):,} nodes, more than the {limits.nodes:,} that are read. "
            "Raise the limit (--max-nodes, Limits.nodes) to read it."
        )
    about = orjson.loads(_read_entry(archive, "page.json"))
    _check_fields(about, len(kind))
    if limits is not None and len(about["html"]) > limits.bytes:
        raise LimitError(
            f"{name} has more than {limits.bytes:,} bytes of source. Raise the limit (--max-bytes, Limits.bytes)."
        )
    nodes = Nodes(
        kind=kind,
        parent=_read_array(archive, "parent", len(kind)),
        tag=_words(_read_array(archive, "tag", len(kind)), about["tags"]),
        attributes=ListedAttributes(about["attributes"]),
        text_source=lambda: about["text"],
        layout=None if about["layout"] is None else _unpack_layout(archive, about["layout"], len(kind)),
    )
    _require(_is_tree(nodes))
    screenshot = _read_entry(archive, "screenshot.png") if "screenshot.png" in archive.namelist() else None
    _require(screenshot is None or screenshot.startswith(PNG))
    return {
        **{field: about[field] for field in FIELDS},
        "provenance": Provenance.from_dict(about["provenance"]),
        "warnings": tuple(map(Notice.from_dict, about["warnings"])),
        "most_nodes": about.get("most_nodes", Limits.nodes),
        "siblings": tuple(map(tuple, about.get("siblings", ()))),
        "nodes": nodes,
        "screenshot": screenshot,
    }


def _unpack_layout(archive: zipfile.ZipFile, about: dict[str, Any], count: int) -> Layout:
    columns: dict[str, Any] = {name: _read_array(archive, name, count) for name in ARRAYS}
    columns |= {name: _words(_read_array(archive, name, count), about[name]) for name in WORDS}
    lines = Lines(*(_read_array(archive, f"line_{name}") for name in LINES))
    _require(len(lines.node) == len(lines.start) == len(lines.length) == len(lines.box))
    _require(_within(lines.node, 0, count) and not (lines.start < 0).any() and not (lines.length < 0).any())
    sources = {int(node): source for node, source in about["sources"].items()}
    _require(all(0 <= node < count for node in sources) and _are_texts(list(sources.values())))
    width, height = about["viewport"]
    _require(type(width) is int and type(height) is int and width > 0 and height > 0)
    words = _unpack_words(archive, count)
    return Layout(**columns, lines=lines, sources=sources, viewport=(width, height), words=words)


def _unpack_words(archive: zipfile.ZipFile, count: int) -> WordBoxes | None:
    if "word_node.npy" not in archive.namelist():
        return None
    words = WordBoxes(*(_read_array(archive, f"word_{name}") for name in WORD_BOXES))
    _require(len(words.node) == len(words.number) == len(words.box))
    _require(_within(words.node, 0, count) and not (words.number < 0).any())
    return words


def _read_entry(archive: zipfile.ZipFile, name: str) -> bytes:
    entry = archive.getinfo(name)
    _require(entry.compress_type in PLAIN_ZIP)
    with archive.open(entry) as file:
        # As much as it says it has and no more, whatever the packed data would unpack to.
        return file.read(entry.file_size)


def _read_array(archive: zipfile.ZipFile, name: str, count: int | None = None) -> NDArray[Any]:
    """Read a column, whose type and width are known; its length is that of the data, whatever its head says."""
    kind, width = COLUMNS[name]
    data = _read_entry(archive, f"{name}.npy")
    head = NPY.match(data)
    if head is None or head[1] != kind.encode():
        raise ValueError(f"{name} is of another type")
    stored = np.dtype(kind)
    array = np.frombuffer(data[head.end() :], np.uint8 if stored == np.bool_ else stored)
    array = array.astype(stored.newbyteorder("="))
    _require(count is None or len(array) == count * width)
    return array if width == 1 else array.reshape(-1, width)


def _words(codes: NDArray[np.int32], words: Any) -> Words:  # noqa: ANN401 - whatever stands in the file
    _require(_are_texts(words) and _within(codes, -1, len(words)))
    return Words(codes, words)


def _check_fields(about: dict[str, Any], count: int) -> None:
    """Refuse what is of another type than readers rely on."""
    _require(about["format"] == FORMAT)
    _require(_are_texts([about[name] for name in FIELDS]))
    _require(type(about.get("most_nodes", 1)) is int)
    _require(all(names and _are_texts(names) for names in about.get("siblings", ())))
    text, attributes = about["text"], about["attributes"]
    _require(_are_texts(text) and len(text) == count)
    _require(type(attributes) is list and len(attributes) == count)
    _require(all(type(found) is dict and _are_texts(list(found.values())) for found in attributes if found != {}))


def _is_tree(nodes: Nodes) -> bool:
    """Whether the nodes are in document order: each follows its parent, or what is below the same parent."""
    known = np.isin(nodes.kind, np.array(list(Kind), np.uint8)).all()
    if not len(nodes) or not known or nodes.kind[0] != Kind.DOCUMENT:
        return False
    if nodes.parent[0] != -1 or (nodes.parent[1:] < 0).any():
        return False
    parents = nodes.parent.tolist()
    for node in range(1, len(parents)):
        above = node - 1
        while above > parents[node]:
            above = parents[above]
        if above != parents[node]:
            return False
    return True


def _within(values: NDArray[np.int32], least: int, end: int) -> bool:
    return bool(((values >= least) & (values < end)).all())


def _are_texts(values: Any) -> bool:  # noqa: ANN401 - whatever stands in the file
    return type(values) is list and all(type(value) is str for value in values)


def _require(holds: bool) -> None:  # noqa: FBT001 - like assert, but always checked
    if not holds:
        raise ValueError("the parts of the page do not fit each other")
