# Generated from the OpenAPI document by "npm run generate". Do not edit.
from __future__ import annotations

from typing import Any

from .._decode import as_it_is
from .._http import HttpClient
from .models import Health, ServerInfo, StatusResponse


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

        `GET /openapi.json`
        """
        return self._http.json(
            "GET",
            "/openapi.json",
            as_it_is,
            timeout=timeout,
        )
