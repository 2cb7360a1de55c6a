"""Loads a live page as a person would: scripts on, a wait until it is quiet, scrolled or unfolded on request.

Whatever the page asks for leaves through the guard's proxy. Scripts of ours run in a world of their own, so that the
page can neither see nor change them.
"""

from __future__ import annotations

import logging
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import ada_url

from windrow.errors import LimitError, SourceError, UnreachableError, UsageError, WindrowError
from windrow.provenance import Notice, Provenance
from windrow.render import scripts
from windrow.render.capture import Capture
from windrow.render.offline import too_many_nodes
from windrow.render.pipe import DeadlineError, Message
from windrow.render.snapshot import count_nodes
from windrow.render.tab import WORLD
from windrow.render.traffic import Traffic
from windrow.source.guard import refused_port, shown_url, without_credentials

if TYPE_CHECKING:
    from windrow.options import Options
    from windrow.render.tab import Tab
    from windrow.source.proxy import GuardProxy
    from windrow.source.session import Session

logger = logging.getLogger(__name__)

LOADING_SHARE = 0.8
"""Of the time that a page has, the part after which it is read as far as it has come."""
POLL_SECONDS = 0.1
PATIENCE_SHARE = 0.4
"""Of the time that is left then, the part after which the scripts of a page that gives us no turn are stopped."""

STILL_LOADING = Notice(
    "loading",
    "The page was still loading when it was read; some of it may be missing. Give it time (--wait SECONDS), or say "
    "what to wait for (--wait-for, --wait-for-text).",
)


