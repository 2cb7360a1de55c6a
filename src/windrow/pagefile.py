"""A page in one file: a ZIP archive with the columns as ``.npy`` and everything else as JSON.

Nothing in it is code, so a file from somebody else can be opened; sizes are checked before anything is unpacked.
"""

from __future__ import annotations

import io
import os
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

from windrow.errors import SourceError
from windrow.nodes import Layout, Lines, ListedAttributes, Nodes, Words
from windrow.options import MEBIBYTE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from windrow.page import Page

SUFFIX = ".windrow"
FORMAT = 1
MOST_BYTES = 2048 * MEBIBYTE
FIELDS = ("source", "url", "html", "encoding", "status", "warnings", "cut")
ARRAYS = ("box", "font_size", "font_weight", "color", "background", "preserved", "visible")
LINES = ("node", "start", "length", "box")
WORDS = ("display", "position")


def write(page: Page, path: Path) -> None:
    """Write a page beside the target first, so that a full disk leaves an old file as it was."""
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".windrow-", delete=False) as file:
            temporary = Path(file.name)
            try:
                _pack(page, file)
                file.flush()
                os.fsync(file.fileno())
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        raise SourceError(
            f"{path} could not be written: {error.strerror}. Choose another place, or make room."
        ) from error


def read(path: Path) -> dict[str, Any]:
    """Read the parts of a page, by the names of its fields."""
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > MOST_BYTES:
                raise SourceError(f"{path} unpacks to more than {MOST_BYTES // MEBIBYTE} MiB, so it was not opened.")
            return _unpack(archive)
    except FileNotFoundError:
        raise SourceError(f"There is no file {path}. Check the spelling of its name.") from None
    except OSError as error:
        raise SourceError(f"{path} could not be read: {error.strerror}.") from error
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, IndexError, EOFError, NotImplementedError) as error:
        raise SourceError(
            f"{path} is no page that Windrow saved, or it is damaged. Load and save the page again."
        ) from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _pack(page: Page, file: Any) -> None:  # noqa: ANN401 - a temporary file is of no public type
    nodes, layout = page.nodes, page.nodes.layout
    about = {
        "format": FORMAT,
        **{name: getattr(page, name) for name in FIELDS},
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
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        archive.writestr("page.json", orjson.dumps(about))
        if page.screenshot is not None:
            archive.writestr("screenshot.png", page.screenshot)
        for name, array in arrays.items():
            data = io.BytesIO()
            np.save(data, array, allow_pickle=False)
            archive.writestr(f"{name}.npy", data.getvalue())


def _unpack(archive: zipfile.ZipFile) -> dict[str, Any]:
    about = orjson.loads(archive.read("page.json"))
    if about["format"] != FORMAT:
        raise ValueError(about["format"])
    arrays = {
        name.removesuffix(".npy"): np.load(io.BytesIO(archive.read(name)), allow_pickle=False)
        for name in archive.namelist()
        if name.endswith(".npy")
    }
    nodes = Nodes(
        kind=arrays["kind"],
        parent=arrays["parent"],
        tag=Words(arrays["tag"], about["tags"]),
        attributes=ListedAttributes(about["attributes"]),
        text_source=lambda: about["text"],
        layout=_unpack_layout(about["layout"], arrays) if about["layout"] else None,
    )
    _check(nodes, about)
    screenshot = archive.read("screenshot.png") if "screenshot.png" in archive.namelist() else None
    return {
        **{name: about[name] for name in FIELDS},
        "warnings": tuple(about["warnings"]),
        "nodes": nodes,
        "screenshot": screenshot,
    }


def _unpack_layout(about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Layout:
    columns: dict[str, Any] = {name: arrays[name] for name in ARRAYS}
    columns |= {name: Words(arrays[name], about[name]) for name in WORDS}
    return Layout(
        **columns,
        lines=Lines(*(arrays[f"line_{name}"] for name in LINES)),
        sources={int(node): source for node, source in about["sources"].items()},
        viewport=(about["viewport"][0], about["viewport"][1]),
    )


def _check(nodes: Nodes, about: dict[str, Any]) -> None:
    """Refuse columns that do not fit each other; readers rely on it."""
    count = len(nodes.kind)
    columns: list[Any] = [nodes.parent, nodes.tag.codes, about["text"], about["attributes"]]
    if nodes.layout is not None:
        columns += [getattr(nodes.layout, name) for name in ARRAYS]
        columns += [getattr(nodes.layout, name).codes for name in WORDS]
    before = np.arange(count)
    if not count or any(len(column) != count for column in columns) or (nodes.parent >= before).any():
        raise ValueError("the columns do not fit each other")
    if (nodes.parent[1:] < 0).any() or nodes.tag.codes.max(initial=-1) >= len(nodes.tag.words):
        raise ValueError("the columns point nowhere")
