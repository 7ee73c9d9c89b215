# Generated from the OpenAPI document by "npm run generate". Do not edit.
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from .._decode import list_of, optional


@dataclass(frozen=True)
class AddDocumentsResponse:
    num_documents: int
    """Documents in the graph."""
    num_entities: int
    """Entities in the graph."""
    num_relations: int
    """Relations in the graph."""
    document_ids: list[str]
    """One for each document."""
    errors: list[str]
    """What was left out, and why; at most 100."""

    @classmethod
    def from_json(cls, value: Any) -> AddDocumentsResponse:
        return cls(
            num_documents=value["num_documents"],
            num_entities=value["num_entities"],
            num_relations=value["num_relations"],
            document_ids=value["document_ids"],
            errors=value["errors"],
        )


@dataclass(frozen=True)
class AddResponse:
    job_id: str
    """The id of the job."""
    overlaps: list[str]
    """Root URIs of other sources that contain this one or lie inside it. What two sources share is
    indexed for each and appears as one hit.
    """
    warnings: list[str]
    """Advice on the configuration: a secret in plain text, for example, is better given as a
    reference.
    """

    @classmethod
    def from_json(cls, value: Any) -> AddResponse:
        return cls(
            job_id=value["job_id"],
            overlaps=value["overlaps"],
            warnings=value["warnings"],
        )


@dataclass(frozen=True)
class CancelResponse:
    job_id: str
    """The id of the job."""
    cancelled: bool
    """false if the job had already ended."""

    @classmethod
    def from_json(cls, value: Any) -> CancelResponse:
        return cls(
            job_id=value["job_id"],
            cancelled=value["cancelled"],
        )


@dataclass(frozen=True)
class CatResponse:
    source: str
    """Canonical URI of the object."""
    content: str
    """The text, or the records as text."""
    partial: bool
    """The source returned only part of it."""

    @classmethod
    def from_json(cls, value: Any) -> CatResponse:
        return cls(
            source=value["source"],
            content=value["content"],
            partial=value["partial"],
        )


@dataclass(frozen=True)
class ConnectorRow:
    root_uri: str
    """Canonical URI of the source."""
    type: str
    """Its scheme, such as file."""
    status: str
    """active, syncing, removing, or error (the last sync failed, or the source could not be
    reached since then).
    """
    object_count: int
    """Objects that are known."""
    chunk_count: int
    """Chunks of them in the index."""
    last_synced_at: str | None
    """When it was last synced to the end; null before that."""
    error: str | None
    """Error code: what is known to be wrong with the source."""
    detail: str | None
    """The same in words, for people."""
    watch: SourceWatch | None
    """How a source with `watch = true` is kept up to date; null: it is not watched, or not by this
    process.
    """

    @classmethod
    def from_json(cls, value: Any) -> ConnectorRow:
        return cls(
            root_uri=value["root_uri"],
            type=value["type"],
            status=value["status"],
            object_count=value["object_count"],
            chunk_count=value["chunk_count"],
            last_synced_at=value["last_synced_at"],
            error=value["error"],
            detail=value["detail"],
            watch=optional(SourceWatch.from_json)(value["watch"]),
        )


@dataclass(frozen=True)
class DiskSpace:
    name: str
    """What is on it, the first of home, metadata, transformation_cache, index, artifact_cache and
    uploads; there may be more in future.
    """
    free_bytes: int | None
    """Free space; null: the disk does not answer."""
    state: str
    """ok, low (less than 500 MB left), full (less than 10 MB left) or unknown (the disk does not
    answer); there may be more in future.
    """
    detail: str | None
    """What is wrong and what to do, for people."""

    @classmethod
    def from_json(cls, value: Any) -> DiskSpace:
        return cls(
            name=value["name"],
            free_bytes=value["free_bytes"],
            state=value["state"],
            detail=value["detail"],
        )


@dataclass(frozen=True)
class DiskUse:
    """Bytes that the server keeps, on its disk or in a database; up to a minute old. Null: not
    known, or not yet.
    """
    metadata: int | None
    """The database of sources, objects and jobs."""
    index: int | None
    """The vectors and words of all chunks."""
    transformation_cache: int | None
    """Embeddings and answers of the language model."""
    artifact_cache: int | None
    """Converted documents."""
    uploads: int | None
    """Files that clients sent."""

    @classmethod
    def from_json(cls, value: Any) -> DiskUse:
        return cls(
            metadata=value["metadata"],
            index=value["index"],
            transformation_cache=value["transformation_cache"],
            artifact_cache=value["artifact_cache"],
            uploads=value["uploads"],
        )


@dataclass(frozen=True)
class EmbeddingSwitch:
    """How far the sources are indexed with it that were indexed with another one; null: all are."""
    from_: list[str] = field(metadata={"json": "from"})
    """The embedders whose index still answers for some sources, by words."""
    sources: int
    """All registered sources."""
    sources_done: int
    """Those answered from the new index."""
    objects: int
    """Objects of all sources, about."""
    objects_done: int
    """Those that the new index has, about."""

    @classmethod
    def from_json(cls, value: Any) -> EmbeddingSwitch:
        return cls(
            from_=value["from"],
            sources=value["sources"],
            sources_done=value["sources_done"],
            objects=value["objects"],
            objects_done=value["objects_done"],
        )


@dataclass(frozen=True)
class EmbeddingUse:
    """What the vectors of the index are made with."""
    name: str
    """Model and dimension of the configured embedder."""
    switch: EmbeddingSwitch | None
    """How far the sources are indexed with it that were indexed with another one; null: all are."""

    @classmethod
    def from_json(cls, value: Any) -> EmbeddingUse:
        return cls(
            name=value["name"],
            switch=optional(EmbeddingSwitch.from_json)(value["switch"]),
        )


