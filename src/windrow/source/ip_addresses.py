"""Which IP addresses may be reached: only globally routable unicast, unless private ones were asked for.

The tables follow the IANA special-purpose registries. They are written out because ``ipaddress`` answers differently
from one Python release to the next, and because a refusal should name what was refused.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address


# The first match wins, so what stays refused even in private networks comes first; above all the services that hand
# out the credentials of the machine (of Azure, Alibaba, Amazon and Google).
_NEVER = (
    ("a cloud metadata address", "168.63.129.16 100.100.100.200 169.254.169.254 fd00:ec2::254 fd20:ce::254"),
    ("a link-local address", "169.254.0.0/16 fe80::/10"),
    ("an unspecified address", "0.0.0.0/8 ::"),
    ("a multicast address", "224.0.0.0/4 ff00::/8"),
    ("a broadcast address", "255.255.255.255"),
    ("a reserved address", "192.0.0.0/24 192.88.99.0/24 240.0.0.0/4 2001::/23"),
    ("a documentation address", "192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 2001:db8::/32 3fff::/20"),
    ("a benchmarking address", "198.18.0.0/15"),
    ("an address that discards everything", "100::/64"),
    ("a site-local address", "fec0::/10"),
)
_PRIVATE = (
    ("a loopback address", "127.0.0.0/8 ::1"),
    ("a private address", "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7"),
    ("an address of a carrier's own network", "100.64.0.0/10"),
)
_BLOCKS = tuple(
    (ip_network(network), reason, table is _PRIVATE)
    for table in (_NEVER, _PRIVATE)
    for reason, networks in table
    for network in networks.split()
)

_GLOBAL_UNICAST = ip_network("2000::/3")

# Prefixes of IPv6 addresses that only spell or translate an IPv4 address, with the bit where the latter begins.
# Teredo, which hides it inverted, is within 2001::/23 above.
_SPELLINGS = [
    (IPv6Network("::ffff:0:0/96"), 0),  # mapped
    (IPv6Network("::ffff:0:0:0/96"), 0),  # translated (SIIT)
    (IPv6Network("64:ff9b::/96"), 0),  # NAT64
    (IPv6Network("64:ff9b:1::/48"), 0),  # NAT64 of a local network
    (IPv6Network("2002::/16"), 80),  # 6to4
    (IPv6Network("::/96"), 0),  # compatible
]
_ISATAP = {0x00005EFE, 0x02005EFE}


def check_address(address: str | Address, *, allow_private: bool = False) -> str | None:
    """Return why an IP address is refused, such as "a loopback address", or None if it may be reached.

    ``allow_private`` opens loopback and private networks. Link-local addresses, metadata services, multicast and
    everything else that is not an ordinary server stay refused.
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return "not an IP address"
    for network, reason, private in _BLOCKS:
        if parsed.version == network.version and parsed in network:
            return None if private and allow_private else reason
    if isinstance(parsed, IPv4Address):
        return None
    return _check_ipv6(parsed)


def _check_ipv6(address: IPv6Address) -> str | None:
    if address.scope_id is not None:
        return "an address with a zone"
    for network, shift in _SPELLINGS:
        if address in network:
            return f"the IPv4 address {IPv4Address(int(address) >> shift & 0xFFFFFFFF)} in an IPv6 spelling"
    if int(address) >> 32 & 0xFFFFFFFF in _ISATAP:
        return f"the IPv4 address {IPv4Address(int(address) & 0xFFFFFFFF)} in an IPv6 spelling"
    return None if address in _GLOBAL_UNICAST else "an address outside the global range"
