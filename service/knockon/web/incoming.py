"""The body of a request as it comes in, part by part."""

import asyncio

from starlette.types import Receive

# A body that is refused is still taken in, to this size and for this long: its client reads no answer before it has
# sent everything. The parts are dropped as they come.
DRAIN_BYTES_MAX = 128 * 1024 * 1024
DRAIN_SECONDS_MAX = 10.0


class Disconnected(Exception):
    """The client went away while it was sending."""


class Incoming:
    """The body of one request."""

    def __init__(self, receive: Receive) -> None:
        """Take the parts from `receive`."""
        self._receive = receive
        self.is_over = False
        """Nothing more will come."""

    async def part(self) -> bytes:
        """The next part; raises Disconnected."""
        message = await self._receive()
        if message["type"] == "http.disconnect":
            self.is_over = True
            raise Disconnected
        self.is_over = not message.get("more_body", False)
        body: bytes = message.get("body", b"")
        return body

    async def drain(self) -> None:
        """Take in what is left and drop it, within DRAIN_BYTES_MAX and DRAIN_SECONDS_MAX."""
        size = 0
        try:
            async with asyncio.timeout(DRAIN_SECONDS_MAX):
                while not self.is_over and size <= DRAIN_BYTES_MAX:
                    size += len(await self.part())
        except (Disconnected, TimeoutError, asyncio.CancelledError):
            # The last is the server's: it stops, and waits for no body.
            pass