@dataclass(frozen=True)
class EstimateResponse:
    target: str
    """Canonical URI of the source."""
    type: str
    """Its scheme, such as file."""
    objects: int
    """Objects that would be indexed."""
    sampled_objects: int
    """How many of them were read for it."""
    est_chunks: int
    """Chunks that they would become, estimated."""
    est_tokens: int
    """Tokens that would be embedded, estimated."""
    complete: bool
    """False for a source that is costly to list, such as a web site, if it holds more than could
    be listed in a few seconds: the numbers are of that much.
    """
    top_level: list[TopLevelEntry]
    """What the source holds at its top, in the order of the source: at most 200."""

    @classmethod
    def from_json(cls, value: Any) -> EstimateResponse:
        return cls(
            target=value["target"],
            type=value["type"],
            objects=value["objects"],
            sampled_objects=value["sampled_objects"],
            est_chunks=value["est_chunks"],
            est_tokens=value["est_tokens"],
            complete=value["complete"],
            top_level=list_of(TopLevelEntry.from_json)(value["top_level"]),
        )


@dataclass(frozen=True)
class FilesManifestFile:
    path: str
    """Relative to the root, `/`-separated."""
    size: int
    """In bytes."""
    mtime_ns: int | str
    """When it was modified, in nanoseconds since 1970, as a number or a text."""
    inode: int | str | None = None
    """As a number or a text, if there is one."""

    @classmethod
    def from_json(cls, value: Any) -> FilesManifestFile:
        return cls(
            path=value["path"],
            size=value["size"],
            mtime_ns=value["mtime_ns"],
            inode=value.get("inode"),
        )


@dataclass(frozen=True)
class Graph:
    name: str
    """What it is called in requests."""
    entity_collection: str
    """Name of the collection of its entities."""
    relation_collection: str
    """Name of the collection of its relations."""
    passage_collection: str
    """Name of the collection of its passages."""
    has_all_collections: bool
    """Whether all three are there: the graph is complete."""

    @classmethod
    def from_json(cls, value: Any) -> Graph:
        return cls(
            name=value["name"],
            entity_collection=value["entity_collection"],
            relation_collection=value["relation_collection"],
            passage_collection=value["passage_collection"],
            has_all_collections=value["has_all_collections"],
        )


@dataclass(frozen=True)
class GraphBuild:
    graph_name: str
    """The graph that is being built."""
    started_at: str
    """When it began."""
    num_passages: int
    """Passages that are worked up so far."""
    total_passages: int | None
    """How many there will be; null while nobody knows."""

    @classmethod
    def from_json(cls, value: Any) -> GraphBuild:
        return cls(
            graph_name=value["graph_name"],
            started_at=value["started_at"],
            num_passages=value["num_passages"],
            total_passages=value["total_passages"],
        )


@dataclass(frozen=True)
class GraphDeleted:
    success: bool
    """Always true."""
    message: str
    """For people."""

    @classmethod
    def from_json(cls, value: Any) -> GraphDeleted:
        return cls(
            success=value["success"],
            message=value["message"],
        )


@dataclass(frozen=True)
class GraphDocument:
    id: str
    """Stable: the same after the graph is built again."""
    text: str
    """All of it."""
    entity_ids: list[str]
    """Entities that its relations connect."""
    relation_ids: list[str]
    """Relations that it states."""
    metadata: dict[str, Any]
    """As it was added."""

    @classmethod
    def from_json(cls, value: Any) -> GraphDocument:
        return cls(
            id=value["id"],
            text=value["text"],
            entity_ids=value["entity_ids"],
            relation_ids=value["relation_ids"],
            metadata=value["metadata"],
        )


@dataclass(frozen=True)
class GraphDocuments:
    documents: list[GraphDocument]
    """One page of them."""
    total: int
    """How many match."""

    @classmethod
    def from_json(cls, value: Any) -> GraphDocuments:
        return cls(
            documents=list_of(GraphDocument.from_json)(value["documents"]),
            total=value["total"],
        )


@dataclass(frozen=True)
class GraphEntity:
    id: str
    """Stable: the same after the graph is built again."""
    name: str
    """As it was first spelled."""
    description: str
    """Its first relations in words."""
    relation_ids: list[str]
    """Its relations in this answer."""
    passage_ids: list[str]
    """Passages that mention it, at most 20."""

    @classmethod
    def from_json(cls, value: Any) -> GraphEntity:
        return cls(
            id=value["id"],
            name=value["name"],
            description=value["description"],
            relation_ids=value["relation_ids"],
            passage_ids=value["passage_ids"],
        )


@dataclass(frozen=True)
class GraphExpansionStep:
    step: int
    """0 is what was found for the question itself."""
    entity_ids: list[str]
    """All entities after this step."""
    description: str
    """For people."""
    operation: Literal["init", "expand"]
    """init: found for the question; expand: reached from what was there."""
    added_entity_ids: list[str]
    """Entities that came with this step."""
    added_relation_ids: list[str]
    """Relations that came with this step."""
    total_entities: int
    """Entities after this step."""
    total_relations: int
    """Relations after this step."""

    @classmethod
    def from_json(cls, value: Any) -> GraphExpansionStep:
        return cls(
            step=value["step"],
            entity_ids=value["entity_ids"],
            description=value["description"],
            operation=value["operation"],
            added_entity_ids=value["added_entity_ids"],
            added_relation_ids=value["added_relation_ids"],
            total_entities=value["total_entities"],
            total_relations=value["total_relations"],
        )


@dataclass(frozen=True)
class GraphHealth:
    status: Literal["ok"]
    """Always ok."""
    version: str
    """Of the server."""

    @classmethod
    def from_json(cls, value: Any) -> GraphHealth:
        return cls(
            status=value["status"],
            version=value["version"],
        )


