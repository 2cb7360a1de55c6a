"""One tab of a browser: commands, events by name, and the capture of whatever it shows."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from windrow.errors import BrowserError
from windrow.provenance import Notice
from windrow.render.pipe import DeadlineError, Message, Pipe
from windrow.render.snapshot import Snapshot, frame_elements, snapshot_to_nodes
from windrow.render.styles import STYLES
from windrow.render.words import SCRIPT, with_words

if TYPE_CHECKING:
    from windrow.nodes import Nodes

Handler: TypeAlias = Callable[[Message], None]

SEND_SECONDS = 1.0
WORLD = "windrow"
"""The world that our scripts run in."""
LARGEST_PICTURE = 16_000
"""Pixels each way; Chromium's canvas ends soon after."""

PICTURE_SHARE = 0.8
"""Of the time that is left, what a picture may take: the page itself is read by then."""
NO_PICTURE = Notice("picture-failed", "The browser could not take a picture of the page.")


class CrashedError(BrowserError):
    """The page made the tab crash."""


@dataclass
class Tab:
    """An attached tab; ``deadline`` is when whatever is asked of it must be done."""

    pipe: Pipe
    session: str
    target: str
    deadline: float
    viewport: tuple[int, int] = (0, 0)
    handlers: dict[str, Handler] = field(default_factory=dict)
    crashed: bool = False
    is_blank: bool = False
    """Whether it shows a blank page of ours, into which another can be written."""
    children: set[str] = field(default_factory=set)
    """Sessions of the workers that the page has started."""

    def call(self, method: str, **params: object) -> Message:
        """Send a command to the tab and wait for its answer."""
        return self.pipe.call(method, self.session, self.deadline, **params)

    def send(self, method: str, **params: object) -> None:
        """Send a command whose answer nobody needs."""
        # An event that is answered too late would leave the page waiting, so this has a moment even then.
        self.pipe.send(method, self.session, max(self.deadline, time.monotonic() + SEND_SECONDS), **params)

    def handle(self, event: Message) -> None:
        """Pass an event of this tab to whoever waits for it."""
        if event["method"] == "Inspector.targetCrashed":
            if event.get("sessionId") == self.session:
                self.crashed = True
                raise CrashedError(
                    "The page made the browser's tab crash. Read it without a browser: render=False (--no-render)."
                )
        elif handler := self.handlers.get(event["method"]):
            handler(event["params"])

    def wait(self, done: Callable[[], bool], until: float | None = None) -> bool:
        """Handle events until ``done``; return whether it was reached before the clock showed ``until``."""
        limit = self.deadline if until is None else min(until, self.deadline)
        with suppress(DeadlineError):
            self.pipe.pump(done, limit)
            return True
        return False

    def is_responsive(self, until: float) -> bool:
        """Return whether the page answers before the clock shows ``until``."""
        try:
            self.pipe.call("Page.getFrameTree", self.session, min(until, self.deadline))
        except DeadlineError:
            return False
        return True

    def pause(self, seconds: float) -> None:
        """Handle events for a while."""
        self.wait(lambda: False, time.monotonic() + seconds)

    def resize(self, viewport: tuple[int, int]) -> None:
        """Set the window's size in CSS pixels, where it is another one."""
        if viewport != self.viewport:
            width, height = viewport
            self.call(
                "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
            )
            self.viewport = viewport

    def snapshot(self) -> Message:
        """Capture the tree, the boxes and the styles of the page and of its frames in one call."""
        return self.call(
            "DOMSnapshot.captureSnapshot", computedStyles=STYLES, includePaintOrder=False, includeDOMRects=False
        )

    def read(self, answer: Message) -> Nodes:
        """Turn a snapshot into the page's columns."""
        offsets = {place: self._content_corner(backend) for place, backend in frame_elements(answer).items()}
        return snapshot_to_nodes(Snapshot(answer, offsets, self.viewport))

    def _content_corner(self, backend: int) -> tuple[float, float]:
        """Return where the content of a frame element begins; 0, 0 for one that is not laid out."""
        try:
            quad: list[float] = self.call("DOM.getBoxModel", backendNodeId=backend)["model"]["content"]
        except BrowserError:
            return 0.0, 0.0
        return min(quad[::2]), min(quad[1::2])

    def run(self, script: str) -> Message:
        """Run a script of ours in a world of its own, which the page can neither see nor change."""
        frame = self.call("Page.getFrameTree")["frameTree"]["frame"]["id"]
        world = self.call("Page.createIsolatedWorld", frameId=frame, worldName=WORLD)["executionContextId"]
        return self.call("Runtime.evaluate", expression=script, contextId=world, returnByValue=True, userGesture=True)

    def with_words(self, nodes: Nodes) -> Nodes:
        """Return the nodes of the page with the boxes of its words; without, where the page does not give them."""
        answer = None
        with suppress(BrowserError):  # lines have boxes, too, which are nearly as good
            answer = self.run(SCRIPT)["result"].get("value")
        return with_words(nodes, answer)

    def picture(self) -> tuple[bytes | None, tuple[Notice, ...]]:
        """Return a picture of the page with notices; a browser that chokes on it costs the picture, not the page."""
        final = self.deadline
        self.deadline = min(final, time.monotonic() + PICTURE_SHARE * max(final - time.monotonic(), 0))
        try:
            return self._screenshot()
        except (DeadlineError, BrowserError):
            self.is_blank = False
            return None, (NO_PICTURE,)
        finally:
            self.deadline = final

    def _screenshot(self) -> tuple[bytes | None, tuple[Notice, ...]]:
        """Return a picture of the whole page as PNG, as far as PNGs go, with a notice where it is cut or missing."""
        size: dict[str, Any] = self.call("Page.getLayoutMetrics")["cssContentSize"]
        width, height = (min(size[side], LARGEST_PICTURE) for side in ("width", "height"))
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        try:
            answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        except BrowserError:
            return None, (NO_PICTURE,)
        cut = (width, height) != (size["width"], size["height"])
        notice = Notice("picture-cut", f"The picture ends after {LARGEST_PICTURE:,} pixels; the page goes on.")
        return base64.b64decode(answer["data"]), (notice,) if cut else ()
