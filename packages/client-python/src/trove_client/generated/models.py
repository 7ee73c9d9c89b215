# Generated from the OpenAPI document by "npm run generate". Do not edit.
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from .._decode import list_of, optional


@dataclass(frozen=True)
class AddResponse:
    job_id: str
    """The id of the job."""
    overlaps: list[str]
    """Root URIs of other sources that contain this one or lie inside it. What two sources share is
    indexed for each and appears as one hit.
    """
    warnings: list[str]
    """Advice on the configuration: a secret in plain text, for example, is better given as a
    reference.
    """

    @classmethod
    def from_json(cls, value: Any) -> AddResponse:
        return cls(
            job_id=value["job_id"],
            overlaps=value["overlaps"],
            warnings=value["warnings"],
        )


@dataclass(frozen=True)
class CancelResponse:
    job_id: str
    """The id of the job."""
    cancelled: bool
    """false if the job had already ended."""

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
    """The text, or the records as text."""
    partial: bool
    """The source returned only part of it."""

    @classmethod
    def from_json(cls, value: Any) -> CatResponse:
        return cls(
            source=value["source"],
            content=value["content"],
            partial=value["partial"],
        )


@dataclass(frozen=True)
class ConnectorRow:
    root_uri: str
    """Canonical URI of the source."""
    type: str
    """Its scheme, such as file."""
    status: str
    """active, syncing, removing, or error (the last sync failed, or the source could not be
    reached since then).
    """
    object_count: int
    """Objects that are known."""
    chunk_count: int
    """Chunks of them in the index."""
    last_synced_at: str | None
    """When it was last synced to the end; null before that."""
    error: str | None
    """Error code: what is known to be wrong with the source."""
    detail: str | None
    """The same in words, for people."""

    @classmethod
    def from_json(cls, value: Any) -> ConnectorRow:
        return cls(
            root_uri=value["root_uri"],
            type=value["type"],
            status=value["status"],
            object_count=value["object_count"],
            chunk_count=value["chunk_count"],
            last_synced_at=value["last_synced_at"],
            error=value["error"],
            detail=value["detail"],
        )


@dataclass(frozen=True)
class EstimateResponse:
    target: str
    """Canonical URI of the source."""
    type: str
    """Its scheme, such as file."""
    objects: int
    """Objects that would be indexed."""
    sampled_objects: int
    """How many of them were read for it."""
    est_chunks: int
    """Chunks that they would become, estimated."""
    est_tokens: int
    """Tokens that would be embedded, estimated."""

    @classmethod
    def from_json(cls, value: Any) -> EstimateResponse:
        return cls(
            target=value["target"],
            type=value["type"],
            objects=value["objects"],
            sampled_objects=value["sampled_objects"],
            est_chunks=value["est_chunks"],
            est_tokens=value["est_tokens"],
        )


@dataclass(frozen=True)
class FilesManifestFile:
    path: str
    """Relative to the root, `/`-separated."""
    size: int
    """In bytes."""
    mtime_ns: int | str
    """When it was modified, in nanoseconds since 1970, as a number or a text."""
    inode: int | str | None = None
    """As a number or a text, if there is one."""

    @classmethod
    def from_json(cls, value: Any) -> FilesManifestFile:
        return cls(
            path=value["path"],
            size=value["size"],
            mtime_ns=value["mtime_ns"],
            inode=value.get("inode"),
        )


@dataclass(frozen=True)
class GrepMatch:
    source: str | None
    """Object URI; null for a notice."""
    locator: dict[str, Any] | None
    """Pass it to cat to read this part."""
    content: str
    """The lines, or the record; of a notice, its text."""
    via: Literal["pushdown", "bm25", "linear", "notice"]
    """pushdown: the source searched; bm25: only objects that the index named were read; linear:
    all were; notice: what was not searched.
    """
    match: GrepMatchMatch | None
    """Where the match is in what is shown; null for records and notices."""

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
    """Where the match is in what is shown; null for records and notices."""
    lines: list[int]
    """The first and the last line of the match, without context."""
    column: int
    """Where it begins in its first line, in UTF-16 code units."""

    @classmethod
    def from_json(cls, value: Any) -> GrepMatchMatch:
        return cls(
            lines=value["lines"],
            column=value["column"],
        )


