"""Which addresses foreign tools may reach: the table of what is refused, and what is not."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlllm.network.addresses import Place, Refused, check_machine, machines_of
from controlllm.network.transport import place_of
from tests.every_case import every_case

EXAMPLE = Place("https", "example.com", 443)

NOT_PUBLIC = {
    "loopback": "127.0.0.1 127.8.9.10 ::1",
    "unspecified": "0.0.0.0 0.1.2.3 ::",
    "mapped": "::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254",
    "compatible": "::127.0.0.1",
    "6to4": "2002:7f00:1:: 2002:a00:1:: 2002:808:808::",
    "teredo": "2001:0:7f00:1::",
    "nat64": "64:ff9b::7f00:1 64:ff9b::a00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1",
    "private": "10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.1.1",
    "shared": "100.64.0.1 100.127.255.255",
    "link-local": "169.254.0.1 fe80::1 fe80::1%eth0",
    "unique local": "fc00::1 fd12:3456::1",
    "site-local": "fec0::1",
    "metadata": "169.254.169.254 169.254.170.2 100.100.100.200 192.0.0.192 168.63.129.16 "
    "fd00:ec2::254",
    "documentation": "192.0.2.1 198.51.100.1 203.0.113.1 2001:db8::1",
    "benchmarks": "198.18.0.1 198.19.255.255",
    "multicast": "224.0.0.1 239.255.255.255 ff02::1 ff0e::1",
    "reserved": "240.0.0.1 255.255.255.255 192.0.0.1",
    "no address": "example 999.1.1.1 1.2.3",
}
PUBLIC = (
    "1.1.1.1 8.8.8.8 172.15.0.1 172.32.0.1 192.167.1.1 100.63.0.1 2606:4700::1 64:ff9b::808:808"
)


@every_case("address", [item for found in NOT_PUBLIC.values() for item in found.split()])
def test_what_is_not_public_is_refused(address):
    with pytest.raises(Refused):
        check_machine(address, EXAMPLE)


@every_case("address", PUBLIC.split())
def test_public_machines_are_asked(address):
    check_machine(address, EXAMPLE)


@given(st.ip_addresses())
def test_nothing_passes_that_python_knows_as_private(address):
    try:
        check_machine(str(address), EXAMPLE)
    except Refused:
        return
    if address in ipaddress.ip_network("64:ff9b::/96"):
        address = ipaddress.ip_address(int(address) & 0xFFFFFFFF)
    mapped = getattr(address, "ipv4_mapped", None)
    assert (mapped or address).is_global and not (mapped or address).is_multicast


@every_case(
    "url",
    [
        # Numbers in disguise, all of them 127.0.0.1 to some readers.
        *("http://2130706433/", "http://017700000001/", "http://0x7f000001/", "http://0x7f.1/"),
        *("http://0177.0.0.1/", "http://127.1/", "http://127.0.1/", "http://127.0.0.1./"),
        *("http://0x7f.0.0.1/", "http://00000127.0.0.1/", "http://[::ffff:7f00:1/"),
        # Other ways to carry a request.
        *("file:///etc/passwd", "ftp://example.com/", "gopher://example.com:70/_x"),
        *("data:text/plain,x", "javascript:alert(1)", "ws://example.com/", "unix:///run/x", "//x/"),
        *("", "example.com", "http://", "http:///x", "https://?x"),
        # A name and password, or what looks like the host and is none.
        *("http://user@example.com/", "http://user:word@example.com/", "http://a.com@127.0.0.1/"),
        *("http://exa mple.com/", "http://example.com\\@127.0.0.1/", "http://exam\nple.com/"),
        *("http://-example.com/", "http://example..com/", "http://[::1%25eth0]:99999/"),
        # Services that are no web servers.
        *("http://example.com:22/", "http://example.com:25/", "http://example.com:0/"),
        *("http://example.com:6379/", "http://example.com:2375/", "https://example.com:5432/"),
        *("http://example.com:65536/", "http://example.com:81/"),
    ],
)
def test_what_is_no_plain_web_address_is_refused(url):
    with pytest.raises(Refused):
        place_of(url)


@every_case(
    ("url", "expected"),
    [
        ("http://example.com", Place("http", "example.com", 80)),
        ("HTTPS://Example.COM:8443/x?y#z", Place("https", "example.com", 8443)),
        ("http://127.0.0.1:8000/", Place("http", "127.0.0.1", 8000)),
        ("https://[2606:4700::1]/", Place("https", "2606:4700::1", 443)),
        ("https://bücher.example/", Place("https", "xn--bcher-kva.example", 443)),
    ],
)
def test_web_addresses_name_a_place(url, expected):
    assert place_of(url) == expected


@every_case("address", ["127.0.0.1", "::1", "10.1.2.3", "192.168.0.7", "fd12::1"])
def test_what_the_operator_named_is_asked_there_alone(address):
    own = Place("http", "home", 8000)
    check_machine(address, own, own)
    for where in (Place("http", "home", 8001), Place("http", "other", 8000)):
        with pytest.raises(Refused):
            check_machine(address, where, own)


@every_case("address", ["169.254.169.254", "fe80::1", "0.0.0.0", "fd00:ec2::254"])
def test_metadata_is_never_asked(address):
    own = Place("http", "home", 8000)
    with pytest.raises(Refused):
        check_machine(address, own, own)


async def test_a_name_with_one_private_address_is_refused():
    async def both(host, port):
        return ["93.184.216.34", "10.0.0.1"]

    with pytest.raises(Refused, match="example.com is not asked: it stands for 10.0.0.1"):
        await machines_of(EXAMPLE, None, both)