@dataclass(frozen=True)
class GraphNeighbors:
    entity_id: str
    """Of the one that was asked for."""
    neighbors: list[GraphEntity]
    """Most connected first, then by name."""
    relations: list[GraphRelation]
    """Those among the neighbors and the entity."""

    @classmethod
    def from_json(cls, value: Any) -> GraphNeighbors:
        return cls(
            entity_id=value["entity_id"],
            neighbors=list_of(GraphEntity.from_json)(value["neighbors"]),
            relations=list_of(GraphRelation.from_json)(value["relations"]),
        )


@dataclass(frozen=True)
class GraphPassage:
    id: str
    """Stable: the same after the graph is built again."""
    text: str
    """All of it."""
    score: float
    """How well it fits; the best has 1."""
    via: Literal["lexical", "anchor", "fact", "bridge", "dense"]
    """What it was found by, above all: its words, an entity that the question names, a relation,
    an entity that another passage led to, its meaning.
    """
    metadata: dict[str, Any]
    """As it was added."""

    @classmethod
    def from_json(cls, value: Any) -> GraphPassage:
        return cls(
            id=value["id"],
            text=value["text"],
            score=value["score"],
            via=value["via"],
            metadata=value["metadata"],
        )


@dataclass(frozen=True)
class GraphQueryEntity:
    id: str
    """Stable: the same after the graph is built again."""
    name: str
    """As it was first spelled."""
    description: str
    """Its first relations in words."""
    relation_ids: list[str]
    """Its relations in this answer."""
    passage_ids: list[str]
    """Passages that mention it, at most 20."""
    score: float
    """How well it fits; the best has 1."""

    @classmethod
    def from_json(cls, value: Any) -> GraphQueryEntity:
        return cls(
            id=value["id"],
            name=value["name"],
            description=value["description"],
            relation_ids=value["relation_ids"],
            passage_ids=value["passage_ids"],
            score=value["score"],
        )


@dataclass(frozen=True)
class GraphQueryResponse:
    question: str
    """As it was asked."""
    answer: str
    """With the ids of the passages that it is from in square brackets."""
    query_entities: list[GraphQueryEntity]
    """Entities that the question names."""
    subgraph: GraphQueryResponseSubgraph
    """What explains the answer: at most 150 entities and 300 relations."""
    retrieved_passages: list[GraphPassage]
    """What the answer is made from, best first."""
    stats: GraphQueryResponseStats
    """What it took."""
    retrieval_detail: GraphQueryResponseRetrievalDetail
    """What was found before reranking, best first."""
    eviction_result: GraphQueryResponseEvictionResult
    """Whether the subgraph leaves out relations that were looked at."""
    rerank_result: GraphQueryResponseRerankResult | None = None
    """Only with `use_reranking`: the same in the order of the language model."""

    @classmethod
    def from_json(cls, value: Any) -> GraphQueryResponse:
        return cls(
            question=value["question"],
            answer=value["answer"],
            query_entities=list_of(GraphQueryEntity.from_json)(value["query_entities"]),
            subgraph=GraphQueryResponseSubgraph.from_json(value["subgraph"]),
            retrieved_passages=list_of(GraphPassage.from_json)(value["retrieved_passages"]),
            stats=GraphQueryResponseStats.from_json(value["stats"]),
            retrieval_detail=GraphQueryResponseRetrievalDetail.from_json(value["retrieval_detail"]),
            eviction_result=GraphQueryResponseEvictionResult.from_json(value["eviction_result"]),
            rerank_result=optional(GraphQueryResponseRerankResult.from_json)(value.get("rerank_result")),
        )


@dataclass(frozen=True)
class GraphQueryResponseEvictionResult:
    """Whether the subgraph leaves out relations that were looked at."""
    occurred: bool
    """Whether it leaves out any."""
    before_count: int
    """Relations that were looked at."""
    after_count: int
    """Relations of the subgraph."""

    @classmethod
    def from_json(cls, value: Any) -> GraphQueryResponseEvictionResult:
        return cls(
            occurred=value["occurred"],
            before_count=value["before_count"],
            after_count=value["after_count"],
        )


@dataclass(frozen=True)
class GraphQueryResponseRerankResult:
    """Only with `use_reranking`: the same in the order of the language model."""
    reranked_entities: list[GraphQueryEntity]
    """Entities."""
    reranked_relations: list[GraphScoredRelation]
    """Relations."""
    reranked_passages: list[GraphPassage]
    """Passages."""
    selected_relation_ids: list[str]
    """Of the relations, in their order."""
    selected_relation_texts: list[str]
    """Texts of the relations."""

    @classmethod
    def from_json(cls, value: Any) -> GraphQueryResponseRerankResult:
        return cls(
            reranked_entities=list_of(GraphQueryEntity.from_json)(value["reranked_entities"]),
            reranked_relations=list_of(GraphScoredRelation.from_json)(value["reranked_relations"]),
            reranked_passages=list_of(GraphPassage.from_json)(value["reranked_passages"]),
            selected_relation_ids=value["selected_relation_ids"],
            selected_relation_texts=value["selected_relation_texts"],
        )


