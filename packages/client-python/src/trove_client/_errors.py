from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any


class TroveApiError(Exception):
    """The only error of this client, but for what the source of an upload raises.

    Besides the server's codes there are ``connection_failed`` (no answer, or one that broke off), ``timeout``,
    ``invalid_response`` (not what the API promises) and ``http_error`` (a failure not in the API's format, such as
    from a proxy).
    """

    def __init__(
        self, status: int, code: str, detail: str, suggestions: Sequence[str] = ()
    ) -> None:
        super().__init__(f"{code}: {detail}")
        #: Of HTTP; 0 when there was no complete answer.
        self.status = status
        #: Stable; for programs to act on.
        self.code = code
        #: For people; not to be parsed.
        self.detail = detail
        #: What to do instead.
        self.suggestions = list(suggestions)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.status, self.code, self.detail, self.suggestions)


def connection_failed(base_url: str, cause: BaseException) -> TroveApiError:
    return TroveApiError(
        0,
        "connection_failed",
        f"no answer from {base_url} ({_reason(cause)})",
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


def invalid_response(status: int, what: str) -> TroveApiError:
    return TroveApiError(
        status,
        "invalid_response",
        what,
        ["Check that the base URL belongs to a Trove server."],
    )


def api_error(status: int, reason: str, body: str, header: str | None) -> TroveApiError:
    """The error in a failed answer, whether or not in the API's envelope; header: the code there."""
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
    """A text, or the list of ``{loc, msg}`` with which the graph routes answer an invalid request."""
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
