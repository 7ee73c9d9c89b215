/** What one generation of a graph holds, for whoever reads it back. */
export interface GraphContent {
  readonly passages: number;
  readonly entities: number;
  readonly relations: number;
  /** Number of groups that its passages are in. */
  readonly blocks: number;
  /** What made its vectors, as in `CollectionSpec`. */
  readonly embedding: string;
  readonly dimension: number;
}

/** A graph that can be read. */
export interface GraphRecord extends GraphContent {
  readonly name: string;
  /** The scope of its rows in each of its collections. */
  readonly generation: string;
  /** When this generation became current. */
  readonly builtAt: number;
}

/** A generation that nobody reads or writes any more. */
export interface ObsoleteGraphGeneration {
  readonly graph: string;
  readonly generation: string;
}

/**
 * Which generation of each graph is current. A change is staged beside what is current, under a lease that one process
 * holds, and becomes current in one transaction. An expired lease is lost even if nobody else has taken it.
 */
export interface GraphCatalog {
  /** All graphs that have a current generation, by name. */
  list(): Promise<GraphRecord[]>;
  get(name: string): Promise<GraphRecord | null>;
  /**
   * Leases a graph, which need not exist, for a change under a name that no generation had before. Throws `graph_busy`
   * while another change holds it (enforced by the database).
   */
  stage(name: string, generation: string, leaseMs: number): Promise<void>;
  /** The generation that is staged under a lease that has not run out; null for none. */
  stagedGeneration(name: string): Promise<string | null>;
  /** Extends the lease; false when it is lost. */
  renew(name: string, generation: string, leaseMs: number): Promise<boolean>;
  /** Makes the staged generation current, its predecessor obsolete, and ends the lease. False when the lease is lost. */
  promote(name: string, generation: string, content: GraphContent): Promise<boolean>;
  /** Makes what is current obsolete, so that the graph is gone; keeps the lease. False when it is lost. */
  empty(name: string, generation: string): Promise<boolean>;
  /** Ends the lease; what was staged is obsolete. Does nothing when the lease is lost. */
  abandon(name: string, generation: string): Promise<void>;
  /** What was replaced, abandoned, or staged under a lease that ran out; in the order in which it was staged. */
  obsoleteGenerations(): Promise<ObsoleteGraphGeneration[]>;
  /** Forgets an obsolete generation, whose rows are gone; any other stays. */
  deleteGeneration(generation: string): Promise<void>;
}