@dataclass(frozen=True)
class GraphQueryResponseRetrievalDetail:
    """What was found before reranking, best first."""
    entity_search_results: list[GraphQueryEntity]
    """Entities."""
    relation_search_results: list[GraphScoredRelation]
    """Relations."""
    expanded_entities: list[GraphEntity]
    """What the expansion added."""
    entity_ids: list[str]
    """Of the entities, in their order."""
    entity_texts: list[str]
    """Names of the entities."""
    entity_scores: list[float]
    """Of the entities."""
    relation_ids: list[str]
    """Of the relations, in their order."""
    relation_texts: list[str]
    """Texts of the relations."""
    relation_scores: list[float]
    """Of the relations."""

    @classmethod
    def from_json(cls, value: Any) -> GraphQueryResponseRetrievalDetail:
        return cls(
            entity_search_results=list_of(GraphQueryEntity.from_json)(value["entity_search_results"]),
            relation_search_results=list_of(GraphScoredRelation.from_json)(value["relation_search_results"]),
            expanded_entities=list_of(GraphEntity.from_json)(value["expanded_entities"]),
            entity_ids=value["entity_ids"],
            entity_texts=value["entity_texts"],
            entity_scores=value["entity_scores"],
            relation_ids=value["relation_ids"],
            relation_texts=value["relation_texts"],
            relation_scores=value["relation_scores"],
        )


@dataclass(frozen=True)
class GraphQueryResponseStats:
    """What it took."""
    retrieval_time_ms: int
    """With reranking."""
    generation_time_ms: int
    """Of the answer."""
    total_time_ms: int
    """All of it."""
    num_entities_retrieved: int
    """Looked at."""
    num_relations_retrieved: int
    """Looked at."""
    num_passages_retrieved: int
    """Looked at."""

    @classmethod
    def from_json(cls, value: Any) -> GraphQueryResponseStats:
        return cls(
            retrieval_time_ms=value["retrieval_time_ms"],
            generation_time_ms=value["generation_time_ms"],
            total_time_ms=value["total_time_ms"],
            num_entities_retrieved=value["num_entities_retrieved"],
            num_relations_retrieved=value["num_relations_retrieved"],
            num_passages_retrieved=value["num_passages_retrieved"],
        )


@dataclass(frozen=True)
class GraphQueryResponseSubgraph:
    """What explains the answer: at most 150 entities and 300 relations."""
    entities: list[GraphEntity]
    """Entities."""
    relations: list[GraphRelation]
    """Relations."""
    passages: list[GraphPassage]
    """The retrieved ones."""
    expansion_history: list[GraphExpansionStep]
    """How it grew."""
    entity_ids: list[str]
    """Of its entities."""
    relation_ids: list[str]
    """Of its relations."""
    passage_ids: list[str]
    """Of its passages."""

    @classmethod
    def from_json(cls, value: Any) -> GraphQueryResponseSubgraph:
        return cls(
            entities=list_of(GraphEntity.from_json)(value["entities"]),
            relations=list_of(GraphRelation.from_json)(value["relations"]),
            passages=list_of(GraphPassage.from_json)(value["passages"]),
            expansion_history=list_of(GraphExpansionStep.from_json)(value["expansion_history"]),
            entity_ids=value["entity_ids"],
            relation_ids=value["relation_ids"],
            passage_ids=value["passage_ids"],
        )


@dataclass(frozen=True)
class GraphRelation:
    id: str
    """Stable: the same after the graph is built again."""
    source: str
    """Name of the entity it starts from."""
    target: str
    """Name of the entity it leads to."""
    description: str
    """What it says."""
    text: str
    """Its three parts as one text."""
    subject: str
    """What it is about."""
    predicate: str
    """What it says of that."""
    object: str
    """What it relates it to."""
    entity_ids: list[str]
    """Of subject and object."""
    passage_ids: list[str]
    """Passages that state it, at most 20."""

    @classmethod
    def from_json(cls, value: Any) -> GraphRelation:
        return cls(
            id=value["id"],
            source=value["source"],
            target=value["target"],
            description=value["description"],
            text=value["text"],
            subject=value["subject"],
            predicate=value["predicate"],
            object=value["object"],
            entity_ids=value["entity_ids"],
            passage_ids=value["passage_ids"],
        )


@dataclass(frozen=True)
class GraphScoredRelation:
    id: str
    """Stable: the same after the graph is built again."""
    source: str
    """Name of the entity it starts from."""
    target: str
    """Name of the entity it leads to."""
    description: str
    """What it says."""
    text: str
    """Its three parts as one text."""
    subject: str
    """What it is about."""
    predicate: str
    """What it says of that."""
    object: str
    """What it relates it to."""
    entity_ids: list[str]
    """Of subject and object."""
    passage_ids: list[str]
    """Passages that state it, at most 20."""
    score: float
    """How well it fits; the best has 1."""

    @classmethod
    def from_json(cls, value: Any) -> GraphScoredRelation:
        return cls(
            id=value["id"],
            source=value["source"],
            target=value["target"],
            description=value["description"],
            text=value["text"],
            subject=value["subject"],
            predicate=value["predicate"],
            object=value["object"],
            entity_ids=value["entity_ids"],
            passage_ids=value["passage_ids"],
            score=value["score"],
        )


@dataclass(frozen=True)
class GraphSettings:
    default_graph: str
    """The graph that an empty name means."""
    llm_model: str
    """`rules` without a language model."""
    embedding_provider: str
    """`lexical` needs no key."""
    embedding_model: str
    """What makes the vectors."""
    embedding_dimension: int
    """Of the vectors."""
    milvus_uri: str
    """URI of the vector index, without credentials."""
    milvus_db: str
    """Name of its database: `default`."""
    openai_api_key_set: bool
    """Whether a key for the model is configured."""
    openai_base_url: str
    """Of the OpenAI-compatible API."""
    embedding_api_key_set: bool
    """Whether a key for embedding is configured."""
    embedding_base_url: str | None
    """null when not configured."""

    @classmethod
    def from_json(cls, value: Any) -> GraphSettings:
        return cls(
            default_graph=value["default_graph"],
            llm_model=value["llm_model"],
            embedding_provider=value["embedding_provider"],
            embedding_model=value["embedding_model"],
            embedding_dimension=value["embedding_dimension"],
            milvus_uri=value["milvus_uri"],
            milvus_db=value["milvus_db"],
            openai_api_key_set=value["openai_api_key_set"],
            openai_base_url=value["openai_base_url"],
            embedding_api_key_set=value["embedding_api_key_set"],
            embedding_base_url=value["embedding_base_url"],
        )


