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
  /** The configuration as people write it: the schema must take it, and fills in its defaults. Default `{}`. */
  readonly config?: unknown;
  /** Configurations that the schema must refuse: a wrong type, a value out of range, a misspelt name. */
  readonly refused?: readonly unknown[];
  /** Answers the connector's requests. Default: the global `fetch`. */
  readonly http?: typeof globalThis.fetch;
  /** All indexable objects of the source. */
  readonly objects: readonly KnownObject[];
  /** A path where nothing exists. */
  readonly absent: string;
  /**
   * Paths of objects that cannot be removed one by one, such as the rows of a table and its schema: if one goes, so do the
   * others of its list.
   */
  readonly coupled?: readonly (readonly string[])[];
  /** Replaces an object's content by one of another length. */
  change?(path: string): Promise<void>;
  /** Removes an object, and those that it is `coupled` with. */
  remove?(path: string): Promise<void>;
  /** Of an object made of records: changes one, adds one, and removes one. */
  changeRecords?(path: string): Promise<void>;
  /** Makes every cursor given out so far one that the source does not take any more. */
  expireCursors?(): Promise<void>;
  /** Has the source take another credential instead of the one in `config`; gives that, by its name there (`login.password`). */
  replaceCredential?(): Promise<Readonly<Record<string, string>>>;
  /** Of a source with tokens that are renewed: ends all access given so far, so that the next call has to renew. */
  expireAccess?(): Promise<void>;
  /** Canonical URI of an empty source with the same configuration. */
  readonly emptyTarget?: string;
  /** A target or configuration with which the source cannot be reached. */
  readonly unreachable?: { readonly target?: string; readonly config?: unknown };
  /** A credential in `unreachable.config` that must not appear in any message. */
  readonly secret?: string;
}

/**
 * What a case requires: an optional method of the connector, a capability, an optional member of the subject, or objects with
 * text in them.
 */
export type ConnectorNeed =
  | 'read'
  | 'records'
  | 'changes'
  | 'browse'
  | 'stat'
  | 'grep'
  | 'watch'
  | 'check'
  | 'close'
  | 'since'
  | 'paths'
  | 'threads'
  | 'keysOnly'
  | `grep.${keyof GrepCapabilities}`
  | 'texts'
  | 'recordTexts'
  | 'refused'
  | 'coupled'
  | 'change'
  | 'remove'
  | 'changeRecords'
  | 'expireCursors'
  | 'replaceCredential'
  | 'expireAccess'
  | 'emptyTarget'
  | 'unreachable'
  | 'secret';
