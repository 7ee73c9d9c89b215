import type { ObjectStats } from './objects.js';

export type ConnectorStatus = 'active' | 'syncing' | 'removing' | 'error';

export interface ConnectorRecord {
  readonly id: string;
  /** Canonical URI; unique. */
  readonly rootUri: string;
  /** URI scheme. */
  readonly type: string;
  readonly status: ConnectorStatus;
  /** The configuration as registered. Credential references stay references. */
  readonly config: Readonly<Record<string, unknown>> | null;
  /** The name of the current tree of an uploaded source. Null for other sources. */
  readonly tree: string | null;
  /** The cursor of the last sync that succeeded, wholly or in part. */
  readonly state: unknown;
  readonly registeredAt: number;
  /** The end of the last sync that succeeded, wholly or in part. */
  readonly lastSyncedAt: number | null;
  /** Whether a job indexed the whole source in the store's generation, which can then answer for it. */
  readonly isComplete: boolean;
  /** The current problem of the source, or null. */
  readonly problem: Problem | null;
  /** The failed syncs since the last one that succeeded, wholly or in part. */
  readonly failures: number;
  /** The time of the first problem since the last sync that succeeded, wholly or in part. Null without one. */
  readonly failingSince: number | null;
  /** The last problem of the source, even after a later success. Null before the first. */
  readonly lastError: DatedProblem | null;
  /** The next time of its schedule. Null: not planned yet. */
  readonly nextSyncAt: number | null;
  /** Former root URIs, oldest first, that index rows of the store's generation may still have. */
  readonly movedFrom: readonly string[];
}

/** An error as stored. */
export interface Problem {
  readonly code: string;
  /** A sentence for people, free of secrets. */
  readonly detail: string;
}

export interface DatedProblem extends Problem {
  readonly at: number;
}

/** `tree`: default null. */
export type NewConnector = Pick<ConnectorRecord, 'id' | 'rootUri' | 'type' | 'config'> &
  Partial<Pick<ConnectorRecord, 'tree'>>;

export interface ConnectorStats extends ObjectStats {
  readonly connectorId: string;
  readonly summaries: number;
}

/**
 * The registered sources. All generations share the set of sources, their configurations and trees, and a running
 * removal.
 */
export interface ConnectorRegistry {
  /** Adds a connector, or returns the existing one with the same root URI. */
  register(connector: NewConnector): Promise<ConnectorRecord>;
  get(id: string): Promise<ConnectorRecord | null>;
  /** Returns the connectors with these root URIs, in any order. */
  findByRoot(rootUris: readonly string[]): Promise<ConnectorRecord[]>;
  /** Returns all connectors, or those with the given ids, by root URI. Ignores unknown ids. */
  list(ids?: readonly string[]): Promise<ConnectorRecord[]>;
  /** Returns the connectors whose next sync is planned for `time` or earlier, the earliest first. */
  listDue(time: number): Promise<ConnectorRecord[]>;
  /** Returns the connectors whose last sync failed, in any order. */
  listFailing(): Promise<ConnectorRecord[]>;
  /** Returns the connectors with former roots, in any order. Queries call it, so it must be cheap. */
  listMoved(): Promise<ConnectorRecord[]>;
  /** Returns the connectors whose configuration has `watch: true`, in any order. Called every few seconds. */
  listWatched(): Promise<ConnectorRecord[]>;
  /** Sets the status `removing`. Returns false if the connector already had it, or does not exist. */
  beginRemoval(id: string): Promise<boolean>;
  /** Replaces the configuration and removes the planned sync. Unlike a job with a configuration, keeps the cursor. */
  configure(id: string, config: ConnectorRecord['config']): Promise<void>;
  /** Plans the next sync of a source, unless one is planned. */
  planSync(id: string, at: number): Promise<void>;
  /** Stores a problem of a source and sets its status to `error`, unless it is `syncing` or `removing`. */
  reportProblem(id: string, problem: Problem): Promise<void>;
  /** Clears `movedFrom`, unless the connector has moved since it was read. */
  endMove(connector: Pick<ConnectorRecord, 'id' | 'movedFrom'>): Promise<void>;
  /**
   * Deletes a connector with its objects, tasks and state. Its jobs stay as history, live ones as `cancelled`. A power
   * cut afterwards does not restore it.
   */
  delete(id: string): Promise<void>;
  /** Returns statistics of one connector or of all. */
  stats(connectorId?: string): Promise<ConnectorStats[]>;
}
