# Generated from the OpenAPI document by "npm run generate". Do not edit.
from __future__ import annotations

from typing import Literal

from .._http import HttpClient
from .models import GrepResponse, SearchResponse


class RetrievalApi:
    """The operations of the API that are tagged Retrieval."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def search(
        self,
        q: str,
        *,
        path: str | None = None,
        mode: Literal["hybrid", "semantic", "keyword"] | None = None,
        top_k: int | None = None,
        offset: int | None = None,
        collapse: bool | None = None,
        demote: bool | None = None,
        kind: str | None = None,
        filter: str | None = None,
        glob: str | None = None,
        type: str | None = None,
        timeout: float | None = None,
    ) -> SearchResponse:
        """Search by meaning, by words, or both

        `GET /v1/search`

        :param q: What to look for. Of a long text, only the first few hundred words count.
        :param path: Search only this source, folder or object.
        :param mode: semantic: by meaning; keyword: by words; hybrid: both.
        :param top_k: Maximum number of hits.
        :param offset: Number of top hits to skip.
        :param collapse: Only the best hit of each object.
        :param demote: Lower the scores of tests, fixtures, logs, licences, changelogs, commits,
            generated and vendored files, unless the query asks for them.
        :param kind: Comma-separated chunk kinds: body, row_text, thread_aggregate,
            record_aggregate, summary, vlm_description, directory_summary, schema_summary.
        :param filter: A condition on path, media_type, chunk_kind, modified_at or a metadata
            field, such as `media_type = "text/markdown" and author in ("ann", "bo")`.
        :param glob: Only objects whose path, below `path` or the source, fits: patterns as in a
            .gitignore file, separated by commas; `{a,b}` are alternatives, `!` excludes, the last
            that fits decides.
        :param type: Only such files: names as `ts`, `py`, `md`, separated by commas; `!`
            excludes.
        """
        return self._http.json(
            "GET",
            "/v1/search",
            SearchResponse.from_json,
            query={
                "q": q,
                "path": path,
                "mode": mode,
                "top_k": top_k,
                "offset": offset,
                "collapse": collapse,
                "demote": demote,
                "kind": kind,
                "filter": filter,
                "glob": glob,
                "type": type,
            },
            timeout=timeout,
        )

    def grep(
        self,
        pattern: str,
        *,
        path: str | None = None,
        regex: bool | None = None,
        ignore_case: bool | None = None,
        word: bool | None = None,
        invert: bool | None = None,
        only_matching: bool | None = None,
        glob: str | None = None,
        type: str | None = None,
        context: int | None = None,
        limit: int | None = None,
        max_per_object: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> GrepResponse:
        """Lines that contain a text or match a regular expression

        A notice among the results names a source that could not be searched.

        `GET /v1/grep`

        :param pattern: A literal text or, with `regex`, a regular expression.
        :param path: Search only this source, folder or object; without it, all sources.
        :param regex: Treat the pattern as a regular expression in ripgrep's syntax: Unicode,
            line by line, and with look-around.
        :param ignore_case: Ignore the difference between upper and lower case.
        :param word: Only matches that are not part of a longer word.
        :param invert: The lines that do not match.
        :param only_matching: The content is only what matches in the line, one occurrence per
            line; empty ones are left out.
        :param glob: Only objects whose path, below `path` or the source, fits: patterns as in a
            .gitignore file, separated by commas; `{a,b}` are alternatives, `!` excludes, the last
            that fits decides.
        :param type: Only such files: names as `ts`, `py`, `md`, separated by commas; `!`
            excludes.
        :param context: Lines to include before and after each match.
        :param limit: Maximum number of matches.
        :param max_per_object: Maximum number of matches in each object.
        :param cursor: The `next` of an earlier answer to the same question, for what comes
            after. Where sources overlap, a line may come again.
        """
        return self._http.json(
            "GET",
            "/v1/grep",
            GrepResponse.from_json,
            query={
                "pattern": pattern,
                "path": path,
                "regex": regex,
                "ignore_case": ignore_case,
                "word": word,
                "invert": invert,
                "only_matching": only_matching,
                "glob": glob,
                "type": type,
                "context": context,
                "limit": limit,
                "max_per_object": max_per_object,
                "cursor": cursor,
            },
            timeout=timeout,
        )
