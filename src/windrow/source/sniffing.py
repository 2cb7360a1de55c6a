"""MIME sniffing: whether a body is a web page, by its first bytes and its declared type, and what it is if not."""

from __future__ import annotations

import re
from pathlib import PurePath

from windrow.errors import EmptyError, NotHtmlError

SNIFFED_BYTES = 4096
PLAIN = "plain text"
EMPTY = "empty"

# The beginning of a body, and what it then is.
_MAGIC = (
    (rb"%PDF-", "a PDF document"),
    (rb"\x89PNG\r\n\x1a\n", "a PNG image"),
    (rb"\xff\xd8\xff", "a JPEG image"),
    (rb"GIF8[79]a", "a GIF image"),
    (rb"RIFF....WEBP", "a WebP image"),
    (rb"....ftyp(?:avif|avis)", "an AVIF image"),
    (rb"....ftyp(?:heic|heix|mif1|msf1)", "a HEIF image"),
    (rb"BM.{4}\0\0\0\0", "a BMP image"),
    (rb"\0\0[\x01\x02]\0[^\0]\0", "an icon"),
    (rb"(?:II\*\0|MM\0\*)", "a TIFF image"),
    (rb"PK(?:\x03\x04|\x05\x06|\x07\x08)", "a ZIP archive"),
    (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Office document"),
    (rb"\x1f\x8b", "a gzip file"),
    (rb"BZh[1-9]", "a bzip2 file"),
    (rb"\xfd7zXZ\0", "an xz file"),
    (rb"\x28\xb5\x2f\xfd", "a Zstandard file"),
    (rb"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (rb"Rar!\x1a\x07", "a RAR archive"),
    (rb"....ftyp", "a video"),
    (rb"\x1a\x45\xdf\xa3", "a video"),
    (rb"RIFF....AVI ", "a video"),
    (rb"RIFF....WAVE", "an audio file"),
    (rb"(?:ID3[\x02-\x04]|OggS\0|fLaC|\xff[\xfb\xf3\xf2\xf1\xf9])", "an audio file"),
    (rb"(?:wOF[F2]|OTTO\0|\0\x01\0\0\0|true\0|ttcf)", "a font"),
    (rb"\x7fELF|MZ.{0,60}\0", "a program"),
    (rb"\0asm", "a WebAssembly program"),
    (rb"SQLite format 3\0", "a SQLite database"),
    (rb"\{\\rtf", "an RTF document"),
)
_OFFICE = ((b"word/", "a Word document"), (b"xl/", "an Excel workbook"), (b"ppt/", "a PowerPoint presentation"))
_OFFICE_MARK = b"[Content_Types].xml"
_EPUB_MARK = b"mimetypeapplication/epub+zip"

# The name of the root element of a document in XML, and what it then is; XHTML is a web page.
_ROOTS = {
    b"rss": "an RSS feed",
    b"rdf": "an RSS feed",
    b"feed": "an Atom feed",
    b"urlset": "a sitemap",
    b"sitemapindex": "a sitemap",
    b"svg": "an SVG image",
}
_MISLABELLED = {"an RSS feed", "an Atom feed", "a sitemap"}
_DECLARED = (
    (r"text/html|application/xhtml\+xml", None),
    (r"application/pdf", "a PDF document"),
    (r"(?:application/(?:.*\+)?|text/)json|application/x-ndjson", "JSON data"),
    (r"application/rss\+xml|application/rdf\+xml", "an RSS feed"),
    (r"application/atom\+xml", "an Atom feed"),
    (r"image/svg\+xml", "an SVG image"),
    (r"(?:application|text)/xml|.*\+xml", "an XML document"),
    (r"(?:application|text)/(?:x-)?(?:java|ecma)script", "a script"),
    (r"text/css", "a style sheet"),
    (r"text/csv|text/tab-separated-values", "a CSV table"),
    (r"text/markdown", "a Markdown text"),
    (r"text/calendar", "a calendar"),
    (r"text/.*", "plain text"),
    (r"image/.*", "an image"),
    (r"audio/.*", "an audio file"),
    (r"video/.*", "a video"),
    (r"font/.*|application/(?:x-)?font-.*", "a font"),
    (r"application/(?:zip|x-zip-compressed)", "a ZIP archive"),
    (r"application/(?:x-)?gzip", "a gzip file"),
    (r"application/(?:msword|vnd\.(?:ms-|openxmlformats|oasis).*)", "an Office document"),
)
# Types that servers send when they do not know; browsers look at the bytes instead, and so do we.
_UNKNOWN_TYPES = {
    "",
    "application/octet-stream",
    "binary/octet-stream",
    "unknown/unknown",
    "application/unknown",
    "*/*",
}

_PAGE_SUFFIXES = {".html", ".htm", ".xhtml", ".xht", ".shtml"}
_TAG = re.compile(
    rb"<(?:!doctype\s+html|(?:html|head|body|title|meta|link|script|style|div|span|p|a|h[1-6]|table|ul|ol|dl|br|hr|img|"
    rb"article|section|main|nav|header|footer|form|iframe|font|b|i|center|base|noscript)(?=[\s>/]))",
    re.IGNORECASE,
)
_XML_LEADIN = re.compile(rb"(?:\s|<\?.*?\?>|<!--.*?-->|<!doctype[^>\[]*(?:\[.*?\]\s*)?>)*", re.IGNORECASE | re.DOTALL)
_ROOT = re.compile(rb"<(?:[\w.-]{1,64}:)?([\w.-]{1,64})[\s/>]")
_JSON = re.compile(rb'\s*(?:\{\s*(?:"|\})|\[\s*(?:[{\["\]\d-]|true|false|null))')
_INK = re.compile(rb"[^\0 \t\r\n\x0c]")
_PAGE = re.compile(
    rb"[\x00-\x20]*(?:<!--.*?-->[\x00-\x20]*)*<(?:!doctype[\x00-\x20]+html|html[\s>])", re.IGNORECASE | re.DOTALL
)
"""How a page begins that says so, whatever characters stand around."""
_CHARSET = re.compile(r";\s*charset\s*=\s*[\"']?([^\s\"';]+)", re.IGNORECASE)
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")


def find_charset(content_type: str) -> str | None:
    """Return the charset that a Content-Type header names, as it is written there, or None."""
    found = _CHARSET.search(content_type)
    return found[1] if found else None


def require_html(body: bytes, content_type: str | None, name: str, *, may_be_plain: bool = False) -> None:
    """Pass silently if the body is a web page; otherwise raise an error that names what it is.

    ``content_type`` is the header of that name, or None for a file; ``name`` is what the source is called in messages.
    ``may_be_plain`` is for text that somebody calls HTML, of which a part without any tag is HTML, too.
    """
    kind = find_kind(body, content_type, name)
    if kind is not None and not (may_be_plain and kind == PLAIN):
        raise (EmptyError if kind == EMPTY else NotHtmlError)(f"{name} is {kind}, not a web page. Give a page in HTML.")


def find_kind(body: bytes, content_type: str | None, name: str) -> str | None:
    """Return what a body is if it is not a web page, such as "a PDF document", or None if it is one."""
    start = _in_ascii(body[:SNIFFED_BYTES])
    if not _INK.search(body):
        return EMPTY
    magic = next((kind for pattern, kind in _MAGIC if re.match(pattern, body[:64], re.DOTALL)), None)
    if magic == "a ZIP archive":
        return _find_office(body)
    if magic is not None:
        return magic
    declared = (content_type or "").partition(";")[0].strip().lower()
    if declared not in _UNKNOWN_TYPES:
        return _find_declared(declared, start)
    return _find_undeclared(start, name)


def _in_ascii(start: bytes) -> bytes:
    """Return the start of a body with its markup readable as ASCII, even in UTF-16 or after a byte-order mark."""
    if start.startswith(b"\xff\xfe") or re.match(rb"<\0[!-~]\0", start):
        return start.decode("utf-16-le", "replace").removeprefix("\ufeff").encode()
    if start.startswith(b"\xfe\xff") or re.match(rb"\0<\0[!-~]", start):
        return start.decode("utf-16-be", "replace").removeprefix("\ufeff").encode()
    return start.removeprefix(b"\xef\xbb\xbf")


def _find_office(body: bytes) -> str:
    start = body[: 64 * 1024]
    if _EPUB_MARK in start[:128]:
        return "an EPUB book"
    if _OFFICE_MARK in start:
        return next((kind for mark, kind in _OFFICE if mark in start), "an Office document")
    return "a ZIP archive"


def _find_declared(declared: str, start: bytes) -> str | None:
    kind = next((kind for pattern, kind in _DECLARED if re.fullmatch(pattern, declared)), f"of the type {declared}")
    if kind is None:
        return "binary data" if _is_binary(start) else _find_mislabelled(start)
    if kind == "an XML document":
        return _find_xml(start, kind)
    return kind


def _find_mislabelled(start: bytes) -> str | None:
    """Return what is sent as a web page and is data: a feed, as browsers see it, a sitemap, or JSON without any tag."""
    kind = _find_xml(start, "")
    if kind in _MISLABELLED:
        return kind
    return "JSON data" if _JSON.match(start) and not _TAG.search(start) else None


def _find_xml(start: bytes, otherwise: str) -> str | None:
    lead = _XML_LEADIN.match(start)
    root = _ROOT.match(start, lead.end() if lead else 0)
    name = root[1].lower() if root else b""
    return None if name == b"html" else _ROOTS.get(name, otherwise)


def _find_undeclared(start: bytes, name: str) -> str | None:
    if _is_binary(start):
        return "binary data"
    if start.lstrip().startswith(b"<?xml"):
        return _find_xml(start, "an XML document")
    if _find_xml(start, "") in _ROOTS.values():
        return _find_xml(start, "")
    if PurePath(name.partition("?")[0].partition("#")[0]).suffix.lower() in _PAGE_SUFFIXES:
        return None
    if _JSON.match(start):
        return "JSON data"
    return None if _TAG.search(start) else PLAIN


def _is_binary(start: bytes) -> bool:
    # Single NULs occur in real pages, and browsers read over them; data is full of them.
    return len(_BINARY.findall(start)) > max(2, len(start) // 50) and not _PAGE.match(start)
