"""Live pages: scripts run, frames and shadows are part of the page, and every limit leaves the part that was read."""

from __future__ import annotations

import hashlib
import json
import pickle
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from stage import HOME, Canaries, Reply, Routes, Site, drip, html, raw, redirect, staged

import windrow
from windrow.errors import LimitError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True, scope="module")
def _closed() -> Iterator[None]:
    yield
    windrow.close()


def load(routes: Routes | str, **options: Any) -> tuple[windrow.Page, Site]:  # noqa: ANN401 - passed on to Options
    """Load the root of a site on a loopback port."""
    limits = windrow.Limits(**options.pop("limits", {"seconds": 15}))
    with Site({"/": html(routes)} if isinstance(routes, str) else routes) as site:
        page = windrow.load(site.url, options=windrow.Options(allow_private=True, limits=limits, **options))
    return page, site


def text(routes: Routes | str, **options: Any) -> str:  # noqa: ANN401 - passed on to Options
    return load(routes, **options)[0].text


def headers_of(site: Site, path: str) -> dict[str, str]:
    return next(
        {name.lower(): value for name, value in fields.items()} for asked, _, fields in site.received if asked == path
    )


def box(page: windrow.Page, tag: str, index: int = 0) -> list[float]:
    assert page.nodes.layout is not None
    found: list[float] = page.nodes.layout.box[page.nodes.tag.where(tag)[index]].tolist()
    return found


def test_scripts_run_and_the_page_knows_where_it_is() -> None:
    page, site = load(
        "<title>Hay</title><p>one</p><script>document.body.append('two')</script><noscript>three</noscript>"
    )
    assert page.text == "one\ntwo"
    assert (page.url, page.source, page.status) == (site.url, site.url, 200)
    assert "document.body.append" in page.html
    assert page.rendered


def test_provenance_tells_how_the_page_was_got() -> None:
    source = "<p>Heu d'été</p>"
    sent = {"ETag": '"7"', "Last-Modified": "Sun, 01 Nov 2026 08:00:00 GMT", "Content-Language": "fr"}
    routes = {
        "/": redirect("/moved"),
        "/moved": html("<script>location.replace('/hay')</script>"),
        "/hay": Reply(source.encode("iso-8859-1"), media_type="text/html; charset=iso-8859-1", headers=sent),
    }
    before = datetime.now(UTC) - timedelta(seconds=1)
    page, site = load(routes, viewport=(800, 600))
    found = page.provenance
    assert (found.url, found.redirects) == (f"{site.url}hay", (site.url, f"{site.url}moved"))
    assert (found.status, found.content_type, found.etag) == (200, "text/html; charset=iso-8859-1", '"7"')
    assert (found.last_modified, found.content_language) == (sent["Last-Modified"], "fr")
    assert (found.encoding, found.viewport) == ("windows-1252", (800, 600))
    assert found.sha256 == hashlib.sha256(source.encode()).hexdigest()
    assert found.fetched is not None
    assert before <= found.fetched <= datetime.now(UTC)
    assert "Chrome/" in found.browser
    assert pickle.loads(pickle.dumps(page)).provenance == found  # noqa: S301 - what was pickled a moment ago


def test_late_requests_are_waited_for() -> None:
    script = "fetch('/a').then(r=>r.text()).then(t=>fetch('/b')).then(r=>r.text()).then(t=>document.body.append(t))"
    assert (
        text({"/": html(f"<p>Hay</p><script>{script}</script>"), "/a": html("a"), "/b": html("from b")})
        == "Hay\nfrom b"
    )


LATE = (
    "<p>Hay</p><script>setTimeout(()=>document.body.insertAdjacentHTML('beforeend','<p class=late>late"
    " hay</p>'),1500)</script>"
)


@pytest.mark.parametrize("options", [{"wait_for": "p.late"}, {"wait_for_text": "late hay"}])
def test_wait_for_something(options: dict[str, str]) -> None:
    assert text(LATE, **options) == "Hay\nlate hay"


