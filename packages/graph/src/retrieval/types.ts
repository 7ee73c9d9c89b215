/** A statement of a passage. Its subject and object are entities of the graph. */
export interface Triplet {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
}

/** The origin of a passage's triplets. Triplets made by rules are weaker evidence. */
export type TripletOrigin = 'given' | 'model' | 'rules';

/** A passage for the retriever, which analyses its text and title and does not keep them. */
export interface GraphPassage {
  readonly id: string;
  readonly title: string | null;
  /** For a part of a document: the headings above it, whose words count like those of the title. */
  readonly section?: readonly string[];
  readonly text: string;
  /** Kept unchanged, for `matches` only. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly triplets: readonly Triplet[];
  /** Default `given`. */
  readonly origin?: TripletOrigin;
}

/** The part of a passage that filters use. */
export interface FilterablePassage {
  readonly id: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface RetrievalOptions {
  /** The maximum number of returned passages. */
  readonly passageTopK: number;
  /** The maximum number of returned entities. */
  readonly entityTopK: number;
  /** The maximum number of relations that add to scores and are returned, 1 to 200. */
  readonly relationTopK: number;
  /** The number of hops by which the subgraph grows, 0 to 4. */
  readonly expansionDegree: number;
  /** The passages considered in every step, as a test or a set of ids. Default: all. */
  readonly matches?: ((passage: FilterablePassage) => boolean) | ReadonlySet<string>;
  /** Similarity to the question by passage id, from a semantic embedder. Negative values count as 0. */
  readonly dense?: ReadonlyMap<string, number>;
}

/** The main evidence for a passage. */
export type EvidenceKind = 'lexical' | 'anchor' | 'fact' | 'bridge' | 'dense';

export interface ScoredPassage {
  readonly id: string;
  /** In (0,1]. The best has 1. */
  readonly score: number;
  readonly via: EvidenceKind;
  /** The passage and its entity that led here; null unless a bridge found the passage. */
  readonly bridge: { readonly passageId: string; readonly entityId: string } | null;
}

export interface GraphEntity {
  readonly id: string;
  /** The first spelling. */
  readonly name: string;
  /** Its first relations as text. */
  readonly description: string;
  /** Its relations in the same answer. */
  readonly relationIds: readonly string[];
  /** Passages whose relations mention it, at most 20. */
  readonly passageIds: readonly string[];
}

export interface ScoredEntity extends GraphEntity {
  /** In (0,1]. */
  readonly score: number;
}

export interface GraphRelation extends Triplet {
  readonly id: string;
  /** The three parts as one text. */
  readonly text: string;
  /** Ids of subject and object. */
  readonly entityIds: readonly [string, string];
  /** Passages that state it, at most 20. */
  readonly passageIds: readonly string[];
}

export interface ScoredRelation extends GraphRelation {
  /** Relevance to the question, in (0,1]. */
  readonly score: number;
}

/** One step of the subgraph's growth. Step 0 contains the results for the question itself. */
export interface ExpansionStep {
  readonly step: number;
  readonly operation: 'init' | 'expand';
  /** A description for people. */
  readonly description: string;
  /** All entities after this step. */
  readonly entityIds: readonly string[];
  readonly addedEntityIds: readonly string[];
  readonly addedRelationIds: readonly string[];
  readonly totalEntities: number;
  readonly totalRelations: number;
}

export interface Subgraph {
  /** At most 150. */
  readonly entities: readonly GraphEntity[];
  /** At most 300. Both ends of each relation are among the entities. */
  readonly relations: readonly GraphRelation[];
}

export interface Retrieval {
  /** Best first. */
  readonly passages: readonly ScoredPassage[];
  /** Entities named in the question. */
  readonly queryEntities: readonly ScoredEntity[];
  /** Entities and relations relevant to the question, best first. */
  readonly entities: readonly ScoredEntity[];
  readonly relations: readonly ScoredRelation[];
  /** The subgraph that explains the answer. */
  readonly subgraph: Subgraph;
  readonly expansion: readonly ExpansionStep[];
  /** Numbers of examined items. */
  readonly considered: {
    readonly entities: number;
    readonly relations: number;
    readonly passages: number;
  };
}

export interface Neighborhood {
  readonly entity: GraphEntity;
  /** Most connected first, then by name. */
  readonly neighbors: readonly GraphEntity[];
  /** Relations among the neighbors and the entity. */
  readonly relations: readonly GraphRelation[];
}

/**
 * The in-memory index of one graph, for questions that need several passages. A question takes milliseconds, or longer
 * in a graph with very many relations. `retrieve` yields to other work, so do not add or remove passages until it
 * resolves. `add` takes about a tenth of a millisecond per passage, so add in batches and yield in between. After
 * removals, the index is the same as after adding only the remaining passages in the same order.
 */
export interface GraphRetriever {
  /** The approximate memory in bytes. */
  readonly bytes: number;
  /** Adds passages. A passage with a known id replaces the old one at its position. */
  add(passages: Iterable<GraphPassage>): void;
  /** Unknown ids are ignored. */
  remove(ids: Iterable<string>): void;
  /** Answers a question. Throws when `signal` aborts. */
  retrieve(question: string, options: RetrievalOptions, signal?: AbortSignal): Promise<Retrieval>;
  /** Returns the neighbors of an entity, by any spelling of its name; null for an unknown entity. */
  neighbors(name: string, limit: number): Neighborhood | null;
}
