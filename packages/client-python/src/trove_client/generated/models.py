# Generated from the OpenAPI document by "npm run generate". Do not edit.
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from .._decode import list_of, one_of, optional


@dataclass(frozen=True)
class AddDocumentsResponse:
    num_documents: int
    """Documents in the graph."""
    num_entities: int
    """Entities in the graph."""
    num_relations: int
    """Relations in the graph."""
    document_ids: list[str]
    """One id per document."""
    errors: list[str]
    """Warnings, at most 100."""

    @classmethod
    def from_json(cls, value: Any) -> AddDocumentsResponse:
        return cls(
            num_documents=value["num_documents"],
            num_entities=value["num_entities"],
            num_relations=value["num_relations"],
            document_ids=value["document_ids"],
            errors=value["errors"],
        )


@dataclass(frozen=True)
class AddResponse:
    job_id: str
    """The id of the job."""
    overlaps: list[str]
    """Root URIs of sources that contain this one or lie inside it. Shared objects are indexed for
    each source and appear as one hit.
    """
    warnings: list[str]
    """Advice on the configuration, for example to replace a plain-text secret by a reference."""

    @classmethod
    def from_json(cls, value: Any) -> AddResponse:
        return cls(
            job_id=value["job_id"],
            overlaps=value["overlaps"],
            warnings=value["warnings"],
        )


@dataclass(frozen=True)
class ApplySourcesResponse:
    dry_run: bool
    """Nothing was changed."""
    changes: list[SourceChange]
    """One item for each desired or removed source."""

    @classmethod
    def from_json(cls, value: Any) -> ApplySourcesResponse:
        return cls(
            dry_run=value["dry_run"],
            changes=list_of(SourceChange.from_json)(value["changes"]),
        )


@dataclass(frozen=True)
class AskCitation:
    id: int
    """The number in the answer, such as `[1]`."""
    source: str
    """URI of the object, for `cat`, `head`, `tail` and `export`."""
    locator: dict[str, Any] | None
    """The lines of the quote, or its record. Pass it to `cat` to read them."""
    quote: str
    """The cited text, exactly as in the passage."""
    verified: Literal[True]
    """The quote occurs in the passage. Other citations are removed."""

    @classmethod
    def from_json(cls, value: Any) -> AskCitation:
        return cls(
            id=value["id"],
            source=value["source"],
            locator=value["locator"],
            quote=value["quote"],
            verified=value["verified"],
        )


@dataclass(frozen=True)
class AskPassage:
    id: int
    """Rank of the passage."""
    source: str
    """URI of the object, for `cat`, `head`, `tail` and `export`."""
    locator: dict[str, Any] | None
    """Pass it to `cat` to read this part."""
    content: str
    """The text of the passage."""
    score: float | None
    """Relevance score from 0 to 1."""

    @classmethod
    def from_json(cls, value: Any) -> AskPassage:
        return cls(
            id=value["id"],
            source=value["source"],
            locator=value["locator"],
            content=value["content"],
            score=value["score"],
        )


@dataclass(frozen=True)
class AskResponse:
    question: str
    """The question of the request."""
    answer: str
    """The answer with the numbers of its citations, such as `[1]`, or `Not found`. Other numbers
    in brackets are written `\\[3\\]`.
    """
    found: bool
    """Whether the passages answer the question."""
    model: str
    """The language model that wrote the answer, or `rules` if the answer quotes the passages."""
    notice: str | None
    """What differs from the request: a corrected spelling, a failed language model, or statements
    that were left out. Null if nothing does.
    """
    citations: list[AskCitation]
    """In the order of the answer."""
    passages: list[AskPassage]
    """The passages that were considered, best first."""

    @classmethod
    def from_json(cls, value: Any) -> AskResponse:
        return cls(
            question=value["question"],
            answer=value["answer"],
            found=value["found"],
            model=value["model"],
            notice=value["notice"],
            citations=list_of(AskCitation.from_json)(value["citations"]),
            passages=list_of(AskPassage.from_json)(value["passages"]),
        )


@dataclass(frozen=True)
class BackupResponse:
    status: Literal["none", "running", "succeeded", "failed"]
    """The state of the last backup since the server started."""
    to: str | None
    """The folder of the backup."""
    started_at: str | None
    """When it began."""
    finished_at: str | None
    """When it ended."""
    files: int
    """The number of its files so far."""
    bytes: int
    """The size of its files so far."""
    warnings: list[str]
    """Data of the server that the backup does not contain."""
    error: str | None
    """The error code if it failed."""
    detail: str | None
    """The error in words."""

    @classmethod
    def from_json(cls, value: Any) -> BackupResponse:
        return cls(
            status=value["status"],
            to=value["to"],
            started_at=value["started_at"],
            finished_at=value["finished_at"],
            files=value["files"],
            bytes=value["bytes"],
            warnings=value["warnings"],
            error=value["error"],
            detail=value["detail"],
        )


@dataclass(frozen=True)
class BatchError:
    """The error that the request would return alone."""
    code: str
    """Stable error code, for programs."""
    detail: str
    """Description for people. Do not parse it."""
    suggestions: list[str]
    """Remedies."""

    @classmethod
    def from_json(cls, value: Any) -> BatchError:
        return cls(
            code=value["code"],
            detail=value["detail"],
            suggestions=value["suggestions"],
        )


@dataclass(frozen=True)
class BatchFailure:
    ok: Literal[False]
    """The request failed."""
    error: BatchError
    """The error that the request would return alone."""

    @classmethod
    def from_json(cls, value: Any) -> BatchFailure:
        return cls(
            ok=value["ok"],
            error=BatchError.from_json(value["error"]),
        )


@dataclass(frozen=True)
class BatchedRead:
    path: str
    """Path or URI of a source, a folder in it, or an object."""
    range: str | None = None
    """Lines `start:end`, or records of a table, from 1, both ends inclusive. `10:` and `:20` also
    work.
    """
    bytes: str | None = None
    """Bytes `start:end` of a large text, from 0, without the end, at most 1 MiB. Omits characters
    that the range cuts.
    """
    locator: str | None = None
    """The locator of a search hit, as JSON."""
    meta: bool | None = None
    """Return metadata of the object instead of its content."""
    density: Literal["peek", "skim", "deep"] | None = None
    """`peek`: headings and signatures with line numbers. `skim`: also the first line below each.
    `deep`: everything.
    """
    numbers: bool | None = None
    """Begin each line with its number and a tab, like `cat -n`."""
    context: int | None = None
    """Lines to add before and after `range` or the lines of `locator`."""
    enclosing: bool | None = None
    """Return the whole definition or section around the first line of `range` or `locator`.
    Without one, returns the lines themselves.
    """

    @classmethod
    def from_json(cls, value: Any) -> BatchedRead:
        return cls(
            path=value["path"],
            range=value.get("range"),
            bytes=value.get("bytes"),
            locator=value.get("locator"),
            meta=value.get("meta"),
            density=value.get("density"),
            numbers=value.get("numbers"),
            context=value.get("context"),
            enclosing=value.get("enclosing"),
        )


@dataclass(frozen=True)
class BatchedReadSuccess:
    ok: Literal[True]
    """The request succeeded."""
    value: CatResponse | ObjectMeta
    """The response of the read."""

    @classmethod
    def from_json(cls, value: Any) -> BatchedReadSuccess:
        return cls(
            ok=value["ok"],
            value=one_of(CatResponse, ObjectMeta)(value["value"]),
        )


@dataclass(frozen=True)
class BatchedSearch:
    q: str
    """The query. Only the first few hundred words of a long text count."""
    path: str | None = None
    """Search only this source, folder or object."""
    mode: Literal["hybrid", "semantic", "keyword"] | None = None
    """`semantic`: by meaning. `keyword`: by words. `hybrid`: by both."""
    top_k: int | None = None
    """Maximum number of hits."""
    offset: int | None = None
    """Number of best hits to skip."""
    collapse: bool | None = None
    """Return only the best hit of each object."""
    demote: bool | None = None
    """Lower the scores of tests, fixtures, logs, licences, changelogs, commits, generated and
    vendored files, unless the query asks for them.
    """
    kind: str | None = None
    """Comma-separated chunk kinds: body, row_text, thread_aggregate, record_aggregate, summary,
    vlm_description, directory_summary, schema_summary.
    """
    filter: str | None = None
    """A condition on path, media_type, chunk_kind, modified_at or a metadata field, such as
    `media_type = "text/markdown" and author in ("ann", "bo")`.
    """
    glob: str | None = None
    """Only objects with a matching path, relative to `path` or the source. Comma-separated
    `.gitignore` patterns. `{a,b}` are alternatives, `!` excludes, the last match decides.
    """
    type: str | None = None
    """Only files of these types, such as `ts,py,md`. `!` excludes a type."""
    since: str | None = None
    """Only objects modified at this time or later: an ISO date, a date and time, or an age such as
    `7d` or `12h`.
    """
    until: str | None = None
    """Only objects modified before this time, in the form of `since`."""
    sort: Literal["relevance", "modified"] | None = None
    """`modified`: order the 100 most relevant hits by the time of the last change, newest first.
    Other hits follow by relevance.
    """
    snippet: int | None = None
    """Return only the lines around the best matching lines of each hit, with at most this many
    characters.
    """
    max_bytes: int | None = None
    """Maximum size of the JSON response. Omits the last hits, and shortens a first hit that is too
    large alone.
    """
    explain: bool | None = None
    """Add `explanation` to each hit: how its rank and its score came about. `top_k` must then be
    at most 100.
    """

    @classmethod
    def from_json(cls, value: Any) -> BatchedSearch:
        return cls(
            q=value["q"],
            path=value.get("path"),
            mode=value.get("mode"),
            top_k=value.get("top_k"),
            offset=value.get("offset"),
            collapse=value.get("collapse"),
            demote=value.get("demote"),
            kind=value.get("kind"),
            filter=value.get("filter"),
            glob=value.get("glob"),
            type=value.get("type"),
            since=value.get("since"),
            until=value.get("until"),
            sort=value.get("sort"),
            snippet=value.get("snippet"),
            max_bytes=value.get("max_bytes"),
            explain=value.get("explain"),
        )