@dataclass(frozen=True)
class GrepResponse:
    results: list[GrepMatch]
    """In the order of the sources."""
    truncated: bool
    """There are more matches than `limit`."""
    next: str | None
    """The cursor for them; null if there are no more."""

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
class JobResponse:
    id: str
    """As `add` gave it."""
    status: str
    """queued, running, succeeded, partial, failed or cancelled; there may be more in future."""
    op_kind: str | None
    """What it does: sync."""
    trigger: str | None
    """What began it: manual."""
    target: str | None
    """Canonical URI of the source."""
    phase: str | None
    """What a running job is doing: listing (and indexing what it has listed so far), indexing,
    summarizing or optimizing; there may be more in future.
    """
    error: str | None
    """Error code, if the job failed or was cancelled."""
    detail: str | None
    """The same in words, for people."""
    total_objects: int | None
    """Objects listed so far, and objects to remove; it grows while the source is being listed."""
    succeeded_objects: int | None
    """The sum of added, changed and removed."""
    failed_objects: int | None
    """The next sync tries them again; `failures` says why they failed."""
    cancelled_objects: int | None
    """Still open when the job ended early."""
    skipped_objects: int | None
    """The sum of unchanged and left_out."""
    added: int
    """Objects that can be found now but could not before."""
    changed: int
    """Objects reindexed, or moved to a new path."""
    removed: int
    """Objects no longer in the source."""
    unchanged: int
    """Objects already indexed as they are."""
    left_out: int
    """Objects that can be listed and read but are not indexed; `failures` and ls say why."""
    chunks: int | None
    """Chunks of the objects that were added or changed."""
    chunks_without_vector: int
    """How many of the chunks could not be embedded, and are found by keyword only."""
    summaries: int
    """Summaries and descriptions that were written; what is remembered takes no call."""
    summaries_missing: int
    """Those that could not be written; `failures` and `notes` say why, and the next sync tries
    again.
    """
    model_calls: int
    """Calls to the language model that were answered."""
    model_input_tokens: int
    """Tokens that the language model read in them."""
    model_output_tokens: int
    """Tokens that it wrote."""
    created_at: str
    """When it was queued."""
    started_at: str | None
    """When a worker first took it; null while it is queued."""
    finished_at: str | None
    """When it ended, however it ended; null before that."""
    failures: list[JobResponseFailure]
    """The first 20 objects that failed and, once the job has ended, one example of each reason why
    objects were left out (code `left_out`).
    """
    notes: list[str]
    """Anything else worth knowing about this sync, such as a rule that matched nothing."""

    @classmethod
    def from_json(cls, value: Any) -> JobResponse:
        return cls(
            id=value["id"],
            status=value["status"],
            op_kind=value["op_kind"],
            trigger=value["trigger"],
            target=value["target"],
            phase=value["phase"],
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
            notes=value["notes"],
        )


@dataclass(frozen=True)
class JobResponseFailure:
    path: str
    """Of the object, below its source."""
    code: str
    """Stable; for programs to act on."""
    error: str
    """The same in words, for people."""

    @classmethod
    def from_json(cls, value: Any) -> JobResponseFailure:
        return cls(
            path=value["path"],
            code=value["code"],
            error=value["error"],
        )


