from __future__ import annotations

import hashlib
import pickle
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

import windrow
from windrow.errors import LimitError
from windrow.provenance import Notice, Provenance

if TYPE_CHECKING:
    from pathlib import Path

FULL = Provenance(
    url="https://orchard.example/pears",
    redirects=("https://orchard.example/",),
    status=200,
    content_type="text/html",
    content_language="de",
    etag='"1"',
    last_modified="Sun, 01 Nov 2026 08:00:00 GMT",
    fetched=datetime(2026, 11, 16, 12, tzinfo=UTC),
    sha256="00",
    encoding="UTF-8",
    browser="HeadlessChrome/140.0",
    viewport=(1280, 1024),
)


@pytest.mark.parametrize("provenance", [FULL, Provenance()])
def test_provenance_as_plain_values_and_back(provenance: Provenance) -> None:
    assert Provenance.from_dict(provenance.to_dict()) == provenance
    assert pickle.loads(pickle.dumps(provenance)) == provenance  # noqa: S301 - what was pickled a moment ago
    assert FULL.to_dict()["fetched"] == "2026-11-16T12:00:00+00:00"


def test_a_saved_page_keeps_its_provenance_and_warnings(tmp_path: Path) -> None:
    path, copy = tmp_path / "page.html", tmp_path / "page.windrow"
    path.write_bytes("<meta charset=windows-1252><p>Привет".encode())
    page = windrow.load(path, url="https://orchard.example/", render=False)
    assert page.provenance.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert page.provenance.fetched is not None
    assert page.provenance.fetched.utcoffset() is not None
    page.save(copy)
    again = windrow.load(copy)
    assert (again.provenance, again.warnings) == (page.provenance, page.warnings)
    assert [notice.kind for notice in again.warnings] == ["charset"]


def test_a_page_from_memory_was_fetched_by_nobody() -> None:
    found = windrow.parse("<p>Birne").provenance
    assert (found.fetched, found.status, found.url, found.browser) == (None, None, "", "")
    assert found.sha256 == hashlib.sha256(b"<p>Birne").hexdigest()


def test_the_digest_is_worked_out_once_and_only_where_it_is_asked_for() -> None:
    late = FULL.with_digest("Birne \ud800").but(status=404)
    assert "sha256" not in vars(late)
    for copy in (late.but(etag=""), pickle.loads(pickle.dumps(late)), replace(late, etag="")):  # noqa: S301 - as above
        assert copy.sha256 == hashlib.sha256("Birne \ud800".encode("utf-8", "surrogatepass")).hexdigest()
        assert set(vars(copy)) == set(vars(FULL))
    assert late == late.but()
    assert (late.status, FULL.status) == (404, 200)
    with pytest.raises(AttributeError):
        late.size  # noqa: B018 - there is none


def test_a_cut_page_has_no_digest() -> None:
    with pytest.raises(LimitError) as caught:
        windrow.parse(b"<p>" + b"x" * 100, options=windrow.Options(limits=windrow.Limits(bytes=50)))
    assert caught.value.page is not None
    assert caught.value.page.provenance.sha256 == ""


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ({"content_type": "text/html; charset=koi8-r"}, "KOI8-R"),
        ({"charset": "koi8-r"}, "KOI8-R"),
        ({"content_type": "text/html; charset=windows-1251", "charset": "koi8-r"}, "KOI8-R"),
        ({"content_type": "text/html; charset=windows-1251"}, "windows-1251"),
    ],
)
def test_what_came_with_the_bytes_is_believed(declared: dict[str, str], encoding: str) -> None:
    page = windrow.parse("<p>Привет".encode(encoding), **declared)  # type: ignore[arg-type]
    assert (page.text, page.encoding) == ("Привет", encoding)
    assert page.provenance.content_type == declared.get("content_type", "")


def test_a_content_type_that_is_no_page_is_refused() -> None:
    with pytest.raises(windrow.errors.NotHtmlError, match="JSON"):
        windrow.parse(b'{"hay": 1}', content_type="application/json")
    assert windrow.parse(b"Hay", content_type="text/plain").text == "Hay"


def test_a_notice_is_its_sentence() -> None:
    notice = Notice("charset", "The page is something else.")
    assert f"{notice}" == "The page is something else."
    assert Notice.from_dict(notice.to_dict()) == notice


def test_a_digest_can_be_set_again_before_it_was_asked_for() -> None:
    found = Provenance().with_digest("<p>Birne").with_digest("<p>Apfel")
    assert found.sha256 == hashlib.sha256(b"<p>Apfel").hexdigest()
