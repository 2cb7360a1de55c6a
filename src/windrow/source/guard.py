"""The guard: what may be asked for, and the only function that opens connections to the network.

A URL is checked when it is asked for (scheme, port, spelled-out addresses), and its host again when the connection is
made: all its addresses are looked up, one that is not allowed refuses the host, and the connection goes to the very
address that was checked. A name that resolves differently a moment later changes nothing: it is not asked again.
"""

from __future__ import annotations

import asyncio
import re
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from ipaddress import ip_address
from typing import TypeAlias

import ada_url

from windrow.errors import RefusedError, SourceError, UnreachableError
from windrow.source.http1 import HEAD_BYTES, Stream
from windrow.source.ip_addresses import check_address
from windrow.source.upstream import Upstream

Resolver: TypeAlias = Callable[[str, int], Sequence[str]]

LOOKUP_SECONDS = 15.0
CONNECT_SECONDS = 8.0
MAX_ADDRESSES = 8
MAX_URL = 32 * 1024
SHOWN_URL = 200

DEFAULT_PORTS = {"http:": 80, "https:": 443}

_NOT_IN_HOSTS = re.compile(r"[/?#@\\\s]|^[^\[]*:")  # a colon only within the brackets of an IPv6 address

# Ports of other protocols that an HTTP request could be mistaken for: "bad port" in the Fetch standard.
# fmt: off
BAD_PORTS = frozenset((
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109,
    110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531,
    532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060,
    5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
))
# fmt: on


def system_addresses(host: str, port: int) -> list[str]:
    """Look up all addresses of a host the way the system does, in its order of preference."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def without_credentials(url: str) -> str:
    """Return a URL without its user name and password; one that can't be parsed is returned as it is."""
    try:
        parsed = ada_url.URL(url)
    except ValueError:
        return url
    parsed.username = parsed.password = ""
    return str(parsed.href)


def shown_url(url: str) -> str:
    """Return a URL as it may stand in a message: without credentials and control characters, and not endless."""
    try:
        parsed = ada_url.URL(url)
        parsed.username = parsed.password = ""
        text = parsed.href
    except ValueError:
        # What cannot be parsed cannot be told apart: everything before an @ may be a password.
        _, at, rest = url.rpartition("@")
        text = f"…@{rest}" if at else url
    text = "".join(char if char.isprintable() else "?" for char in text)
    return text if len(text) <= SHOWN_URL else f"{text[:SHOWN_URL]}…"


