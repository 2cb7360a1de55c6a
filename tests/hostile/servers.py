"""Hostile servers: bodies without end, bombs, circles, lies about length and type."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

from family import FIRST, family, page
from stage import Reply, drip, html, raw, redirect

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stage import Targets

NONE: tuple[str, ...] = ()
OPENING = f"<!doctype html><title>Hay</title><p>{FIRST}</p>".encode()


@family("A redirect to itself.", live=True, ends=("unreadable",))
def redirect_loop(_: Targets) -> Mapping[str, Reply]:
    return {"/": redirect("/")}


@family("Fifty redirects in a row.", live=True, ends=("unreadable",))
def redirect_chain(_: Targets) -> Mapping[str, Reply]:
    return {"/": redirect("/1"), **{f"/{i}": redirect(f"/{i + 1}") for i in range(1, 50)}, "/50": html(page(""))}


@family("A redirect to the machine itself.", live=True, ends=("refused",))
def redirect_to_private(targets: Targets) -> Mapping[str, Reply]:
    return {"/": redirect(f"{targets.http}/redirect")}


@family("A redirect to the service that hands out the machine's credentials.", live=True, ends=("refused",))
def redirect_to_metadata(_: Targets) -> Mapping[str, Reply]:
    return {"/": redirect("http://169.254.169.254/latest/meta-data/")}


@family("A redirect to the machine itself in an IPv6 spelling.", live=True, ends=("refused",))
def redirect_to_ipv6(targets: Targets) -> Mapping[str, Reply]:
    return {"/": redirect(f"{targets.ipv6}/redirect")}


@family("A redirect to a file.", live=True, ends=("refused", "unreadable"))
def redirect_to_file(targets: Targets) -> Mapping[str, Reply]:
    return {"/": redirect(targets.file)}


@family("A redirect to data.", live=True, ends=("refused", "unreadable"))
def redirect_to_data(_: Targets) -> Mapping[str, Reply]:
    return {"/": redirect("data:text/html,gone")}


@family("A page of 100 MB.", live=True, shown=(FIRST,), ends=("limit", "browser"))
def huge_body(_: Targets) -> Mapping[str, Reply]:
    return {"/": drip(OPENING + b"<p>", b"hay " * 25_000, 0, times=1_000)}


@family("A page of 5 MB that unpacks to 5 GB.", live=True, shown=(FIRST,), ends=("limit", "browser"))
def gzip_bomb(_: Targets) -> Mapping[str, Reply]:
    bomb = gzip.compress(OPENING) + gzip.compress(b"<!--" + b" " * 10_000_000) * 500
    return {"/": Reply(bomb, headers={"Content-Encoding": "gzip"})}


@family(
    "Compression within compression within compression.",
    live=True,
    shown=(FIRST,),
    ends=("limit", "unreadable", "browser"),
)
def gzip_tower(_: Targets) -> Mapping[str, Reply]:
    bomb = gzip.compress(gzip.compress(OPENING) + gzip.compress(b" " * 10_000_000) * 200)
    bomb = gzip.compress(bomb)
    return {"/": Reply(bomb, headers={"Content-Encoding": "gzip, gzip, gzip"})}


@family("A byte now and then, for ever.", live=True, shown=(FIRST,), ends=("limit",))
def slow_drip(_: Targets) -> Mapping[str, Reply]:
    return {"/": drip(OPENING, b"<p>x", 0.2)}


@family("A body that never ends, as fast as it goes.", live=True, shown=(FIRST,), ends=("limit", "browser"))
def endless_body(_: Targets) -> Mapping[str, Reply]:
    return {"/": drip(OPENING, b"hay " * 16_384, 0)}


@family("Headers that never end.", live=True, shown=NONE, ends=("limit", "unreadable"))
def endless_headers(_: Targets) -> Mapping[str, Reply]:
    return {"/": raw(b"HTTP/1.1 200 OK\r\n" + b"X-Hay: more\r\n" * 500_000)}


@family("A length that is too long: the connection ends before.", live=True, shown=NONE, ends=("unreadable",))
def length_too_long(_: Targets) -> Mapping[str, Reply]:
    body = page("").encode()
    return {"/": raw(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99999\r\n\r\n" + body)}


@family("A length that is too short.", live=True, shown=(FIRST,))
def length_too_short(_: Targets) -> Mapping[str, Reply]:
    body = page("").encode()
    cut = body.index(FIRST.encode()) + 40
    return {
        "/": raw(
            f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {cut}\r\nConnection: close\r\n\r\n".encode()
            + body
        )
    }


@family("Two lengths that contradict each other.", live=True, shown=NONE, ends=("unreadable",))
def two_lengths(_: Targets) -> Mapping[str, Reply]:
    return {
        "/": raw(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\nContent-Length: 9\r\n\r\n"
            + page("").encode()
        )
    }


@family("No HTTP at all.", live=True, shown=NONE, ends=("unreadable",))
def no_http(_: Targets) -> Mapping[str, Reply]:
    return {"/": raw(b"SSH-2.0-OpenSSH_9.9\r\n")}


@family("Silence.", live=True, shown=NONE, ends=("unreadable",))
def silence(_: Targets) -> Mapping[str, Reply]:
    return {"/": raw(b"")}


@family("An empty page.", live=True, shown=NONE, ends=("not-html",))
def empty(_: Targets) -> Mapping[str, Reply]:
    return {"/": Reply(b"")}


@family("No content, by status.", live=True, shown=NONE, ends=("not-html", "unreadable"))
def no_content(_: Targets) -> Mapping[str, Reply]:
    return {"/": raw(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")}


@family("Binary data that says it is a page.", live=True, shown=NONE, ends=("not-html",))
def binary_as_html(_: Targets) -> Mapping[str, Reply]:
    return {"/": Reply(bytes(range(256)) * 1_000)}


@family("A PDF document.", live=True, shown=NONE, ends=("not-html",))
def pdf(_: Targets) -> Mapping[str, Reply]:
    return {"/": Reply(b"%PDF-1.7\n" + b"x" * 1_000, media_type="application/pdf")}


@family("A PDF document that says it is a page.", live=True, shown=NONE, ends=("not-html",))
def pdf_as_html(_: Targets) -> Mapping[str, Reply]:
    return {"/": Reply(b"%PDF-1.7\n" + b"x" * 1_000)}


@family("JSON data.", live=True, shown=NONE, ends=("not-html",))
def json(_: Targets) -> Mapping[str, Reply]:
    return {"/": Reply(b"[" * 100_000, media_type="application/json")}


@family(
    "An XML document with entities that expand a thousand million times.", live=True, shown=NONE, ends=("not-html",)
)
def xml_bomb(_: Targets) -> Mapping[str, Reply]:
    entities = "".join(f"<!ENTITY l{i} '{f'&l{i - 1};' * 10}'>" for i in range(1, 10))
    return {
        "/": Reply(
            f"<?xml version='1.0'?><!DOCTYPE l [<!ENTITY l0 'ha'>{entities}]><l>&l9;</l>".encode(),
            media_type="application/xml",
        )
    }


@family("A picture that says it is a page.", live=True, shown=NONE, ends=("not-html",))
def picture_as_html(_: Targets) -> Mapping[str, Reply]:
    return {"/": Reply(b"\x89PNG\r\n\x1a\n" + bytes(1_000))}


@family("A page that says it is a picture.", live=True, shown=NONE, ends=("not-html",))
def html_as_picture(_: Targets) -> Mapping[str, Reply]:
    return {"/": Reply(page("").encode(), media_type="image/png")}


@family("A page that is offered as a download.", live=True, ends=("not-html", "unreadable"))
def page_as_download(_: Targets) -> Mapping[str, Reply]:
    return {"/": Reply(page("").encode(), headers={"Content-Disposition": "attachment"})}


@family("A film that is cut off.", live=True, shown=NONE, ends=("not-html", "limit", "unreadable"))
def endless_film(_: Targets) -> Mapping[str, Reply]:
    return {
        "/": raw(
            b"HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: 999999999\r\n\r\n"
            + b"\0\0\0 ftypisom" * 1_000
        )
    }


@family("An error status with a page.", live=True, shown=NONE, ends=("status",))
def error_status(_: Targets) -> Mapping[str, Reply]:
    return {"/": Reply(page("").encode(), status=500)}


@family("A picture and a style sheet that never come.", live=True, ends=("limit",))
def stalled_parts(_: Targets) -> Mapping[str, Reply]:
    return {
        "/": html(page("<img src=/slow><script src=/slow2 async></script>")),
        "/slow": drip(b"", b" ", 0.5),
        "/slow2": drip(b"", b" ", 0.5),
    }


@family("A hundred cookies of four kilobytes each.", live=True)
def cookie_flood(_: Targets) -> Mapping[str, Reply]:
    script = "".join(f"document.cookie='c{i}={'x' * 4000}';" for i in range(100))
    return {"/": html(page(f"<script>{script}</script><img src=/x>"))}