@dataclass
class Visit:
    """One live page to load: where, how, through which proxy, and with which cookies."""

    url: str
    options: Options
    proxy: GuardProxy
    session: Session | None = None

    def make(self, tab: Tab) -> Capture:
        """Load the page into a fresh tab and capture it, as far as it came within the limits."""
        started = time.monotonic()
        until = started + LOADING_SHARE * (tab.deadline - started)
        traffic = Traffic(tab, self.url, self.options, self.proxy.token)
        self._set_up(tab, traffic)
        cut = self._load(tab, traffic, until)
        for passed in traffic.redirects:
            logger.info("redirected from %s", shown_url(passed))
        logger.info("%s answered with status %s", shown_url(traffic.address), traffic.status)
        self._check(traffic)
        html = traffic.body()
        answer = tab.snapshot()
        if count_nodes(answer) > self.options.limits.nodes:
            raise too_many_nodes(count_nodes(answer), self.options.limits.nodes)
        nodes = tab.read(without_frames(answer, traffic.dead_frames))
        nodes = tab.with_words(nodes) if self.options.words else nodes
        picture, warnings = tab.picture() if self.options.screenshot else (None, ())
        warnings += (STILL_LOADING,) if traffic.is_busy else ()
        return Capture(
            nodes=nodes,
            provenance=self._provenance(answer, traffic),
            html=html,
            screenshot=picture,
            warnings=warnings,
            cut=cut,
        )

    def _provenance(self, answer: Message, traffic: Traffic) -> Provenance:
        strings, document = answer["strings"], answer["documents"][0]
        found = Provenance(
            url=without_credentials(strings[document["documentURL"]]),
            redirects=tuple(map(without_credentials, traffic.redirects)),
            status=traffic.status,
            encoding=strings[document["encodingName"]],
        )
        return found.with_headers(traffic.headers)

    def _set_up(self, tab: Tab, traffic: Traffic) -> None:
        options = self.options
        tab.resize(options.viewport)
        tab.call("Page.enable")
        tab.call("Network.enable")
        agent = options.user_agent or str(tab.pipe.call("Browser.getVersion", None, tab.deadline)["userAgent"])
        tab.call(
            "Emulation.setUserAgentOverride",
            userAgent=agent.replace("HeadlessChrome", "Chrome"),
            acceptLanguage=options.language,
        )
        tab.call("Emulation.setLocaleOverride", locale=re.split("[,;]", options.language)[0])
        if self.session is not None:
            tab.call("Network.setCookies", cookies=self.session.cookies)
            source = scripts.restore_storage(self.session.storage)
            tab.call("Page.addScriptToEvaluateOnNewDocument", source=source, worldName=WORLD)
        traffic.listen()
        tab.call("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True)
        if options.headers:
            tab.call("Fetch.enable", patterns=[{"urlPattern": "*"}])

    def _load(self, tab: Tab, traffic: Traffic, until: float) -> str | None:
        """Do what is asked for before the page is read, and leave it able to answer; return why it is cut, or None."""
        cut = self._navigate(tab, traffic, until)
        final, now = tab.deadline, max(until, time.monotonic())
        tab.deadline = now + PATIENCE_SHARE * (final - now)
        busy = False
        try:
            cut = cut or self._settle(tab, traffic, until) or self._unfold(tab, traffic, until) or traffic.restless
            traffic.hold()
            tab.wait(lambda: traffic.loaded, until)  # where it has gone on to another address meanwhile
            busy = not tab.is_responsive(tab.deadline)
        except DeadlineError:
            busy = True
        finally:
            tab.deadline = final
        if busy:
            _stop_scripts(tab)
            cut = cut or "A script of the page never came to an end; the page was read as far as it had come."
        return cut

    def _check(self, traffic: Traffic) -> None:
        """Raise where the page that was asked for, or that it went on to, is none."""
        if not traffic.refused:
            traffic.check_answer()
        if traffic.failed is not None:
            raise self._explain(traffic)

    def _navigate(self, tab: Tab, traffic: Traffic, until: float) -> str | None:
        tab.send("Page.navigate", url=self.url)
        arrived = tab.wait(
            lambda: traffic.loaded or traffic.failed is not None or traffic.over_limit is not None, until
        )
        self._check(traffic)
        seconds = self.options.limits.seconds
        if not arrived and traffic.status is None:
            raise LimitError(
                f"{shown_url(self.url)} did not answer within {seconds:g} seconds. "
                "Try again, or raise the limit (--seconds, Limits.seconds)."
            )
        if traffic.loaded:
            return None
        tab.send("Page.stopLoading")
        return (
            traffic.over_limit
            or f"The page did not finish loading within {seconds:g} seconds; it was read as far as it had come."
        )

    def _settle(self, tab: Tab, traffic: Traffic, until: float) -> str | None:
        """Wait for quiet, and for what the options name."""
        traffic.wait_for_quiet(until)
        if self.options.wait:
            tab.wait(lambda: False, min(until, time.monotonic() + self.options.wait))
        for what, question in (
            (self.options.wait_for, scripts.has_selector),
            (self.options.wait_for_text, scripts.has_text),
        ):
            while what is not None and not _evaluate(tab, question(what)):
                if time.monotonic() > until:
                    seconds = f"{self.options.limits.seconds:g} seconds"
                    return f"“{what}” did not appear within {seconds}; the page was read without it."
                tab.pause(POLL_SECONDS)
        return traffic.over_limit

    def _unfold(self, tab: Tab, traffic: Traffic, until: float) -> str | None:
        """Press "load more" and scroll down as often as asked for, while there is more."""
        for script, most in ((scripts.LOAD_MORE, self.options.load_more), (scripts.SCROLL, self.options.scroll)):
            for _ in range(most):
                if traffic.over_limit or time.monotonic() > until or not _evaluate(tab, script):
                    break
                traffic.wait_for_quiet(until)
        if self.options.scroll or self.options.load_more:
            _evaluate(tab, scripts.SCROLL_BACK)
        return traffic.over_limit

    def _explain(self, traffic: Traffic) -> WindrowError:
        """Turn the browser's error code into a sentence; the guard knows more than the browser."""
        where = ada_url.URL(traffic.address)
        port = int(where.port) if where.port else {"https:": 443}.get(where.protocol, 80)
        if known := self.proxy.failure(where.hostname, port):
            return known
        if traffic.failed == UNSAFE_PORT:
            return refused_port(where.hostname, port)
        reason = FAILURES.get(traffic.failed or "", f"the browser reports {traffic.failed}.")
        kind = UnreachableError if traffic.failed in PASSING else SourceError
        return kind(f"{where.hostname} could not be read: {reason}")


def without_frames(answer: Message, dead: set[str]) -> Message:
    """Leave out frames that show an error of the browser's or of the guard's instead of a page."""
    strings, documents = answer["strings"], answer["documents"]
    for document in documents:
        frames = document["nodes"]["contentDocumentIndex"]
        kept = [
            (node, inner)
            for node, inner in zip(frames["index"], frames["value"], strict=True)
            if strings[documents[inner]["frameId"]] not in dead
            and not strings[documents[inner]["documentURL"]].startswith("chrome-error:")
        ]
        frames["index"], frames["value"] = [node for node, _ in kept], [inner for _, inner in kept]
    return answer


def _stop_scripts(tab: Tab) -> None:
    """End whatever script is running, and let none begin."""
    tab.send("Emulation.setScriptExecutionDisabled", value=True)
    while time.monotonic() < tab.deadline:
        tab.send("Runtime.terminateExecution")  # without effect at the moment at which a dialog is open
        if tab.is_responsive(time.monotonic() + POLL_SECONDS):
            return


def _evaluate(tab: Tab, script: str) -> object:
    """Run a script of ours in the page, out of the page's sight."""
    answer = tab.run(script)
    if "exceptionDetails" in answer:
        detail = answer["exceptionDetails"].get("exception", {}).get("description", "an error").splitlines()[0]
        raise UsageError(f"The page could not be asked for that: {detail.rstrip('.')}. Check the selector.")
    return answer["result"].get("value")


UNSAFE_PORT = "net::ERR_UNSAFE_PORT"
FAILURES = {
    "net::ERR_TUNNEL_CONNECTION_FAILED": "no connection could be made. Check the address, and that the server is up.",
    "net::ERR_NAME_NOT_RESOLVED": "there is no such host. Check the spelling of the address.",
    "net::ERR_CONNECTION_RESET": "the server broke the connection off. Try again later.",
    "net::ERR_EMPTY_RESPONSE": "the server sent nothing. Try again later.",
    "net::ERR_CONTENT_LENGTH_MISMATCH": "the transfer broke off. Try again.",
    "net::ERR_INCOMPLETE_CHUNKED_ENCODING": "the transfer broke off. Try again.",
    "net::ERR_TOO_MANY_REDIRECTS": "it redirects in a circle. It may want a session: see `windrow login`.",
    "net::ERR_CERT_AUTHORITY_INVALID": "its certificate is signed by nobody that this machine trusts.",
    "net::ERR_CERT_COMMON_NAME_INVALID": "its certificate belongs to another host.",
    "net::ERR_CERT_DATE_INVALID": "its certificate has expired.",
    "net::ERR_ABORTED": "it is offered as a download, not as a page. Try it without a browser (--no-render).",
    "net::ERR_UNSAFE_REDIRECT": "it redirects to something that is not a web address. The site is broken.",
    "net::ERR_SSL_PROTOCOL_ERROR": "it does not speak HTTPS. Try http:// instead.",
}
PASSING = {
    *("net::ERR_TUNNEL_CONNECTION_FAILED", "net::ERR_NAME_NOT_RESOLVED", "net::ERR_EMPTY_RESPONSE"),
    *("net::ERR_CONNECTION_RESET", "net::ERR_CONNECTION_CLOSED", "net::ERR_CONNECTION_TIMED_OUT"),
    *("net::ERR_CONTENT_LENGTH_MISMATCH", "net::ERR_INCOMPLETE_CHUNKED_ENCODING", "net::ERR_TIMED_OUT"),
}
"""Failures of the moment; another try may bring the page."""
