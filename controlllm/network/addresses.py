"""Which addresses on the network foreign tools may reach: public ones, and those of one's own that
the operator has named.

An address of a machine is judged, never a name: a name is resolved, all that it stands for is
judged, and what was judged is connected to (`controlllm.network.transport`).
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from controlllm.toolbox import Code, ToolError

#: Where clouds tell machines their keys. Some of these lie among public addresses.
_METADATA = frozenset(
    map(
        ip_address,
        (
            *("169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192"),
            *("168.63.129.16", "fd00:ec2::254", "fd20:ce::254"),
        ),
    )
)
#: What the operator may name: this machine, and networks at home and at work.
_NEARBY = tuple(
    map(
        ip_network,
        (
            *("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10"),
            *("::1/128", "fc00::/7"),
        ),
    )
)
#: What `ipaddress` calls global in some versions, and what only wraps other addresses.
_NEVER = tuple(
    map(
        ip_network,
        (
            *("0.0.0.0/8", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15", "240.0.0.0/4"),
            *("::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16"),
            *("3fff::/20", "5f00::/16", "fec0::/10"),
        ),
    )
)
_NAT64 = ip_network("64:ff9b::/96")
#: Services that are no web servers: letters, files, databases, queues, remote desktops, machines'
#: own controls. Below 1024 only the web's two ports are asked at all.
_OTHER_SERVICES = frozenset(
    {
        *(1080, 1194, 1433, 1521, 1701, 1723, 1900, 2049, 2375, 2376, 2379, 2380, 3128, 3268, 3306),
        *(3389, 4369, 5060, 5061, 5432, 5672, 5900, 5984, 6000, 6379, 6443, 6667, 7001, 8086),
        *(9042, 9092, 9100, 9200, 9300, 10250, 10255, 11211, 15672, 25565, 26379, 27017, 27018),
        28017,
    }
)
_HOST = re.compile(r"(?=.{1,253}\.?$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.?)+")
_NUMBER = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)\.?")
_USUAL_PORTS = {"http": 80, "https": 443}


class Refused(ToolError):
    """An address is not asked for safety's sake. The message says which and why."""

    def __init__(self, message: str) -> None:
        super().__init__(message, Code.NOT_SENT)


@dataclass(frozen=True)
class Place:
    """Where a request goes: how it is carried, to which host, to which of its ports."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _USUAL_PORTS.get(self.scheme) else f":{self.port}"
        return f"{self.scheme}://{host}{port}"


#: Gives the addresses of machines that a host's name stands for; raises OSError where it has none.
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]


def place(scheme: str, userinfo: str | bytes, host: str, port: int | None) -> Place:
    """The place that the parts of an URL name, judged as far as it can be without resolving.

    Raises Refused where it is no web address, carries a name or password, is a number in disguise,
    or goes to a port where no web server is to be expected.
    """
    scheme, host = scheme.lower(), host.lower()
    if scheme not in _USUAL_PORTS:
        raise Refused(f"Only addresses with http and https are asked, not {scheme or 'none'}.")
    if userinfo:
        raise Refused("An address must not hold a name or password; give them as secrets.")
    _check_host(host)
    number = port if port is not None else _USUAL_PORTS[scheme]
    if number not in (80, 443) and (not 1024 <= number <= 65535 or number in _OTHER_SERVICES):
        raise Refused(
            f"Port {number} of {host} is not asked, since something else than a web server "
            "listens there."
        )
    return Place(scheme, host, number)


def _check_host(host: str) -> None:
    if ":" in host or _NUMBER.fullmatch(host.rstrip(".").rpartition(".")[2] + "."):
        # What ends in a number is an address, and only its usual form says plainly which.
        try:
            ip_address(host)
        except ValueError:
            raise Refused(f"{host!r} is no address in its usual form.") from None
    elif not _HOST.fullmatch(host):
        raise Refused(f"{host!r} is no name of a host." if host else "An address names no host.")


def check_machine(address: str, where: Place, own: Place | None = None) -> None:
    """Raise Refused unless a machine's address may be connected to for a place.

    `own` is the place of a source that the operator let be nearby; only this place itself may be.
    """
    machine = _unwrapped(address)
    is_own = own is not None and (where.host, where.port) == (own.host, own.port)
    if is_own and machine not in _METADATA and _is_in(machine, _NEARBY):
        return
    if machine in _METADATA or not machine.is_global or machine.is_multicast:
        is_public = False
    else:
        is_public = not _is_in(machine, _NEVER)
    if not is_public:
        raise Refused(
            f"{where.host} is not asked: it stands for {address}, which is not on the public "
            "network. If it is yours, say that it is local: on this computer or on a "
            "network of yours (in a terminal: --local)."
        )


def _unwrapped(address: str) -> IPv4Address | IPv6Address:
    """The machine that an address means: what lies in an address for the other kind of network."""
    try:
        machine = ip_address(address)
    except ValueError:
        raise Refused(f"{address!r} is no address of a machine.") from None
    if isinstance(machine, IPv6Address):
        if machine.ipv4_mapped is not None:
            return machine.ipv4_mapped
        if machine in _NAT64:
            return IPv4Address(int(machine) & 0xFFFF_FFFF)
        if machine.scope_id is not None:
            return IPv6Address(int(machine))
    return machine


def _is_in(machine: IPv4Address | IPv6Address, networks: Sequence[object]) -> bool:
    return any(machine in network for network in networks)  # type: ignore[operator]


async def resolved(host: str, port: int) -> Sequence[str]:
    """The addresses that this machine finds for a host's name; raises OSError."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(item[4][0]) for item in found))


async def machines_of(
    where: Place, own: Place | None = None, resolve: Resolve = resolved
) -> Sequence[str]:
    """The addresses to connect to for a place, all of them judged.

    One that may not be asked makes the whole name suspicious: nothing of it is asked then. Raises
    Refused there, and OSError where the name is not known.
    """
    machines = await resolve(where.host, where.port)
    for machine in machines:
        check_machine(machine, where, own)
    return machines


def machines_here(where: Place) -> Sequence[str]:
    """The addresses to connect to for a place on the public network, all of them judged.

    Raises Refused where one may not be asked, and OSError where the name is not known.
    """
    found = socket.getaddrinfo(where.host, where.port, type=socket.SOCK_STREAM)
    machines = tuple(dict.fromkeys(str(item[4][0]) for item in found))
    for machine in machines:
        check_machine(machine, where)
    return machines