@dataclass(frozen=True)
class BatchedSearchSuccess:
    ok: Literal[True]
    """The request succeeded."""
    value: SearchResponse
    """The response of the search."""

    @classmethod
    def from_json(cls, value: Any) -> BatchedSearchSuccess:
        return cls(
            ok=value["ok"],
            value=SearchResponse.from_json(value["value"]),
        )


@dataclass(frozen=True)
class CallerAccess:
    """The access of the caller."""
    rights: str
    """`read`, `sync` or `admin`. Later versions may add values."""
    sees_all: bool
    """`false` if the token sees only some sources, folders or objects."""

    @classmethod
    def from_json(cls, value: Any) -> CallerAccess:
        return cls(
            rights=value["rights"],
            sees_all=value["sees_all"],
        )


@dataclass(frozen=True)
class CancelResponse:
    job_id: str
    """The id of the job."""
    cancelled: bool
    """`false` if the job had already ended."""

    @classmethod
    def from_json(cls, value: Any) -> CancelResponse:
        return cls(
            job_id=value["job_id"],
            cancelled=value["cancelled"],
        )


@dataclass(frozen=True)
class CatResponse:
    source: str
    """Canonical URI of the object."""
    content: str
    """The text of the object or of its records."""
    partial: bool
    """The source returned only part of the object."""
    lines: CatResponseLines | None = None
    """The lines in `content`, from 1. Null for records, bytes and outlines. Only `cat` and `head`
    return it.
    """
    enclosed: bool | None = None
    """With `enclosing`: whether a definition or section encloses the line. If false, `content` has
    the lines themselves.
    """
    outline: list[OutlineEntry] | None = None
    """The headings or definitions, for `density=peek`. Null otherwise. Only `cat` returns it."""

    @classmethod
    def from_json(cls, value: Any) -> CatResponse:
        return cls(
            source=value["source"],
            content=value["content"],
            partial=value["partial"],
            lines=optional(CatResponseLines.from_json)(value.get("lines")),
            enclosed=value.get("enclosed"),
            outline=optional(list_of(OutlineEntry.from_json))(value.get("outline")),
        )


@dataclass(frozen=True)
class CatResponseLines:
    """The lines in `content`, from 1. Null for records, bytes and outlines. Only `cat` and `head`
    return it.
    """
    from_: int = field(metadata={"json": "from"})
    """The first line."""
    to: int
    """The last line. Less than `from` if there are no such lines."""
    total: int | None
    """Number of lines of the object. Null if it was not read to its end."""

    @classmethod
    def from_json(cls, value: Any) -> CatResponseLines:
        return cls(
            from_=value["from"],
            to=value["to"],
            total=value["total"],
        )


@dataclass(frozen=True)
class ConnectorQuestion:
    setting: str
    """Name of a setting in `config_schema`."""
    ask: str
    """The question: `Access token`."""
    help: str | None
    """Where people find the answer."""

    @classmethod
    def from_json(cls, value: Any) -> ConnectorQuestion:
        return cls(
            setting=value["setting"],
            ask=value["ask"],
            help=value["help"],
        )


@dataclass(frozen=True)
class ConnectorRow:
    root_uri: str
    """Canonical URI of the source."""
    type: str
    """URI scheme of the source, such as `file`."""
    status: str
    """`active`, `syncing`, `removing` or `error` (the last sync failed, or the source has become
    unreachable).
    """
    object_count: int
    """Number of known objects."""
    chunk_count: int
    """Number of their chunks in the index."""
    disk_bytes: int | None
    """Size of the files that only this source has, and its share of the index by chunks. Up to a
    minute old. Null if unknown.
    """
    last_synced_at: str | None
    """When the last complete sync ended. Null before the first."""
    error: str | None
    """Error code of the current problem of the source."""
    detail: str | None
    """Description of the problem, for people."""
    next_sync_at: str | None
    """Next time of the schedule. A time in the past means that the sync starts soon. Null without
    a schedule.
    """
    paused: bool
    """The source is synced only on request, so `next_sync_at` is null."""
    failing_since: str | None
    """When the current series of failed syncs began. Null without a problem."""
    last_error: LastError | None
    """The last problem of the source, even if later syncs succeeded."""
    watch: SourceWatch | None
    """How a source with `watch = true` is kept up to date. Null if this process does not watch it."""

    @classmethod
    def from_json(cls, value: Any) -> ConnectorRow:
        return cls(
            root_uri=value["root_uri"],
            type=value["type"],
            status=value["status"],
            object_count=value["object_count"],
            chunk_count=value["chunk_count"],
            disk_bytes=value["disk_bytes"],
            last_synced_at=value["last_synced_at"],
            error=value["error"],
            detail=value["detail"],
            next_sync_at=value["next_sync_at"],
            paused=value["paused"],
            failing_since=value["failing_since"],
            last_error=optional(LastError.from_json)(value["last_error"]),
            watch=optional(SourceWatch.from_json)(value["watch"]),
        )


@dataclass(frozen=True)
class ConnectorType:
    type: str
    """URI scheme of the source."""
    config_schema: dict[str, Any]
    """JSON Schema of the configuration. `writeOnly` marks secrets."""
    address: str | None
    """Label for the part of a URI after `scheme://`: `Repository (owner/name)`. Null if the
    connector has none.
    """
    questions: list[ConnectorQuestion]
    """The most common settings, with a question for each."""

    @classmethod
    def from_json(cls, value: Any) -> ConnectorType:
        return cls(
            type=value["type"],
            config_schema=value["config_schema"],
            address=value["address"],
            questions=list_of(ConnectorQuestion.from_json)(value["questions"]),
        )


@dataclass(frozen=True)
class CreatedToken:
    id: str
    """The public part of the token."""
    name: str
    """Name of the token."""
    rights: str
    """`read`, `sync` or `admin`. Later versions may add values."""
    paths: list[str] | None
    """Canonical URIs of what the token sees. Null: everything."""
    created_at: str
    """When the token was created."""
    last_used_at: str | None
    """When the token was last used, to the minute. Null if never."""
    ends_at: str | None
    """When the token ends or has ended. Null: never."""
    is_replaced: bool
    """Whether a newer token with this name exists. This one is valid until it ends."""
    token: str
    """The token. The server stores only its hash."""

    @classmethod
    def from_json(cls, value: Any) -> CreatedToken:
        return cls(
            id=value["id"],
            name=value["name"],
            rights=value["rights"],
            paths=value["paths"],
            created_at=value["created_at"],
            last_used_at=value["last_used_at"],
            ends_at=value["ends_at"],
            is_replaced=value["is_replaced"],
            token=value["token"],
        )


@dataclass(frozen=True)
class DiskSpace:
    name: str
    """The first part of the data on this disk: `home`, `metadata`, `transformation_cache`,
    `index`, `artifact_cache` or `uploads`. Later versions may add values.
    """
    free_bytes: int | None
    """Free bytes. Null if the disk does not respond."""
    state: str
    """`ok`, `low` (less than 500 MB left), `full` (less than 10 MB left) or `unknown` (the disk
    does not respond). Later versions may add values.
    """
    detail: str | None
    """Problem and remedy, for people."""

    @classmethod
    def from_json(cls, value: Any) -> DiskSpace:
        return cls(
            name=value["name"],
            free_bytes=value["free_bytes"],
            state=value["state"],
            detail=value["detail"],
        )


@dataclass(frozen=True)
class DiskUse:
    """Bytes that the server stores on its disk or in a database, up to a minute old. Null if
    unknown.
    """
    metadata: int | None
    """Database of sources, objects and jobs."""
    index: int | None
    """Vectors and terms of all chunks."""
    transformation_cache: int | None
    """Embeddings and answers of the language model."""
    artifact_cache: int | None
    """Converted documents."""
    uploads: int | None
    """Uploaded files."""

    @classmethod
    def from_json(cls, value: Any) -> DiskUse:
        return cls(
            metadata=value["metadata"],
            index=value["index"],
            transformation_cache=value["transformation_cache"],
            artifact_cache=value["artifact_cache"],
            uploads=value["uploads"],
        )


@dataclass(frozen=True)
class EmbeddingSwitch:
    """Progress of indexing sources with this embedder after a change. Null when all sources are
    done.
    """
    from_: list[str] = field(metadata={"json": "from"})
    """Earlier embedders whose index still answers for some sources, by words only."""
    sources: int
    """Number of registered sources."""
    sources_done: int
    """Sources that the new index answers for."""
    objects: int
    """Approximate number of objects in all sources."""
    objects_done: int
    """Approximate number of objects in the new index."""

    @classmethod
    def from_json(cls, value: Any) -> EmbeddingSwitch:
        return cls(
            from_=value["from"],
            sources=value["sources"],
            sources_done=value["sources_done"],
            objects=value["objects"],
            objects_done=value["objects_done"],
        )


@dataclass(frozen=True)
class EmbeddingUse:
    """The embedder of the index."""
    name: str
    """Name of the configured embedder, with model and dimension."""
    switch: EmbeddingSwitch | None
    """Progress of indexing sources with this embedder after a change. Null when all sources are
    done.
    """

    @classmethod
    def from_json(cls, value: Any) -> EmbeddingUse:
        return cls(
            name=value["name"],
            switch=optional(EmbeddingSwitch.from_json)(value["switch"]),
        )


