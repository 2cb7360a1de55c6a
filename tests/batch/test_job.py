"""Which pages a job wants, and what tells one job from another."""

from __future__ import annotations

from dataclasses import replace

import pytest

import windrow
from windrow.batch.job import Filters, Job
from windrow.batch.reading import page_language
from windrow.batch.response import Response
from windrow.errors import UsageError


@pytest.mark.parametrize(
    ("url", "refused"),
    [
        ("https://quillfold.example/p/1", ""),
        ("https://shop.QUILLFOLD.example/p/1", ""),
        ("https://notquillfold.example/p/1", "host"),
        ("https://quillfold.example/about", "url"),
        ("", "host"),
        ("http://[broken", "host"),
    ],
)
def test_addresses_pass_by_host_and_pattern(url: str, refused: str) -> None:
    assert Filters(hosts=("Quillfold.example",), urls=("*/p/*",)).refuse_address(url) == refused


@pytest.mark.parametrize(
    ("statuses", "status", "refused"),
    [
        ((), 200, ""),
        ((), 203, ""),
        ((), 206, "status"),
        ((), 301, "redirect"),
        ((), 404, "status"),
        (("4xx",), 404, ""),
        (("4xx",), 200, "status"),
        (("200", "503"), 503, ""),
        (("any",), 301, ""),
    ],
)
def test_answers_pass_by_status(statuses: tuple[str, ...], status: int, refused: str) -> None:
    assert Filters(statuses=statuses).refuse_response(Response(status, {}, b"")) == refused


def test_answers_pass_by_content_type() -> None:
    response = Response(200, {"content-type": "Text/HTML; charset=utf-8"}, b"")
    assert Filters(mimes=("text/html",)).refuse_response(response) == ""
    assert Filters(mimes=("application/xhtml+xml",)).refuse_response(response) == "mime"


@pytest.mark.parametrize(("language", "refused"), [("de", False), ("de-AT", False), ("den", True), ("", True)])
def test_pages_pass_by_language(language: str, refused: bool) -> None:  # noqa: FBT001 - expected
    assert Filters(languages=("DE",)).refuse_language(language) is refused


def test_a_keyword_stands_in_the_text_in_whatever_case() -> None:
    assert not Filters(keyword="Straße").refuse_text("an der STRASSE")
    assert Filters(keyword="pear").refuse_text("apple")


def test_a_job_reads_something() -> None:
    with pytest.raises(UsageError, match="nothing to read"):
        Job()
    with pytest.raises(UsageError, match="not a status"):
        Filters(statuses=("ok",))


def test_jobs_are_told_apart_by_what_changes_their_output() -> None:
    job = Job(readers=("title",))
    assert job.to_dict() == Job(readers=("title",)).to_dict()
    assert job.to_dict() != Job(readers=("title",), dedup=True).to_dict()
    assert job.to_dict() != Job(readers=("title",), wrapper="{}").to_dict()


@pytest.mark.parametrize(
    ("html", "header", "language"),
    [("<html lang=' de '><p>Birne", "fr", "de"), ("<p>Poire", "fr, en", "fr"), ("<p>?", "", "")],
)
def test_the_language_of_a_page_costs_no_columns(html: str, header: str, language: str) -> None:
    page = windrow.parse(html)
    page = replace(page, provenance=page.provenance.but(content_language=header))
    assert page_language(page) == language
    assert "kind" not in vars(page.nodes)
