# Generated from the OpenAPI document by "npm run generate". Do not edit.
from __future__ import annotations

from typing import Any

from .._bodies import Json
from .._decode import identity
from .._http import HttpClient
from .models import (
    ApplySourcesResponse,
    ConnectorType,
    EstimateResponse,
    ExplainResponse,
    ExportSourcesResponse,
    MoveResponse,
    ProbeResponse,
    RemoveResponse,
    ScheduleResponse,
    SourceDefinition,
    SourceKinds,
)


class ConnectorsApi:
    """The operations of the API that are tagged Connectors."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def probe_connector(
        self,
        target: str,
        *,
        config: dict[str, Any] | None = None,
        since: str | None = None,
        timeout: float | None = None,
    ) -> ProbeResponse:
        """Check whether a source can be reached

        Does not register the source. If it cannot be reached, the response has `ok: false`.

        `POST /v1/connectors/probe`

        :param target: Path or URI of a source.
        :param config: Configuration of the connector, as for `add`.
        :param since: Estimate only objects that changed since this date.
        """
        return self._http.json(
            "POST",
            "/v1/connectors/probe",
            ProbeResponse.from_json,
            body=Json({"target": target, "config": config, "since": since}),
            timeout=timeout,
        )

    def estimate_connector(
        self,
        target: str,
        *,
        config: dict[str, Any] | None = None,
        since: str | None = None,
        timeout: float | None = None,
    ) -> EstimateResponse:
        """Estimate the work of indexing a source

        Does not register the source and calls no paid service.

        `POST /v1/connectors/estimate`

        :param target: Path or URI of a source.
        :param config: Configuration of the connector, as for `add`.
        :param since: Estimate only objects that changed since this date.
        """
        return self._http.json(
            "POST",
            "/v1/connectors/estimate",
            EstimateResponse.from_json,
            body=Json({"target": target, "config": config, "since": since}),
            timeout=timeout,
        )

    def explain_connector(
        self,
        target: str,
        *,
        config: dict[str, Any] | None = None,
        full: bool | None = None,
        timeout: float | None = None,
    ) -> ExplainResponse:
        """Explain the requests of the next sync of a source

        Makes no request to the source, which need not be registered. For a registered source,
        the sync continues from the last one.

        `POST /v1/connectors/explain`

        :param target: Path or URI of a source.
        :param config: Configuration of the connector, as for `add`.
        :param full: Explain a full sync.
        """
        return self._http.json(
            "POST",
            "/v1/connectors/explain",
            ExplainResponse.from_json,
            body=Json({"target": target, "config": config, "full": full}),
            timeout=timeout,
        )

    def move_connector(
        self,
        target: str,
        to: str,
        *,
        config: dict[str, Any] | None = None,
        force: bool | None = None,
        timeout: float | None = None,
    ) -> MoveResponse:
        """Move a source to another place

        Embeds no unchanged content again. A job gives the index the new URIs, then syncs the
        source.

        `POST /v1/connectors/move`

        :param target: The root of a registered source.
        :param to: Its new place: an absolute path or a URI with the scheme of the source.
        :param config: Changes of the configuration: an omitted key stays, and `null` removes
            it. The schedule consists of such keys.
        :param force: Also move to a place that lacks most objects of the source.
        """
        return self._http.json(
            "POST",
            "/v1/connectors/move",
            MoveResponse.from_json,
            body=Json({"target": target, "to": to, "config": config, "force": force}),
            timeout=timeout,
        )

    def schedule_connector(
        self,
        target: str,
        *,
        every: str | None = None,
        cron: str | None = None,
        hours: str | None = None,
        watch: bool | None = None,
        paused: bool | None = None,
        timeout: float | None = None,
    ) -> ScheduleResponse:
        """Change when a source is synced, without a sync

        Changes only the given keys of its configuration. `null` removes a key. A source with
        `paused` keeps its schedule, but is synced only on request.

        `POST /v1/connectors/schedule`

        :param target: The root of a registered source.
        :param every: Interval from `15m` to `30d`, such as `6h`.
        :param cron: Cron expression of five fields, in the time zone of the server. Not with
            `every`.
        :param hours: Only times in this part of the day, such as `22:00-06:00`.
        :param watch: Sync whenever the source changes.
        :param paused: Sync only on request. The schedule and `watch` have no effect meanwhile.
        """
        return self._http.json(
            "POST",
            "/v1/connectors/schedule",
            ScheduleResponse.from_json,
            body=Json({
                "target": target,
                "every": every,
                "cron": cron,
                "hours": hours,
                "watch": watch,
                "paused": paused,
            }),
            timeout=timeout,
        )

    def export_sources(
        self,
        *,
        timeout: float | None = None,
    ) -> ExportSourcesResponse:
        """Export the definitions of all sources

        Leaves out uploaded sources, whose files exist only on the server.

        `GET /v1/sources`
        """
        return self._http.json(
            "GET",
            "/v1/sources",
            ExportSourcesResponse.from_json,
            timeout=timeout,
        )

    def apply_sources(
        self,
        sources: list[SourceDefinition],
        *,
        prune: bool | None = None,
        dry_run: bool | None = None,
        timeout: float | None = None,
    ) -> ApplySourcesResponse:
        """Apply the definitions of sources

        Adds and updates sources, and with `prune` removes others. The response has each
        difference, and the error of each change that failed.

        `POST /v1/sources/apply`

        :param sources: The desired sources.
        :param prune: Remove all other sources, except uploaded ones.
        :param dry_run: Return the difference and change nothing.
        """
        return self._http.json(
            "POST",
            "/v1/sources/apply",
            ApplySourcesResponse.from_json,
            body=Json({"sources": sources, "prune": prune, "dry_run": dry_run}),
            timeout=timeout,
        )

    def list_source_kinds(
        self,
        *,
        address: str | None = None,
        timeout: float | None = None,
    ) -> SourceKinds:
        """List the kinds of sources, and recognise an address

        The address is in the body, because it may contain a password.

        `POST /v1/connectors/kinds`

        :param address: An address to recognise, such as
            `https://acme.atlassian.net/browse/OPS-1`.
        """
        return self._http.json(
            "POST",
            "/v1/connectors/kinds",
            SourceKinds.from_json,
            body=Json({"address": address}),
            timeout=timeout,
        )

    def describe_connector(
        self,
        scheme: str,
        *,
        timeout: float | None = None,
    ) -> ConnectorType:
        """Get the settings of a kind of source

        `GET /v1/connectors/describe`

        :param scheme: URI scheme of a source, such as `postgres`.
        """
        return self._http.json(
            "GET",
            "/v1/connectors/describe",
            ConnectorType.from_json,
            query={"scheme": scheme},
            timeout=timeout,
        )

    def inspect_connector(
        self,
        target: str,
        *,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """Inspect a registered source, with secrets hidden

        `GET /v1/connectors/inspect`

        :param target: Path or URI of a source.
        """
        return self._http.json(
            "GET",
            "/v1/connectors/inspect",
            identity,
            query={"target": target},
            timeout=timeout,
        )

    def remove_connector(
        self,
        target: str,
        *,
        timeout: float | None = None,
    ) -> RemoveResponse:
        """Unregister a source and remove it from the index

        `DELETE /v1/connectors`

        :param target: Path or URI of a source.
        """
        return self._http.json(
            "DELETE",
            "/v1/connectors",
            RemoveResponse.from_json,
            query={"target": target},
            timeout=timeout,
        )
