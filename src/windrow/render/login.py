"""A session made by hand: a window on the guarded way out, in which a person logs in, and what it then keeps."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from windrow.errors import BrowserError, SourceError
from windrow.render.browser import Browser
from windrow.render.executable import ENVIRONMENT_NAME, find_browser
from windrow.render.pipe import DeadlineError, PipeClosedError
from windrow.render.tab import Tab
from windrow.source.guard import Guard
from windrow.source.proxy import GuardProxy
from windrow.source.session import CookieFields, Session, known_fields

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from windrow.options import Options

MOST_SECONDS = 6 * 3600.0
"""A window that was forgotten is closed in the end."""
ANSWER_SECONDS = 30.0
LOAD_SECONDS = 5.0
POLL_SECONDS = 0.2
WORLD = "windrow"
STORAGE = (
    "(() => { try { return [location.origin, Object.entries(localStorage)]; } catch (refused) { return null; } })()"
)


@dataclass(frozen=True)
class Login:
    """A page to log in at, and whether the person sees the window."""

    url: str
    options: Options
    headless: bool = False

    def make(self, is_done: Callable[[], bool]) -> Session:
        """Show the page until ``is_done``; return the cookies of all sites and the storage of the open pages."""
        href = Guard(allow_private=self.options.allow_private).check_url(self.url)
        if not self.headless:
            check_window()
        deadline = time.monotonic() + MOST_SECONDS
        guard = Guard(allow_private=self.options.allow_private, proxy=self.options.proxy)
        try:
            with (
                GuardProxy(guard) as proxy,
                Browser(headless=self.headless) as browser,
                browser.context(proxy.address, deadline) as context,
            ):
                tab = browser.open_tab(deadline, context)
                _close_others(browser, context)
                self._set_up(tab)
                tab.call("Page.navigate", url=href)
                while not is_done():
                    tab.pause(POLL_SECONDS)
                with suppress(BrowserError):  # the person may have closed that very tab
                    _let_load(tab)
                return _take(browser, tab, context)
        except PipeClosedError:
            raise BrowserError(
                "The browser was closed before the session was saved. Log in again, and leave it open."
            ) from None
        except DeadlineError:
            raise BrowserError("The browser did not answer, so no session was saved. Log in again.") from None

    def _set_up(self, tab: Tab) -> None:
        agent = self.options.user_agent or str(tab.pipe.call("Browser.getVersion", None, tab.deadline)["userAgent"])
        tab.call(
            "Emulation.setUserAgentOverride",
            userAgent=agent.replace("HeadlessChrome", "Chrome"),
            acceptLanguage=self.options.language,
        )


def check_window() -> None:
    """Raise an error that says what to do where no window can be opened."""
    if sys.platform != "darwin" and not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")):
        raise SourceError(
            "There is no display to open a window on. Run `windrow login` on a machine with a desktop, and copy the "
            "session file here."
        )
    browser = find_browser()
    if browser is not None and "headless" in browser.resolve().name + browser.name:
        raise BrowserError(
            f"The browser {browser} has no windows. Install Chromium or Chrome, and set {ENVIRONMENT_NAME} to its path."
        )


def _soon() -> float:
    return time.monotonic() + ANSWER_SECONDS


def _pages(browser: Browser) -> list[Mapping[str, str]]:
    targets: list[Mapping[str, str]] = browser.call("Target.getTargets", _soon())["targetInfos"]
    return [target for target in targets if target["type"] == "page"]


def _close_others(browser: Browser, context: str) -> None:
    """Close the empty window that the browser begins with: it leads nowhere."""
    for target in _pages(browser):
        if target.get("browserContextId") != context:
            browser.call("Target.closeTarget", _soon(), targetId=target["targetId"])


def _let_load(tab: Tab) -> None:
    """Wait a moment for the last page to set its cookies."""
    until = time.monotonic() + LOAD_SECONDS
    while time.monotonic() < until:
        answer = tab.call("Runtime.evaluate", expression="document.readyState", returnByValue=True)
        if answer["result"].get("value") == "complete":
            return
        tab.pause(POLL_SECONDS)


def _take(browser: Browser, tab: Tab, context: str) -> Session:
    cookies: list[CookieFields] = browser.call("Storage.getCookies", _soon(), browserContextId=context)["cookies"]
    storage: dict[str, dict[str, str]] = {}
    for target in _pages(browser):
        if target.get("browserContextId") == context:
            place = target["targetId"]
            session = browser.call("Target.attachToTarget", _soon(), targetId=place, flatten=True)["sessionId"]
            storage |= _storage_of(Tab(tab.pipe, session, place, _soon()))
    return Session(tuple(map(known_fields, cookies)), storage)


def _storage_of(tab: Tab) -> dict[str, dict[str, str]]:
    """Return the local storage of a page and of its frames, by origin."""
    storage: dict[str, dict[str, str]] = {}
    waiting = [tab.call("Page.getFrameTree")["frameTree"]]
    while waiting:
        tree = waiting.pop()
        waiting += tree.get("childFrames", ())
        world = tab.call("Page.createIsolatedWorld", frameId=tree["frame"]["id"], worldName=WORLD)["executionContextId"]
        answer = tab.call("Runtime.evaluate", expression=STORAGE, contextId=world, returnByValue=True)
        if (found := answer["result"].get("value")) and found[1]:
            storage[found[0]] = dict(found[1])
    return storage