@dataclass(frozen=True)
class EstimateResponse:
    target: str
    """Canonical URI of the source."""
    type: str
    """URI scheme of the source, such as `file`."""
    objects: int
    """Objects that would be indexed."""
    sampled_objects: int
    """Objects that were read for the estimate."""
    est_chunks: int
    """Estimated number of chunks."""
    est_tokens: int
    """Estimated number of tokens to embed."""
    complete: bool
    """`false` if listing the source took too long, such as a large web site. The numbers then
    cover only the listed part.
    """
    top_level: list[TopLevelEntry]
    """The top-level entries of the source, in its order, at most 200."""

    @classmethod
    def from_json(cls, value: Any) -> EstimateResponse:
        return cls(
            target=value["target"],
            type=value["type"],
            objects=value["objects"],
            sampled_objects=value["sampled_objects"],
            est_chunks=value["est_chunks"],
            est_tokens=value["est_tokens"],
            complete=value["complete"],
            top_level=list_of(TopLevelEntry.from_json)(value["top_level"]),
        )


@dataclass(frozen=True)
class ExplainResponse:
    target: str
    """Canonical URI of the source."""
    type: str
    """URI scheme of the source, such as `file`."""
    incremental: bool
    """The sync requests only what has changed since the last one."""
    requests: list[ExplainedRequest]
    """The kinds of requests, in their order, without logins."""

    @classmethod
    def from_json(cls, value: Any) -> ExplainResponse:
        return cls(
            target=value["target"],
            type=value["type"],
            incremental=value["incremental"],
            requests=list_of(ExplainedRequest.from_json)(value["requests"]),
        )


@dataclass(frozen=True)
class ExplainedRequest:
    name: str
    """What it requests, such as `issues`."""
    request: str
    """The request in the terms of the source: `GET https://…`. Braces mark values that only an
    answer has.
    """
    body: str | None
    """The body of the request."""
    repeats: str | None
    """How often it is made, if not once: `for each of projects`."""
    paged: bool
    """Further pages are requested until the last one."""

    @classmethod
    def from_json(cls, value: Any) -> ExplainedRequest:
        return cls(
            name=value["name"],
            request=value["request"],
            body=value["body"],
            repeats=value["repeats"],
            paged=value["paged"],
        )


@dataclass(frozen=True)
class ExplainedWord:
    word: str
    """The word, after spelling correction."""
    corrected_from: str | None
    """The word as typed, if it was corrected."""
    chunks: int | None
    """Number of chunks in the index with the word, counted up to 10,000. Rare words weigh more."""
    places: list[Literal["text", "title", "path", "context"]]
    """Where the hit has the word. `context`: in the headings or the definition around the text.
    Empty: the hit lacks the word. All places except `text` count three times.
    """
    score: float | None
    """Part of the keyword score. 0: the word does not occur. Null also for the most common words
    of a long query, whose parts are not computed.
    """

    @classmethod
    def from_json(cls, value: Any) -> ExplainedWord:
        return cls(
            word=value["word"],
            corrected_from=value["corrected_from"],
            chunks=value["chunks"],
            places=value["places"],
            score=value["score"],
        )


@dataclass(frozen=True)
class ExportSourcesResponse:
    sources: list[ExportedSource]
    """The sources by URI, without uploaded ones."""

    @classmethod
    def from_json(cls, value: Any) -> ExportSourcesResponse:
        return cls(
            sources=list_of(ExportedSource.from_json)(value["sources"]),
        )


@dataclass(frozen=True)
class ExportedSource:
    target: str
    """Canonical URI of the source."""
    config: dict[str, Any] | None
    """Its configuration with references to secrets. Secrets in plain text are `***`."""

    @classmethod
    def from_json(cls, value: Any) -> ExportedSource:
        return cls(
            target=value["target"],
            config=value["config"],
        )


@dataclass(frozen=True)
class FilesManifestFile:
    path: str
    """Path relative to the root, separated by `/`."""
    size: int
    """Size in bytes."""
    mtime_ns: int | str
    """Modification time in nanoseconds since 1970, as a number or string."""
    inode: int | str | None = None
    """Inode as a number or string, if there is one."""

    @classmethod
    def from_json(cls, value: Any) -> FilesManifestFile:
        return cls(
            path=value["path"],
            size=value["size"],
            mtime_ns=value["mtime_ns"],
            inode=value.get("inode"),
        )


@dataclass(frozen=True)
class Graph:
    name: str
    """Name in requests."""
    entity_collection: str
    """Name of the collection of its entities."""
    relation_collection: str
    """Name of the collection of its relations."""
    passage_collection: str
    """Name of the collection of its passages."""
    has_all_collections: bool
    """True if all three collections exist, so the graph is complete."""

    @classmethod
    def from_json(cls, value: Any) -> Graph:
        return cls(
            name=value["name"],
            entity_collection=value["entity_collection"],
            relation_collection=value["relation_collection"],
            passage_collection=value["passage_collection"],
            has_all_collections=value["has_all_collections"],
        )


@dataclass(frozen=True)
class GraphBuild:
    graph_name: str
    """The graph that is being built."""
    started_at: str
    """Start of the build."""
    num_passages: int
    """Processed passages."""
    total_passages: int | None
    """Number of passages; null until it is known."""

    @classmethod
    def from_json(cls, value: Any) -> GraphBuild:
        return cls(
            graph_name=value["graph_name"],
            started_at=value["started_at"],
            num_passages=value["num_passages"],
            total_passages=value["total_passages"],
        )


@dataclass(frozen=True)
class GraphDeleted:
    success: bool
    """Always true."""
    message: str
    """A message for people."""

    @classmethod
    def from_json(cls, value: Any) -> GraphDeleted:
        return cls(
            success=value["success"],
            message=value["message"],
        )


@dataclass(frozen=True)
class GraphDocument:
    id: str
    """Stable across rebuilds of the graph."""
    text: str
    """The complete text."""
    entity_ids: list[str]
    """Subjects and objects of its relations."""
    relation_ids: list[str]
    """Relations that it states."""
    metadata: dict[str, Any]
    """Metadata from the request that added it."""

    @classmethod
    def from_json(cls, value: Any) -> GraphDocument:
        return cls(
            id=value["id"],
            text=value["text"],
            entity_ids=value["entity_ids"],
            relation_ids=value["relation_ids"],
            metadata=value["metadata"],
        )


@dataclass(frozen=True)
class GraphDocuments:
    documents: list[GraphDocument]
    """One page of documents."""
    total: int
    """Number of matching documents."""

    @classmethod
    def from_json(cls, value: Any) -> GraphDocuments:
        return cls(
            documents=list_of(GraphDocument.from_json)(value["documents"]),
            total=value["total"],
        )


@dataclass(frozen=True)
class GraphEntity:
    id: str
    """Stable across rebuilds of the graph."""
    name: str
    """First spelling."""
    description: str
    """Its first relations as text."""
    relation_ids: list[str]
    """Its relations in this response."""
    passage_ids: list[str]
    """Passages that mention it, at most 20."""

    @classmethod
    def from_json(cls, value: Any) -> GraphEntity:
        return cls(
            id=value["id"],
            name=value["name"],
            description=value["description"],
            relation_ids=value["relation_ids"],
            passage_ids=value["passage_ids"],
        )


@dataclass(frozen=True)
class GraphExpansionStep:
    step: int
    """Step 0 contains the results for the question itself."""
    entity_ids: list[str]
    """All entities after this step."""
    description: str
    """A message for people."""
    operation: Literal["init", "expand"]
    """init: results for the question; expand: one more hop."""
    added_entity_ids: list[str]
    """Entities added by this step."""
    added_relation_ids: list[str]
    """Relations added by this step."""
    total_entities: int
    """Entities after this step."""
    total_relations: int
    """Relations after this step."""

    @classmethod
    def from_json(cls, value: Any) -> GraphExpansionStep:
        return cls(
            step=value["step"],
            entity_ids=value["entity_ids"],
            description=value["description"],
            operation=value["operation"],
            added_entity_ids=value["added_entity_ids"],
            added_relation_ids=value["added_relation_ids"],
            total_entities=value["total_entities"],
            total_relations=value["total_relations"],
        )


@dataclass(frozen=True)
class GraphHealth:
    status: Literal["ok"]
    """Always ok."""
    version: str
    """Version of the server."""

    @classmethod
    def from_json(cls, value: Any) -> GraphHealth:
        return cls(
            status=value["status"],
            version=value["version"],
        )


@dataclass(frozen=True)
class GraphNeighbors:
    entity_id: str
    """Id of the requested entity."""
    neighbors: list[GraphEntity]
    """Most connected first, then by name."""
    relations: list[GraphRelation]
    """Relations among the neighbors and the entity."""

    @classmethod
    def from_json(cls, value: Any) -> GraphNeighbors:
        return cls(
            entity_id=value["entity_id"],
            neighbors=list_of(GraphEntity.from_json)(value["neighbors"]),
            relations=list_of(GraphRelation.from_json)(value["relations"]),
        )


@dataclass(frozen=True)
class GraphPassage:
    id: str
    """Stable across rebuilds of the graph."""
    text: str
    """The complete text."""
    score: float
    """Relevance relative to the best, which has 1."""
    via: Literal["lexical", "anchor", "fact", "bridge", "dense"]
    """Main evidence: its words (lexical), an entity of the question (anchor), a relation (fact),
    an entity of another passage (bridge), its meaning (dense).
    """
    metadata: dict[str, Any]
    """Metadata from the request that added it."""

    @classmethod
    def from_json(cls, value: Any) -> GraphPassage:
        return cls(
            id=value["id"],
            text=value["text"],
            score=value["score"],
            via=value["via"],
            metadata=value["metadata"],
        )


