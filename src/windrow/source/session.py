"""A session file: the cookies and the storage with which a page is read as somebody who has logged in."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from http.cookiejar import Cookie, CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from windrow.atomic import ONLY_ITS_OWNER, written
from windrow.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Mapping

CookieFields: TypeAlias = dict[str, str | float | bool]

# The fields of a cookie as DevTools gives them, with their types; the first four must be there.
COOKIE_FIELDS: dict[str, type | tuple[type, ...]] = {
    "name": str,
    "value": str,
    "domain": str,
    "path": str,
    "expires": (int, float),
    "secure": bool,
    "httpOnly": bool,
    "sameSite": str,
}
_REQUIRED = ("name", "value", "domain", "path")
MAX_BYTES = 16 * 1024 * 1024
END_OF_CALENDAR = 253_402_300_799


@dataclass(frozen=True)
class Session:
    """Cookies in the shape of DevTools' ``Network.Cookie``, and the local storage of each origin."""

    cookies: tuple[CookieFields, ...] = field(default=(), repr=False)
    storage: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)

    def write(self, path: Path) -> None:
        """Write the file, readable by its owner only, and either as a whole or not at all."""
        text = json.dumps({"cookies": list(self.cookies), "storage": self.storage}, indent=1, ensure_ascii=False)
        with written(path, ONLY_ITS_OWNER) as file:
            file.write(text.encode("utf-8", "replace"))

    def cookiejar(self) -> CookieJar:
        """Return the cookies as a jar for our own client."""
        jar = empty_jar()
        for cookie in self.cookies:
            jar.set_cookie(_jar_cookie(cookie))
        return jar


def empty_jar() -> CookieJar:
    """Return a jar that sends a host's own cookies to that host only, and takes none for all of co.uk."""
    return CookieJar(
        DefaultCookiePolicy(strict_domain=True, strict_ns_domain=DefaultCookiePolicy.DomainStrictNonDomain)
    )


def known_fields(cookie: CookieFields) -> CookieFields:
    """Return what is kept of a cookie; a time beyond all calendars becomes the last one that a calendar has."""
    kept = {key: cookie[key] for key in COOKIE_FIELDS if key in cookie}
    if "expires" in kept:
        expires = kept["expires"]
        kept["expires"] = min(expires, END_OF_CALENDAR) if isinstance(expires, int | float) and expires >= 0 else -1
    return kept


def read_session(path: str | Path) -> Session:
    """Read a session file; what it contains never shows in messages."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        data = json.loads(content) if len(content) <= MAX_BYTES else None
    except OSError as error:
        raise SourceError(
            f"The session file {path} could not be read: {error.strerror}. Make one with 'windrow login'."
        ) from None
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise _broken(path)
    cookies, storage = data.get("cookies", []), data.get("storage", {})
    if not (isinstance(cookies, list) and all(map(_is_cookie, cookies)) and _is_storage(storage)):
        raise _broken(path)
    return Session(tuple(map(known_fields, cookies)), storage)


def _broken(path: str | Path) -> SourceError:
    return SourceError(f"The file {path} is not a session file. Make one with 'windrow login'.")


def _is_cookie(value: object) -> bool:
    if not isinstance(value, dict) or not all(key in value for key in _REQUIRED):
        return False
    if any(key in value and not isinstance(value[key], kind) for key, kind in COOKIE_FIELDS.items()):
        return False
    # A line break within a cookie would smuggle a header into every request.
    return value["domain"] != "" and not any(char in str(value[key]) for key in _REQUIRED for char in "\r\n\0")


def _is_storage(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    items = [item for values in value.values() if isinstance(values, dict) for item in values.values()]
    return all(isinstance(values, dict) for values in value.values()) and all(isinstance(item, str) for item in items)


def _jar_cookie(cookie: CookieFields) -> Cookie:
    domain = str(cookie["domain"]).lower()
    for_subdomains = domain.startswith(".")
    expires = float(known_fields(cookie).get("expires", -1))
    return Cookie(
        version=0,
        name=str(cookie["name"]),
        value=str(cookie["value"]),
        port=None,
        port_specified=False,
        # The jar knows hosts without a dot, such as localhost, by this ending.
        domain=domain if "." in domain or ":" in domain else f"{domain}.local",
        domain_specified=for_subdomains,
        domain_initial_dot=for_subdomains,
        path=str(cookie["path"]) or "/",
        path_specified=True,
        secure=bool(cookie.get("secure", False)),
        expires=int(expires) if expires >= 0 else None,
        discard=expires < 0,
        comment=None,
        comment_url=None,
        rest={"HttpOnly": ""} if cookie.get("httpOnly") else {},
    )
