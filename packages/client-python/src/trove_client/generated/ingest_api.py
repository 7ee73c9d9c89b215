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
    ScheduleChange,
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
        paths: list[str] | None = None,
        schedule: ScheduleChange | None = None,
        timeout: float | None = None,
    ) -> AddResponse:
        """Register a source and index it

        With `process`, the response follows the end of the job, whatever its outcome. Otherwise
        the job is queued. Poll `/v1/jobs/{job_id}` for its progress. The job continues if the
        client disconnects. Adding a registered source again syncs it.

        `POST /v1/add`

        :param target: Path or URI of the source to register and index.
        :param config: Configuration of the connector. The server resolves the values `env:VAR`
            and `file:/abs/path`.
        :param full: Index everything again, ignoring caches and fingerprints.
        :param since: Sync only changes since this date, if the connector supports it.
        :param process: `true`: respond after indexing. `false`: queue a job and respond at
            once.
        :param update: Apply the configuration to a source that is already registered.
        :param paths: Sync only these paths of a registered source, such as failed objects.
            Everything is listed if the connector cannot list single paths.
        :param schedule: When to sync the source. Changes only these keys of its configuration:
            an omitted key stays, and `null` removes it. Requires `update` for a registered source.
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
                "paths": paths,
                "schedule": schedule,
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
        """List jobs, newest first

        `GET /v1/jobs`

        :param limit: Maximum number of jobs, newest first.
        :param offset: Number of newest jobs to skip.
        :param status: Only jobs with this status.
        :param target: Only jobs of this source.
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
        """Get a job with live counts

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
        """Cancel a job and keep its finished work

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
        """Upload the files of a source as one archive and index them

        The body is a tar archive, optionally compressed with gzip or zstd. The source
        `file://NAME` then has exactly the files of the archive, and its other files are
        removed. An archive with links, devices, absolute paths, `..` or duplicate names is
        rejected without any change.

        `POST /v1/upload`

        :param name: Name of the source `file://NAME`: letters, digits, `.`, `_` and `-`.
            `local` is reserved.
        :param process: `true`: respond after indexing. `false`: queue a job and respond at
            once.
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
        """Find the files that a machine must upload

        Compares sizes, times and inodes with the stored files of `file://CLIENT_ID/ROOT`. Does
        not register a source. The body may have up to 64 MiB.

        `POST /v1/files/manifest`

        :param client_id: Name of the machine with the files: letters, digits, `.`, `_` and `-`.
            `local` is reserved.
        :param root: Absolute path of the folder on the machine.
        :param files: All files with their file system metadata. The client need not read them.
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
        """Upload the changed files of a machine and index them

        The body is a tar archive, optionally compressed with gzip or zstd. Its first member is
        `.trove-meta.json`: `{hashes: [{path, sha1, size, mtime_ns, inode}], renames: [{old,
        new, sha1}], deletions: [path]}`. The other members are files from `hashes`, which may
        also list unchanged files. If server and client disagree about a file, the next manifest
        requests it.

        `PUT /v1/files/upload`

        :param client_id: Name of the machine with the files: letters, digits, `.`, `_` and `-`.
            `local` is reserved.
        :param root: Absolute path of the folder on the machine.
        :param process: `true`: respond after indexing. `false`: queue a job and respond at
            once.
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
