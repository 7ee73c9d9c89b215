# Generated from the OpenAPI document by "npm run generate". Do not edit.
from __future__ import annotations

from typing import Literal

from .._bodies import Json
from .._decode import one_of
from .._http import HttpClient
from .models import BatchedRead, CatResponse, LsResponse, ObjectMeta, ReadBatchResponse


class BrowseApi:
    """The operations of the API that are tagged Browse."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def ls(
        self,
        path: str,
        *,
        timeout: float | None = None,
    ) -> LsResponse:
        """List a folder

        For an object, lists only the object. For a folder above sources, lists the next folders
        on the way to them.

        `GET /v1/ls`

        :param path: Path or URI of a source, a folder in it, or an object.
        """
        return self._http.json(
            "GET",
            "/v1/ls",
            LsResponse.from_json,
            query={"path": path},
            timeout=timeout,
        )

    def cat(
        self,
        path: str,
        *,
        range: str | None = None,
        bytes: str | None = None,
        locator: str | None = None,
        meta: bool | None = None,
        density: Literal["peek", "skim", "deep"] | None = None,
        numbers: bool | None = None,
        context: int | None = None,
        enclosing: bool | None = None,
        timeout: float | None = None,
    ) -> CatResponse | ObjectMeta:
        """Read the text of an object, a part of it, or its metadata

        `GET /v1/cat`

        :param path: Path or URI of a source, a folder in it, or an object.
        :param range: Lines `start:end`, or records of a table, from 1, both ends inclusive.
            `10:` and `:20` also work.
        :param bytes: Bytes `start:end` of a large text, from 0, without the end, at most 1 MiB.
            Omits characters that the range cuts.
        :param locator: The locator of a search hit, as JSON.
        :param meta: Return metadata of the object instead of its content.
        :param density: `peek`: headings and signatures with line numbers. `skim`: also the
            first line below each. `deep`: everything.
        :param numbers: Begin each line with its number and a tab, like `cat -n`.
        :param context: Lines to add before and after `range` or the lines of `locator`.
        :param enclosing: Return the whole definition or section around the first line of
            `range` or `locator`. Without one, returns the lines themselves.
        """
        return self._http.json(
            "GET",
            "/v1/cat",
            one_of(CatResponse, ObjectMeta),
            query={
                "path": path,
                "range": range,
                "bytes": bytes,
                "locator": locator,
                "meta": meta,
                "density": density,
                "numbers": numbers,
                "context": context,
                "enclosing": enclosing,
            },
            timeout=timeout,
        )

    def read_batch(
        self,
        reads: list[BatchedRead],
        *,
        max_bytes: int | None = None,
        timeout: float | None = None,
    ) -> ReadBatchResponse:
        """Read up to 20 objects or parts in one request

        An error of a read becomes its result and does not affect the others.

        `POST /v1/read/batch`

        :param reads: The reads, each with the parameters of `/v1/cat`.
        :param max_bytes: Maximum size of the JSON response. A result that does not fit is
            replaced by the error `payload_too_large`.
        """
        return self._http.json(
            "POST",
            "/v1/read/batch",
            ReadBatchResponse.from_json,
            body=Json({"reads": reads, "max_bytes": max_bytes}),
            timeout=timeout,
        )

    def head(
        self,
        path: str,
        *,
        n: int | None = None,
        timeout: float | None = None,
    ) -> CatResponse:
        """Read the first lines or records of an object

        `GET /v1/head`

        :param path: Path or URI of a source, a folder in it, or an object.
        :param n: Number of lines or records.
        """
        return self._http.json(
            "GET",
            "/v1/head",
            CatResponse.from_json,
            query={"path": path, "n": n},
            timeout=timeout,
        )

    def tail(
        self,
        path: str,
        *,
        n: int | None = None,
        timeout: float | None = None,
    ) -> CatResponse:
        """Read the last lines or records of an object

        `GET /v1/tail`

        :param path: Path or URI of a source, a folder in it, or an object.
        :param n: Number of lines or records.
        """
        return self._http.json(
            "GET",
            "/v1/tail",
            CatResponse.from_json,
            query={"path": path, "n": n},
            timeout=timeout,
        )

    def export(
        self,
        path: str,
        *,
        timeout: float | None = None,
    ) -> CatResponse:
        """Read the whole text of an object of any size

        `GET /v1/export`

        :param path: Path or URI of a source, a folder in it, or an object.
        """
        return self._http.json(
            "GET",
            "/v1/export",
            CatResponse.from_json,
            query={"path": path},
            timeout=timeout,
        )
