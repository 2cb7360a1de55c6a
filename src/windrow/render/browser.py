"""One browser process, started when needed, thrown away when a page hangs it, and begun anew for the next page."""

from __future__ import annotations

import logging
import time
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from windrow.errors import BrowserError, LimitError, WindrowError
from windrow.render.offline import Document, lay_out, prepare
from windrow.render.pipe import DeadlineError, Message, PipeClosedError
from windrow.render.process import Process, start_browser
from windrow.render.tab import Tab

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from windrow.options import Options
    from windrow.render.capture import Capture
    from windrow.render.visit import Visit

logger = logging.getLogger(__name__)

START_SECONDS = 30.0
DISPOSE_SECONDS = 2.0
PAGES_PER_TAB = 500
"""A tab is replaced after so many pages, before what it keeps of them adds up."""


class Browser:
    """Lays out one page at a time."""

    def __init__(self, *, headless: bool = True) -> None:
        """Start nothing yet."""
        self._headless = headless
        self._process: Process | None = None
        self._product = ""
        self._tabs: dict[str, Tab] = {}
        self._offline: dict[bool, Tab] = {}
        """Tabs for pages from memory and from folders: one that draws no frames, and one that does."""
        self._laid_out = 0
        self._opening = False
        self._targets: set[str] = set()

    def __enter__(self) -> Self:
        """Use it for a while."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End it."""
        self.close()

    def close(self) -> None:
        """End the browser, where one runs; the next page starts another."""
        if self._process is not None:
            self._process.stop()
        self._process, self._offline = None, {}
        self._tabs.clear()

    def end(self) -> None:
        """End the browser that another thread is using; that thread finds it gone. Safe from any thread."""
        if (process := self._process) is not None:
            process.end()

    def abandon(self) -> None:
        """In a forked child, let go of the parent's browser without ending it."""
        if self._process is not None:
            self._process.abandon()
        self._process, self._offline = None, {}
        self._tabs.clear()

    def lay_out(self, document: Document, options: Options) -> Capture:
        """Lay out a document from memory or from a saved page's folder, with the network closed."""
        with self._within(options) as deadline:
            if self._laid_out >= PAGES_PER_TAB:
                self._close_offline_tabs(deadline)
            tab = self._offline_tab(deadline, draws=options.screenshot or not document.loads_nothing)
            self._laid_out += 1
            return self._signed(lay_out(tab, document, options), options)

    def visit(self, visit: Visit) -> Capture:
        """Load a live page in a browser context of its own, which is thrown away with all that it kept."""
        with self._within(visit.options) as deadline, self.context(visit.proxy.address, deadline) as context:
            return self._signed(visit.make(self.open_tab(deadline, context)), visit.options)

    def _signed(self, capture: Capture, options: Options) -> Capture:
        """Note on a capture which browser made it, and how large its window was."""
        made = replace(capture.provenance, browser=self._product, viewport=options.viewport)
        return replace(capture, provenance=made)

    def version(self) -> str:
        """Start the browser and return what it calls itself."""
        self._start(time.monotonic() + START_SECONDS)
        return self._product

    @contextmanager
    def _within(self, options: Options) -> Iterator[float]:
        """Keep a page's deadline; a browser that hangs, crashes or dies over it is ended."""
        deadline = time.monotonic() + options.limits.seconds
        try:
            self._start(max(deadline, time.monotonic() + START_SECONDS))
            yield max(deadline, time.monotonic() + 1)
        except DeadlineError:
            self.close()
            logger.warning("the browser hung over a page for %g seconds", options.limits.seconds)
            raise LimitError(
                f"The page was not laid out within {options.limits.seconds:g} seconds. "
                "Read it without a browser (render=False, --no-render), or raise the limit (--seconds, Limits.seconds)."
            ) from None
        except PipeClosedError:
            why, is_limit = (
                (self._process.last_words(), self._process.was_too_large()) if self._process else ("", False)
            )
            self.close()
            logger.warning("the browser ended over a page: %s", why)
            raise (LimitError if is_limit else BrowserError)(
                f"The browser ended while it had the page: {why}. "
                "Read the page without a browser (render=False, --no-render)."
            ) from None
        except BaseException as error:
            self._offline = {}  # whatever state the tab is in, nobody shall find out with the next page
            if not isinstance(error, WindrowError) or any(tab.crashed for tab in self._tabs.values()):
                self.close()
            raise

    def _start(self, deadline: float) -> Process:
        if self._process is None:
            self._process = start_browser(headless=self._headless)
            self._process.pipe.listener = self._dispatch
            try:
                self._product = str(self._process.pipe.call("Browser.getVersion", None, deadline)["product"])
            except (DeadlineError, PipeClosedError):
                why = self._process.last_words()
                self.close()
                raise BrowserError(
                    f"The browser did not start: {why}. `windrow doctor` tells what is missing."
                ) from None
            self._process.pipe.call("Browser.setDownloadBehavior", None, deadline, behavior="deny")
            if self._headless:
                pages = [{"type": "page"}]
                halt = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True, "filter": pages}
                targets = self._process.pipe.call("Target.getTargets", None, deadline)["targetInfos"]
                self._targets = {target["targetId"] for target in targets}
                self._process.pipe.call("Target.setAutoAttach", None, deadline, **halt)
        return self._process

    def _dispatch(self, event: Message) -> None:
        session = event.get("sessionId", "")
        if event["method"] == "Target.attachedToTarget" and not session:
            self._meet(event["params"])
        if tab := self._tabs.get(session) or next(
            (tab for tab in self._tabs.values() if session in tab.children), None
        ):
            tab.handle(event)

    def _meet(self, event: Message) -> None:
        """Close a window that a page opens where the browser itself lets it; let one of ours go on."""
        assert self._process is not None  # noqa: S101 - the event is its own
        window = Tab(self._process.pipe, event["sessionId"], event["targetInfo"]["targetId"], 0)
        stranger = not self._opening and window.target not in self._targets
        if stranger:
            window.send("Fetch.enable", patterns=[{"urlPattern": "*"}])  # its requests wait for us, who never answer
        # As long as a window waits, so does the page that opened it; so it must go on before it is closed.
        window.send("Runtime.runIfWaitingForDebugger")
        if stranger:
            window.send("Page.close")

    def _offline_tab(self, deadline: float, *, draws: bool) -> Tab:
        if draws not in self._offline:
            self._offline[draws] = self.open_tab(deadline, draws=draws)
            prepare(self._offline[draws])
        self._offline[draws].deadline = deadline
        return self._offline[draws]

    def _close_offline_tabs(self, deadline: float) -> None:
        for tab in self._offline.values():
            self.call("Target.closeTarget", deadline, targetId=tab.target)
            self._tabs.pop(tab.session, None)
        self._offline, self._laid_out = {}, 0

    def call(self, method: str, deadline: float, **params: object) -> Message:
        """Send a command to the browser as a whole."""
        return self._start(deadline).pipe.call(method, None, deadline, **params)

    def open_tab(self, deadline: float, context: str | None = None, *, draws: bool = True) -> Tab:
        """Open a tab, in a context of its own or in the one whose network is closed.

        One that draws no frames is cheaper; where the browser can't have such a tab, it is one like any other.
        """
        where: dict[str, object] = {} if context is None else {"browserContextId": context}
        if draws:
            target = self._open_target(deadline, **where)
        else:
            try:
                target = self._open_target(deadline, enableBeginFrameControl=True, **where)
            except BrowserError:
                target = self._open_target(deadline, **where)
        session = self.call("Target.attachToTarget", deadline, targetId=target, flatten=True)["sessionId"]
        tab = Tab(self._start(deadline).pipe, session, target, deadline)
        self._tabs[session] = tab
        return tab

    def _open_target(self, deadline: float, **options: object) -> str:
        self._opening = True
        try:
            target = str(self.call("Target.createTarget", deadline, url="about:blank", **options)["targetId"])
        finally:
            self._opening = False
        self._targets.add(target)
        return target

    @contextmanager
    def context(self, proxy: str, deadline: float) -> Iterator[str]:
        """Open a context whose way out is the proxy; cookies, storage and tabs go when it is closed."""
        context = self.call(
            "Target.createBrowserContext", deadline, proxyServer=f"http://{proxy}", proxyBypassList="<-loopback>"
        )["browserContextId"]
        self.call("Browser.setDownloadBehavior", deadline, behavior="deny", browserContextId=context)
        hangs = False
        try:
            yield str(context)
        except (DeadlineError, PipeClosedError):
            hangs = True  # so the browser is ended, and the context with it
            raise
        finally:
            self._tabs = {tab.session: tab for tab in self._offline.values()}
            self._targets = {tab.target for tab in self._tabs.values()}
            if not hangs:
                self._dispose(context)

    def _dispose(self, context: str) -> None:
        """Close a context with all its tabs; where that hangs, the next page gets another browser."""
        try:
            self.call("Target.disposeBrowserContext", time.monotonic() + DISPOSE_SECONDS, browserContextId=context)
        except (DeadlineError, PipeClosedError, BrowserError):
            self.close()
