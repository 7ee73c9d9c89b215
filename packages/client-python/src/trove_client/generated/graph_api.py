# Generated from the OpenAPI document by "npm run generate". Do not edit.
from __future__ import annotations

from typing import Any

from .._bodies import Form, FormFile, Json
from .._http import HttpClient, path_segment
from .models import (
    AddDocumentsResponse,
    GraphBuild,
    GraphDeleted,
    GraphDocument,
    GraphDocuments,
    GraphHealth,
    GraphNeighbors,
    GraphQueryResponse,
    GraphSettings,
    GraphStats,
    GraphTriplet,
    GraphsResponse,
    ImportResponse,
)


class GraphApi:
    """The operations of the API that are tagged Graph."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def graph_health(
        self,
        *,
        timeout: float | None = None,
    ) -> GraphHealth:
        """Check that the server is running, and get its version

        `GET /health`
        """
        return self._http.json(
            "GET",
            "/health",
            GraphHealth.from_json,
            timeout=timeout,
        )

    def list_graphs(
        self,
        *,
        timeout: float | None = None,
    ) -> GraphsResponse:
        """List graphs

        `GET /graphs`
        """
        return self._http.json(
            "GET",
            "/graphs",
            GraphsResponse.from_json,
            timeout=timeout,
        )

    def graph_settings(
        self,
        *,
        timeout: float | None = None,
    ) -> GraphSettings:
        """Get the settings for building and querying graphs, without secrets

        `GET /settings`
        """
        return self._http.json(
            "GET",
            "/settings",
            GraphSettings.from_json,
            timeout=timeout,
        )

    def add_documents(
        self,
        documents: list[str],
        *,
        graph_name: str | None = None,
        ids: list[str] | None = None,
        metadatas: list[dict[str, Any]] | None = None,
        extract_triplets: bool | None = None,
        triplets: list[list[list[str] | GraphTriplet]] | None = None,
        timeout: float | None = None,
    ) -> AddDocumentsResponse:
        """Build a graph from texts

        The body may have up to 64 MiB. The new graph replaces the old one when it is complete.
        Until then, queries use the old one.

        `POST /add_documents`

        :param graph_name: Up to 64 letters, digits, underscores and hyphens. Empty for the
            graph in `[graph].default_graph`.
        :param documents: Texts. Each becomes one passage.
        :param ids: One unique id per document. Default: hashes of the texts.
        :param metadatas: One object per document, for filters.
        :param extract_triplets: Extract triplets from documents without `triplets`.
        :param triplets: One list of `[subject, predicate, object]` per document.
        """
        return self._http.json(
            "POST",
            "/add_documents",
            AddDocumentsResponse.from_json,
            query={"graph_name": graph_name},
            body=Json({
                "documents": documents,
                "ids": ids,
                "metadatas": metadatas,
                "extract_triplets": extract_triplets,
                "triplets": triplets,
            }),
            timeout=timeout,
        )

    def import_sources(
        self,
        sources: list[str],
        *,
        chunk_documents: bool | None = None,
        chunk_size: int | None = None,
        chunk_overlap: int | None = None,
        extract_triplets: bool | None = None,
        graph_name: str | None = None,
        timeout: float | None = None,
    ) -> ImportResponse:
        """Build a graph from web pages, files, folders and registered sources

        `errors` lists documents that could not be loaded. All others are imported. The new
        graph replaces the old one when it is complete. Until then, queries use the old one.

        `POST /import`

        :param sources: http(s) URLs, absolute local paths (a file, a folder, or a pattern such
            as /notes/**/*.md), or URIs of registered sources.
        :param chunk_documents: Split documents into chunks.
        :param chunk_size: Maximum number of characters in a chunk.
        :param chunk_overlap: Characters that adjacent chunks share, at most half of
            `chunk_size`. Default: 200, or half of `chunk_size` if that is less.
        :param extract_triplets: Extract triplets.
        :param graph_name: Up to 64 letters, digits, underscores and hyphens. Empty for the
            graph in `[graph].default_graph`.
        """
        return self._http.json(
            "POST",
            "/import",
            ImportResponse.from_json,
            body=Json({
                "sources": sources,
                "chunk_documents": chunk_documents,
                "chunk_size": chunk_size,
                "chunk_overlap": chunk_overlap,
                "extract_triplets": extract_triplets,
                "graph_name": graph_name,
            }),
            timeout=timeout,
        )

    def upload_documents(
        self,
        files: list[FormFile],
        *,
        chunk_documents: bool | None = None,
        chunk_size: int | None = None,
        chunk_overlap: int | None = None,
        extract_triplets: bool | None = None,
        graph_name: str | None = None,
        timeout: float | None = None,
    ) -> ImportResponse:
        """Build a graph from uploaded files

        At most 100 files with a total of `[uploads].max_bytes`. `errors` lists files that could
        not be read. All others are imported. The new graph replaces the old one when it is
        complete. Until then, queries use the old one.

        `POST /upload`

        :param files: The files, each with its name.
        :param chunk_documents: Split documents into chunks.
        :param chunk_size: Maximum number of characters in a chunk.
        :param chunk_overlap: Characters that adjacent chunks share, at most half of
            `chunk_size`. Default: 200, or half of `chunk_size` if that is less.
        :param extract_triplets: Extract triplets.
        :param graph_name: Up to 64 letters, digits, underscores and hyphens. Empty for the
            graph in `[graph].default_graph`.
        """
        return self._http.json(
            "POST",
            "/upload",
            ImportResponse.from_json,
            body=Form({
                "files": files,
                "chunk_documents": chunk_documents,
                "chunk_size": chunk_size,
                "chunk_overlap": chunk_overlap,
                "extract_triplets": extract_triplets,
                "graph_name": graph_name,
            }),
            timeout=timeout,
        )

    def graph_build(
        self,
        *,
        graph_name: str | None = None,
        timeout: float | None = None,
    ) -> GraphBuild:
        """Get the progress of a graph build

        Only the server that builds the graph knows the progress. Other servers respond with
        404.

        `GET /build`

        :param graph_name: Up to 64 letters, digits, underscores and hyphens. Empty for the
            graph in `[graph].default_graph`.
        """
        return self._http.json(
            "GET",
            "/build",
            GraphBuild.from_json,
            query={"graph_name": graph_name},
            timeout=timeout,
        )

    def list_documents(
        self,
        graph_name: str,
        *,
        query: str | None = None,
        top_k: int | None = None,
        offset: int | None = None,
        timeout: float | None = None,
    ) -> GraphDocuments:
        """List the documents of a graph, or those on a topic

        `GET /documents`

        :param graph_name: Up to 64 letters, digits, underscores and hyphens. Empty for the
            graph in `[graph].default_graph`.
        :param query: Topic of the documents. Empty returns all documents in a stable order.
        :param top_k: Maximum number of documents.
        :param offset: Number of documents to skip.
        """
        return self._http.json(
            "GET",
            "/documents",
            GraphDocuments.from_json,
            query={
                "graph_name": graph_name,
                "query": query,
                "top_k": top_k,
                "offset": offset,
            },
            timeout=timeout,
        )

    def get_document(
        self,
        document_id: str,
        graph_name: str,
        *,
        timeout: float | None = None,
    ) -> GraphDocument:
        """Get a document

        `GET /documents/{document_id}`

        :param document_id: An id from another response.
        :param graph_name: Up to 64 letters, digits, underscores and hyphens. Empty for the
            graph in `[graph].default_graph`.
        """
        return self._http.json(
            "GET",
            f"/documents/{path_segment('document_id', document_id)}",
            GraphDocument.from_json,
            query={"graph_name": graph_name},
            timeout=timeout,
        )

    def query_graph(
        self,
        graph_name: str,
        question: str,
        *,
        use_reranking: bool | None = None,
        entity_top_k: int | None = None,
        relation_top_k: int | None = None,
        expansion_degree: int | None = None,
        passage_top_k: int | None = None,
        filter: str | None = None,
        timeout: float | None = None,
    ) -> GraphQueryResponse:
        """Answer a question from a graph

        Without a language model, the answer quotes the best matching sentences, each with the
        id of its passage. With the header `Trove-Graph-Answers: classic`, `query_entities` is a
        list of names and `retrieved_passages` a list of texts, as clients of the original
        expect.

        `POST /query`

        :param graph_name: Up to 64 letters, digits, underscores and hyphens. Empty for the
            graph in `[graph].default_graph`.
        :param question: A question in natural language.
        :param use_reranking: Let a language model, if one is configured, rank the results.
        :param entity_top_k: Entities found by the search.
        :param relation_top_k: Relations found by the search.
        :param expansion_degree: Hops by which the subgraph grows.
        :param passage_top_k: Passages for the answer.
        :param filter: Filter on the metadata of documents: `year >= 2020 and lang = "en"`.
        """
        return self._http.json(
            "POST",
            "/query",
            GraphQueryResponse.from_json,
            query={"graph_name": graph_name},
            body=Json({
                "question": question,
                "use_reranking": use_reranking,
                "entity_top_k": entity_top_k,
                "relation_top_k": relation_top_k,
                "expansion_degree": expansion_degree,
                "passage_top_k": passage_top_k,
                "filter": filter,
            }),
            timeout=timeout,
        )

    def graph_stats(
        self,
        graph_name: str,
        *,
        timeout: float | None = None,
    ) -> GraphStats:
        """Get the size of a graph

        `GET /graph/{graph_name}/stats`

        :param graph_name: 1 to 64 letters, digits, underscores and hyphens.
        """
        return self._http.json(
            "GET",
            f"/graph/{path_segment('graph_name', graph_name)}/stats",
            GraphStats.from_json,
            timeout=timeout,
        )

    def graph_neighbors(
        self,
        graph_name: str,
        entity_id: str,
        *,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> GraphNeighbors:
        """Get the neighbors of an entity

        `GET /graph/{graph_name}/neighbors/{entity_id}`

        :param graph_name: 1 to 64 letters, digits, underscores and hyphens.
        :param entity_id: The id of an entity, or its name in any spelling.
        :param limit: Maximum number of neighbors.
        """
        return self._http.json(
            "GET",
            f"/graph/{path_segment('graph_name', graph_name)}/neighbors/{path_segment('entity_id', entity_id)}",
            GraphNeighbors.from_json,
            query={"limit": limit},
            timeout=timeout,
        )

    def delete_graph(
        self,
        graph_name: str,
        *,
        timeout: float | None = None,
    ) -> GraphDeleted:
        """Delete a graph with its collections

        `DELETE /graph/{graph_name}`

        :param graph_name: 1 to 64 letters, digits, underscores and hyphens.
        """
        return self._http.json(
            "DELETE",
            f"/graph/{path_segment('graph_name', graph_name)}",
            GraphDeleted.from_json,
            timeout=timeout,
        )