@dataclass(frozen=True)
class GraphStats:
    graph_name: str
    """The graph."""
    entity_count: int
    """Entities in the graph."""
    relation_count: int
    """Relations in the graph."""
    passage_count: int
    """Passages in the graph."""

    @classmethod
    def from_json(cls, value: Any) -> GraphStats:
        return cls(
            graph_name=value["graph_name"],
            entity_count=value["entity_count"],
            relation_count=value["relation_count"],
            passage_count=value["passage_count"],
        )


@dataclass(frozen=True)
class GraphTriplet:
    subject: str
    """What it is about."""
    predicate: str
    """What it says of that."""
    object: str
    """What it relates it to."""

    @classmethod
    def from_json(cls, value: Any) -> GraphTriplet:
        return cls(
            subject=value["subject"],
            predicate=value["predicate"],
            object=value["object"],
        )


@dataclass(frozen=True)
class GraphsResponse:
    graphs: list[Graph]
    """By name."""

    @classmethod
    def from_json(cls, value: Any) -> GraphsResponse:
        return cls(
            graphs=list_of(Graph.from_json)(value["graphs"]),
        )


@dataclass(frozen=True)
class GrepMatch:
    source: str | None
    """Object URI; null for a notice."""
    locator: dict[str, Any] | None
    """Pass it to cat to read this part."""
    content: str
    """The lines, or the record; of a notice, its text."""
    via: Literal["pushdown", "bm25", "linear", "notice"]
    """pushdown: the source searched; bm25: only objects that the index named were read; linear:
    all were; notice: what was not searched.
    """
    match: GrepMatchMatch | None
    """Where the match is in what is shown; null for records and notices."""

    @classmethod
    def from_json(cls, value: Any) -> GrepMatch:
        return cls(
            source=value["source"],
            locator=value["locator"],
            content=value["content"],
            via=value["via"],
            match=optional(GrepMatchMatch.from_json)(value["match"]),
        )


@dataclass(frozen=True)
class GrepMatchMatch:
    """Where the match is in what is shown; null for records and notices."""
    lines: list[int]
    """The first and the last line of the match, without context."""
    column: int
    """Where it begins in its first line, in UTF-16 code units."""

    @classmethod
    def from_json(cls, value: Any) -> GrepMatchMatch:
        return cls(
            lines=value["lines"],
            column=value["column"],
        )


@dataclass(frozen=True)
class GrepResponse:
    results: list[GrepMatch]
    """In the order of the sources."""
    truncated: bool
    """There are more matches than `limit`."""
    next: str | None
    """The cursor for them; null if there are no more."""

    @classmethod
    def from_json(cls, value: Any) -> GrepResponse:
        return cls(
            results=list_of(GrepMatch.from_json)(value["results"]),
            truncated=value["truncated"],
            next=value["next"],
        )


@dataclass(frozen=True)
class Health:
    status: Literal["ok"]
    """Always ok."""

    @classmethod
    def from_json(cls, value: Any) -> Health:
        return cls(
            status=value["status"],
        )


@dataclass(frozen=True)
class ImportResponse:
    success: bool
    """false only when nothing was loaded."""
    num_sources: int
    """Sources named, or files sent."""
    num_documents: int
    """Documents loaded."""
    num_chunks: int
    """Chunks they were split into: the passages."""
    num_entities: int
    """Entities in the graph."""
    num_relations: int
    """Relations in the graph."""
    errors: list[str]
    """What could not be loaded, and why; at most 100."""

    @classmethod
    def from_json(cls, value: Any) -> ImportResponse:
        return cls(
            success=value["success"],
            num_sources=value["num_sources"],
            num_documents=value["num_documents"],
            num_chunks=value["num_chunks"],
            num_entities=value["num_entities"],
            num_relations=value["num_relations"],
            errors=value["errors"],
        )


@dataclass(frozen=True)
class JobObstacle:
    """A condition that slows or stops the running job; null without one."""
    code: str
    """`disk_full` or `disk_low`; there may be more in future."""
    detail: str
    """The same in words, with what to do, for people."""

    @classmethod
    def from_json(cls, value: Any) -> JobObstacle:
        return cls(
            code=value["code"],
            detail=value["detail"],
        )


