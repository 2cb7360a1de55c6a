"""Which browser lays pages out: finding one on this machine, or installing one.

Any browser of the Chromium family serves. The headless shell comes first, because it starts faster and costs less.
"""

from __future__ import annotations

import os
import pwd
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from windrow.errors import BrowserError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

ENVIRONMENT_NAME = "WINDROW_BROWSER"

# The headless shell first, then browsers of the Chromium family from plain to branded.
COMMANDS = (
    *("chromium-headless-shell", "chrome-headless-shell", "headless_shell"),
    *("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"),
    *("microsoft-edge-stable", "microsoft-edge", "brave-browser", "brave"),
)
FIXED_PLACES = ("/usr/lib64/chromium-browser/headless_shell", "/opt/google/chrome/chrome")
MAC_BUNDLES = ("Chromium", "Google Chrome", "Google Chrome for Testing", "Microsoft Edge", "Brave Browser")
# Playwright's folders, whose layout our own shares; the revision is in the first part of the path.
CACHE_PATTERNS = (
    "chromium_headless_shell-*/*/chrome-headless-shell",
    "chromium_headless_shell-*/*/headless_shell",
    "chromium-*/*/chrome",
    "chromium-*/*/*.app/Contents/MacOS/*",
)
# A package manager's words for "install without asking", and what it calls the browser, best first.
PACKAGES: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "apt-get": (("install", "-y", "--no-install-recommends"), ("chromium-headless-shell", "chromium")),
    "dnf": (("install", "-y"), ("chromium-headless", "chromium")),
    "pacman": (("-S", "--noconfirm", "--needed"), ("chromium",)),
    "apk": (("add",), ("chromium",)),
}
SHELL_SCRIPT_BYTES = 64 * 1024
PROBE_SECONDS = 20.0
INSTALL_SECONDS = 1200.0

SandboxKind = Literal["system", "namespaces", "setuid", "none"]


def find_browser() -> Path | None:
    """Return the browser to use, or None; ``WINDROW_BROWSER`` wins, and must then name one."""
    chosen = os.environ.get(ENVIRONMENT_NAME)
    if chosen:
        found = shutil.which(chosen)
        if found is None:
            raise BrowserError(
                f"{ENVIRONMENT_NAME} names {chosen}, which is not an executable file; correct it, or unset it to let "
                "Windrow look for a browser itself."
            )
        return Path(found)
    snaps: list[Path] = []
    for path in _candidates():
        if not _is_executable(path):
            continue
        if is_snap_stub(path):
            snaps.append(path)
        elif _is_reachable(path):
            return path
    return next((path for path in snaps if _answers(path)), None)


def browser_version(path: Path) -> str:
    """Return what the browser calls itself, such as ``Chromium 140.0.7339.80``."""
    done = _run([str(path), "--version"])
    if done.returncode != 0:
        raise BrowserError(f"{path} does not start ({_reason(done)}); run `windrow setup` to install a browser.")
    for line in done.stdout.splitlines():
        if re.search(r"\d+\.\d+", line):
            return line.strip()
    raise BrowserError(f"{path} does not say its version; set {ENVIRONMENT_NAME} to a browser of the Chromium family.")


def install_browser(report: Callable[[str], None]) -> Path:
    """Install a browser in the way that suits this machine, telling ``report`` each step, and return it."""
    for command in _installations():
        report(f"Running {' '.join(command)}")
        if _succeeds(command, report) and (path := _working_browser()):
            return path
    if _install_through_playwright(report) and (path := _working_browser()):
        return path
    raise BrowserError(
        "No browser could be installed here; install Chromium or Chrome with your system's package manager, or set "
        f"{ENVIRONMENT_NAME} to the path of one, then run `windrow doctor`."
    )


def browser_folder() -> Path:
    """Return the folder that Windrow installs browsers into; root's is one that other users may enter."""
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/windrow/browser"
    if os.geteuid() == 0:
        return Path("/usr/local/lib/windrow/browser")
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "windrow/browser"