@dataclass(frozen=True)
class GraphQueryEntity:
    id: str
    """Stable across rebuilds of the graph."""
    name: str
    """First spelling."""
    description: str
    """Its first relations as text."""
    relation_ids: list[str]
    """Its relations in this response."""
    passage_ids: list[str]
    """Passages that mention it, at most 20."""
    score: float
    """Relevance relative to the best, which has 1."""

    @classmethod
    def from_json(cls, value: Any) -> GraphQueryEntity:
        return cls(
            id=value["id"],
            name=value["name"],
            description=value["description"],
            relation_ids=value["relation_ids"],
            passage_ids=value["passage_ids"],
            score=value["score"],
        )


@dataclass(frozen=True)
class GraphQueryResponse:
    question: str
    """The question of the request."""
    answer: str
    """The answer, which cites ids of passages in square brackets."""
    query_entities: list[GraphQueryEntity]
    """Entities named in the question."""
    subgraph: GraphQueryResponseSubgraph
    """The subgraph that explains the answer: at most 150 entities and 300 relations."""
    retrieved_passages: list[GraphPassage]
    """Passages for the answer, best first."""
    stats: GraphQueryResponseStats
    """Times and counts."""
    retrieval_detail: GraphQueryResponseRetrievalDetail
    """Results before reranking, best first."""
    eviction_result: GraphQueryResponseEvictionResult
    """Relations that the limit of the subgraph excludes."""
    rerank_result: GraphQueryResponseRerankResult | None = None
    """Results in the order of the language model. Only with `use_reranking`."""

    @classmethod
    def from_json(cls, value: Any) -> GraphQueryResponse:
        return cls(
            question=value["question"],
            answer=value["answer"],
            query_entities=list_of(GraphQueryEntity.from_json)(value["query_entities"]),
            subgraph=GraphQueryResponseSubgraph.from_json(value["subgraph"]),
            retrieved_passages=list_of(GraphPassage.from_json)(value["retrieved_passages"]),
            stats=GraphQueryResponseStats.from_json(value["stats"]),
            retrieval_detail=GraphQueryResponseRetrievalDetail.from_json(value["retrieval_detail"]),
            eviction_result=GraphQueryResponseEvictionResult.from_json(value["eviction_result"]),
            rerank_result=optional(GraphQueryResponseRerankResult.from_json)(value.get("rerank_result")),
        )


@dataclass(frozen=True)
class GraphQueryResponseEvictionResult:
    """Relations that the limit of the subgraph excludes."""
    occurred: bool
    """True if any relation is excluded."""
    before_count: int
    """Number of examined relations."""
    after_count: int
    """Number of relations in the subgraph."""

    @classmethod
    def from_json(cls, value: Any) -> GraphQueryResponseEvictionResult:
        return cls(
            occurred=value["occurred"],
            before_count=value["before_count"],
            after_count=value["after_count"],
        )


@dataclass(frozen=True)
class GraphQueryResponseRerankResult:
    """Results in the order of the language model. Only with `use_reranking`."""
    reranked_entities: list[GraphQueryEntity]
    """Entities."""
    reranked_relations: list[GraphScoredRelation]
    """Relations."""
    reranked_passages: list[GraphPassage]
    """Passages."""
    selected_relation_ids: list[str]
    """Ids of the relations, in order."""
    selected_relation_texts: list[str]
    """Texts of the relations."""

    @classmethod
    def from_json(cls, value: Any) -> GraphQueryResponseRerankResult:
        return cls(
            reranked_entities=list_of(GraphQueryEntity.from_json)(value["reranked_entities"]),
            reranked_relations=list_of(GraphScoredRelation.from_json)(value["reranked_relations"]),
            reranked_passages=list_of(GraphPassage.from_json)(value["reranked_passages"]),
            selected_relation_ids=value["selected_relation_ids"],
            selected_relation_texts=value["selected_relation_texts"],
        )


@dataclass(frozen=True)
class GraphQueryResponseRetrievalDetail:
    """Results before reranking, best first."""
    entity_search_results: list[GraphQueryEntity]
    """Entities."""
    relation_search_results: list[GraphScoredRelation]
    """Relations."""
    expanded_entities: list[GraphEntity]
    """Entities added by the expansion."""
    entity_ids: list[str]
    """Ids of the entities, in order."""
    entity_texts: list[str]
    """Names of the entities."""
    entity_scores: list[float]
    """Scores of the entities."""
    relation_ids: list[str]
    """Ids of the relations, in order."""
    relation_texts: list[str]
    """Texts of the relations."""
    relation_scores: list[float]
    """Scores of the relations."""

    @classmethod
    def from_json(cls, value: Any) -> GraphQueryResponseRetrievalDetail:
        return cls(
            entity_search_results=list_of(GraphQueryEntity.from_json)(value["entity_search_results"]),
            relation_search_results=list_of(GraphScoredRelation.from_json)(value["relation_search_results"]),
            expanded_entities=list_of(GraphEntity.from_json)(value["expanded_entities"]),
            entity_ids=value["entity_ids"],
            entity_texts=value["entity_texts"],
            entity_scores=value["entity_scores"],
            relation_ids=value["relation_ids"],
            relation_texts=value["relation_texts"],
            relation_scores=value["relation_scores"],
        )


@dataclass(frozen=True)
class GraphQueryResponseStats:
    """Times and counts."""
    retrieval_time_ms: int
    """Retrieval, including reranking."""
    generation_time_ms: int
    """Generation of the answer."""
    total_time_ms: int
    """Retrieval and generation."""
    num_entities_retrieved: int
    """Number of examined entities."""
    num_relations_retrieved: int
    """Number of examined relations."""
    num_passages_retrieved: int
    """Number of examined passages."""

    @classmethod
    def from_json(cls, value: Any) -> GraphQueryResponseStats:
        return cls(
            retrieval_time_ms=value["retrieval_time_ms"],
            generation_time_ms=value["generation_time_ms"],
            total_time_ms=value["total_time_ms"],
            num_entities_retrieved=value["num_entities_retrieved"],
            num_relations_retrieved=value["num_relations_retrieved"],
            num_passages_retrieved=value["num_passages_retrieved"],
        )


@dataclass(frozen=True)
class GraphQueryResponseSubgraph:
    """The subgraph that explains the answer: at most 150 entities and 300 relations."""
    entities: list[GraphEntity]
    """Entities."""
    relations: list[GraphRelation]
    """Relations."""
    passages: list[GraphPassage]
    """The retrieved passages."""
    expansion_history: list[GraphExpansionStep]
    """Growth of the subgraph."""
    entity_ids: list[str]
    """Ids of its entities."""
    relation_ids: list[str]
    """Ids of its relations."""
    passage_ids: list[str]
    """Ids of its passages."""

    @classmethod
    def from_json(cls, value: Any) -> GraphQueryResponseSubgraph:
        return cls(
            entities=list_of(GraphEntity.from_json)(value["entities"]),
            relations=list_of(GraphRelation.from_json)(value["relations"]),
            passages=list_of(GraphPassage.from_json)(value["passages"]),
            expansion_history=list_of(GraphExpansionStep.from_json)(value["expansion_history"]),
            entity_ids=value["entity_ids"],
            relation_ids=value["relation_ids"],
            passage_ids=value["passage_ids"],
        )


@dataclass(frozen=True)
class GraphRelation:
    id: str
    """Stable across rebuilds of the graph."""
    source: str
    """Name of the subject."""
    target: str
    """Name of the object."""
    description: str
    """The relation as text."""
    text: str
    """Subject, predicate and object as one text."""
    subject: str
    """Subject of the statement."""
    predicate: str
    """Predicate of the statement."""
    object: str
    """Object of the statement."""
    entity_ids: list[str]
    """Ids of subject and object."""
    passage_ids: list[str]
    """Passages that state it, at most 20."""

    @classmethod
    def from_json(cls, value: Any) -> GraphRelation:
        return cls(
            id=value["id"],
            source=value["source"],
            target=value["target"],
            description=value["description"],
            text=value["text"],
            subject=value["subject"],
            predicate=value["predicate"],
            object=value["object"],
            entity_ids=value["entity_ids"],
            passage_ids=value["passage_ids"],
        )


@dataclass(frozen=True)
class GraphScoredRelation:
    id: str
    """Stable across rebuilds of the graph."""
    source: str
    """Name of the subject."""
    target: str
    """Name of the object."""
    description: str
    """The relation as text."""
    text: str
    """Subject, predicate and object as one text."""
    subject: str
    """Subject of the statement."""
    predicate: str
    """Predicate of the statement."""
    object: str
    """Object of the statement."""
    entity_ids: list[str]
    """Ids of subject and object."""
    passage_ids: list[str]
    """Passages that state it, at most 20."""
    score: float
    """Relevance relative to the best, which has 1."""

    @classmethod
    def from_json(cls, value: Any) -> GraphScoredRelation:
        return cls(
            id=value["id"],
            source=value["source"],
            target=value["target"],
            description=value["description"],
            text=value["text"],
            subject=value["subject"],
            predicate=value["predicate"],
            object=value["object"],
            entity_ids=value["entity_ids"],
            passage_ids=value["passage_ids"],
            score=value["score"],
        )


