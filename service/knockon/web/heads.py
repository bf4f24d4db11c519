"""The few request headers that are looked at, read in one pass; and the request id."""

import itertools
import re
import secrets
from dataclasses import dataclass

from starlette.types import Scope

# What may stand in a log line and a header as it came; anything else gets an id of ours.
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._:/+=@-]{1,128}")


@dataclass(frozen=True, slots=True)
class Head:
    """What the endpoint needs to know before the body."""

    content_type: str
    """Without parameters, lower case; empty when not given."""
    content_length: int
    """0 when not given or no number."""
    wants_graphql: bool
    """The client knows the media type application/graphql-response+json."""
    query: bytes
    """What stands behind the `?` of the address."""


def read_head(scope: Scope) -> Head:
    """Read the headers of a request."""
    content_type, length, wants_graphql = b"", b"", False
    for name, value in scope["headers"]:
        if name == b"content-type":
            content_type = value
        elif name == b"content-length":
            length = value
        elif name == b"accept":
            wants_graphql = b"application/graphql-response+json" in value
    return Head(
        content_type=content_type.partition(b";")[0].strip().lower().decode("latin-1"),
        content_length=int(length) if length.isdigit() else 0,
        wants_graphql=wants_graphql,
        query=scope["query_string"],
    )


class RequestIds:
    """Gives each request an id: the one it brings, where it can stand in a log, or one of ours."""

    def __init__(self) -> None:
        """Start a series that no other process has."""
        self._series = secrets.token_hex(6)
        self._numbers = itertools.count(1)

    def of(self, scope: Scope) -> str:
        """The id of a request."""
        for name, value in scope["headers"]:
            if name == b"x-request-id" and _REQUEST_ID.fullmatch(value):
                brought: bytes = value
                return brought.decode("ascii")
        return f"{self._series}-{next(self._numbers)}"