@dataclass(frozen=True)
class JobResponse:
    id: str
    """As `add` gave it."""
    status: str
    """queued, running, succeeded, partial, failed or cancelled; there may be more in future."""
    op_kind: str | None
    """What it does: sync."""
    trigger: str | None
    """What began it: `manual`, `watch` (something in the source changed), `embedder` (another one
    is configured) or `index` (which had lost parts of the source).
    """
    target: str | None
    """Canonical URI of the source."""
    phase: str | None
    """What a running job is doing: listing (and indexing what it has listed so far), indexing,
    summarizing or optimizing; there may be more in future.
    """
    paused_until: str | None
    """Its source asked to be left alone until then (a rate limit, say), and goes on by itself;
    null: it did not.
    """
    obstacle: JobObstacle | None
    """A condition that slows or stops the running job; null without one."""
    error: str | None
    """Error code, if the job failed or was cancelled."""
    detail: str | None
    """The same in words, for people."""
    total_objects: int | None
    """Objects listed so far, and objects to remove; it grows while the source is being listed."""
    succeeded_objects: int | None
    """The sum of added, changed and removed."""
    failed_objects: int | None
    """The next sync tries them again; `failures` says why they failed."""
    cancelled_objects: int | None
    """Still open when the job ended early."""
    skipped_objects: int | None
    """The sum of unchanged and left_out."""
    added: int
    """Objects that can be found now but could not before."""
    changed: int
    """Objects reindexed, or moved to a new path."""
    removed: int
    """Objects no longer in the source."""
    unchanged: int
    """Objects already indexed as they are."""
    left_out: int
    """Objects that can be listed and read but are not indexed; `left_out_reasons` and ls say why."""
    chunks: int | None
    """Chunks of the objects that were added or changed."""
    chunks_without_vector: int
    """How many of the chunks could not be embedded, and are found by keyword only."""
    summaries: int
    """Summaries and descriptions that were written; what is remembered takes no call."""
    summaries_missing: int
    """Those that could not be written; `failures` and `notes` say why, and the next sync tries
    again.
    """
    model_calls: int
    """Calls to the language model that were answered."""
    model_input_tokens: int
    """Tokens that the language model read in them."""
    model_output_tokens: int
    """Tokens that it wrote."""
    created_at: str
    """When it was queued."""
    started_at: str | None
    """When a worker first took it; null while it is queued."""
    finished_at: str | None
    """When it ended, however it ended; null before that."""
    failures: list[JobResponseFailure]
    """The first 20 objects that failed."""
    left_out_reasons: list[JobResponseLeftOutReason]
    """Why objects were left out, at most 20 reasons; empty until the job has ended."""
    warnings: list[str]
    """Sentences about conditions that did not fail the job, such as a rule that matched nothing."""

    @classmethod
    def from_json(cls, value: Any) -> JobResponse:
        return cls(
            id=value["id"],
            status=value["status"],
            op_kind=value["op_kind"],
            trigger=value["trigger"],
            target=value["target"],
            phase=value["phase"],
            paused_until=value["paused_until"],
            obstacle=optional(JobObstacle.from_json)(value["obstacle"]),
            error=value["error"],
            detail=value["detail"],
            total_objects=value["total_objects"],
            succeeded_objects=value["succeeded_objects"],
            failed_objects=value["failed_objects"],
            cancelled_objects=value["cancelled_objects"],
            skipped_objects=value["skipped_objects"],
            added=value["added"],
            changed=value["changed"],
            removed=value["removed"],
            unchanged=value["unchanged"],
            left_out=value["left_out"],
            chunks=value["chunks"],
            chunks_without_vector=value["chunks_without_vector"],
            summaries=value["summaries"],
            summaries_missing=value["summaries_missing"],
            model_calls=value["model_calls"],
            model_input_tokens=value["model_input_tokens"],
            model_output_tokens=value["model_output_tokens"],
            created_at=value["created_at"],
            started_at=value["started_at"],
            finished_at=value["finished_at"],
            failures=list_of(JobResponseFailure.from_json)(value["failures"]),
            left_out_reasons=list_of(JobResponseLeftOutReason.from_json)(value["left_out_reasons"]),
            warnings=value["warnings"],
        )


@dataclass(frozen=True)
class JobResponseFailure:
    path: str
    """Of the object, below its source."""
    code: str
    """Stable; for programs to act on."""
    error: str
    """The same in words, for people."""

    @classmethod
    def from_json(cls, value: Any) -> JobResponseFailure:
        return cls(
            path=value["path"],
            code=value["code"],
            error=value["error"],
        )


@dataclass(frozen=True)
class JobResponseLeftOutReason:
    reason: str
    """In words, for people."""
    objects: int
    """How many were left out for it."""
    path: str
    """Of one of them, below its source."""

    @classmethod
    def from_json(cls, value: Any) -> JobResponseLeftOutReason:
        return cls(
            reason=value["reason"],
            objects=value["objects"],
            path=value["path"],
        )


@dataclass(frozen=True)
class LsEntry:
    name: str
    """The last part of its path."""
    type: Literal["file", "dir"]
    """file: an object; dir: a folder."""
    media_type: str | None
    """If known."""
    size_hint: int | None
    """In bytes, if known."""
    path: str | None
    """Object URI, usable with ls, cat, search, head and export."""
    search_status: str | None
    """indexed, partial or not_indexed, if known."""
    indexable: bool | None
    """false: left out by a rule or a limit, as `reason` says; null if not known."""
    reason: str | None
    """Why it is not indexed, or only in part; of an indexed text, that its encoding was guessed."""
    real_id: str | None
    """For a directory: if it repeats on the way down, links form a loop."""

    @classmethod
    def from_json(cls, value: Any) -> LsEntry:
        return cls(
            name=value["name"],
            type=value["type"],
            media_type=value["media_type"],
            size_hint=value["size_hint"],
            path=value["path"],
            search_status=value["search_status"],
            indexable=value["indexable"],
            reason=value["reason"],
            real_id=value["real_id"],
        )


@dataclass(frozen=True)
class LsResponse:
    entries: list[LsEntry]
    """What is in the folder; of an object, just that object."""
    capabilities: LsResponseCapabilities
    """Of the source."""

    @classmethod
    def from_json(cls, value: Any) -> LsResponse:
        return cls(
            entries=list_of(LsEntry.from_json)(value["entries"]),
            capabilities=LsResponseCapabilities.from_json(value["capabilities"]),
        )


@dataclass(frozen=True)
class LsResponseCapabilities:
    """Of the source."""
    sync: LsResponseCapabilitiesSync
    """How it can be synced."""
    object: LsResponseCapabilitiesObject
    """How its objects can be read."""

    @classmethod
    def from_json(cls, value: Any) -> LsResponseCapabilities:
        return cls(
            sync=LsResponseCapabilitiesSync.from_json(value["sync"]),
            object=LsResponseCapabilitiesObject.from_json(value["object"]),
        )


