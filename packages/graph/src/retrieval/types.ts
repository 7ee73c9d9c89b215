/** One statement of a passage. Its subject and object are entities of the graph. */
export interface Triplet {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
}

/** Who made the triplets of a passage: those made by rules say less about what it states. */
export type TripletOrigin = 'given' | 'model' | 'rules';

/** A passage as the retriever takes it in. Its text and title are analysed, not kept. */
export interface GraphPassage {
  readonly id: string;
  readonly title: string | null;
  readonly text: string;
  /** Kept as it is, for `matches` only. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly triplets: readonly Triplet[];
  /** Default `given`. */
  readonly origin?: TripletOrigin;
}

/** What a filter sees of a passage. */
export interface PassageFacts {
  readonly id: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface RetrievalOptions {
  /** Passages returned at most. */
  readonly passageTopK: number;
  /** Entities returned by the search at most. */
  readonly entityTopK: number;
  /** Relations that may speak for their passages, and are returned, 1 to 200. */
  readonly relationTopK: number;
  /** Hops that the subgraph grows, 0 to 4. */
  readonly expansionDegree: number;
  /** The passages that count in every step, by a test of each or as the set of their ids; default: all. */
  readonly matches?: ((passage: PassageFacts) => boolean) | ReadonlySet<string>;
  /** Similarity to the question by passage id, from a semantic embedder: higher is better, below 0 counts as 0. */
  readonly dense?: ReadonlyMap<string, number>;
}

/** What a passage was found by, above all else. */
export type Via = 'lexical' | 'anchor' | 'fact' | 'bridge' | 'dense';

export interface ScoredPassage {
  readonly id: string;
  /** In (0,1]; the best has 1. */
  readonly score: number;
  readonly via: Via;
  /** The passage and the entity in it that led here, when a bridge did. */
  readonly bridge: { readonly passageId: string; readonly entityId: string } | null;
}

export interface GraphEntity {
  readonly id: string;
  /** As it was first spelled. */
  readonly name: string;
  /** Its first relations in words. */
  readonly description: string;
  /** Its relations that are part of the same answer. */
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
  /** Subject and object. */
  readonly entityIds: readonly [string, string];
  /** Passages that were found to state it, at most 20. */
  readonly passageIds: readonly string[];
}

export interface ScoredRelation extends GraphRelation {
  /** In (0,1]: how well it fits the question. */
  readonly score: number;
}

/** One step of the subgraph's growth; step 0 is what was found for the question itself. */
export interface ExpansionStep {
  readonly step: number;
  readonly operation: 'init' | 'expand';
  /** For people: what the step did. */
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
  /** At most 300; both ends of each are among the entities. */
  readonly relations: readonly GraphRelation[];
}

export interface Retrieval {
  /** Best first. */
  readonly passages: readonly ScoredPassage[];
  /** Entities named in the question. */
  readonly queryEntities: readonly ScoredEntity[];
  /** Entities and relations that fit the question, best first. */
  readonly entities: readonly ScoredEntity[];
  readonly relations: readonly ScoredRelation[];
  /** What explains the answer. */
  readonly subgraph: Subgraph;
  readonly expansion: readonly ExpansionStep[];
  /** How much was looked at on the way. */
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
  /** Those among the neighbors and the entity. */
  readonly relations: readonly GraphRelation[];
}

/**
 * The index of one graph in memory, for questions that need several passages. A question takes milliseconds; in a graph of
 * very many relations others get their turns meanwhile, so nothing may be added or removed until it is answered. `add` takes
 * about a tenth of a millisecond per passage: add in batches, and let others run in between.
 * What was added and removed leaves exactly what adding the rest in the same order would have left.
 */
export interface GraphRetriever {
  /** Memory in bytes, roughly. */
  readonly bytes: number;
  /** Adds passages; one with a known id replaces that passage, in its place. */
  add(passages: Iterable<GraphPassage>): void;
  /** Unknown ids are ignored. */
  remove(ids: Iterable<string>): void;
  /** Throws when `signal` is aborted. */
  retrieve(question: string, options: RetrievalOptions, signal?: AbortSignal): Promise<Retrieval>;
  /** The entities next to one, by its name in any spelling; null if the graph has no such entity. */
  neighbors(name: string, limit: number): Neighborhood | null;
}