@dataclass(frozen=True)
class LsEntry:
    name: str
    """The last part of its path."""
    type: Literal["file", "dir"]
    """file: an object; dir: a folder."""
    media_type: str | None
    """If known."""
    size_hint: int | None
    """In bytes, if known."""
    path: str | None
    """Object URI, usable with ls, cat, search, head and export."""
    search_status: str | None
    """indexed, partial or not_indexed, if known."""
    indexable: bool | None
    """false: left out by a rule or a limit, as `reason` says; null if not known."""
    reason: str | None
    """Why it is not indexed, or only in part."""
    real_id: str | None
    """For a directory: if it repeats on the way down, links form a loop."""

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
    """What is in the folder; of an object, just that object."""
    capabilities: LsResponseCapabilities
    """Of the source."""

    @classmethod
    def from_json(cls, value: Any) -> LsResponse:
        return cls(
            entries=list_of(LsEntry.from_json)(value["entries"]),
            capabilities=LsResponseCapabilities.from_json(value["capabilities"]),
        )


@dataclass(frozen=True)
class LsResponseCapabilities:
    """Of the source."""
    sync: LsResponseCapabilitiesSync
    """How it can be synced."""
    object: LsResponseCapabilitiesObject
    """How its objects can be read."""

    @classmethod
    def from_json(cls, value: Any) -> LsResponseCapabilities:
        return cls(
            sync=LsResponseCapabilitiesSync.from_json(value["sync"]),
            object=LsResponseCapabilitiesObject.from_json(value["object"]),
        )


@dataclass(frozen=True)
class LsResponseCapabilitiesObject:
    """How its objects can be read."""
    read: bool
    """Objects have bytes."""
    records: bool
    """Objects consist of records."""
    tail: bool
    """They have an order, so `tail` can be asked for."""
    grep: bool
    """The source has a search of its own."""

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
    """How it can be synced."""
    incremental: bool
    """The connector can report changes instead of listing everything."""
    since: bool
    """`add` takes a `since`."""

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
    """Names the place where the server keeps the files of this source."""
    need_sha1: list[str]
    """Paths that are new or look changed."""
    stored: list[ManifestResponseStored]
    """Those of them that the server has: where the SHA-1 is still the same, no bytes need be sent."""
    deletion_candidates: list[ManifestResponseDeletionCandidate]
    """Stored files that are not in the manifest: deleted, or renamed to a path with the same
    SHA-1.
    """

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
    """Relative to the root, `/`-separated."""
    size: int
    """In bytes."""
    inode: int | str | None
    """As the client gave it; null if it gave none."""
    sha1: str
    """Of its bytes, in hexadecimal."""

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
    """Relative to the root, `/`-separated."""
    sha1: str
    """Of its bytes, in hexadecimal."""

    @classmethod
    def from_json(cls, value: Any) -> ManifestResponseStored:
        return cls(
            path=value["path"],
            sha1=value["sha1"],
        )


@dataclass(frozen=True)
class ObjectMeta:
    source: str
    """Canonical URI of the object."""
    media_type: str | None
    """If known."""
    size_hint: int | None
    """In bytes, if known."""
    fingerprint: str | None
    """Changes when the object does, if its source has such a thing."""
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
class ProbeResponse:
    target: str
    """Canonical URI of the source."""
    type: str
    """Its scheme, such as file."""
    ok: bool
    """It can be reached."""
    detail: str
    """What was found, or why it cannot be reached."""

    @classmethod
    def from_json(cls, value: Any) -> ProbeResponse:
        return cls(
            target=value["target"],
            type=value["type"],
            ok=value["ok"],
            detail=value["detail"],
        )


@dataclass(frozen=True)
class Ready:
    status: Literal["ready"]
    """Always ready."""

    @classmethod
    def from_json(cls, value: Any) -> Ready:
        return cls(
            status=value["status"],
        )


@dataclass(frozen=True)
class RemoveResponse:
    target: str
    """Canonical URI of the source."""
    removed: bool
    """true: it is gone, and all that was known of it."""

    @classmethod
    def from_json(cls, value: Any) -> RemoveResponse:
        return cls(
            target=value["target"],
            removed=value["removed"],
        )