@dataclass(frozen=True)
class LsResponseCapabilitiesObject:
    """How its objects can be read."""
    read: bool
    """Objects have bytes."""
    records: bool
    """Objects consist of records."""
    tail: bool
    """They have an order, so `tail` can be asked for."""
    grep: bool
    """The source has a search of its own."""

    @classmethod
    def from_json(cls, value: Any) -> LsResponseCapabilitiesObject:
        return cls(
            read=value["read"],
            records=value["records"],
            tail=value["tail"],
            grep=value["grep"],
        )


@dataclass(frozen=True)
class LsResponseCapabilitiesSync:
    """How it can be synced."""
    incremental: bool
    """The connector can report changes instead of listing everything."""
    since: bool
    """`add` takes a `since`."""

    @classmethod
    def from_json(cls, value: Any) -> LsResponseCapabilitiesSync:
        return cls(
            incremental=value["incremental"],
            since=value["since"],
        )


@dataclass(frozen=True)
class ManifestResponse:
    connector_uri: str
    """Root URI of the source."""
    staging: str
    """Names the place where the server keeps the files of this source."""
    need_sha1: list[str]
    """Paths that are new or look changed."""
    stored: list[ManifestResponseStored]
    """Those of them that the server has: where the SHA-1 is still the same, no bytes need be sent."""
    deletion_candidates: list[ManifestResponseDeletionCandidate]
    """Stored files that are not in the manifest: deleted, or renamed to a path with the same
    SHA-1.
    """

    @classmethod
    def from_json(cls, value: Any) -> ManifestResponse:
        return cls(
            connector_uri=value["connector_uri"],
            staging=value["staging"],
            need_sha1=value["need_sha1"],
            stored=list_of(ManifestResponseStored.from_json)(value["stored"]),
            deletion_candidates=list_of(ManifestResponseDeletionCandidate.from_json)(value["deletion_candidates"]),
        )


@dataclass(frozen=True)
class ManifestResponseDeletionCandidate:
    path: str
    """Relative to the root, `/`-separated."""
    size: int
    """In bytes."""
    inode: int | str | None
    """As the client gave it; null if it gave none."""
    sha1: str
    """Of its bytes, in hexadecimal."""

    @classmethod
    def from_json(cls, value: Any) -> ManifestResponseDeletionCandidate:
        return cls(
            path=value["path"],
            size=value["size"],
            inode=value["inode"],
            sha1=value["sha1"],
        )


@dataclass(frozen=True)
class ManifestResponseStored:
    path: str
    """Relative to the root, `/`-separated."""
    sha1: str
    """Of its bytes, in hexadecimal."""

    @classmethod
    def from_json(cls, value: Any) -> ManifestResponseStored:
        return cls(
            path=value["path"],
            sha1=value["sha1"],
        )


@dataclass(frozen=True)
class ObjectMeta:
    source: str
    """Canonical URI of the object."""
    media_type: str | None
    """If known."""
    size_hint: int | None
    """In bytes, if known."""
    fingerprint: str | None
    """Changes when the object does, if its source has such a thing."""
    content: Literal[""]
    """Always empty."""

    @classmethod
    def from_json(cls, value: Any) -> ObjectMeta:
        return cls(
            source=value["source"],
            media_type=value["media_type"],
            size_hint=value["size_hint"],
            fingerprint=value["fingerprint"],
            content=value["content"],
        )


@dataclass(frozen=True)
class ProbeResponse:
    target: str
    """Canonical URI of the source."""
    type: str
    """Its scheme, such as file."""
    ok: bool
    """It can be reached."""
    detail: str
    """What was found, or why it cannot be reached."""

    @classmethod
    def from_json(cls, value: Any) -> ProbeResponse:
        return cls(
            target=value["target"],
            type=value["type"],
            ok=value["ok"],
            detail=value["detail"],
        )


@dataclass(frozen=True)
class Ready:
    status: Literal["ready"]
    """Always ready."""
    warnings: list[str]
    """Codes of problems that do not stop reads: `disk_low` (a disk of the server has less than 500
    MB left). There may be more in future.
    """

    @classmethod
    def from_json(cls, value: Any) -> Ready:
        return cls(
            status=value["status"],
            warnings=value["warnings"],
        )


@dataclass(frozen=True)
class RemoveResponse:
    target: str
    """Canonical URI of the source."""
    removed: bool
    """true: it is gone, and all that was known of it."""

    @classmethod
    def from_json(cls, value: Any) -> RemoveResponse:
        return cls(
            target=value["target"],
            removed=value["removed"],
        )


@dataclass(frozen=True)
class ResultEnvelope:
    source: str
    """Object URI, usable with cat, head, tail and export."""
    content: str
    """The text of the chunk."""
    score: float | None
    """How well the hit fits, from 0 to 1; a perfect fit is near 1."""
    locator: dict[str, Any] | None
    """Pass it to cat to read this part."""
    metadata: ResultEnvelopeMetadata
    """What is known of the chunk and of its object."""

    @classmethod
    def from_json(cls, value: Any) -> ResultEnvelope:
        return cls(
            source=value["source"],
            content=value["content"],
            score=value["score"],
            locator=value["locator"],
            metadata=ResultEnvelopeMetadata.from_json(value["metadata"]),
        )