@dataclass(frozen=True)
class GraphSettings:
    default_graph: str
    """The graph of an empty name."""
    llm_model: str
    """Language model. `rules` means none."""
    embedding_provider: str
    """Embedder. `lexical` needs no key."""
    embedding_model: str
    """Embedding model."""
    embedding_dimension: int
    """Dimension of the vectors."""
    milvus_uri: str
    """URI of the vector index, without credentials."""
    milvus_db: str
    """Name of its database, always `default`."""
    openai_api_key_set: bool
    """True if a key for the language model is configured."""
    openai_base_url: str
    """Base URL of the OpenAI-compatible API."""
    embedding_api_key_set: bool
    """True if a key for the embedder is configured."""
    embedding_base_url: str | None
    """Base URL of the embedder; null if not configured."""

    @classmethod
    def from_json(cls, value: Any) -> GraphSettings:
        return cls(
            default_graph=value["default_graph"],
            llm_model=value["llm_model"],
            embedding_provider=value["embedding_provider"],
            embedding_model=value["embedding_model"],
            embedding_dimension=value["embedding_dimension"],
            milvus_uri=value["milvus_uri"],
            milvus_db=value["milvus_db"],
            openai_api_key_set=value["openai_api_key_set"],
            openai_base_url=value["openai_base_url"],
            embedding_api_key_set=value["embedding_api_key_set"],
            embedding_base_url=value["embedding_base_url"],
        )


@dataclass(frozen=True)
class GraphStats:
    graph_name: str
    """Name of the graph."""
    entity_count: int
    """Entities in the graph."""
    relation_count: int
    """Relations in the graph."""
    passage_count: int
    """Passages in the graph."""

    @classmethod
    def from_json(cls, value: Any) -> GraphStats:
        return cls(
            graph_name=value["graph_name"],
            entity_count=value["entity_count"],
            relation_count=value["relation_count"],
            passage_count=value["passage_count"],
        )


@dataclass(frozen=True)
class GraphTriplet:
    subject: str
    """Subject of the statement."""
    predicate: str
    """Predicate of the statement."""
    object: str
    """Object of the statement."""

    @classmethod
    def from_json(cls, value: Any) -> GraphTriplet:
        return cls(
            subject=value["subject"],
            predicate=value["predicate"],
            object=value["object"],
        )


@dataclass(frozen=True)
class GraphsResponse:
    graphs: list[Graph]
    """All graphs, by name."""

    @classmethod
    def from_json(cls, value: Any) -> GraphsResponse:
        return cls(
            graphs=list_of(Graph.from_json)(value["graphs"]),
        )


@dataclass(frozen=True)
class GrepMatch:
    source: str | None
    """URI of the object. Null for a notice."""
    locator: dict[str, Any] | None
    """Pass it to `cat` to read this part."""
    content: str
    """The lines, the record, or the text of a notice."""
    via: Literal["pushdown", "bm25", "linear", "notice"]
    """`pushdown`: the source searched itself. `bm25`: only candidates from the index were read.
    `linear`: all objects were read. `notice`: something was not searched.
    """
    match: GrepMatchMatch | None
    """Position of the match. Null for records and notices."""

    @classmethod
    def from_json(cls, value: Any) -> GrepMatch:
        return cls(
            source=value["source"],
            locator=value["locator"],
            content=value["content"],
            via=value["via"],
            match=optional(GrepMatchMatch.from_json)(value["match"]),
        )


@dataclass(frozen=True)
class GrepMatchMatch:
    """Position of the match. Null for records and notices."""
    lines: list[int]
    """First and last line of the match, without context."""
    column: int
    """First column of the match in its first line, in UTF-16 code units."""

    @classmethod
    def from_json(cls, value: Any) -> GrepMatchMatch:
        return cls(
            lines=value["lines"],
            column=value["column"],
        )


@dataclass(frozen=True)
class GrepResponse:
    results: list[GrepMatch]
    """Matches in the order of the sources."""
    truncated: bool
    """More matches exist than `limit`."""
    next: str | None
    """Cursor for the following matches. Null if there are none."""

    @classmethod
    def from_json(cls, value: Any) -> GrepResponse:
        return cls(
            results=list_of(GrepMatch.from_json)(value["results"]),
            truncated=value["truncated"],
            next=value["next"],
        )


@dataclass(frozen=True)
class Health:
    status: Literal["ok"]
    """Always ok."""

    @classmethod
    def from_json(cls, value: Any) -> Health:
        return cls(
            status=value["status"],
        )


@dataclass(frozen=True)
class HitExplanation:
    """How the rank and the score of the hit came about. Present only with `explain`. For tokens
    with paths, numbers that depend on hidden objects are null.
    """
    rank: int
    """Rank among all hits, from 1, before a reranker or `sort` changed the order."""
    ranking_score: float | None
    """The number that determines the rank, 0 to 1: the weighted sum of the scaled scores, times
    `demotion_factor`.
    """
    keyword: KeywordExplanation | None
    """Retrieval by words. Null if the search did not use words."""
    semantic: SemanticExplanation | None
    """Retrieval by vectors. Null if the search did not use vectors."""
    words: list[ExplainedWord]
    """The words of the query that were searched, at most 32. Words such as "the" and "how" are not
    searched.
    """
    demotion_factor: float
    """Factor for tests, logs and the like, see `metadata.demoted_reason`. 1: none."""
    copies: int
    """Number of other objects with the same text, which are part of this hit."""
    moved_back: bool
    """Whether the hit follows lower-ranked ones, because the first ten hits already have two of
    its object.
    """
    best_score: float
    """Relevance of the best hit: the share of the words that it has, or its cosine."""
    relative_score: float
    """`score` of the hit divided by `best_score`."""
    reranker: RerankerExplanation | None
    """What the reranker did. Null if none ranked the hit."""

    @classmethod
    def from_json(cls, value: Any) -> HitExplanation:
        return cls(
            rank=value["rank"],
            ranking_score=value["ranking_score"],
            keyword=optional(KeywordExplanation.from_json)(value["keyword"]),
            semantic=optional(SemanticExplanation.from_json)(value["semantic"]),
            words=list_of(ExplainedWord.from_json)(value["words"]),
            demotion_factor=value["demotion_factor"],
            copies=value["copies"],
            moved_back=value["moved_back"],
            best_score=value["best_score"],
            relative_score=value["relative_score"],
            reranker=optional(RerankerExplanation.from_json)(value["reranker"]),
        )


@dataclass(frozen=True)
class ImportResponse:
    success: bool
    """False only if no document was loaded."""
    num_sources: int
    """Sources or files in the request."""
    num_documents: int
    """Loaded documents."""
    num_chunks: int
    """Chunks of the documents, which are the passages."""
    num_entities: int
    """Entities in the graph."""
    num_relations: int
    """Relations in the graph."""
    errors: list[str]
    """Documents that could not be loaded, with reasons; at most 100."""

    @classmethod
    def from_json(cls, value: Any) -> ImportResponse:
        return cls(
            success=value["success"],
            num_sources=value["num_sources"],
            num_documents=value["num_documents"],
            num_chunks=value["num_chunks"],
            num_entities=value["num_entities"],
            num_relations=value["num_relations"],
            errors=value["errors"],
        )


@dataclass(frozen=True)
class JobObstacle:
    """A condition that slows or stops the running job. Null without one."""
    code: str
    """`disk_full` or `disk_low`. Later versions may add values."""
    detail: str
    """Description and remedy, for people."""

    @classmethod
    def from_json(cls, value: Any) -> JobObstacle:
        return cls(
            code=value["code"],
            detail=value["detail"],
        )


@dataclass(frozen=True)
class JobResponse:
    id: str
    """The id of the job, as returned by `add`."""
    status: str
    """`queued`, `running`, `succeeded`, `partial`, `failed` or `cancelled`. Later versions may add
    values.
    """
    op_kind: str | None
    """Kind of the job: `sync`."""
    trigger: str | None
    """Why the job was created: `manual`, `watch` (the source changed), `schedule`, `move` (the
    source was moved), `embedder` (the embedder changed) or `index` (the index had lost rows).
    """
    target: str | None
    """Canonical URI of the source."""
    phase: str | None
    """Phase of a running job: `listing` (already indexing listed objects), `indexing`,
    `summarizing` or `optimizing`. Later versions may add values.
    """
    paused_until: str | None
    """End of a pause that the source requested, such as a rate limit. The job then continues. Null
    without a pause.
    """
    obstacle: JobObstacle | None
    """A condition that slows or stops the running job. Null without one."""
    error: str | None
    """Error code of a failed or cancelled job."""
    detail: str | None
    """Description of the error, for people."""
    total_objects: int | None
    """Listed objects plus objects to remove. Grows during the listing."""
    succeeded_objects: int | None
    """Sum of `added`, `changed` and `removed`."""
    failed_objects: int | None
    """Failed objects. The next sync retries them. `failures` has the reasons."""
    cancelled_objects: int | None
    """Objects that were open when the job ended early."""
    skipped_objects: int | None
    """Sum of `unchanged` and `left_out`."""
    added: int
    """Newly indexed objects."""
    changed: int
    """Objects that were indexed again or moved to a new path."""
    removed: int
    """Objects that the source no longer has."""
    unchanged: int
    """Objects that were already indexed in this state."""
    left_out: int
    """Objects that can be listed and read but are not indexed. `left_out_reasons` and `ls` have
    the reasons.
    """
    chunks: int | None
    """Chunks of added and changed objects."""
    chunks_without_vector: int
    """Chunks that could not be embedded, so only keywords find them."""
    summaries: int
    """Summaries and descriptions that were written. Cached ones need no model call."""
    summaries_missing: int
    """Summaries that could not be written. The next sync retries them. `failures` and `warnings`
    have the reasons.
    """
    model_calls: int
    """Answered calls to the language model."""
    model_input_tokens: int
    """Tokens that the language model read."""
    model_output_tokens: int
    """Tokens that the language model wrote."""
    created_at: str
    """When the job was queued."""
    started_at: str | None
    """When a worker first claimed the job. Null while it is queued."""
    finished_at: str | None
    """When the job ended. Null before."""
    failures: list[JobResponseFailure]
    """The first 20 failed objects."""
    left_out_reasons: list[JobResponseLeftOutReason]
    """Why objects were left out, at most 20 reasons. Empty until the job has ended."""
    warnings: list[str]
    """Conditions that did not fail the job, such as a rule without matches, in sentences."""

    @classmethod
    def from_json(cls, value: Any) -> JobResponse:
        return cls(
            id=value["id"],
            status=value["status"],
            op_kind=value["op_kind"],
            trigger=value["trigger"],
            target=value["target"],
            phase=value["phase"],
            paused_until=value["paused_until"],
            obstacle=optional(JobObstacle.from_json)(value["obstacle"]),
            error=value["error"],
            detail=value["detail"],
            total_objects=value["total_objects"],
            succeeded_objects=value["succeeded_objects"],
            failed_objects=value["failed_objects"],
            cancelled_objects=value["cancelled_objects"],
            skipped_objects=value["skipped_objects"],
            added=value["added"],
            changed=value["changed"],
            removed=value["removed"],
            unchanged=value["unchanged"],
            left_out=value["left_out"],
            chunks=value["chunks"],
            chunks_without_vector=value["chunks_without_vector"],
            summaries=value["summaries"],
            summaries_missing=value["summaries_missing"],
            model_calls=value["model_calls"],
            model_input_tokens=value["model_input_tokens"],
            model_output_tokens=value["model_output_tokens"],
            created_at=value["created_at"],
            started_at=value["started_at"],
            finished_at=value["finished_at"],
            failures=list_of(JobResponseFailure.from_json)(value["failures"]),
            left_out_reasons=list_of(JobResponseLeftOutReason.from_json)(value["left_out_reasons"]),
            warnings=value["warnings"],
        )