@dataclass(frozen=True)
class ResultEnvelope:
    source: str
    """Object URI, usable with cat, head, tail and export."""
    content: str
    """The text of the chunk."""
    score: float | None
    """How well the hit fits, from 0 to 1; a perfect fit is near 1."""
    locator: dict[str, Any] | None
    """Pass it to cat to read this part."""
    metadata: ResultEnvelopeMetadata
    """What is known of the chunk and of its object."""

    @classmethod
    def from_json(cls, value: Any) -> ResultEnvelope:
        return cls(
            source=value["source"],
            content=value["content"],
            score=value["score"],
            locator=value["locator"],
            metadata=ResultEnvelopeMetadata.from_json(value["metadata"]),
        )


@dataclass(frozen=True)
class ResultEnvelopeMetadata:
    """What is known of the chunk and of its object."""
    chunk_kind: str
    """As in the filter `kind`."""
    connector_type: str
    """Scheme of the source, such as file."""
    media_type: str | None
    """Of the object, if known."""
    title: str | None
    """Of the object, if it has one."""
    modified_at: str | None
    """When it was written or last changed, as an ISO date and time."""
    url: str | None
    """Where people can read it."""
    author: str | None
    """Who wrote it."""
    also: list[str]
    """URIs of other objects with the same text, at most 100."""
    fields: dict[str, Any]
    """Further facts, which filters can name."""
    scores: ResultEnvelopeMetadataScores
    """How well it fits by meaning (dense) and by words (sparse); null where not found so."""

    @classmethod
    def from_json(cls, value: Any) -> ResultEnvelopeMetadata:
        return cls(
            chunk_kind=value["chunk_kind"],
            connector_type=value["connector_type"],
            media_type=value["media_type"],
            title=value["title"],
            modified_at=value["modified_at"],
            url=value["url"],
            author=value["author"],
            also=value["also"],
            fields=value["fields"],
            scores=ResultEnvelopeMetadataScores.from_json(value["scores"]),
        )


@dataclass(frozen=True)
class ResultEnvelopeMetadataScores:
    """How well it fits by meaning (dense) and by words (sparse); null where not found so."""
    dense: float | None
    """Cosine similarity."""
    sparse: float | None
    """BM25."""

    @classmethod
    def from_json(cls, value: Any) -> ResultEnvelopeMetadataScores:
        return cls(
            dense=value["dense"],
            sparse=value["sparse"],
        )


@dataclass(frozen=True)
class SearchResponse:
    results: list[ResultEnvelope]
    """Best first."""

    @classmethod
    def from_json(cls, value: Any) -> SearchResponse:
        return cls(
            results=list_of(ResultEnvelope.from_json)(value["results"]),
        )


@dataclass(frozen=True)
class ServerInfo:
    version: str
    """Of the server."""
    machine_id: str
    """Stable for this machine."""
    namespace: str
    """Servers of different namespaces may share databases without seeing each other's data."""
    api_version: str
    """Of the routes: `v1`."""
    capabilities: ServerInfoCapabilities
    """What can be asked of this server."""

    @classmethod
    def from_json(cls, value: Any) -> ServerInfo:
        return cls(
            version=value["version"],
            machine_id=value["machine_id"],
            namespace=value["namespace"],
            api_version=value["api_version"],
            capabilities=ServerInfoCapabilities.from_json(value["capabilities"]),
        )


@dataclass(frozen=True)
class ServerInfoCapabilities:
    """What can be asked of this server."""
    schemes: list[str]
    """URI schemes of sources that can be added."""

    @classmethod
    def from_json(cls, value: Any) -> ServerInfoCapabilities:
        return cls(
            schemes=value["schemes"],
        )


@dataclass(frozen=True)
class StatusResponse:
    connectors: list[ConnectorRow]
    """The registered sources."""
    jobs: dict[str, int]
    """Number of jobs by status."""

    @classmethod
    def from_json(cls, value: Any) -> StatusResponse:
        return cls(
            connectors=list_of(ConnectorRow.from_json)(value["connectors"]),
            jobs=value["jobs"],
        )
