import type { ConnectorPlugin, SourceRecord } from '@trove/core';

/** An object of the world that a subject stands in: its exact bytes, or its records. */
export type KnownObject =
  | { readonly path: string; readonly bytes: Uint8Array }
  | { readonly path: string; readonly records: readonly SourceRecord[] };

/**
 * What an author hands to the suite: the plugin, and a small source whose content is known. Give each case a fresh
 * one where `change` and `remove` are offered. The world should hold at least two objects, one of them a text of
 * three lines or more, and names as odd as the source allows (spaces, `#`, `%`, an emoji).
 */
export interface ConnectorSubject {
  /** What the package exports by default. */
  readonly plugin: ConnectorPlugin;
  /** Canonical URI of the source. */
  readonly target: string;
  /** The configuration, defaults filled in. Default `{}`. */
  readonly config?: unknown;
  /** Answers the connector's requests. Default: the real one. */
  readonly fetch?: typeof globalThis.fetch;
  /** All objects of the source that are to be indexed. */
  readonly objects: readonly KnownObject[];
  /** A path where there is nothing. */
  readonly absent: string;
  /** Gives an object another content of another length. */
  change?(path: string): Promise<void>;
  remove?(path: string): Promise<void>;
  /** Canonical URI of a source without objects, for the same configuration. */
  readonly emptyTarget?: string;
  /** A target or a configuration with which the source cannot be reached. */
  readonly unreachable?: { readonly target?: string; readonly config?: unknown };
  /** A credential in `unreachable.config`: it must not turn up in any message. */
  readonly secret?: string;
}

/** What a case takes: an optional method of the connector, a capability, or an optional member of the subject. */
export type ConnectorNeed =
  | 'read'
  | 'records'
  | 'changes'
  | 'browse'
  | 'stat'
  | 'grep'
  | 'check'
  | 'explain'
  | 'close'
  | 'since'
  | 'change'
  | 'remove'
  | 'emptyTarget'
  | 'unreachable'
  | 'secret';