@dataclass(frozen=True)
class JobResponseFailure:
    path: str
    """Path of the object below its source."""
    code: str
    """Stable error code, for programs."""
    error: str
    """Description of the error, for people."""

    @classmethod
    def from_json(cls, value: Any) -> JobResponseFailure:
        return cls(
            path=value["path"],
            code=value["code"],
            error=value["error"],
        )


@dataclass(frozen=True)
class JobResponseLeftOutReason:
    reason: str
    """Description for people."""
    objects: int
    """Number of objects with this reason."""
    path: str
    """Path of one of these objects below its source."""

    @classmethod
    def from_json(cls, value: Any) -> JobResponseLeftOutReason:
        return cls(
            reason=value["reason"],
            objects=value["objects"],
            path=value["path"],
        )


@dataclass(frozen=True)
class KeywordExplanation:
    """Retrieval by words. Null if the search did not use words."""
    rank: int | None
    """Rank among the candidates of this arm, from 1. Null if it did not return the hit."""
    score: float | None
    """BM25 or the cosine similarity."""
    scaled: float | None
    """The score scaled to 0 to 1 over the best 100 candidates of the arm."""
    weight: float
    """Weight of the scaled score in `ranking_score`, 0 to 1."""
    names: float | None
    """Part of the score because the hit defines a name of the query, or its file has this name."""
    pairs: float | None
    """Part of the score for adjacent words of the query that are adjacent here. Null if the parts
    of some words are not known.
    """

    @classmethod
    def from_json(cls, value: Any) -> KeywordExplanation:
        return cls(
            rank=value["rank"],
            score=value["score"],
            scaled=value["scaled"],
            weight=value["weight"],
            names=value["names"],
            pairs=value["pairs"],
        )


@dataclass(frozen=True)
class LastError:
    """The last problem of the source, even if later syncs succeeded."""
    code: str
    """Error code."""
    detail: str
    """Description, for people."""
    at: str
    """When it occurred."""

    @classmethod
    def from_json(cls, value: Any) -> LastError:
        return cls(
            code=value["code"],
            detail=value["detail"],
            at=value["at"],
        )


@dataclass(frozen=True)
class LsEntry:
    name: str
    """The last segment of the path."""
    type: Literal["file", "dir"]
    """`file` for an object, `dir` for a folder."""
    media_type: str | None
    """Media type, if known."""
    size_hint: int | None
    """Size in bytes, if known."""
    path: str | None
    """URI of the object, for `ls`, `cat`, `search`, `head` and `export`."""
    search_status: str | None
    """`indexed`, `partial` or `not_indexed`, if known."""
    indexable: bool | None
    """`false` if a rule or limit leaves the object out of the index. `reason` names it. Null if
    unknown.
    """
    reason: str | None
    """Why the object or part of it is not indexed. Also mentions a guessed encoding of an indexed
    text.
    """
    real_id: str | None
    """Identity of a directory. If it repeats along a path, links form a loop."""

    @classmethod
    def from_json(cls, value: Any) -> LsEntry:
        return cls(
            name=value["name"],
            type=value["type"],
            media_type=value["media_type"],
            size_hint=value["size_hint"],
            path=value["path"],
            search_status=value["search_status"],
            indexable=value["indexable"],
            reason=value["reason"],
            real_id=value["real_id"],
        )


@dataclass(frozen=True)
class LsResponse:
    entries: list[LsEntry]
    """The entries of the folder. For an object, only the object itself."""
    capabilities: LsResponseCapabilities
    """Capabilities of the source."""

    @classmethod
    def from_json(cls, value: Any) -> LsResponse:
        return cls(
            entries=list_of(LsEntry.from_json)(value["entries"]),
            capabilities=LsResponseCapabilities.from_json(value["capabilities"]),
        )


@dataclass(frozen=True)
class LsResponseCapabilities:
    """Capabilities of the source."""
    sync: LsResponseCapabilitiesSync
    """How the source can be synced."""
    object: LsResponseCapabilitiesObject
    """How objects of the source can be read."""

    @classmethod
    def from_json(cls, value: Any) -> LsResponseCapabilities:
        return cls(
            sync=LsResponseCapabilitiesSync.from_json(value["sync"]),
            object=LsResponseCapabilitiesObject.from_json(value["object"]),
        )


@dataclass(frozen=True)
class LsResponseCapabilitiesObject:
    """How objects of the source can be read."""
    read: bool
    """Objects have bytes."""
    records: bool
    """Objects consist of records."""
    tail: bool
    """Objects have a stable order, so `tail` works."""
    grep: bool
    """The source can search for lines itself."""

    @classmethod
    def from_json(cls, value: Any) -> LsResponseCapabilitiesObject:
        return cls(
            read=value["read"],
            records=value["records"],
            tail=value["tail"],
            grep=value["grep"],
        )


@dataclass(frozen=True)
class LsResponseCapabilitiesSync:
    """How the source can be synced."""
    incremental: bool
    """The connector reports changes instead of listing everything."""
    since: bool
    """`add` accepts `since`."""

    @classmethod
    def from_json(cls, value: Any) -> LsResponseCapabilitiesSync:
        return cls(
            incremental=value["incremental"],
            since=value["since"],
        )


@dataclass(frozen=True)
class ManifestResponse:
    connector_uri: str
    """Root URI of the source."""
    staging: str
    """Name of the tree with the files on the server."""
    need_sha1: list[str]
    """Paths of files that are new or look changed. Send their SHA-1."""
    stored: list[ManifestResponseStored]
    """Stored files among `need_sha1`. If the SHA-1 is equal, do not send the bytes."""
    deletion_candidates: list[ManifestResponseDeletionCandidate]
    """Stored files that the manifest lacks: deleted, or renamed to a path with the same SHA-1."""

    @classmethod
    def from_json(cls, value: Any) -> ManifestResponse:
        return cls(
            connector_uri=value["connector_uri"],
            staging=value["staging"],
            need_sha1=value["need_sha1"],
            stored=list_of(ManifestResponseStored.from_json)(value["stored"]),
            deletion_candidates=list_of(ManifestResponseDeletionCandidate.from_json)(value["deletion_candidates"]),
        )


@dataclass(frozen=True)
class ManifestResponseDeletionCandidate:
    path: str
    """Path relative to the root, separated by `/`."""
    size: int
    """Size in bytes."""
    inode: int | str | None
    """Inode as sent by the client. Null if none was sent."""
    sha1: str
    """SHA-1 of the bytes, in hexadecimal."""

    @classmethod
    def from_json(cls, value: Any) -> ManifestResponseDeletionCandidate:
        return cls(
            path=value["path"],
            size=value["size"],
            inode=value["inode"],
            sha1=value["sha1"],
        )


@dataclass(frozen=True)
class ManifestResponseStored:
    path: str
    """Path relative to the root, separated by `/`."""
    sha1: str
    """SHA-1 of the bytes, in hexadecimal."""

    @classmethod
    def from_json(cls, value: Any) -> ManifestResponseStored:
        return cls(
            path=value["path"],
            sha1=value["sha1"],
        )


@dataclass(frozen=True)
class MoveResponse:
    target: str
    """The new URI of the source."""
    moved_from: str
    """Its former URI."""
    job_id: str
    """The job that gives the index the new URIs, and then syncs the source."""
    overlaps: list[str]
    """Other sources that contain the new place or lie in it."""
    warnings: list[str]
    """Advice for the user."""

    @classmethod
    def from_json(cls, value: Any) -> MoveResponse:
        return cls(
            target=value["target"],
            moved_from=value["moved_from"],
            job_id=value["job_id"],
            overlaps=value["overlaps"],
            warnings=value["warnings"],
        )


@dataclass(frozen=True)
class ObjectMeta:
    source: str
    """Canonical URI of the object."""
    media_type: str | None
    """Media type, if known."""
    size_hint: int | None
    """Size in bytes, if known."""
    fingerprint: str | None
    """Changes when the object changes. Null if the source has no fingerprints."""
    content: Literal[""]
    """Always empty."""

    @classmethod
    def from_json(cls, value: Any) -> ObjectMeta:
        return cls(
            source=value["source"],
            media_type=value["media_type"],
            size_hint=value["size_hint"],
            fingerprint=value["fingerprint"],
            content=value["content"],
        )


