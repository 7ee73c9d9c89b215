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
}

/** An error as stored. */
export interface Problem {
  readonly code: string;
  /** A sentence for people, free of secrets. */
  readonly detail: string;
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
  /** Returns all connectors, or those with the given ids, by root URI. Ignores unknown ids. */
  list(ids?: readonly string[]): Promise<ConnectorRecord[]>;
  /** Sets the status `removing`. Returns false if the connector already had it, or does not exist. */
  beginRemoval(id: string): Promise<boolean>;
  /** Stores a problem of a source and sets its status to `error`, unless it is `syncing` or `removing`. */
  reportProblem(id: string, problem: Problem): Promise<void>;
  /**
   * Deletes a connector with its objects, tasks and state. Its jobs stay as history, live ones as `cancelled`. A power
   * cut afterwards does not restore it.
   */
  delete(id: string): Promise<void>;
  /** Returns statistics of one connector or of all. */
  stats(connectorId?: string): Promise<ConnectorStats[]>;
}
