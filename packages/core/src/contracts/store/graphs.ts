/** The size and the embedding of one generation of a graph. */
export interface GraphContent {
  readonly passages: number;
  readonly entities: number;
  readonly relations: number;
  /** The number of index groups with its passages. */
  readonly blocks: number;
  /** The embedding of its vectors, as in `CollectionSpec`. */
  readonly embedding: string;
  readonly dimension: number;
}

/** A graph that can be read. */
export interface GraphRecord extends GraphContent {
  readonly name: string;
  /** The scope of its rows in all of its collections. */
  readonly generation: string;
  /** The time at which this generation became current. */
  readonly builtAt: number;
}

/** A generation without readers and writers. */
export interface ObsoleteGraphGeneration {
  readonly graph: string;
  readonly generation: string;
}

/**
 * Stores the current generation of each graph. A change is staged next to the current generation, under a lease of one
 * process, and becomes current in one transaction. An expired lease is lost even if no other process took it.
 */
export interface GraphCatalog {
  /** Returns all graphs with a current generation, by name. */
  list(): Promise<GraphRecord[]>;
  get(name: string): Promise<GraphRecord | null>;
  /**
   * Leases a graph, which need not exist, for a change with a new generation name. Throws `graph_busy` during another
   * change (enforced by the database).
   */
  stage(name: string, generation: string, leaseMs: number): Promise<void>;
  /** Returns the staged generation if its lease has not expired, else null. */
  stagedGeneration(name: string): Promise<string | null>;
  /** Extends the lease. Returns false if it is lost. */
  renew(name: string, generation: string, leaseMs: number): Promise<boolean>;
  /**
   * Makes the staged generation current and its predecessor obsolete, and ends the lease. Returns false if the lease is
   * lost.
   */
  promote(name: string, generation: string, content: GraphContent): Promise<boolean>;
  /**
   * Removes the graph by making its current generation obsolete. Keeps the lease. Returns false if the lease is lost.
   */
  empty(name: string, generation: string): Promise<boolean>;
  /** Ends the lease and makes the staged generation obsolete. Does nothing if the lease is lost. */
  abandon(name: string, generation: string): Promise<void>;
  /** Returns replaced and abandoned generations and those with an expired lease, in the order of staging. */
  obsoleteGenerations(): Promise<ObsoleteGraphGeneration[]>;
  /** Deletes the record of an obsolete generation after its rows were removed. Ignores other generations. */
  deleteGeneration(generation: string): Promise<void>;
}
