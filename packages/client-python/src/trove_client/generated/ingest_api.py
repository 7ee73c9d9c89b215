# Generated from the OpenAPI document by "npm run generate". Do not edit.
from __future__ import annotations

from typing import Any

from .._bodies import Json
from .._decode import list_of
from .._http import HttpClient, path_segment
from .models import AddResponse, CancelResponse, JobResponse


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
