"""Request bodies."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, BinaryIO, Union

from ._decode import json_name

PIECE_BYTES = 64 * 1024

#: The body of an upload: bytes, a file in binary mode, or an iterable of bytes.
UploadBody = Union[bytes, BinaryIO, Iterable[bytes]]


@dataclass(frozen=True)
class FormFile:
    """A file of a form."""

    name: str
    content: UploadBody
    media_type: str = "application/octet-stream"


class Json:
    """A JSON body. Omits members that are None."""

    def __init__(self, members: Mapping[str, Any]) -> None:
        present = {key: value for key, value in members.items() if value is not None}
        self._text = json.dumps(present, default=_members).encode()

    content_type = "application/json"

    @property
    def length(self) -> int | None:
        return len(self._text)

    def pieces(self) -> Iterator[bytes]:
        yield self._text


class Stream:
    """Bytes of any length, streamed."""

    def __init__(self, body: UploadBody, content_type: str) -> None:
        self._body = body
        self.content_type = content_type

    @property
    def length(self) -> int | None:
        return len(self._body) if isinstance(self._body, bytes) else None

    def pieces(self) -> Iterator[bytes]:
        return _pieces_of(self._body)


class Form:
    """A multipart form. Omits members that are None."""

    length = None

    def __init__(self, members: Mapping[str, Any]) -> None:
        self._members = members
        self._boundary = secrets.token_hex(16)
        self.content_type = f"multipart/form-data; boundary={self._boundary}"

    def pieces(self) -> Iterator[bytes]:
        for name, value in self._members.items():
            for item in value if isinstance(value, (list, tuple)) else [value]:
                if isinstance(item, FormFile):
                    yield self._head(name, item)
                    yield from _pieces_of(item.content)
                    yield b"\r\n"
                elif item is not None:
                    text = item if isinstance(item, str) else json.dumps(item, default=_members)
                    yield self._head(name) + text.encode() + b"\r\n"
        yield f"--{self._boundary}--\r\n".encode()

    def _head(self, name: str, file: FormFile | None = None) -> bytes:
        lines = [f"--{self._boundary}", f'Content-Disposition: form-data; name="{_escape(name)}"']
        if file is not None:
            lines[1] += f'; filename="{_escape(file.name)}"'
            lines.append(f"Content-Type: {_escape(file.media_type)}")
        return "\r\n".join([*lines, "", ""]).encode()


Body = Union[Json, Stream, Form]


def _members(value: object) -> dict[str, Any]:
    if not is_dataclass(value) or isinstance(value, type):
        raise TypeError(f"{type(value).__name__} cannot be sent as JSON")
    members = {json_name(field): getattr(value, field.name) for field in fields(value)}
    return {name: member for name, member in members.items() if member is not None}


def _pieces_of(body: UploadBody) -> Iterator[bytes]:
    if isinstance(body, bytes):
        yield body
    elif hasattr(body, "read"):
        while piece := body.read(PIECE_BYTES):
            yield piece
    else:
        yield from body


def _escape(text: str) -> str:
    """Escapes a text like browsers do."""
    return text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
