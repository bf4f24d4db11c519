"""The wall around a test run holds."""

import socket

import pytest

from tests.network import OutsideNetwork


def test_connection_to_another_machine_is_refused_before_a_packet_leaves() -> None:
    with socket.socket() as outward, pytest.raises(OutsideNetwork, match=r"socket\.connect to \('192\.0\.2\.1', 9\)"):
        outward.connect(("192.0.2.1", 9))


def test_name_of_another_machine_is_not_looked_up() -> None:
    with pytest.raises(OutsideNetwork, match=r"socket\.getaddrinfo to 'example\.invalid'"):
        socket.getaddrinfo("example.invalid", 80)


def test_this_machine_can_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        accepted, address = server.accept()
        accepted.close()

        assert address == client.getsockname()
