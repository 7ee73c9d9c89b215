import type { ConnectorPlugin, GrepCapabilities, SourceRecord } from '@trove/core';

/** An object in the subject's world: its exact bytes, or its records. */
export type KnownObject =
  | { readonly path: string; readonly bytes: Uint8Array }
  | { readonly path: string; readonly records: readonly SourceRecord[] };

/**
 * What an author passes to the suite: the plugin, and a small source with known content. Use a fresh one for each case
 * if it offers `change` and `remove`. The world should have at least two objects, one of them a text of three lines or
 * more, and names as odd as the source allows (spaces, `#`, `%`, an emoji).
 */
export interface ConnectorSubject {
  /** The package's default export. */
  readonly plugin: ConnectorPlugin;
  /** Canonical URI of the source. */
  readonly target: string;
  /** The configuration, with defaults filled in. Default `{}`. */
  readonly config?: unknown;
  /** Answers the connector's requests. Default: the global `fetch`. */
  readonly http?: typeof globalThis.fetch;
  /** All indexable objects of the source. */
  readonly objects: readonly KnownObject[];
  /** A path where nothing exists. */
  readonly absent: string;
  /** Replaces an object's content by one of another length. */
  change?(path: string): Promise<void>;
  remove?(path: string): Promise<void>;
  /** Of an object made of records: changes one, adds one, and removes one. */
  changeRecords?(path: string): Promise<void>;
  /** Makes every cursor given out so far one that the source does not take any more. */
  expireCursors?(): Promise<void>;
  /** Canonical URI of an empty source with the same configuration. */
  readonly emptyTarget?: string;
  /** A target or configuration with which the source cannot be reached. */
  readonly unreachable?: { readonly target?: string; readonly config?: unknown };
  /** A credential in `unreachable.config` that must not appear in any message. */
  readonly secret?: string;
}

/** What a case requires: an optional method of the connector, a capability, or an optional member of the subject. */
export type ConnectorNeed =
  | 'read'
  | 'records'
  | 'changes'
  | 'browse'
  | 'stat'
  | 'grep'
  | 'check'
  | 'close'
  | 'since'
  | 'paths'
  | 'threads'
  | 'keysOnly'
  | `grep.${keyof GrepCapabilities}`
  | 'change'
  | 'remove'
  | 'changeRecords'
  | 'expireCursors'
  | 'emptyTarget'
  | 'unreachable'
  | 'secret';
