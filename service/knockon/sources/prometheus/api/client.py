"""One server of the Prometheus HTTP API, asked over HTTP. The only module of the package that opens connections."""

import base64
import json
import re
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlencode, urlsplit, urlunsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from knockon.sources.amount import shown
from knockon.sources.prometheus.api.elsewhere import found_at
from knockon.terms.errors import IntakeError, Problem
from knockon.terms.limits import INTAKE_BYTES_MAX

_SAID_CHARACTERS = 200
# What answers instead of an API is looked at once more: enough for the metrics of a server about itself.
_OTHER_PAGE_BYTES_MAX = 4 * 1024 * 1024
_OTHER_PAGE_S_MAX = 5.0
_LOGIN = re.compile(r"login|signin|sign_in|oauth|auth|sso", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Failed:
    """A question the server did not answer, and why; other questions may be answered all the same."""

    why: str
    fix: str = ""
    """What to do, where it is not to ask for less."""


class _NoRedirect(HTTPRedirectHandler):
    """A redirect would carry the credentials to whoever it names."""

    def redirect_request(self, *_: Any) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Server:
    """Where the API is and how it is spoken to. Nothing of `headers` is ever shown."""

    url: str
    """`http://host:9090`, or with the path before `/api/v1`."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    timeout_s: float = 30.0
    """Of one question; over 0."""

    @property
    def shown_url(self) -> str:
        """The address without name and password."""
        parts = urlsplit(self.url)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", ""))

    def ask(self, path: str, parameters: Mapping[str, str]) -> Any | Failed:
        """The `data` of one answer, or why there is none.

        Args:
            path: what comes behind `/api/v1/`.
            parameters: as the API names them.

        Raises:
            IntakeError: no question can be asked: the address is none, nobody answers there, or it wants other
                credentials.
        """
        request = Request(  # noqa: S310 - the scheme is checked by server_at
            f"{self.shown_url}/api/v1/{path}",
            data=urlencode(parameters).encode(),
            headers=self._headers(),
            method="POST",
        )
        try:
            with build_opener(_NoRedirect).open(request, timeout=self.timeout_s) as answer:
                body = answer.read(INTAKE_BYTES_MAX + 1)
        except HTTPError as error:
            return self._refused(error)
        except TimeoutError:
            return self._late()
        except (URLError, OSError, HTTPException) as error:
            reason = getattr(error, "reason", error)
            if isinstance(reason, TimeoutError):
                return self._late()
            raise self._nobody(reason) from error
        if len(body) > INTAKE_BYTES_MAX:
            return Failed(f"the answer is over {INTAKE_BYTES_MAX:,} bytes; narrow it with --match, or a longer --step")
        return self._data(body)

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json", **self.headers}
        user, _, password = urlsplit(self.url).netloc.rpartition("@")[0].partition(":")
        if user and "Authorization" not in headers:
            pair = f"{unquote(user)}:{unquote(password)}".encode()
            headers["Authorization"] = f"Basic {base64.b64encode(pair).decode()}"
        return headers

    def _refused(self, error: HTTPError) -> Failed:
        with error:
            body = error.read(_SAID_CHARACTERS * 20)
        if error.code in (401, 403):
            fix = "give a header with the variable KNOCKON_PROMETHEUS_HEADERS, or --tenant"
            raise self._problem("not-allowed", f"{self.shown_url} answers {error.code}", fix=fix)
        if error.code in (301, 302, 303, 307, 308):
            to = str(error.headers.get("Location", ""))
            fix = f"give the address itself: {shown(to)}"
            if _LOGIN.search(urlsplit(to).path):
                fix = f"it wants a login ({shown(to)}): give a header with the variable KNOCKON_PROMETHEUS_HEADERS"
            what = f"{self.shown_url} sends the question elsewhere ({error.code})"
            raise self._problem("redirected", what, fix=fix)
        try:
            said = json.loads(body)
        except ValueError:
            said = None
        if isinstance(said, dict) and said.get("status") == "error":
            return Failed(f"the server answers {error.code}: {_short(str(said.get('error', 'nothing')))}")
        if error.code >= 500:
            return Failed(f"the server answers {error.code}", "ask again, or look at the server's log")
        raise self._no_api(body, error.code)

    def _data(self, body: bytes) -> Any | Failed:
        try:
            answer = json.loads(body)
        except ValueError as error:
            raise self._no_api(body, 200) from error
        if not isinstance(answer, dict) or answer.get("status") not in ("success", "error"):
            raise self._no_api(body, 200)
        if answer["status"] == "error":
            return Failed(f"the server says {_short(str(answer.get('error', 'nothing')))}")
        return answer.get("data")

    def _late(self) -> Failed:
        return Failed(
            f"no answer within {self.timeout_s:g} s", "give a longer --timeout, or narrow it with --match or --last"
        )

    def _no_api(self, body: bytes, status: int) -> IntakeError:
        """The refusal of a server that is none of the API, with what it is instead."""
        found = found_at(self.shown_url, body, status=status, get=self._page)
        return self._problem("no-api", found.what, fix=found.fix)

    def _page(self, url: str) -> bytes:
        """The beginning of a page of this server; empty where it gives none."""
        headers = {**self._headers(), "Accept": "text/plain"}
        try:
            request = Request(url, headers=headers)  # noqa: S310 - an address of the server itself
            with build_opener(_NoRedirect).open(request, timeout=min(self.timeout_s, _OTHER_PAGE_S_MAX)) as answer:
                read: bytes = answer.read(_OTHER_PAGE_BYTES_MAX)
                return read
        except (OSError, ValueError, HTTPException):
            return b""

    def _nobody(self, reason: object) -> IntakeError:
        """The refusal of an address at which no conversation comes about."""
        parts = urlsplit(self.shown_url)
        said = _short(str(reason))
        if isinstance(reason, ConnectionRefusedError):
            what = f"nobody answers at {self.shown_url}: the connection is refused"
            fix = "start the server, or check host and port: Prometheus listens on 9090 by default"
        elif isinstance(reason, socket.gaierror):
            what, fix = f"no host is called {parts.hostname!r}: {said}", "check the name in the address"
        elif isinstance(reason, ssl.SSLCertVerificationError):
            what = f"the certificate of {self.shown_url} does not hold: {said}"
            fix = "let the variable SSL_CERT_FILE name the certificates of who signed it"
        elif isinstance(reason, ssl.SSLError):
            what = f"{self.shown_url} does not speak TLS: {said}"
            fix = f"give http://{parts.netloc}{parts.path}"
        else:
            what, fix = f"nobody answers at {self.shown_url}: {said}", "check the address"
        return self._problem("no-answer", what, fix=fix)

    def _problem(self, code: str, what: str, *, fix: str = "") -> IntakeError:
        return IntakeError(
            Problem(code, what, expected="an address such as http://127.0.0.1:9090", fix=fix or "check the address")
        )


def server_at(url: str, *, headers: Mapping[str, str], timeout_s: float) -> Server:
    """The server at `url`; a trailing `/api/v1` or `/` does not matter.

    Raises:
        IntakeError: the address is not one of HTTP.
    """
    try:
        parts = urlsplit(url.strip())
        is_right = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        parts, is_right = urlsplit(""), False
    if not is_right or parts.query or parts.fragment:
        raise IntakeError(
            Problem(
                "bad-address",
                f"{shown(url.rpartition('@')[2])} is no address of a Prometheus server",
                expected="http:// or https://, a host, and perhaps a port and a path",
            )
        )
    path = parts.path.rstrip("/").removesuffix("/api/v1").rstrip("/")
    return Server(urlunsplit((parts.scheme, parts.netloc, path, "", "")), headers, timeout_s)


def _short(text: str) -> str:
    return text if len(text) <= _SAID_CHARACTERS else f"{text[:_SAID_CHARACTERS]}…"
