from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any


class TroveApiError(Exception):
    """The only error of this client, except for exceptions of an upload's iterable.

    In addition to the server's codes, there are ``connection_failed`` (no response or a truncated one), ``timeout``,
    ``invalid_response`` (a response that does not match the API) and ``http_error`` (an error in another format,
    such as that of a proxy).
    """

    def __init__(
        self, status: int, code: str, detail: str, suggestions: Sequence[str] = ()
    ) -> None:
        super().__init__(f"{code}: {detail}")
        #: The HTTP status, or 0 without a complete response.
        self.status = status
        #: A stable code, for programs.
        self.code = code
        #: A description for people. Do not parse it.
        self.detail = detail
        #: Remedies.
        self.suggestions = list(suggestions)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.status, self.code, self.detail, self.suggestions)


def connection_failed(base_url: str, cause: BaseException) -> TroveApiError:
    return TroveApiError(
        0,
        "connection_failed",
        f"no response from {base_url} ({_reason(cause)})",
        ["Start the server with `trove serve start`, or correct the base URL."],
    )


def connection_lost(status: int, cause: BaseException) -> TroveApiError:
    return TroveApiError(
        status,
        "connection_failed",
        f"the response broke off ({_reason(cause)})",
        ["Try again. The log of the server may tell more."],
    )


def timed_out(timeout: float | None) -> TroveApiError:
    return TroveApiError(
        0,
        "timeout",
        f"no progress within {timeout} s",
        ["Raise `timeout`, or request less."],
    )


def invalid_response(status: int, detail: str) -> TroveApiError:
    return TroveApiError(
        status,
        "invalid_response",
        detail,
        ["Check that the base URL belongs to a Trove server."],
    )


def api_error(status: int, reason: str, body: str, header: str | None) -> TroveApiError:
    """Converts a failed response in any format to an error. ``header`` is its error code header."""
    try:
        value = json.loads(body)
    except ValueError:
        value = None
    envelope = value if isinstance(value, dict) else {}
    code = envelope.get("code")
    suggestions = envelope.get("suggestions")
    return TroveApiError(
        status,
        code if isinstance(code, str) else header or "http_error",
        _detail(envelope.get("detail")) or f"HTTP {status} {reason}{_excerpt(body)}",
        [item for item in suggestions if isinstance(item, str)]
        if isinstance(suggestions, list)
        else [],
    )


def _detail(detail: object) -> str | None:
    """Formats a text, or the list of ``{loc, msg}`` of an invalid request to a graph route."""
    if isinstance(detail, str):
        return detail
    if not isinstance(detail, list):
        return None
    problems = [item for item in detail if isinstance(item, dict)]
    return "; ".join(
        f"{'.'.join(map(str, item.get('loc', [])))}: {item.get('msg')}" for item in problems
    )


def _excerpt(body: str) -> str:
    line = " ".join(re.sub(r"<[^<>]*>", " ", body).split())
    return f": {line[:200]}" if line else ""


def _reason(cause: BaseException) -> str:
    return str(cause) or type(cause).__name__