@pytest.mark.parametrize("options", [{"wait_for": "p.never"}, {"wait_for_text": "never"}])
def test_wait_in_vain_gives_the_page_as_it_is(options: dict[str, str]) -> None:
    with pytest.raises(LimitError, match="never") as caught:
        load("<p>Hay</p>", limits={"seconds": 3}, **options)
    assert caught.value.page is not None
    assert caught.value.page.text == "Hay"


def test_wrong_selector() -> None:
    with pytest.raises(windrow.UsageError, match="selector"):
        load("<p>Hay</p>", wait_for="p[[")


def test_scrolling_loads_more() -> None:
    page = (
        "<body style='margin:0'><div id=d></div><script>let n=0;const add=()=>{for(let"
        " i=0;i<20;i++)d.insertAdjacentHTML('beforeend',`<p style='height:100px;margin:0'>row"
        " ${++n}</p>`)};add();onscroll=()=>{if(n<100&&scrollY+innerHeight>document.body.scrollHeight-50)add()}</script>"
    )
    assert "row 20" in text(page)
    assert "row 21" not in text(page)
    scrolled, _ = load(page, scroll=4)
    assert "row 40" in scrolled.text
    assert box(scrolled, "p")[1] == 0


def test_button_for_more_is_pressed() -> None:
    page = (
        "<p>row 1</p><button"
        " onclick=\"n=document.querySelectorAll('p').length;if(n<9)this.insertAdjacentHTML('beforebegin',`<p>row"
        ' ${n+1}</p>`)">Show more</button>'
    )
    assert "row 2" not in text(page)
    assert "row 4" in text(page, load_more=3)
    assert "row 5" not in text(page, load_more=3)


def test_frames_are_in_place() -> None:
    frame = "border:5px solid;padding:7px;margin:0;display:block;width:300px;height:100px"
    inner = html("<body style='margin:11px'><p style='margin:0;width:200px'>Inside</p>")
    with Site({"/frame": inner}) as other:
        outer = (
            f"<body style='margin:0'><p style='margin:0;height:50px'>Before</p><iframe style='{frame}'"
            f" src=/frame></iframe><iframe style='{frame}' src={other.url}frame></iframe><p>After</p>"
        )
        page, _ = load({"/": html(outer), "/frame": inner})
    assert page.text == "Before\nInside\nInside\nAfter"
    assert box(page, "p", 1)[:3] == [23, 73, 223]
    assert box(page, "p", 2)[:3] == [23, 73 + 124, 223]


def test_open_shadow_trees_are_in_place() -> None:
    page = (
        "<p>Before</p><div"
        " id=host><b>slotted</b></div><p>After</p><script>host.attachShadow({mode:'open'}).innerHTML='<p>In the"
        " shadow</p><slot></slot>'</script><div><template shadowrootmode=open><p>Declared</p></template></div>"
    )
    assert text(page) == "Before\nIn the shadow\nslotted\nAfter\nDeclared"


def test_dialogs_are_dismissed() -> None:
    assert (
        text("<p>Hay</p><script>alert(1);document.body.append(confirm(2)+','+prompt(3))</script>") == "Hay\nfalse,null"
    )


def test_windows_are_closed_before_they_load() -> None:
    page, site = load(
        {
            "/": html(
                "<p>Hay</p><script>open('/popup');open('/popup');open('about:blank')</script><a id=a target=_blank"
                " href=/popup></a><script>a.click()</script>"
            )
        }
    )
    assert page.text == "Hay"
    assert [path for path, _, _ in site.received if path == "/popup"] == []


def test_downloads_are_denied(tmp_path: Path) -> None:
    file = Reply(
        b"MZ" * 99,
        media_type="application/octet-stream",
        headers={"Content-Disposition": "attachment; filename=hay.exe"},
    )
    page, _ = load(
        {
            "/": html(
                "<p>Hay</p><a id=a href=/f download=hay.exe></a><iframe src=/f></iframe><script>a.click()</script>"
            ),
            "/f": file,
        }
    )
    assert page.text == "Hay"
    with pytest.raises(windrow.errors.SourceError, match="download"):
        load({"/": file})
    assert list(tmp_path.rglob("hay*")) == []