@dataclass(frozen=True)
class OutlineEntry:
    line: int
    """The line of the heading or name."""
    end: int
    """The last line of the section or definition."""
    text: str
    """The heading or the signature on one line, indented as in the text."""
    name: str | None
    """The defined name or the title, if known."""
    level: int
    """1 for the outermost headings or definitions."""

    @classmethod
    def from_json(cls, value: Any) -> OutlineEntry:
        return cls(
            line=value["line"],
            end=value["end"],
            text=value["text"],
            name=value["name"],
            level=value["level"],
        )


@dataclass(frozen=True)
class ProbeResponse:
    target: str
    """Canonical URI of the source."""
    type: str
    """URI scheme of the source, such as `file`."""
    ok: bool
    """The source can be reached."""
    detail: str
    """The finding, or why the source cannot be reached."""
    code: str | None
    """The error code if the source cannot be used now. A source that is `rate_limited` can be
    added, and its sync waits.
    """
    retry_after_ms: int | None
    """Milliseconds until the source may be asked again, if it named a time."""

    @classmethod
    def from_json(cls, value: Any) -> ProbeResponse:
        return cls(
            target=value["target"],
            type=value["type"],
            ok=value["ok"],
            detail=value["detail"],
            code=value["code"],
            retry_after_ms=value["retry_after_ms"],
        )


@dataclass(frozen=True)
class ReadBatchResponse:
    results: list[BatchedReadSuccess | BatchFailure]
    """One result for each read, in the same order."""

    @classmethod
    def from_json(cls, value: Any) -> ReadBatchResponse:
        return cls(
            results=list_of(one_of(BatchedReadSuccess, BatchFailure))(value["results"]),
        )


@dataclass(frozen=True)
class Ready:
    status: Literal["ready"]
    """Always ready."""
    warnings: list[str]
    """Codes of problems that do not prevent reading: `disk_low` (a disk of the server has less
    than 500 MB left). Later versions may add values.
    """

    @classmethod
    def from_json(cls, value: Any) -> Ready:
        return cls(
            status=value["status"],
            warnings=value["warnings"],
        )


@dataclass(frozen=True)
class RecognisedSource:
    name: str
    """The name of the kind of source."""
    scheme: str
    """The URI scheme of the source."""
    target: str
    """The target to add."""
    config: dict[str, Any]
    """Settings that follow from the address."""

    @classmethod
    def from_json(cls, value: Any) -> RecognisedSource:
        return cls(
            name=value["name"],
            scheme=value["scheme"],
            target=value["target"],
            config=value["config"],
        )


@dataclass(frozen=True)
class RemoveResponse:
    target: str
    """Canonical URI of the source."""
    removed: bool
    """`true` after the source and its data were removed."""

    @classmethod
    def from_json(cls, value: Any) -> RemoveResponse:
        return cls(
            target=value["target"],
            removed=value["removed"],
        )


@dataclass(frozen=True)
class RerankerExplanation:
    """What the reranker did. Null if none ranked the hit."""
    score: float
    """Its score, as in `metadata.scores`."""
    rank: int
    """The rank that it gave the hit, from 1."""

    @classmethod
    def from_json(cls, value: Any) -> RerankerExplanation:
        return cls(
            score=value["score"],
            rank=value["rank"],
        )


@dataclass(frozen=True)
class ResultEnvelope:
    source: str
    """URI of the object, for `cat`, `head`, `tail` and `export`."""
    content: str
    """The text of the chunk."""
    score: float | None
    """Relevance score from 0 to 1. A perfect match is near 1."""
    locator: dict[str, Any] | None
    """Pass it to `cat` to read this part."""
    metadata: ResultEnvelopeMetadata
    """Metadata of the chunk and its object."""
    explanation: HitExplanation | None = None
    """How the rank and the score of the hit came about. Present only with `explain`. For tokens
    with paths, numbers that depend on hidden objects are null.
    """

    @classmethod
    def from_json(cls, value: Any) -> ResultEnvelope:
        return cls(
            source=value["source"],
            content=value["content"],
            score=value["score"],
            locator=value["locator"],
            metadata=ResultEnvelopeMetadata.from_json(value["metadata"]),
            explanation=optional(HitExplanation.from_json)(value.get("explanation")),
        )


@dataclass(frozen=True)
class ResultEnvelopeMetadata:
    """Metadata of the chunk and its object."""
    kind: Literal["definition", "test", "commit", "documentation", "record", "text"]
    """`definition`: code that defines a name of the query or begins with a definition. `record`: a
    row, a message thread or another record. `text`: everything else.
    """
    chunk_kind: str
    """Kind of the chunk, as in the parameter `kind`."""
    connector_type: str
    """URI scheme of the source, such as `file`."""
    media_type: str | None
    """Media type of the object, if known."""
    title: str | None
    """Title of the object, if it has one."""
    modified_at: str | None
    """Time of the last change, as an ISO date and time."""
    url: str | None
    """URL of its web page."""
    author: str | None
    """Name of the author."""
    also: list[str]
    """URIs of other objects with the same text, at most 100."""
    demoted_reason: Literal["licence", "changelog", "commit", "fixture", "generated", "log", "test", "vendored", None]
    """Why the score was lowered, or null. See the parameter `demote`."""
    fields: dict[str, Any]
    """Other metadata. Filters can use these names."""
    scores: ResultEnvelopeMetadataScores
    """Scores by meaning (`dense`), by words (`sparse`) and of the reranker (`rerank`). Null where
    the hit has none. For tokens with paths, scores that depend on hidden objects are null.
    """

    @classmethod
    def from_json(cls, value: Any) -> ResultEnvelopeMetadata:
        return cls(
            kind=value["kind"],
            chunk_kind=value["chunk_kind"],
            connector_type=value["connector_type"],
            media_type=value["media_type"],
            title=value["title"],
            modified_at=value["modified_at"],
            url=value["url"],
            author=value["author"],
            also=value["also"],
            demoted_reason=value["demoted_reason"],
            fields=value["fields"],
            scores=ResultEnvelopeMetadataScores.from_json(value["scores"]),
        )


@dataclass(frozen=True)
class ResultEnvelopeMetadataScores:
    """Scores by meaning (`dense`), by words (`sparse`) and of the reranker (`rerank`). Null where
    the hit has none. For tokens with paths, scores that depend on hidden objects are null.
    """
    dense: float | None
    """Cosine similarity."""
    sparse: float | None
    """BM25."""
    rerank: float | None
    """Score of the model in `[rerank]`, which determines the order. Null if the model was not used
    or failed.
    """

    @classmethod
    def from_json(cls, value: Any) -> ResultEnvelopeMetadataScores:
        return cls(
            dense=value["dense"],
            sparse=value["sparse"],
            rerank=value["rerank"],
        )


@dataclass(frozen=True)
class RevokedToken:
    name: str
    """Name of the token."""
    revoked: int
    """Number of ended tokens: the current one and replaced ones."""

    @classmethod
    def from_json(cls, value: Any) -> RevokedToken:
        return cls(
            name=value["name"],
            revoked=value["revoked"],
        )


@dataclass(frozen=True)
class ScheduleChange:
    """When to sync the source. Changes only these keys of its configuration: an omitted key stays,
    and `null` removes it. Requires `update` for a registered source.
    """
    every: str | None = None
    """Interval from `15m` to `30d`, such as `6h`."""
    cron: str | None = None
    """Cron expression of five fields, in the time zone of the server. Not with `every`."""
    hours: str | None = None
    """Only times in this part of the day, such as `22:00-06:00`."""
    watch: bool | None = None
    """Sync whenever the source changes."""
    paused: bool | None = None
    """Sync only on request. The schedule and `watch` have no effect meanwhile."""

    @classmethod
    def from_json(cls, value: Any) -> ScheduleChange:
        return cls(
            every=value.get("every"),
            cron=value.get("cron"),
            hours=value.get("hours"),
            watch=value.get("watch"),
            paused=value.get("paused"),
        )


@dataclass(frozen=True)
class ScheduleResponse:
    target: str
    """Canonical URI of the source."""
    paused: bool
    """The source is synced only on request."""
    next_sync_at: str | None
    """Next time of the schedule. Null without a schedule, and while it is paused."""

    @classmethod
    def from_json(cls, value: Any) -> ScheduleResponse:
        return cls(
            target=value["target"],
            paused=value["paused"],
            next_sync_at=value["next_sync_at"],
        )


@dataclass(frozen=True)
class SearchBatchResponse:
    results: list[BatchedSearchSuccess | BatchFailure]
    """One result for each search, in the same order."""

    @classmethod
    def from_json(cls, value: Any) -> SearchBatchResponse:
        return cls(
            results=list_of(one_of(BatchedSearchSuccess, BatchFailure))(value["results"]),
        )


@dataclass(frozen=True)
class SearchResponse:
    results: list[ResultEnvelope]
    """Best first."""
    truncated: bool | None = None
    """True if hits were left out or shortened because of `max_bytes`."""
    next_offset: int | None = None
    """The `offset` of the first hit that was left out."""
    reason: str | None = None
    """Why `path` is not searched, such as the rule that ignores it. Present only without hits."""
    metadata: SearchResponseMetadata | None = None
    """Present only if the search was repeated with corrected spelling."""

    @classmethod
    def from_json(cls, value: Any) -> SearchResponse:
        return cls(
            results=list_of(ResultEnvelope.from_json)(value["results"]),
            truncated=value.get("truncated"),
            next_offset=value.get("next_offset"),
            reason=value.get("reason"),
            metadata=optional(SearchResponseMetadata.from_json)(value.get("metadata")),
        )