class Guard:
    """Decides which URLs and hosts may be reached, and connects to them."""

    def __init__(
        self, *, allow_private: bool = False, proxy: str | None = None, resolver: Resolver = system_addresses
    ) -> None:
        """Guard the way out, through the user's own proxy if there is one; ``resolver`` looks names up."""
        self.allow_private = allow_private
        self._upstream = Upstream.parse(proxy) if proxy else None
        self._resolver = resolver
        self._own_ports: set[int] = set()

    def keep_out_of(self, port: int) -> None:
        """Never connect to this port of the loopback interface: it is a proxy of ours."""
        self._own_ports.add(port)

    def check_url(self, url: str) -> str:
        """Return the URL as the URL standard serialises it, or raise if it is refused; looks nothing up."""
        if len(url) > MAX_URL:
            raise SourceError(f"The address {shown_url(url)} is too long. Shorten it to {MAX_URL} characters.")
        try:
            parsed = ada_url.URL(url)
        except ValueError:
            raise SourceError(
                f"{shown_url(url)!r} is not a web address. Check its spelling; it should look like https://example.org/page."
            ) from None
        if parsed.protocol not in DEFAULT_PORTS:
            raise RefusedError(
                f"The address {shown_url(url)} was refused, because only http and https are read from the network."
            )
        self._check_host(parsed.hostname, int(parsed.port or DEFAULT_PORTS[parsed.protocol]))
        return parsed.href

    async def connect(self, host: str, port: int) -> Stream:
        """Look the host up, check every address that it has, and connect to one of those."""
        addresses = await self.addresses(host, port)
        failures: list[str] = []
        for address in addresses[:MAX_ADDRESSES]:
            try:
                return await asyncio.wait_for(self._open(address, port), CONNECT_SECONDS)
            except TimeoutError:
                failures.append("it did not answer in time")
            except OSError as error:
                failures.append(_said(error))
        raise UnreachableError(
            f"Could not connect to {host} on port {port}: {failures[0]}. Check the address, or try again later."
        )

    async def addresses(self, host: str, port: int) -> Sequence[str]:
        """Return the addresses of a host, all of them allowed, or raise if it is refused or unknown."""
        name, is_address = self._check_host(host, port)
        if is_address:
            return [name]
        if _is_loopback_name(name):
            # The name is loopback by definition; a resolver that says otherwise is not to be believed.
            addresses: Sequence[str] = ["127.0.0.1", "::1"]
        else:
            addresses = await self._look_up(name, port)
        for address in addresses:
            self._check(name, address, port)
        return addresses

    def _check_host(self, host: str, port: int) -> tuple[str, bool]:
        """Check the host as it is written; return it in standard form, and whether it is an address."""
        try:
            parsed = None if _NOT_IN_HOSTS.search(host) else ada_url.URL(f"http://{host}/")
        except ValueError:
            parsed = None
        if parsed is None:
            raise SourceError(f"{shown_url(host)!r} is not the name of a host. Check its spelling.")
        name = parsed.hostname.strip("[]")
        if port in BAD_PORTS:
            raise refused_port(name, port)
        is_address = parsed.host_type != ada_url.HostType.DEFAULT
        if is_address or _is_loopback_name(name):
            self._check(host, name if is_address else "127.0.0.1", port)
        return name, is_address

    def _check(self, host: str, address: str, port: int) -> None:
        name = host if host.strip("[]") == address else f"{host} ({address})"
        reason = check_address(address, allow_private=self.allow_private)
        if reason is not None:
            # What private access would open is worth saying only when it would open it.
            hint = (
                ""
                if check_address(address, allow_private=True)
                else " If the server is your own, allow private addresses (--allow-private, Options.allow_private)."
            )
            raise RefusedError(f"{name} was refused, because it is {reason}.{hint}")
        if port in self._own_ports and ip_address(address).is_loopback:
            raise RefusedError(f"Port {port} of {name} was refused, because it belongs to Windrow itself.")

    async def _look_up(self, host: str, port: int) -> Sequence[str]:
        try:
            addresses = await asyncio.wait_for(_in_thread(self._resolver, host, port), LOOKUP_SECONDS)
        except TimeoutError:
            raise UnreachableError(
                f"The name {host} could not be looked up in time. Check your network connection."
            ) from None
        except (OSError, UnicodeError):
            addresses = []
        if not addresses:
            raise UnreachableError(f"There is no host named {host}. Check the spelling of the address.")
        return addresses

    async def _open(self, address: str, port: int) -> Stream:
        if self._upstream is None:
            return await asyncio.open_connection(address, port, limit=HEAD_BYTES)
        return await self._upstream.open(address, port)


def refused_port(host: str, port: int) -> RefusedError:
    """Return what is said of a port that no page is read from."""
    return RefusedError(
        f"Port {port} of {host} was refused, because it belongs to another protocol. "
        "Serve the page on another port; browsers refuse this one, too."
    )


def _is_loopback_name(host: str) -> bool:
    name = host.rstrip(".").lower()
    return name == "localhost" or name.endswith(".localhost")


def _said(error: OSError) -> str:
    if isinstance(error, ConnectionRefusedError):
        return "nothing listens there"
    return (error.strerror or str(error) or "the connection failed").rstrip(".").lower()


async def _in_thread(resolver: Resolver, host: str, port: int) -> Sequence[str]:
    """Look up in a daemon thread of its own: a resolver that hangs must hold up neither closing nor the exit."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Sequence[str]] = loop.create_future()

    def deliver(addresses: Sequence[str], error: BaseException | None) -> None:
        if answer.done():
            return
        if error is None:
            answer.set_result(addresses)
        else:
            answer.set_exception(error)

    def ask() -> None:
        addresses: Sequence[str] = ()
        failure: BaseException | None = None
        try:
            addresses = resolver(host, port)
        except Exception as error:  # noqa: BLE001 - handed over to the waiting coroutine, whatever it is
            failure = error
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(deliver, addresses, failure)

    threading.Thread(target=ask, name="windrow-lookup", daemon=True).start()
    return await answer