@pytest.mark.parametrize(
    ("reply", "what"),
    [
        (Reply(b"%PDF-1.7 x", media_type="application/pdf"), "a PDF document"),
        (Reply(b"%PDF-1.7 x"), "a PDF document"),
        (Reply(b"{}", media_type="application/json"), "JSON data"),
        (Reply(b"<?xml version='1.0'?><hay/>", media_type="application/xml"), "an XML document"),
        (Reply(b"<?xml version='1.0'?><rss/>", media_type="application/rss+xml"), "an RSS feed"),
        (Reply(b"\x89PNG\r\n\x1a\n", media_type="image/png"), "an image"),
        (Reply(b"hay", media_type="text/plain"), "plain text"),
        (Reply(b""), "empty"),
        (Reply(b" \n"), "empty"),
        (raw(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"), "empty"),
        (Reply(bytes(range(256)) * 9), "binary data"),
    ],
)
def test_what_is_not_a_page_is_named(reply: Reply, what: str) -> None:
    with pytest.raises(windrow.errors.NotHtmlError, match=what):
        load({"/": reply})


def test_page_that_goes_on_for_ever_is_held_where_it_is() -> None:
    for script in ("location.reload()", "location.search='?'+Math.random()", "onload=()=>location.reload()"):
        with pytest.raises(LimitError, match="address") as caught:
            load(f"<p>First</p><script>{script}</script><p>Last</p>")
        assert caught.value.page is not None
        assert caught.value.page.text.startswith("First")


def test_page_that_reloads_now_and_then_is_read_whole() -> None:
    for pause in (50, 150, 300):
        with Site(
            {"/": html(f"<p>First</p><script>setTimeout(()=>location.reload(),{pause})</script><p>Last</p>")}
        ) as site:
            (result,) = windrow.load_many([site.url], options=windrow.Options(allow_private=True))
        page = result.page if isinstance(result, windrow.Outcome) else result
        assert page is not None
        assert page.text == "First\nLast"


def test_download_or_no_content_leaves_the_page_as_it_is() -> None:
    file = Reply(b"MZ", media_type="application/octet-stream", headers={"Content-Disposition": "attachment"})
    nothing = raw(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
    page = html("<p>Hay</p><script>setTimeout(()=>location='/there',200)</script>")
    for there in (file, nothing):
        answer, _ = load({"/": page, "/there": there})
        assert (answer.text, answer.status) == ("Hay", 200)


@pytest.mark.parametrize("status", [401, 403, 404, 429, 500, 503])
def test_error_status(status: int) -> None:
    with pytest.raises(windrow.errors.StatusError) as caught:
        load({"/": Reply(b"<p>Sorry</p>", status=status)})
    assert caught.value.status == status


def test_redirects_are_followed() -> None:
    page, site = load(
        {"/": redirect("/next"), "/next": html("<p>Hay</p><script>if(!location.search)location='/next?go'</script>")}
    )
    assert (page.text, page.url) == ("Hay", f"{site.url}next?go")


@pytest.mark.parametrize(
    "location",
    ["/", "{http}/x", "{ipv6}/x", "http://169.254.169.254/", "http://localhost:9999/", "https://127.0.0.1/", "{file}"],
)
def test_redirect_from_a_public_address_is_checked_again(location: str) -> None:
    canaries = Canaries()
    target = location.format(http=canaries.targets.http, ipv6=canaries.targets.ipv6, file=canaries.targets.file)
    with (
        Site({"/": redirect(target)}) as site,
        staged(site),
        pytest.raises((windrow.errors.RefusedError, windrow.errors.SourceError)) as caught,
    ):
        windrow.load(HOME)
    assert isinstance(caught.value, windrow.errors.RefusedError) or location in {"/", "{file}"}
    assert canaries.caught == []
    canaries.close()


@pytest.mark.parametrize(
    "way",
    [
        "<meta http-equiv=refresh content='0;url={0}'>",
        "<script>location='{0}'</script>",
        "<script>setTimeout(()=>location='{0}',300)</script>",
    ],
)
def test_page_that_goes_to_a_private_address_is_refused(way: str) -> None:
    canaries = Canaries()
    with (
        Site({"/": html("<p>Hay</p>" + way.format(canaries.targets.http))}) as site,
        staged(site),
        pytest.raises(windrow.errors.RefusedError),
    ):
        windrow.load(HOME)
    assert canaries.caught == []
    canaries.close()


@pytest.mark.parametrize(
    "routes",
    [
        {"/": html("<meta http-equiv=refresh content='0;url=http://127.0.0.1:6000/'>")},
        {"/": redirect("http://127.0.0.1:6000/")},
    ],
    ids=["refresh", "redirect"],
)
def test_page_that_goes_to_a_port_of_another_protocol_is_refused(routes: Routes) -> None:
    with pytest.raises(windrow.errors.RefusedError, match=r"^Port 6000 of 127\.0\.0\.1 was refused, because"):
        load(routes)


def test_loopback_is_refused_by_default() -> None:
    with Site({"/": html("<p>Hay</p>")}) as site:
        with pytest.raises(windrow.errors.RefusedError):
            windrow.load(site.url)
        assert site.received == []


def test_headers_go_to_the_first_origin_only() -> None:
    with Site({"/elsewhere": html("<p>Hay</p>"), "/picture": html("")}) as other:
        page = html(
            "<img src=/own><img"
            f" src={other.url}picture><script>setTimeout(()=>location='{other.url}elsewhere',300)</script>"
        )
        _, site = load({"/": redirect("/page"), "/page": page}, headers={"X-Key": "secret", "Accept-Language": "xx"})
        for path in ("/", "/page", "/own"):
            assert headers_of(site, path)["x-key"] == "secret"
            assert headers_of(site, path)["accept-language"] == "xx"
        for path in ("/picture", "/elsewhere"):
            assert "x-key" not in headers_of(other, path)
            assert headers_of(other, path).get("accept-language") != "xx"


def test_headers_do_not_follow_a_redirect_to_another_origin() -> None:
    with Site({"/": html("<p>Hay</p>")}) as other:
        _, site = load({"/": redirect(other.url)}, headers={"Authorization": "secret"})
        assert headers_of(site, "/")["authorization"] == "secret"
        assert "authorization" not in headers_of(other, "/")


def test_headers_that_cannot_be_sent() -> None:
    with pytest.raises(windrow.UsageError, match="header"):
        load("<p>Hay</p>", headers={"X-Key": "a\r\nHost: b"})


def test_credentials_of_the_address_are_not_shown() -> None:
    with Site({"/": html("<p>Hay</p>")}) as site:
        url = site.url.replace("//", "//name:secret@")
        page = windrow.load(url, options=windrow.Options(allow_private=True))
    assert page.text == "Hay"
    assert "secret" not in page.url + page.source


def test_session_gives_cookies_and_storage(tmp_path: Path) -> None:
    with Site({"/": html("<p id=p></p><script>p.append(localStorage.key1+' '+document.cookie)</script>")}) as site:
        cookie = {"name": "hay", "value": "stack", "domain": "127.0.0.1", "path": "/"}
        file = tmp_path / "session.json"
        file.write_text(json.dumps({"cookies": [cookie], "storage": {site.url[:-1]: {"key1": "kept"}}}), "utf-8")
        options = windrow.Options(allow_private=True, session=file)
        assert windrow.load(site.url, options=options).text == "kept hay=stack"
        assert headers_of(site, "/")["cookie"] == "hay=stack"
        assert windrow.load(site.url, options=windrow.Options(allow_private=True)).text == "undefined"


def test_nothing_of_one_page_is_left_for_the_next() -> None:
    page = (
        "<p id=p></p><script>p.append(document.cookie+localStorage.x);document.cookie='a=1';localStorage.x=2</script>"
    )
    with Site({"/": html(page)}) as site:
        assert [windrow.load(site.url, options=windrow.Options(allow_private=True)).text for _ in range(2)] == [
            "undefined"
        ] * 2


def test_agent_language_and_viewport() -> None:
    script = "p.append([navigator.userAgent,navigator.language,innerWidth,innerHeight].join('|'))"
    page = f"<p id=p></p><script>{script}</script>"
    answer, site = load(page, user_agent="Rake/1", language="de-AT", viewport=(500, 400))
    assert answer.text == "Rake/1|de-AT|500|400"
    assert headers_of(site, "/")["user-agent"] == "Rake/1"
    assert headers_of(site, "/")["accept-language"].startswith("de-AT")
    default, site = load(page)
    assert "Headless" not in default.text + headers_of(site, "/")["user-agent"]
    assert default.text.endswith("|en|1280|1024")


def test_proxy_of_the_user() -> None:
    with Site({"/": html("<p>Direct</p>")}) as site, Site({}) as proxy, pytest.raises(windrow.WindrowError):
        # The proxy knows no CONNECT, which is what the guard asks it for.
        windrow.load(site.url, options=windrow.Options(allow_private=True, proxy=proxy.url.rstrip("/")))
    assert site.received == []


def test_deadline_leaves_the_part_that_was_read() -> None:
    started = time.monotonic()
    with pytest.raises(LimitError) as caught:
        load({"/": drip(b"<title>Hay</title><p>First</p>", b"<p>more</p>", 0.1)}, limits={"seconds": 3})
    assert time.monotonic() - started < 5
    assert caught.value.page is not None
    assert caught.value.page.text.startswith("First\nmore")
    assert caught.value.page.cut == str(caught.value)


def test_server_that_never_answers() -> None:
    with pytest.raises(LimitError, match="did not answer"):
        load({"/": Reply(lambda _: time.sleep(5))}, limits={"seconds": 2})


@pytest.mark.parametrize("way", ["body", "script", "worker"])
def test_byte_cap_leaves_the_part_that_was_read(way: str) -> None:
    script = "fetch('/more').then(r=>r.text())"
    start = {
        "body": "",
        "script": f"<script>{script}</script>",
        "worker": (
            "<script>new Worker(URL.createObjectURL(new"
            " Blob([\"fetch(location.origin.replace('blob:','')+'/more').then(r=>r.text())\"])))</script>"
        ),
    }[way]
    endless = drip(b"<p>First</p>" + start.encode(), b"hay " * 5_000, 0.01)
    routes = {"/": endless} if way == "body" else {"/": html(f"<p>First</p>{start}"), "/more": endless}
    with pytest.raises(LimitError, match="bytes") as caught:
        load(routes, limits={"seconds": 10, "bytes": 400_000, "loaded": 400_000})
    assert caught.value.page is not None
    assert caught.value.page.text.startswith("First")


def test_node_cap() -> None:
    with pytest.raises(LimitError, match="nodes"):
        load(
            "<p>Hay</p><script>for(let i=0;i<3000;i++)document.body.append('x',document.createElement('p'))</script>",
            limits={"nodes": 1_000},
        )


def test_page_that_hangs_costs_the_others_nothing() -> None:
    routes = {"/": html("<p>Hay</p>"), "/hang": html("<p>Hangs</p><script>for(;;);</script>")}
    with Site(routes) as site:
        options = windrow.Options(allow_private=True, limits=windrow.Limits(seconds=4))
        sources = [site.url, f"{site.url}hang", *[site.url] * 4]
        results = list(windrow.load_many(sources, options=options))
    assert [isinstance(result, windrow.Page) for result in results] == [True, False, True, True, True, True]
    failure = results[1]
    assert isinstance(failure, windrow.Outcome)
    assert isinstance(failure.error, LimitError)


def test_screenshot_is_a_picture_of_the_whole_page() -> None:
    page, _ = load("<body style='margin:0'><div style='height:3000px'>Hay</div>", screenshot=True, viewport=(400, 300))
    assert page.screenshot is not None
    assert page.screenshot.startswith(b"\x89PNG")
    assert int.from_bytes(page.screenshot[16:20], "big") == 400
    assert int.from_bytes(page.screenshot[20:24], "big") == 3000
