# Generated from the OpenAPI document by "npm run generate". Do not edit.
from __future__ import annotations

from typing import Any, Literal

from .._bodies import Json, Stream, UploadBody
from .._decode import list_of
from .._http import HttpClient, path_segment
from .models import (
    AddResponse,
    CancelResponse,
    FilesManifestFile,
    JobResponse,
    ManifestResponse,
)


class IngestApi:
    """The operations of the API that are tagged Ingest."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def add_source(
        self,
        target: str,
        *,
        config: dict[str, Any] | None = None,
        full: bool | None = None,
        since: str | None = None,
        process: bool | None = None,
        update: bool | None = None,
        timeout: float | None = None,
    ) -> AddResponse:
        """Register a source and index it

        With `process`, the answer comes when the job has ended, however it ended; without it,
        the job is queued: poll `/v1/jobs/{job_id}`. The job continues even if nobody waits for
        it. Adding a registered source again syncs it.

        `POST /v1/add`

        :param target: Path or connector URI to register and index.
        :param config: Connector configuration. String values `env:VAR` and `file:/abs/path` are
            resolved by the server.
        :param full: Index everything again, ignoring caches and fingerprints.
        :param since: A cursor or date to sync from, for connectors that support one.
        :param process: true: index before answering; false: queue a job.
        :param update: Apply the configuration to a source that is already registered.
        """
        return self._http.json(
            "POST",
            "/v1/add",
            AddResponse.from_json,
            body=Json({
                "target": target,
                "config": config,
                "full": full,
                "since": since,
                "process": process,
                "update": update,
            }),
            timeout=timeout,
        )

    def list_jobs(
        self,
        *,
        limit: int | None = None,
        offset: int | None = None,
        status: str | None = None,
        target: str | None = None,
        timeout: float | None = None,
    ) -> list[JobResponse]:
        """Jobs, newest first

        `GET /v1/jobs`

        :param limit: Number of jobs, newest first.
        :param offset: Number of newest jobs to skip.
        :param status: Only jobs with this status.
        :param target: Only jobs for this source.
        """
        return self._http.json(
            "GET",
            "/v1/jobs",
            list_of(JobResponse.from_json),
            query={"limit": limit, "offset": offset, "status": status, "target": target},
            timeout=timeout,
        )

    def get_job(
        self,
        job_id: str,
        *,
        timeout: float | None = None,
    ) -> JobResponse:
        """One job, with live counts

        `GET /v1/jobs/{job_id}`

        :param job_id: The id of a job.
        """
        return self._http.json(
            "GET",
            f"/v1/jobs/{path_segment('job_id', job_id)}",
            JobResponse.from_json,
            timeout=timeout,
        )

    def cancel_job(
        self,
        job_id: str,
        *,
        timeout: float | None = None,
    ) -> CancelResponse:
        """Stop a job; finished work is kept

        `POST /v1/jobs/{job_id}/cancel`

        :param job_id: The id of a job.
        """
        return self._http.json(
            "POST",
            f"/v1/jobs/{path_segment('job_id', job_id)}/cancel",
            CancelResponse.from_json,
            timeout=timeout,
        )

    def upload_source(
        self,
        name: str,
        body: UploadBody,
        *,
        content_type: Literal["application/x-tar", "application/gzip", "application/zstd", "application/octet-stream"],
        process: bool | None = None,
        timeout: float | None = None,
    ) -> AddResponse:
        """Send the files of a source as one archive, and index them

        The body is a tar archive, as it is or compressed with gzip or zstd. The source is
        `file://NAME` and has exactly the files of the archive: others that it had are removed.
        Links, devices, absolute paths, `..` and names that are there twice are refused, and
        then nothing is changed.

        `POST /v1/upload`

        :param name: Name of the source, which is `file://NAME`: as a `client_id`.
        :param process: true: index before answering; false: queue a job.
        """
        return self._http.json(
            "POST",
            "/v1/upload",
            AddResponse.from_json,
            query={"name": name, "process": process},
            body=Stream(body, content_type),
            timeout=timeout,
        )

    def files_manifest(
        self,
        client_id: str,
        root: str,
        *,
        files: list[FilesManifestFile] | None = None,
        timeout: float | None = None,
    ) -> ManifestResponse:
        """What a machine has to send so that its files are on the server

        Compares sizes, times and inodes with the stored files of `file://CLIENT_ID/ROOT`, and
        registers nothing. The body may have 64 MiB.

        `POST /v1/files/manifest`

        :param client_id: Which machine the files are of: letters, digits, `.`, `_` and `-`, but
            not `local`.
        :param root: Absolute path of the folder on that machine.
        :param files: All files, as the file system knows them, without having been read.
        """
        return self._http.json(
            "POST",
            "/v1/files/manifest",
            ManifestResponse.from_json,
            body=Json({"client_id": client_id, "root": root, "files": files}),
            timeout=timeout,
        )

    def files_upload(
        self,
        client_id: str,
        root: str,
        body: UploadBody,
        *,
        content_type: Literal["application/x-tar", "application/gzip", "application/zstd", "application/octet-stream"],
        process: bool | None = None,
        full: bool | None = None,
        timeout: float | None = None,
    ) -> AddResponse:
        """Send what has changed of the files of a machine, and index it

        The body is a tar archive, as it is or compressed with gzip or zstd. Its first member is
        `.trove-meta.json`: `{hashes: [{path, sha1, size, mtime_ns, inode}], renames: [{old,
        new, sha1}], deletions: [path]}`. The others are files named in `hashes`, where files
        that only look changed may be, too. Where server and client do not agree, the next
        manifest asks for the file.

        `PUT /v1/files/upload`

        :param client_id: Which machine the files are of: letters, digits, `.`, `_` and `-`, but
            not `local`.
        :param root: Absolute path of the folder on that machine.
        :param process: true: index before answering; false: queue a job.
        :param full: Index everything again, ignoring caches and fingerprints.
        """
        return self._http.json(
            "PUT",
            "/v1/files/upload",
            AddResponse.from_json,
            query={
                "client_id": client_id,
                "root": root,
                "process": process,
                "full": full,
            },
            body=Stream(body, content_type),
            timeout=timeout,
        )
