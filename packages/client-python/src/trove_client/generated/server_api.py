# Generated from the OpenAPI document by "npm run generate". Do not edit.
from __future__ import annotations

from typing import Any

from .._bodies import Json
from .._decode import identity
from .._http import HttpClient
from .models import BackupResponse, Health, Ready, ServerInfo, StatusResponse


class ServerApi:
    """The operations of the API that are tagged Server."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def healthz(
        self,
        *,
        timeout: float | None = None,
    ) -> Health:
        """Check that the server is running

        `GET /healthz`
        """
        return self._http.json(
            "GET",
            "/healthz",
            Health.from_json,
            timeout=timeout,
        )

    def readyz(
        self,
        *,
        timeout: float | None = None,
    ) -> Ready:
        """Check that the databases and the index respond

        For load balancers. The result is up to a second old, and the response takes at most two
        seconds. Low disk space is a warning with status 200, because reading still works.

        `GET /readyz`
        """
        return self._http.json(
            "GET",
            "/readyz",
            Ready.from_json,
            timeout=timeout,
        )

    def metrics(
        self,
        *,
        timeout: float | None = None,
    ) -> str:
        """Get metrics for Prometheus

        Metrics of requests, queues, models, caches, sources, jobs and the process. Counts from
        the database are up to 15 s old.

        `GET /metrics`
        """
        return self._http.text(
            "GET",
            "/metrics",
            timeout=timeout,
        )

    def get_server_info(
        self,
        *,
        timeout: float | None = None,
    ) -> ServerInfo:
        """Get the version, machine and capabilities of the server

        `GET /v1/server/info`
        """
        return self._http.json(
            "GET",
            "/v1/server/info",
            ServerInfo.from_json,
            timeout=timeout,
        )

    def status(
        self,
        *,
        timeout: float | None = None,
    ) -> StatusResponse:
        """Get the registered sources and the number of jobs by status

        `GET /v1/status`
        """
        return self._http.json(
            "GET",
            "/v1/status",
            StatusResponse.from_json,
            timeout=timeout,
        )

    def get_backup(
        self,
        *,
        timeout: float | None = None,
    ) -> BackupResponse:
        """Get the state of the last backup

        `GET /v1/backup`
        """
        return self._http.json(
            "GET",
            "/v1/backup",
            BackupResponse.from_json,
            timeout=timeout,
        )

    def start_backup(
        self,
        to: str,
        *,
        timeout: float | None = None,
    ) -> BackupResponse:
        """Start a backup of the running server

        Writes the metadata, the index, uploaded files, credentials and settings to a folder of
        the server. `GET /v1/backup` shows the progress.

        `POST /v1/backup`

        :param to: Absolute path of a missing or empty folder on the machine of the server, or a
            folder of a bucket: `s3://bucket/folder`.
        """
        return self._http.json(
            "POST",
            "/v1/backup",
            BackupResponse.from_json,
            body=Json({"to": to}),
            timeout=timeout,
        )

    def get_open_api(
        self,
        *,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """Get the OpenAPI 3.1 document of this API

        `servers` contains the address of the request. Behind a proxy, it is `.`, relative to
        the address of the document.

        `GET /openapi.json`
        """
        return self._http.json(
            "GET",
            "/openapi.json",
            identity,
            timeout=timeout,
        )
