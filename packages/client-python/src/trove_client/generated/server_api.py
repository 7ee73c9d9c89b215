# Generated from the OpenAPI document by "npm run generate". Do not edit.
from __future__ import annotations

from typing import Any

from .._decode import as_it_is
from .._http import HttpClient
from .models import Health, Ready, ServerInfo, StatusResponse


class ServerApi:
    """The operations of the API that are tagged Server."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def healthz(
        self,
        *,
        timeout: float | None = None,
    ) -> Health:
        """Whether the server is up

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
        """Whether databases and index answer

        For load balancers. The answer is up to a second old, and comes within two. With little
        disk space, it is still 200, because reads go on, and `warnings` says so.

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
        """Numbers for Prometheus

        Requests, queues, models, caches, sources, jobs and the process. What the database
        counts may be 15 s old.

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
        """Version, machine and what can be added

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
        """The registered sources, and the number of jobs by status

        `GET /v1/status`
        """
        return self._http.json(
            "GET",
            "/v1/status",
            StatusResponse.from_json,
            timeout=timeout,
        )

    def get_open_api(
        self,
        *,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """This description, as an OpenAPI 3.1 document

        `servers` has the address that the request was sent to.

        `GET /openapi.json`
        """
        return self._http.json(
            "GET",
            "/openapi.json",
            as_it_is,
            timeout=timeout,
        )
