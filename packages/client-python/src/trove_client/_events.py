from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Union

from ._bodies import Json
from ._errors import api_error, connection_lost, invalid_response
from ._http import HttpClient
from .generated.models import AskPassage, AskResponse


@dataclass(frozen=True)
class AskPassages:
    """The passages that are considered."""

    passages: list[AskPassage]


@dataclass(frozen=True)
class AskText:
    """Further text of a language model. Its citations are verified."""

    text: str


@dataclass(frozen=True)
class AskRestart:
    """The language model starts again. Discard the text so far."""


AskStreamEvent = Union[AskPassages, AskText, AskRestart, AskResponse]


def ask_events(
    http: HttpClient,
    question: str,
    *,
    path: str | None = None,
    glob: str | None = None,
    type: str | None = None,
    filter: str | None = None,
    max_passages: int | None = None,
    timeout: float | None = None,
) -> Iterator[AskStreamEvent]:
    """Asks a question and yields its answer while a language model writes it.

    The parameters are those of `ask`. The last item is the `AskResponse`, which replaces the text. Iterating raises
    ``TroveApiError``, also if the response breaks off.

    :param http: The `http` of a `TroveClient`.
    """
    body = Json(
        {
            "question": question,
            "path": path,
            "glob": glob,
            "type": type,
            "filter": filter,
            "max_passages": max_passages,
        }
    )
    for name, data in http.events("POST", "/v1/ask", body=body, timeout=timeout):
        event = _decode(name, data)
        if event is None:
            continue
        yield event
        if isinstance(event, AskResponse):
            return
    raise connection_lost(200, EOFError("the answer is incomplete"))


def _decode(name: str, data: str) -> AskStreamEvent | None:
    """Returns None for an event that this client does not know."""
    if name == "error":
        raise api_error(200, "OK", data, None)
    try:
        return _event_of(name, json.loads(data))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        detail = f"the event {name} does not match the API: {error!r}"
        raise invalid_response(200, detail) from error


def _event_of(name: str, value: Any) -> AskStreamEvent | None:
    if name == "passages":
        return AskPassages([AskPassage.from_json(each) for each in value["passages"]])
    if name == "text":
        return AskText(value["text"])
    if name == "restart":
        return AskRestart()
    # A server without streams answers with JSON.
    if name in ("answer", "message"):
        return AskResponse.from_json(value)
    return None