def sandbox_kind(browser: Path | None = None) -> SandboxKind:
    """Return what will confine the browser's processes."""
    if sys.platform == "darwin":
        return "system"
    if _has_user_namespaces():
        return "namespaces"
    return "setuid" if _setuid_helper(browser) else "none"


def sandbox_state(browser: Path | None = None) -> str:
    """Return a sentence on how the browser's sandbox will work, or what to do when it cannot."""
    sentence = {
        "system": "The system's own sandbox confines the browser.",
        "namespaces": "Unprivileged user namespaces confine the browser.",
        "setuid": "The setuid helper chrome-sandbox confines the browser.",
        "none": "Nothing can confine the browser: allow unprivileged user namespaces (sysctl "
        "kernel.unprivileged_userns_clone=1 and kernel.apparmor_restrict_unprivileged_userns=0; in a container, a "
        "seccomp profile that lets them through), or install the setuid helper (Debian: apt install chromium-sandbox).",
    }[sandbox_kind(browser)]
    if (user := unprivileged_user()) is not None:
        sentence += f" Windrow runs as root, so the browser runs as uid {user} (nobody)."
    return sentence


def unprivileged_user() -> int | None:
    """Return the user that the browser runs as: nobody where we are root, since the sandbox refuses root; else None."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("nobody").pw_uid
    except KeyError:
        return 65534


def is_snap_stub(path: Path) -> bool:
    """Return whether a command only hands over to a snap, which is confined away from files of ours."""
    real = path.resolve()
    if real.name == "snap" or "/snap/" in str(path):
        return True
    try:
        return real.stat().st_size < SHELL_SCRIPT_BYTES and b"/snap/" in real.read_bytes()
    except OSError:
        return False


def _candidates() -> Iterator[Path]:
    for name in COMMANDS:
        if found := shutil.which(name):
            yield Path(found)
    yield from map(Path, FIXED_PLACES)
    for folder in (Path("/Applications"), Path.home() / "Applications"):
        for name in MAC_BUNDLES:
            yield folder / f"{name}.app/Contents/MacOS/{name}"
    for folder in _cache_folders():
        for pattern in CACHE_PATTERNS:
            yield from sorted(folder.glob(pattern), key=lambda path: _revision(path.relative_to(folder)), reverse=True)


def _cache_folders() -> Iterator[Path]:
    if chosen := os.environ.get("PLAYWRIGHT_BROWSERS_PATH"):
        yield Path(chosen)
    yield Path.home() / ".cache/ms-playwright"
    yield Path.home() / "Library/Caches/ms-playwright"
    yield browser_folder()


def _revision(path: Path) -> int:
    digits = re.search(r"-(\d+)$", path.parts[0])
    return int(digits[1]) if digits else 0


def _is_executable(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _is_reachable(path: Path) -> bool:
    """Return whether the user that the browser will run as may enter every folder on the way to it."""
    if os.geteuid() != 0 or sys.platform == "darwin":
        return True
    real = path.resolve()
    return all(part.stat().st_mode & stat.S_IXOTH for part in (real, *real.parents))


def _answers(path: Path) -> bool:
    return _run([str(path), "--version"]).returncode == 0


def _working_browser() -> Path | None:
    path = find_browser()
    return path if path and _answers(path) else None


def _installations() -> Iterator[list[str]]:
    """Yield the commands of this machine's package manager that would install a browser, best first."""
    if sys.platform == "darwin":
        if brew := shutil.which("brew"):
            yield [brew, "install", "--cask", "chromium"]
        return
    admin = _admin_prefix()
    manager = next((name for name in PACKAGES if shutil.which(name)), None)
    if admin is None or manager is None:
        return
    if manager == "apt-get":
        yield [*admin, "apt-get", "update"]
    words, packages = PACKAGES[manager]
    for package in packages:
        if manager != "apt-get" or _is_real_package(package):
            yield [*admin, "env", "DEBIAN_FRONTEND=noninteractive", manager, *words, package]


