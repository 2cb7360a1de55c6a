"""What a tab's requests amount to: is the page loaded, is it quiet, how much has come, what was the main answer."""

from __future__ import annotations

import base64
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import ada_url

from windrow.errors import BrowserError
from windrow.source.guard import shown_url
from windrow.source.http_errors import status_error
from windrow.source.sniffing import SNIFFED_BYTES, require_html

if TYPE_CHECKING:
    from windrow.options import Options
    from windrow.render.pipe import Message
    from windrow.render.tab import Tab

QUIET_SECONDS = 0.5
"""No request under way for so long means that the page has loaded what it wants."""
RESTLESS_SECONDS = 5.0
"""A page that is never quiet is read so long after its load event."""
POLL_SECONDS = 0.1
HTTP_ERRORS = 400
GUARD_HEADER = "windrow-guard"
"""How the guard's proxy marks answers of its own."""
MOST_MOVES = 20
"""A page that goes on to other addresses by itself does so at most this many times."""
NO_CONTENT = {204, 205}
DOWNLOADS = {"application/octet-stream", "binary/octet-stream"}
PAGES = ("text/html", "application/xhtml+xml")


class Traffic:
    """Listens to a tab that loads one live page."""

    def __init__(self, tab: Tab, url: str, options: Options, token: str) -> None:
        """Watch a tab; ``token`` is the guard's word by which its own answers are known."""
        self._tab = tab
        self._options = options
        self._token = token
        self._origin = ada_url.URL(url).origin
        self._running: set[str] = set()
        self._quiet_since = time.monotonic()
        self._received = 0
        self._received_main = 0
        self._main: str | None = None
        self._media_type = ""
        self._answered_main = False
        self._was_loaded = False
        self._moves = 0
        self._holds = False
        self._held_back: set[str] = set()
        self.address = url
        self.redirects: list[str] = []
        """The addresses that led to the present one, whoever sent the page on: a server, its markup or a script."""
        self.headers: dict[str, str] = {}
        self.loaded = False
        self.status: int | None = None
        self.failed: str | None = None
        self.refused = False
        self.over_limit: str | None = None
        self.is_busy = False
        """Whether it still loaded when the patience with it ended."""
        self.restless: str | None = None
        self.dead_frames: set[str] = set()
        """Frames whose content did not come, so that what they show is not the page's."""

    def listen(self) -> None:
        """Subscribe to the tab's events."""
        self._tab.handlers |= {
            "Network.requestWillBeSent": self._asked,
            "Network.responseReceived": self._answered,
            "Network.dataReceived": self._received_data,
            "Network.loadingFinished": self._ended,
            "Network.loadingFailed": self._broke,
            "Page.loadEventFired": self._finished,
            "Page.frameStoppedLoading": self._stopped,
            "Page.javascriptDialogOpening": self._dismiss,
            "Fetch.requestPaused": self._add_headers,
            "Target.attachedToTarget": self._take_in,
        }

    def wait_for_quiet(self, until: float) -> None:
        """Wait until no request has been under way for a while, but not forever."""
        self.is_busy = True
        patience = min(until, time.monotonic() + RESTLESS_SECONDS)
        self._quiet_since = time.monotonic()
        while time.monotonic() < patience and not self.over_limit:
            if not self._running and time.monotonic() - self._quiet_since >= QUIET_SECONDS:
                self.is_busy = False
                return
            self._tab.pause(POLL_SECONDS)

    def hold(self) -> None:
        """Let the page go on to no other address any more, so that it stays the one that is read."""
        self._holds = True
        if not self._options.headers:
            self._tab.send("Fetch.enable", patterns=[{"urlPattern": "*", "resourceType": "Document"}])

    def check_answer(self) -> None:
        """Raise an error where the main answer is not a page."""
        if self.status is not None and self.status >= HTTP_ERRORS:
            raise status_error(self.status, shown_url(self.address), self.headers)
        if self.status in NO_CONTENT:
            require_html(b"", None, f"{shown_url(self.address)} (status {self.status})")
        if self._media_type and self._media_type not in {*PAGES, *DOWNLOADS}:
            require_html(b"?", self._media_type, shown_url(self.address))

    def body(self) -> str | None:
        """Return the main document as it was sent; raise where it calls itself a page and is something else."""
        if self._main is None:
            return None
        try:
            answer = self._tab.call("Network.getResponseBody", requestId=self._main)
        except BrowserError:
            return None
        body, is_text = str(answer["body"]), not answer["base64Encoded"]
        start = body[:SNIFFED_BYTES].encode("utf-8", "replace") if is_text else base64.b64decode(body)
        require_html(start, self._media_type, shown_url(self.address))
        return body if is_text else None

    def _asked(self, event: Message) -> None:
        self._running.add(event["requestId"])
        if event.get("type") == "Document" and event["requestId"] == event.get("loaderId") and self._is_top(event):
            if self._main is not None and event["request"]["url"] != self.address:
                self.redirects.append(self.address)
            self._main = event["requestId"]
            self.address = event["request"]["url"]
            self._answered_main, self.failed, self.refused, self.loaded = False, None, False, False
            self._count_move(event)
        elif event.get("type") == "Document":
            self.dead_frames.discard(event.get("frameId", ""))

    def _count_move(self, event: Message) -> None:
        """Hold a page that goes on to other addresses for ever where it is."""
        self._moves += "redirectResponse" not in event
        if self._moves == MOST_MOVES:
            self.hold()
            self.restless = f"The page went on to another address {MOST_MOVES} times; it was read where it was then."

    def _is_top(self, event: Message) -> bool:
        return bool(event.get("frameId") == self._tab.target)

    def _answered(self, event: Message) -> None:
        response = event["response"]
        headers = {name.lower(): value for name, value in response["headers"].items()}
        ours = headers.get(GUARD_HEADER) == self._token
        if event["requestId"] == self._main:
            if self._was_loaded and int(response["status"]) in NO_CONTENT:
                self.loaded = True  # the page stays as it is
                return
            self._answered_main = True
            self.headers = headers
            self.status, self._media_type = int(response["status"]), response.get("mimeType", "")
            if self._media_type not in PAGES:  # the server's word says more than what the browser makes of it
                self._media_type = headers.get("content-type", self._media_type).partition(";")[0].strip().lower()
            if ours:
                self.failed, self.refused = "net::ERR_TUNNEL_CONNECTION_FAILED", True
        elif ours:
            self.dead_frames.add(event.get("frameId", ""))

    def _received_data(self, event: Message) -> None:
        self._received += int(event["dataLength"])
        self._received_main += int(event["dataLength"]) if event["requestId"] == self._main else 0
        limits = self._options.limits
        if self._received_main > limits.bytes:
            self.over_limit = (
                f"The page is longer than {limits.bytes:,} bytes; it was read as far as it had come. "
                "Raise the limit (--max-bytes, Limits.bytes)."
            )
        elif self._received > limits.loaded:
            self.over_limit = (
                f"The page loaded more than {limits.loaded:,} bytes; it was read as far as it had come. "
                "Raise the limit (--max-loaded, Limits.loaded)."
            )

    def _ended(self, event: Message) -> None:
        self._running.discard(event["requestId"])
        self._quiet_since = time.monotonic()

    def _broke(self, event: Message) -> None:
        self._ended(event)
        if event["requestId"] == self._main and event["requestId"] in self._held_back:
            self.loaded = True
        elif event["requestId"] == self._main and not event.get("canceled"):
            self.failed = str(event.get("errorText", "an error"))
        elif event["requestId"] == self._main and self._was_loaded:
            self.loaded = True  # where the page wanted to go it does not go
        elif event["requestId"] == self._main and self._answered_main:
            self.failed = "net::ERR_ABORTED"

    def _finished(self, _: Message) -> None:
        self.loaded = self._was_loaded = True

    def _stopped(self, event: Message) -> None:
        if event["frameId"] == self._tab.target and self._answered_main:
            self._finished(event)

    def _take_in(self, event: Message) -> None:
        """Count what a worker of the page loads, too."""
        worker = replace(self._tab, session=event["sessionId"])
        self._tab.children.add(worker.session)
        worker.send("Network.enable")
        worker.send("Runtime.runIfWaitingForDebugger")

    def _dismiss(self, _: Message) -> None:
        self._tab.send("Page.handleJavaScriptDialog", accept=False)

    def _add_headers(self, event: Message) -> None:
        """Send the user's headers to the page's own origin and to no other, redirects included."""
        if self._holds and event["resourceType"] == "Document" and self._is_top(event):
            self._held_back.add(event.get("networkId", ""))
            self._tab.send("Fetch.failRequest", requestId=event["requestId"], errorReason="Aborted")
            return
        headers = dict(event["request"]["headers"])
        if ada_url.URL(event["request"]["url"]).origin == self._origin:
            headers |= self._options.headers
        else:
            ours = {name.lower() for name in self._options.headers}
            headers = {name: value for name, value in headers.items() if name.lower() not in ours}
        listed = [{"name": name, "value": value} for name, value in headers.items()]
        self._tab.send("Fetch.continueRequest", requestId=event["requestId"], headers=listed)
