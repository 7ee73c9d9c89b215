# Generated from the OpenAPI document by "npm run generate". Do not edit.
from __future__ import annotations

from collections.abc import Mapping

from .._http import DEFAULT_BASE_URL, HttpClient
from .access_api import AccessApi
from .browse_api import BrowseApi
from .connectors_api import ConnectorsApi
from .graph_api import GraphApi
from .ingest_api import IngestApi
from .retrieval_api import RetrievalApi
from .server_api import ServerApi


class TroveClient:
    """All groups of the API of one server. May be shared by threads.

    :param base_url: A path in it is kept as a prefix.
    :param token: Sent as `Authorization: Bearer TOKEN`; nothing is sent without one.
    :param timeout: Seconds without progress until a call fails with the code `timeout`. Default: no limit.
    :param headers: Sent with every request.
    """

    def __init__(
        self,
        base_url: str = DEFAULT_BASE_URL,
        *,
        token: str | None = None,
        timeout: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.http = HttpClient(base_url, token=token, timeout=timeout, headers=headers)
        self.access = AccessApi(self.http)
        self.browse = BrowseApi(self.http)
        self.connectors = ConnectorsApi(self.http)
        self.graph = GraphApi(self.http)
        self.ingest = IngestApi(self.http)
        self.retrieval = RetrievalApi(self.http)
        self.server = ServerApi(self.http)