def _is_real_package(package: str) -> bool:
    """Return whether apt has the package, and not as a stub that installs a snap, as on Ubuntu."""
    candidate = re.search(r"Candidate: (\S+)", _run(["apt-cache", "policy", package]).stdout)
    return candidate is not None and candidate[1] != "(none)" and "snap" not in candidate[1]


def _admin_prefix() -> list[str] | None:
    """Return what to put before a command that only root may run, or None where that would ask for a password."""
    if os.geteuid() == 0:
        return []
    sudo = shutil.which("sudo")
    return [sudo, "-n"] if sudo and _run([sudo, "-n", "true"]).returncode == 0 else None


def _install_through_playwright(report: Callable[[str], None]) -> bool:
    """Let Playwright, from a place that is thrown away afterwards, fetch a headless shell into our folder."""
    # uv trusts a list of certificates of its own unless told to trust the machine's, as all else here does.
    environment = {"UV_SYSTEM_CERTS": "true", **os.environ, "PLAYWRIGHT_BROWSERS_PATH": str(browser_folder())}
    arguments = ["install", "chromium-headless-shell"]
    if shutil.which("apt-get") and _admin_prefix() is not None:
        arguments.insert(1, "--with-deps")
    report(f"Fetching a headless browser into {browser_folder()} with Playwright")
    with tempfile.TemporaryDirectory(prefix="windrow-") as folder:
        playwright = [f"{folder}/bin/playwright"]
        if uv := shutil.which("uv"):
            playwright = [uv, "tool", "run", "--from", "playwright", "playwright"]
        elif not (
            _succeeds([sys.executable, "-m", "venv", folder], report)
            and _succeeds([f"{folder}/bin/python", "-m", "pip", "install", "playwright"], report)
        ):
            return False
        return _succeeds([*playwright, *arguments], report, environment)


def _has_user_namespaces() -> bool:
    switches = {
        "/proc/sys/kernel/unprivileged_userns_clone": "0",
        "/proc/sys/user/max_user_namespaces": "0",
        "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1",
    }
    for name, closed in switches.items():
        if Path(name).exists() and Path(name).read_text(encoding="ascii").strip() == closed:
            return False
    # The switches do not know of a container's seccomp filter; trying does.
    unshare = shutil.which("unshare")
    return unshare is None or _run([unshare, "--user", "true"], user=unprivileged_user()).returncode == 0


def _setuid_helper(browser: Path | None) -> Path | None:
    folders = ["/usr/lib/chromium", "/usr/lib64/chromium-browser", "/opt/google/chrome"]
    if browser is not None:
        folders.insert(0, str(browser.resolve().parent))
    for folder in folders:
        helper = Path(folder, "chrome-sandbox")
        if helper.is_file() and helper.stat().st_mode & stat.S_ISUID and helper.stat().st_uid == 0:
            return helper
    return None


def _succeeds(
    command: Sequence[str], report: Callable[[str], None], environment: Mapping[str, str] | None = None
) -> bool:
    done = _run(command, seconds=INSTALL_SECONDS, environment=environment)
    if done.returncode != 0:
        report(f"That failed: {_reason(done)}")
    return done.returncode == 0


def _reason(done: subprocess.CompletedProcess[str]) -> str:
    """Return the line of a program's output that says most: the first that speaks of an error, or the last."""
    lines = done.stdout.strip().splitlines() or [f"exit status {done.returncode}, no word why"]
    return next(
        (line for line in lines if re.search(r"\b(error|failed|cannot|unable)\b", line, re.IGNORECASE)), lines[-1]
    ).strip()


def _run(
    command: Sequence[str],
    *,
    seconds: float = PROBE_SECONDS,
    environment: Mapping[str, str] | None = None,
    user: int | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, both its streams read as one; ``user`` counts only when we are root."""
    try:
        return subprocess.run(  # noqa: S603  # every command is a list that this module put together
            command,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=seconds,
            env=environment,
            user=user if os.geteuid() == 0 else None,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return subprocess.CompletedProcess(command, 1, stdout=str(error))