@dataclass(frozen=True)
class SearchResponseMetadata:
    """Present only if the search was repeated with corrected spelling."""
    showing_results_for: str
    """The corrected query."""
    corrections: list[SearchResponseMetadataCorrection]
    """The assumed typing errors."""

    @classmethod
    def from_json(cls, value: Any) -> SearchResponseMetadata:
        return cls(
            showing_results_for=value["showing_results_for"],
            corrections=list_of(SearchResponseMetadataCorrection.from_json)(value["corrections"]),
        )


@dataclass(frozen=True)
class SearchResponseMetadataCorrection:
    word: str
    """A word that does not occur in the index."""
    replacements: list[str]
    """The words that replaced it, each one letter different, most frequent first."""

    @classmethod
    def from_json(cls, value: Any) -> SearchResponseMetadataCorrection:
        return cls(
            word=value["word"],
            replacements=value["replacements"],
        )


@dataclass(frozen=True)
class SemanticExplanation:
    """Retrieval by vectors. Null if the search did not use vectors."""
    rank: int | None
    """Rank among the candidates of this arm, from 1. Null if it did not return the hit."""
    score: float | None
    """BM25 or the cosine similarity."""
    scaled: float | None
    """The score scaled to 0 to 1 over the best 100 candidates of the arm."""
    weight: float
    """Weight of the scaled score in `ranking_score`, 0 to 1."""

    @classmethod
    def from_json(cls, value: Any) -> SemanticExplanation:
        return cls(
            rank=value["rank"],
            score=value["score"],
            scaled=value["scaled"],
            weight=value["weight"],
        )


@dataclass(frozen=True)
class ServerInfo:
    version: str
    """Version of the server."""
    machine_id: str
    """Stable id of the machine."""
    namespace: str
    """Namespace of the server. Servers with different namespaces can share a database without
    sharing data.
    """
    api_version: str
    """Version of the routes: `v1`."""
    capabilities: ServerInfoCapabilities
    """Capabilities of the server."""
    access: CallerAccess
    """The access of the caller."""

    @classmethod
    def from_json(cls, value: Any) -> ServerInfo:
        return cls(
            version=value["version"],
            machine_id=value["machine_id"],
            namespace=value["namespace"],
            api_version=value["api_version"],
            capabilities=ServerInfoCapabilities.from_json(value["capabilities"]),
            access=CallerAccess.from_json(value["access"]),
        )


@dataclass(frozen=True)
class ServerInfoCapabilities:
    """Capabilities of the server."""
    schemes: list[str]
    """URI schemes of the sources that can be added."""

    @classmethod
    def from_json(cls, value: Any) -> ServerInfoCapabilities:
        return cls(
            schemes=value["schemes"],
        )


@dataclass(frozen=True)
class SourceChange:
    target: str
    """URI of the source."""
    action: Literal["add", "update", "remove", "none"]
    """How the source differs from the desired state."""
    keys: list[str]
    """The keys of the configuration that differ."""
    job_id: str | None
    """The job that syncs the source, if any."""
    error: str | None
    """The error code if the change is impossible. Other changes are made."""
    detail: str | None
    """The error in words."""

    @classmethod
    def from_json(cls, value: Any) -> SourceChange:
        return cls(
            target=value["target"],
            action=value["action"],
            keys=value["keys"],
            job_id=value["job_id"],
            error=value["error"],
            detail=value["detail"],
        )


@dataclass(frozen=True)
class SourceDefinition:
    target: str
    """Path or URI of the source."""
    config: dict[str, Any] | None = None
    """Its configuration. A value `***` keeps the value that the server has."""

    @classmethod
    def from_json(cls, value: Any) -> SourceDefinition:
        return cls(
            target=value["target"],
            config=value.get("config"),
        )


@dataclass(frozen=True)
class SourceKind:
    schemes: list[str]
    """The URI schemes of these sources, the proposed one first."""
    name: str
    """The name for people: `Jira`."""
    content: str | None
    """What is indexed: `issues with comments`."""
    rights: str | None
    """The rights that the login needs."""

    @classmethod
    def from_json(cls, value: Any) -> SourceKind:
        return cls(
            schemes=value["schemes"],
            name=value["name"],
            content=value["content"],
            rights=value["rights"],
        )


@dataclass(frozen=True)
class SourceKinds:
    kinds: list[SourceKind]
    """The kinds of sources that can be added, by name."""
    recognised: list[RecognisedSource]
    """The sources that `address` may mean, the most specific one first."""

    @classmethod
    def from_json(cls, value: Any) -> SourceKinds:
        return cls(
            kinds=list_of(SourceKind.from_json)(value["kinds"]),
            recognised=list_of(RecognisedSource.from_json)(value["recognised"]),
        )


@dataclass(frozen=True)
class SourceWatch:
    """How a source with `watch = true` is kept up to date. Null if this process does not watch it."""
    by: str
    """`events` (the source reports changes) or `polling` (the source is synced at intervals).
    Later versions may add values.
    """
    every_seconds: int | None
    """Seconds between these syncs. Null with `events`."""
    detail: str | None
    """Reason for polling and remedy, for people. Null with `events`."""

    @classmethod
    def from_json(cls, value: Any) -> SourceWatch:
        return cls(
            by=value["by"],
            every_seconds=value["every_seconds"],
            detail=value["detail"],
        )


@dataclass(frozen=True)
class StatusResponse:
    connectors: list[ConnectorRow]
    """The registered sources."""
    embedding: EmbeddingUse
    """The embedder of the index."""
    jobs: dict[str, int]
    """Number of jobs by status."""
    disk: DiskUse
    """Bytes that the server stores on its disk or in a database, up to a minute old. Null if
    unknown.
    """
    disk_space: list[DiskSpace]
    """The disks that the server writes to, each once, up to 5 s old."""

    @classmethod
    def from_json(cls, value: Any) -> StatusResponse:
        return cls(
            connectors=list_of(ConnectorRow.from_json)(value["connectors"]),
            embedding=EmbeddingUse.from_json(value["embedding"]),
            jobs=value["jobs"],
            disk=DiskUse.from_json(value["disk"]),
            disk_space=list_of(DiskSpace.from_json)(value["disk_space"]),
        )


@dataclass(frozen=True)
class SymbolDefinition:
    source: str
    """URI of the object."""
    lines: list[int]
    """First and last line of the definition."""
    signature: str
    """The signature on one line."""
    kind: Literal["class", "interface", "struct", "trait", "enum", "type", "module", "macro", "function", "method", "constant", "variable"]
    """What the name is."""
    language: str | None
    """The programming language, if known."""

    @classmethod
    def from_json(cls, value: Any) -> SymbolDefinition:
        return cls(
            source=value["source"],
            lines=value["lines"],
            signature=value["signature"],
            kind=value["kind"],
            language=value["language"],
        )


@dataclass(frozen=True)
class SymbolReference:
    source: str
    """URI of the object."""
    line: int
    """Number of the line."""
    text: str
    """The line."""

    @classmethod
    def from_json(cls, value: Any) -> SymbolReference:
        return cls(
            source=value["source"],
            line=value["line"],
            text=value["text"],
        )


@dataclass(frozen=True)
class SymbolsResponse:
    name: str
    """The name that was looked up."""
    definitions: list[SymbolDefinition]
    """The definitions, best first. Empty on pages after the first."""
    references: list[SymbolReference]
    """Lines that contain the name as a whole word, without the lines that define it."""
    truncated: bool
    """There are more definitions or references, or not everything was searched."""
    next: str | None
    """Cursor for the following references. Null if there are none."""

    @classmethod
    def from_json(cls, value: Any) -> SymbolsResponse:
        return cls(
            name=value["name"],
            definitions=list_of(SymbolDefinition.from_json)(value["definitions"]),
            references=list_of(SymbolReference.from_json)(value["references"]),
            truncated=value["truncated"],
            next=value["next"],
        )


@dataclass(frozen=True)
class TokenInfo:
    id: str
    """The public part of the token."""
    name: str
    """Name of the token."""
    rights: str
    """`read`, `sync` or `admin`. Later versions may add values."""
    paths: list[str] | None
    """Canonical URIs of what the token sees. Null: everything."""
    created_at: str
    """When the token was created."""
    last_used_at: str | None
    """When the token was last used, to the minute. Null if never."""
    ends_at: str | None
    """When the token ends or has ended. Null: never."""
    is_replaced: bool
    """Whether a newer token with this name exists. This one is valid until it ends."""

    @classmethod
    def from_json(cls, value: Any) -> TokenInfo:
        return cls(
            id=value["id"],
            name=value["name"],
            rights=value["rights"],
            paths=value["paths"],
            created_at=value["created_at"],
            last_used_at=value["last_used_at"],
            ends_at=value["ends_at"],
            is_replaced=value["is_replaced"],
        )


@dataclass(frozen=True)
class TokensResponse:
    tokens: list[TokenInfo]
    """The tokens by name, also ended ones. The token of the server is not among them."""

    @classmethod
    def from_json(cls, value: Any) -> TokensResponse:
        return cls(
            tokens=list_of(TokenInfo.from_json)(value["tokens"]),
        )


@dataclass(frozen=True)
class TopLevelEntry:
    name: str
    """Name of the entry in the source."""
    is_folder: bool
    """The entry is a folder."""
    objects: int
    """Objects in the entry that would be indexed."""
    left_out: int
    """Listed objects in the entry that would not be indexed."""

    @classmethod
    def from_json(cls, value: Any) -> TopLevelEntry:
        return cls(
            name=value["name"],
            is_folder=value["is_folder"],
            objects=value["objects"],
            left_out=value["left_out"],
        )