@dataclass(frozen=True)
class ResultEnvelopeMetadata:
    """What is known of the chunk and of its object."""
    chunk_kind: str
    """As in the filter `kind`."""
    connector_type: str
    """Scheme of the source, such as file."""
    media_type: str | None
    """Of the object, if known."""
    title: str | None
    """Of the object, if it has one."""
    modified_at: str | None
    """When it was written or last changed, as an ISO date and time."""
    url: str | None
    """Where people can read it."""
    author: str | None
    """Who wrote it."""
    also: list[str]
    """URIs of other objects with the same text, at most 100."""
    demoted_reason: Literal["licence", "changelog", "commit", "fixture", "generated", "log", "test", "vendored", None]
    """The reason for the demotion of the hit; null for others. See the parameter `demote`."""
    fields: dict[str, Any]
    """Further facts, which filters can name."""
    scores: ResultEnvelopeMetadataScores
    """How well it fits by meaning (dense), by words (sparse) and to a second model (rerank); null
    where not found so.
    """

    @classmethod
    def from_json(cls, value: Any) -> ResultEnvelopeMetadata:
        return cls(
            chunk_kind=value["chunk_kind"],
            connector_type=value["connector_type"],
            media_type=value["media_type"],
            title=value["title"],
            modified_at=value["modified_at"],
            url=value["url"],
            author=value["author"],
            also=value["also"],
            demoted_reason=value["demoted_reason"],
            fields=value["fields"],
            scores=ResultEnvelopeMetadataScores.from_json(value["scores"]),
        )


@dataclass(frozen=True)
class ResultEnvelopeMetadataScores:
    """How well it fits by meaning (dense), by words (sparse) and to a second model (rerank); null
    where not found so.
    """
    dense: float | None
    """Cosine similarity."""
    sparse: float | None
    """BM25."""
    rerank: float | None
    """What the model of `[rerank]` gave, whose order this is; null: it was not asked, or failed."""

    @classmethod
    def from_json(cls, value: Any) -> ResultEnvelopeMetadataScores:
        return cls(
            dense=value["dense"],
            sparse=value["sparse"],
            rerank=value["rerank"],
        )


@dataclass(frozen=True)
class SearchResponse:
    results: list[ResultEnvelope]
    """Best first."""
    metadata: SearchResponseMetadata | None = None
    """Only when the question was answered with other words than those asked for."""

    @classmethod
    def from_json(cls, value: Any) -> SearchResponse:
        return cls(
            results=list_of(ResultEnvelope.from_json)(value["results"]),
            metadata=optional(SearchResponseMetadata.from_json)(value.get("metadata")),
        )


@dataclass(frozen=True)
class SearchResponseMetadata:
    """Only when the question was answered with other words than those asked for."""
    showing_results_for: str
    """The question as it was answered."""
    corrections: list[SearchResponseMetadataCorrection]
    """What was taken for a typing error."""

    @classmethod
    def from_json(cls, value: Any) -> SearchResponseMetadata:
        return cls(
            showing_results_for=value["showing_results_for"],
            corrections=list_of(SearchResponseMetadataCorrection.from_json)(value["corrections"]),
        )


@dataclass(frozen=True)
class SearchResponseMetadataCorrection:
    word: str
    """A word that nothing indexed has."""
    instead: list[str]
    """The words one letter away that were looked for, the commonest first."""

    @classmethod
    def from_json(cls, value: Any) -> SearchResponseMetadataCorrection:
        return cls(
            word=value["word"],
            instead=value["instead"],
        )


@dataclass(frozen=True)
class ServerInfo:
    version: str
    """Of the server."""
    machine_id: str
    """Stable for this machine."""
    namespace: str
    """Servers of different namespaces may share databases without seeing each other's data."""
    api_version: str
    """Of the routes: `v1`."""
    capabilities: ServerInfoCapabilities
    """What can be asked of this server."""

    @classmethod
    def from_json(cls, value: Any) -> ServerInfo:
        return cls(
            version=value["version"],
            machine_id=value["machine_id"],
            namespace=value["namespace"],
            api_version=value["api_version"],
            capabilities=ServerInfoCapabilities.from_json(value["capabilities"]),
        )


@dataclass(frozen=True)
class ServerInfoCapabilities:
    """What can be asked of this server."""
    schemes: list[str]
    """URI schemes of sources that can be added."""

    @classmethod
    def from_json(cls, value: Any) -> ServerInfoCapabilities:
        return cls(
            schemes=value["schemes"],
        )


@dataclass(frozen=True)
class SourceWatch:
    """How a source with `watch = true` is kept up to date; null: it is not watched, or not by this
    process.
    """
    by: str
    """`events` (the source reports changes) or `polling` (it is synced at intervals); there may be
    more in future.
    """
    every_seconds: int | None
    """Time until the next of these syncs; null with `events`."""
    detail: str | None
    """Why it is polled and what to do, for people; null with `events`."""

    @classmethod
    def from_json(cls, value: Any) -> SourceWatch:
        return cls(
            by=value["by"],
            every_seconds=value["every_seconds"],
            detail=value["detail"],
        )


@dataclass(frozen=True)
class StatusResponse:
    connectors: list[ConnectorRow]
    """The registered sources."""
    embedding: EmbeddingUse
    """What the vectors of the index are made with."""
    jobs: dict[str, int]
    """Number of jobs by status."""
    disk: DiskUse
    """Bytes that the server keeps, on its disk or in a database; up to a minute old. Null: not
    known, or not yet.
    """
    disk_space: list[DiskSpace]
    """The disks that the server writes to, each once; up to 5 s old."""

    @classmethod
    def from_json(cls, value: Any) -> StatusResponse:
        return cls(
            connectors=list_of(ConnectorRow.from_json)(value["connectors"]),
            embedding=EmbeddingUse.from_json(value["embedding"]),
            jobs=value["jobs"],
            disk=DiskUse.from_json(value["disk"]),
            disk_space=list_of(DiskSpace.from_json)(value["disk_space"]),
        )


@dataclass(frozen=True)
class TopLevelEntry:
    name: str
    """As the source calls it."""
    is_folder: bool
    """Whether the objects are below it."""
    objects: int
    """Objects that would be indexed of it."""

    @classmethod
    def from_json(cls, value: Any) -> TopLevelEntry:
        return cls(
            name=value["name"],
            is_folder=value["is_folder"],
            objects=value["objects"],
        )
