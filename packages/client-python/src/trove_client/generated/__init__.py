# Generated from the OpenAPI document by "npm run generate". Do not edit.

from .browse_api import BrowseApi
from .connectors_api import ConnectorsApi
from .ingest_api import IngestApi
from .retrieval_api import RetrievalApi
from .server_api import ServerApi
from .client import TroveClient
from .models import (
    AddResponse,
    CancelResponse,
    CatResponse,
    ConnectorRow,
    EstimateResponse,
    GrepMatch,
    GrepResponse,
    Health,
    JobResponse,
    JobResponseFailures,
    LsEntry,
    LsResponse,
    LsResponseCapabilities,
    LsResponseCapabilitiesObject,
    LsResponseCapabilitiesSync,
    ObjectMeta,
    ProbeResponse,
    RemoveResponse,
    ResultEnvelope,
    ResultEnvelopeMetadata,
    ResultEnvelopeMetadataScores,
    SearchResponse,
    ServerInfo,
    ServerInfoCapabilities,
    StatusResponse,
)

__all__ = [
    "AddResponse",
    "BrowseApi",
    "CancelResponse",
    "CatResponse",
    "ConnectorRow",
    "ConnectorsApi",
    "EstimateResponse",
    "GrepMatch",
    "GrepResponse",
    "Health",
    "IngestApi",
    "JobResponse",
    "JobResponseFailures",
    "LsEntry",
    "LsResponse",
    "LsResponseCapabilities",
    "LsResponseCapabilitiesObject",
    "LsResponseCapabilitiesSync",
    "ObjectMeta",
    "ProbeResponse",
    "RemoveResponse",
    "ResultEnvelope",
    "ResultEnvelopeMetadata",
    "ResultEnvelopeMetadataScores",
    "RetrievalApi",
    "SearchResponse",
    "ServerApi",
    "ServerInfo",
    "ServerInfoCapabilities",
    "StatusResponse",
    "TroveClient",
]
