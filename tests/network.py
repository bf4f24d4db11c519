"""The wall around a test run: no connection leaves this machine."""

import ipaddress
import sys

_GUARDED = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo"})


class OutsideNetwork(AssertionError):
    """A test tried to reach another machine."""


def keep_inside() -> None:
    """Refuse, until the process ends, every look-up of and connection to anything but this machine."""
    sys.addaudithook(_refuse_outside)


def _refuse_outside(event: str, arguments: tuple[object, ...]) -> None:
    if event not in _GUARDED:
        return
    # getaddrinfo(host, port, …); connect(socket, address) with (host, port, …), a path for unix sockets, or None.
    target = arguments[0] if event == "socket.getaddrinfo" else arguments[1]
    host = target[0] if isinstance(target, tuple) and target else target
    if isinstance(host, bytes):
        host = host.decode(errors="replace")
    # Asked about a number, the resolver asks nobody.
    may = _is_number if event == "socket.getaddrinfo" else _is_here
    if isinstance(host, str) and not may(host) and not _is_here(host):
        raise OutsideNetwork(f"tests stay on this machine; {event} to {target!r} was refused")


def _is_here(host: str) -> bool:
    if host in {"", "localhost"} or host.startswith(("/", "\0")):
        return True
    return _is_number(host) and ipaddress.ip_address(host).is_loopback


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
