import type { SearchStatus } from './objects.js';

export type ConnectorStatus = 'active' | 'syncing' | 'removing' | 'error';

export interface ConnectorRecord {
  readonly id: string;
  /** Canonical URI; unique. */
  readonly rootUri: string;
  /** URI scheme. */
  readonly type: string;
  readonly status: ConnectorStatus;
  /** As registered: credential references stay references. */
  readonly config: Readonly<Record<string, unknown>> | null;
  /** The name of the stored tree that is current, for a source whose files a client sent; null for any other. */
  readonly tree: string | null;
  /** The cursor stored by the last sync that succeeded, wholly or in part. */
  readonly state: unknown;
  readonly registeredAt: number;
  /** When the last sync that succeeded, wholly or in part, ended. */
  readonly lastSyncedAt: number | null;
  /** Whether a job brought all of the source into the store's edition: it can be answered from that. */
  readonly isComplete: boolean;
  /** What is currently known to be wrong with the source; null when nothing is. */
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

export interface ConnectorStats {
  readonly connectorId: string;
  readonly objects: number;
  readonly chunks: number;
  readonly summaries: number;
  /** Number of objects by search status. */
  readonly bySearchStatus: Readonly<Partial<Record<SearchStatus, number>>>;
}

/** The registered sources. Which ones there are, their configuration and tree, and that one is being removed, is the same in all generations. */
export interface ConnectorRegistry {
  /** Inserts the connector, or returns the existing one with the same root URI. */
  register(connector: NewConnector): Promise<ConnectorRecord>;
  get(id: string): Promise<ConnectorRecord | null>;
  /** All connectors, by root URI. */
  list(): Promise<ConnectorRecord[]>;
  /** Marks it `removing`; false when it already was, or no longer exists. */
  beginRemoval(id: string): Promise<boolean>;
  /** Records what is wrong with a source and sets its status to `error`, unless it is `syncing` or `removing`. */
  reportProblem(id: string, problem: Problem): Promise<void>;
  /**
   * Deletes it with its objects, tasks and state; its jobs stay as history, live ones as `cancelled`. A power cut
   * afterwards does not bring it back.
   */
  delete(id: string): Promise<void>;
  /** For one connector, or for all. */
  stats(connectorId?: string): Promise<ConnectorStats[]>;
}
