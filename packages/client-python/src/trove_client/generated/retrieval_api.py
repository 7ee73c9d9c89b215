# Generated from the OpenAPI document by "npm run generate". Do not edit.
from __future__ import annotations

from typing import Literal

from .._bodies import Json
from .._http import HttpClient
from .models import (
    AskResponse,
    BatchedSearch,
    GrepResponse,
    SearchBatchResponse,
    SearchResponse,
    SymbolsResponse,
)


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
        since: str | None = None,
        until: str | None = None,
        sort: Literal["relevance", "modified"] | None = None,
        snippet: int | None = None,
        max_bytes: int | None = None,
        explain: bool | None = None,
        timeout: float | None = None,
    ) -> SearchResponse:
        """Search by meaning, by words, or both

        `GET /v1/search`

        :param q: The query. Only the first few hundred words of a long text count.
        :param path: Search only this source, folder or object.
        :param mode: `semantic`: by meaning. `keyword`: by words. `hybrid`: by both.
        :param top_k: Maximum number of hits.
        :param offset: Number of best hits to skip.
        :param collapse: Return only the best hit of each object.
        :param demote: Lower the scores of tests, fixtures, logs, licences, changelogs, commits,
            generated and vendored files, unless the query asks for them.
        :param kind: Comma-separated chunk kinds: body, row_text, thread_aggregate,
            record_aggregate, summary, vlm_description, directory_summary, schema_summary.
        :param filter: A condition on path, media_type, chunk_kind, modified_at or a metadata
            field, such as `media_type = "text/markdown" and author in ("ann", "bo")`.
        :param glob: Only objects with a matching path, relative to `path` or the source.
            Comma-separated `.gitignore` patterns. `{a,b}` are alternatives, `!` excludes, the last
            match decides.
        :param type: Only files of these types, such as `ts,py,md`. `!` excludes a type.
        :param since: Only objects modified at this time or later: an ISO date, a date and time,
            or an age such as `7d` or `12h`.
        :param until: Only objects modified before this time, in the form of `since`.
        :param sort: `modified`: order the 100 most relevant hits by the time of the last
            change, newest first. Other hits follow by relevance.
        :param snippet: Return only the lines around the best matching lines of each hit, with
            at most this many characters.
        :param max_bytes: Maximum size of the JSON response. Omits the last hits, and shortens a
            first hit that is too large alone.
        :param explain: Add `explanation` to each hit: how its rank and its score came about.
            `top_k` must then be at most 100.
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
                "since": since,
                "until": until,
                "sort": sort,
                "snippet": snippet,
                "max_bytes": max_bytes,
                "explain": explain,
            },
            timeout=timeout,
        )

    def search_batch(
        self,
        queries: list[BatchedSearch],
        *,
        max_bytes: int | None = None,
        timeout: float | None = None,
    ) -> SearchBatchResponse:
        """Run up to 20 searches in one request

        An error of a search becomes its result and does not affect the others.

        `POST /v1/search/batch`

        :param queries: The searches, each with the parameters of `/v1/search`.
        :param max_bytes: Maximum size of the JSON response. A result that does not fit is
            replaced by the error `payload_too_large`.
        """
        return self._http.json(
            "POST",
            "/v1/search/batch",
            SearchBatchResponse.from_json,
            body=Json({"queries": queries, "max_bytes": max_bytes}),
            timeout=timeout,
        )

    def ask(
        self,
        question: str,
        *,
        path: str | None = None,
        glob: str | None = None,
        type: str | None = None,
        filter: str | None = None,
        max_passages: int | None = None,
        timeout: float | None = None,
    ) -> AskResponse:
        """Answer a question with verified citations

        Every citation quotes its passage exactly. Without a language model, or if it fails, the
        answer quotes the sentences that cover the words of the question.

        `POST /v1/ask`

        :param question: A question in natural language.
        :param path: Search only this source, folder or object.
        :param glob: Only objects with a matching path, relative to `path` or the source.
            Comma-separated `.gitignore` patterns. `{a,b}` are alternatives, `!` excludes, the last
            match decides.
        :param type: Only files of these types, such as `ts,py,md`. `!` excludes a type.
        :param filter: A condition on path, media_type, chunk_kind, modified_at or a metadata
            field, such as `media_type = "text/markdown" and author in ("ann", "bo")`.
        :param max_passages: Maximum number of passages that the answer may cite.
        """
        return self._http.json(
            "POST",
            "/v1/ask",
            AskResponse.from_json,
            body=Json({
                "question": question,
                "path": path,
                "glob": glob,
                "type": type,
                "filter": filter,
                "max_passages": max_passages,
            }),
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
        """Find lines that contain a text or match a regular expression

        A notice in the results names a source that could not be searched.

        `GET /v1/grep`

        :param pattern: A literal text or, with `regex`, a regular expression.
        :param path: Search only this source, folder or object. Default: all sources.
        :param regex: Treat the pattern as a regular expression in ripgrep's syntax, with
            Unicode and look-around, line by line.
        :param ignore_case: Ignore case.
        :param word: Match only whole words.
        :param invert: Return the lines that do not match.
        :param only_matching: Return only the matching parts of lines, one per line, without
            empty ones.
        :param glob: Only objects with a matching path, relative to `path` or the source.
            Comma-separated `.gitignore` patterns. `{a,b}` are alternatives, `!` excludes, the last
            match decides.
        :param type: Only files of these types, such as `ts,py,md`. `!` excludes a type.
        :param context: Lines to include before and after each match.
        :param limit: Maximum number of matches.
        :param max_per_object: Maximum number of matches in each object.
        :param cursor: The `next` of the previous response to the same request. Lines of
            overlapping sources may repeat.
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

    def symbols(
        self,
        name: str,
        *,
        path: str | None = None,
        limit: int | None = None,
        references: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> SymbolsResponse:
        """Find the definitions of a name and the lines that use it

        `GET /v1/symbols`

        :param name: A name, or a text that contains one: `parse`, `Parser.parse`, `func parse`,
            `parse()`, `where is parse defined`.
        :param path: Only this source, folder or object. Default: all sources.
        :param limit: Maximum number of definitions.
        :param references: Maximum number of lines that use the name. 0 leaves them out.
        :param cursor: The `next` of the previous response to the same request.
        """
        return self._http.json(
            "GET",
            "/v1/symbols",
            SymbolsResponse.from_json,
            query={
                "name": name,
                "path": path,
                "limit": limit,
                "references": references,
                "cursor": cursor,
            },
            timeout=timeout,
        )
