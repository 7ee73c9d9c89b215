from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, TypeVar
from urllib.parse import quote, urlencode, urlsplit

from ._bodies import PIECE_BYTES, Body
from ._errors import (
    TroveApiError,
    api_error,
    connection_failed,
    connection_lost,
    invalid_response,
    timed_out,
)

DEFAULT_BASE_URL = "http://127.0.0.1:8765"

T = TypeVar("T")


def path_segment(name: str, value: str) -> str:
    """Encodes a segment of a path. Raises for a value that cannot be a single segment."""
    if value in ("", ".", ".."):
        detail = f'path.{name}: must not be empty, "." or ".."'
        raise TroveApiError(0, "validation_error", detail)
    return quote(value, safe="")


class HttpClient:
    """Sends each request over its own connection. Raises ``TroveApiError`` for every failure."""

    def __init__(
        self,
        base_url: str = DEFAULT_BASE_URL,
        *,
        token: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        url = urlsplit(self.base_url)
        if url.scheme not in ("http", "https") or url.hostname is None:
            raise ValueError(f"invalid server URL: {base_url}")
        self._url = url
        self._token = token
        self._timeout = timeout
        self._headers = dict(headers or {})

    def json(
        self,
        method: str,
        path: str,
        decode: Callable[[Any], T],
        *,
        query: Mapping[str, Any] | None = None,
        body: Body | None = None,
        timeout: float | None = None,
    ) -> T:
        """Returns the decoded JSON of the response. None for a response without content."""
        with _Call(self, method, path, query, body, timeout, "application/json") as call:
            response = call.response
            text = call.text()
        if response.status == 204:
            return None  # type: ignore[return-value]
        try:
            value = json.loads(text)
        except ValueError as error:
            detail = f"the response is not JSON: {text[:80]}"
            raise invalid_response(response.status, detail) from error
        try:
            return decode(value)
        except (KeyError, TypeError, AttributeError) as error:
            detail = f"the response does not match the API: {error!r}"
            raise invalid_response(response.status, detail) from error

    def text(self, method: str, path: str, **request: Any) -> str:
        """Returns the response as text."""
        with _Call(self, method, path, accept="text/*", **request) as call:
            return call.text()

    def nothing(self, method: str, path: str, **request: Any) -> None:
        """Returns when the request has succeeded."""
        self.text(method, path, **request)

    def stream(self, method: str, path: str, **request: Any) -> Iterator[bytes]:
        """Yields the response in pieces, as they arrive."""
        with _Call(self, method, path, accept="*/*", **request) as call:
            while piece := call.read(PIECE_BYTES):
                yield piece

    def events(self, method: str, path: str, **request: Any) -> Iterator[tuple[str, str]]:
        """Yields the names and data of server-sent events, as they arrive.

        The name is ``message`` for an event without one, and for a response of JSON.
        """
        accept = "text/event-stream, application/json;q=0.5"
        with _Call(self, method, path, accept=accept, **request) as call:
            kind = call.response.getheader("Content-Type") or ""
            if not kind.startswith("text/event-stream"):
                yield "message", call.text()
                return
            yield from _events(call)


def _events(call: _Call) -> Iterator[tuple[str, str]]:
    """Parses server-sent events. The server ends lines with a line feed, and an event at its end is incomplete."""
    name = ""
    data: list[str] = []
    while line := call.line():
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        field, _, value = text.partition(":")
        value = value.removeprefix(" ")
        if text == "":
            if data:
                yield name or "message", "\n".join(data)
            name, data = "", []
        elif field == "event":
            name = value
        elif field == "data":
            data.append(value)


class _Call:
    """One request and its response."""

    def __init__(
        self,
        client: HttpClient,
        method: str,
        path: str,
        query: Mapping[str, Any] | None = None,
        body: Body | None = None,
        timeout: float | None = None,
        accept: str = "*/*",
    ) -> None:
        self._base_url = client.base_url
        self._timeout = client._timeout if timeout is None else timeout
        present = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        search = f"?{urlencode(present, quote_via=quote)}" if present else ""
        url = client._url
        kind = HTTPSConnection if url.scheme == "https" else HTTPConnection
        self._connection = kind(url.hostname or "", url.port, timeout=self._timeout)
        headers = {"Accept": accept, **client._headers}
        if client._token:
            headers["Authorization"] = f"Bearer {client._token}"
        try:
            self.response = self._send(method, f"{url.path}{path}{search}", headers, body)
            if self.response.status >= 300:
                reason = self.response.reason
                code = self.response.getheader("X-Error-Code")
                raise api_error(self.response.status, reason, self.text(), code)
        except BaseException:
            self._connection.close()
            raise

    def __enter__(self) -> _Call:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def text(self) -> str:
        return b"".join(iter(lambda: self.read(PIECE_BYTES), b"")).decode("utf-8", "replace")

    def read(self, size: int) -> bytes:
        return self._receive(lambda: self.response.read(size))

    def line(self) -> bytes:
        return self._receive(self.response.readline)

    def _receive(self, read: Callable[[], bytes]) -> bytes:
        try:
            piece = read()
        except socket.timeout as error:
            raise timed_out(self._timeout) from error
        except (OSError, HTTPException) as error:
            raise connection_lost(self.response.status, error) from error
        if not piece and self.response.length:
            raise connection_lost(self.response.status, EOFError("shorter than announced"))
        return piece

    def _send(
        self, method: str, target: str, headers: Mapping[str, str], body: Body | None
    ) -> HTTPResponse:
        source = _Source(body)
        try:
            self._connection.putrequest(method, target, skip_accept_encoding=True)
            for name, value in {**headers, **source.headers}.items():
                self._connection.putheader(name, value)
            try:
                self._connection.endheaders(source.pieces(), encode_chunked=source.is_chunked)
            except (BrokenPipeError, ConnectionResetError):
                # A server may reject an upload before reading all of it. Its response has the reason.
                if source.error is not None:
                    raise
            return self._connection.getresponse()
        except (OSError, HTTPException) as error:
            if source.error is error:
                raise
            if isinstance(error, socket.timeout):
                raise timed_out(self._timeout) from error
            raise connection_failed(self._base_url, error) from error


class _Source:
    """Yields the pieces of a body and remembers its error, which is the caller's."""

    def __init__(self, body: Body | None) -> None:
        self._body = body
        self.error: BaseException | None = None
        self.is_chunked = body is not None and body.length is None
        self.headers: dict[str, str] = {}
        if body is not None:
            self.headers["Content-Type"] = body.content_type
            if self.is_chunked:
                self.headers["Transfer-Encoding"] = "chunked"
            else:
                self.headers["Content-Length"] = str(body.length)

    def pieces(self) -> Iterator[bytes] | None:
        return None if self._body is None else self._watched(self._body.pieces())

    def _watched(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        try:
            yield from pieces
        except BaseException as error:
            self.error = error
            raise


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
