"""Starts Chromium with its sandbox on and no way to the network but through the guard's proxy."""

from __future__ import annotations

import json
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from windrow.errors import BrowserError
from windrow.options import MEBIBYTE
from windrow.render import supervisor
from windrow.render.executable import find_browser, unprivileged_user
from windrow.render.pipe import Pipe

logger = logging.getLogger(__name__)

MOST_MEMORY = 1100 * MEBIBYTE
"""What one browser, all of its processes together, may take for itself."""
CLEAN_UP_SECONDS = 2.0
"""How long the supervisor of a browser that has ended may take to say why."""
OFF = (
    "AutofillServerCommunication BackForwardCache CertificateTransparencyComponentUpdater "
    "DestroyProfileOnBrowserClose DialMediaRouteProvider GlobalMediaControls "
    "HttpsFirstBalancedModeAutoEnable HttpsUpgrades InterestFeedContentSuggestions IsolateOrigins "
    "LensOverlay MediaRouter NetworkPrediction OptimizationHints PaintHolding "
    "ProcessPerSiteUpToMainFrameThreshold site-per-process SpareRendererForSitePerProcess Translate"
).split()
FLAGS = (
    "--headless",
    "--block-new-web-contents",
    "--remote-debugging-pipe",
    "--disable-features=" + ",".join(OFF),
    # Nothing of the browser's own goes out.
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-pings",
    "--password-store=basic",
    "--use-mock-keychain",
    # No way around the proxy: no direct name look-ups, no UDP.
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    # Frames of other sites share the page's process, so that one capture holds them all.
    "--disable-site-isolation-trials",
    # The same layout everywhere, and no work for pictures that nobody looks at.
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--font-render-hinting=none",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--mute-audio",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-hang-monitor",
    "--log-level=3",
    "--js-flags=--max-old-space-size=512",
)


@dataclass(frozen=True, eq=False)
class Process:
    """A running browser: the pipe that it answers on, and its supervisor."""

    pipe: Pipe
    supervisor: subprocess.Popen[bytes]
    log: Path

    def end(self) -> None:
        """End the browser without waiting; whoever uses it just now finds it gone. Safe from any thread."""
        if self.supervisor.stdin is not None:
            self.supervisor.stdin.close()

    def stop(self) -> None:
        """End the browser and everything that it started, and wait until it is gone."""
        self.end()
        self.pipe.close()
        self.supervisor.wait()
        logger.info("ended the browser")
        self.log.unlink(missing_ok=True)
        shutil.rmtree(self.log.with_suffix(""), ignore_errors=True)  # in case that the supervisor was killed

    def abandon(self) -> None:
        """Close our copies of the pipes, in a forked child whose parent goes on using them."""
        self.end()  # our copy of its pipe; the parent has another
        self.pipe.close()
        self.supervisor.returncode = 0  # not ours to wait for

    def was_too_large(self) -> bool:
        """Whether the browser was ended for the memory that it took."""
        return self.supervisor.returncode == supervisor.TOO_MUCH_MEMORY

    def last_words(self) -> str:
        """Return why the browser ended, as far as it said so itself."""
        with suppress(subprocess.TimeoutExpired):
            self.supervisor.wait(CLEAN_UP_SECONDS)
        if self.was_too_large():
            return f"it took more than {MOST_MEMORY // MEBIBYTE} MiB of memory"
        said = self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""
        if "No usable sandbox" in said:
            return (
                "its sandbox can't start here: allow unprivileged user namespaces "
                "(sysctl kernel.unprivileged_userns_clone=1), or install the package chromium-sandbox"
            )
        lines = [line for line in said.splitlines() if ":FATAL:" in line or "error while loading" in line]
        return lines[-1].strip() if lines else "it gave no reason"


def start_browser(*, headless: bool = True) -> Process:
    """Start a browser; ``BrowserError`` says what to do where there is none or it does not start."""
    executable = find_browser()
    if executable is None:
        raise BrowserError(
            "No Chromium was found. Run `windrow setup` to install one, or set WINDROW_BROWSER to its path; "
            "without a browser, pages are read with render=False (--no-render)."
        )
    profile = Path(tempfile.gettempdir()) / f"windrow-{uuid.uuid4().hex}"
    flags = (
        FLAGS
        if headless
        else tuple(
            flag for flag in FLAGS if flag not in ("--headless", "--block-new-web-contents", "--hide-scrollbars")
        )
    )
    command = [str(executable), *flags, "--proxy-server=127.0.0.1:1", f"--user-data-dir={profile}", "about:blank"]
    return _run(command, profile)


def _run(command: list[str], profile: Path) -> Process:
    browser_reads, we_write = os.pipe()
    we_read, browser_writes = os.pipe()
    job: supervisor.Job = {
        "command": command,
        "read": browser_reads,
        "write": browser_writes,
        "parent": os.getpid(),
        "profile": str(profile),
        "log": str(profile.with_suffix(".log")),
        "memory": MOST_MEMORY,
        "user": unprivileged_user(),
    }
    log = profile.with_suffix(".log")
    with log.open("wb") as said:
        process = subprocess.Popen(  # noqa: S603 - our own script
            [sys.executable, "-I", "-S", str(Path(supervisor.__file__)), json.dumps(job)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=said,
            pass_fds=(browser_reads, browser_writes),
            start_new_session=True,  # so that it is there to clean up when our whole process group is killed
        )
    os.close(browser_reads)
    os.close(browser_writes)
    logger.info("started the browser %s", command[0])
    return Process(Pipe(we_read, we_write), process, log)
