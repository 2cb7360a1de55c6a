from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.source.ip_addresses import check_address

# fmt: off
REFUSED = [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.254", "127.0.0.1",  # noqa: S104
    "127.255.255.254", "169.254.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8",
    "192.0.0.192", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.1",
    "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "168.63.129.16", "::",
    "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:0:10.0.0.1",
    "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::a00:1", "100::1", "2001::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:2::1", "2001:10::1", "2001:db8::1", "2002:7f00:1::",
    "2002:808:808::1", "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fdff::1", "fe80::1", "fe80::1%eth0",
    "fec0::1", "ff02::1", "2600::1%eth0", "2600::5efe:10.0.0.1", "4000::1", "e000::1",
]
# fmt: on
# fmt: off
REACHED = [
    "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
    "128.0.0.0", "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255",
    "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "2001:200::1", "2600::1",
    "2606:4700:4700::1111", "2a00:1450:4001::200e", "3ffe::1",
]
# fmt: on
NO_ADDRESSES = ["", "localhost", "127.1", "0x7f.1", "2130706433", "[::1]", "1.2.3.4.5", "8.8.8.8/8", " 8.8.8.8"]
PRIVATE = ["127.0.0.1", "10.1.2.3", "172.20.0.1", "192.168.1.1", "100.64.0.1", "::1", "fd12::1"]


@pytest.mark.parametrize("address", [*REFUSED, *NO_ADDRESSES])
def test_refused(address: str) -> None:
    assert check_address(address)


@pytest.mark.parametrize("address", REACHED)
def test_reached(address: str) -> None:
    assert check_address(address) is None
    assert check_address(ip_address(address)) is None


@pytest.mark.parametrize("address", PRIVATE)
def test_private_is_reached_when_allowed(address: str) -> None:
    assert check_address(address)
    assert check_address(address, allow_private=True) is None


@pytest.mark.parametrize(
    "address",
    [
        "169.254.169.254",
        "fe80::1",
        "fd00:ec2::254",
        "100.100.100.200",
        "168.63.129.16",
        "0.0.0.0",  # noqa: S104 - nothing is bound
        "::",
        "224.0.0.1",
        "255.255.255.255",
        "::ffff:127.0.0.1",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "fe80::1%lo",
    ],
)
def test_stays_refused_even_where_private_is_allowed(address: str) -> None:
    assert check_address(address, allow_private=True)


def test_reason_names_the_address_within() -> None:
    assert "127.0.0.1" in str(check_address("::ffff:127.0.0.1"))
    assert "10.0.0.1" in str(check_address("2002:a00:1::"))
    assert check_address("10.0.0.1") == "a private address"


# Networks that ``ipaddress`` calls global, in this or that release, and we do not.
# fmt: off
STRICTER = [ip_network(network) for network in (
    "192.0.0.0/24", "192.88.99.0/24", "224.0.0.0/4", "168.63.129.16/32", "ff00::/8", "2001::/23", "2002::/16",
    "3fff::/20", "64:ff9b::/96", "::ffff:0:0/96", "::/96", "::ffff:0:0:0/96",
)]
# fmt: on


@given(st.ip_addresses(v=4))
def test_any_ipv4_is_reached_only_if_global(address: IPv4Address) -> None:
    stricter = any(address in network for network in STRICTER if network.version == 4)
    assert (check_address(address) is None) == (address.is_global and not stricter)


@given(st.ip_addresses(v=6))
def test_any_ipv6_is_reached_only_if_global(address: IPv6Address) -> None:
    stricter = any(address in network for network in STRICTER if network.version == 6)
    in_unicast = address in ip_network("2000::/3")
    isatap = int(address) >> 32 & 0xFDFFFFFF == 0x5EFE
    assert (check_address(address) is None) == (in_unicast and address.is_global and not stricter and not isatap)


@given(st.ip_addresses(v=4), st.booleans())
def test_no_ipv6_spelling_of_an_ipv4_address_is_reached(address: IPv4Address, allow_private: bool) -> None:  # noqa: FBT001
    number = int(address)
    spellings = [
        number,
        0xFFFF << 32 | number,
        0xFFFF << 48 | number,
        0x64FF9B << 96 | number,
        0x64FF9B0001 << 80 | number,
        0x2002 << 112 | number << 80,
        0x20010000 << 96 | number ^ 0xFFFFFFFF,
    ]
    for spelling in spellings[1:]:
        assert check_address(IPv6Address(spelling), allow_private=allow_private)
    assert check_address(IPv6Address(spellings[0])), "v4-compatible, of which ::1 is private and the rest refused"
