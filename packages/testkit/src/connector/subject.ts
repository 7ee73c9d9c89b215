import type { ConnectorPlugin, GrepCapabilities, SourceRecord } from '@trove/core';

/** An object of the source with its exact bytes or its records. */
export type KnownObject =
  | { readonly path: string; readonly bytes: Uint8Array }
  | { readonly path: string; readonly records: readonly SourceRecord[] };

/**
 * The input of the suite: the plugin, and a small source with known content. Use a new one for each case if it offers
 * `change` and `remove`. The source should have at least two objects, one of them a text of three or more lines, and
 * names as odd as possible (spaces, `#`, `%`, an emoji).
 */
export interface ConnectorSubject {
  /** The package's default export. */
  readonly plugin: ConnectorPlugin;
  /** Canonical URI of the source. */
  readonly target: string;
  /** The configuration as users write it. The schema must accept it and fills in its defaults. Default `{}`. */
  readonly config?: unknown;
  /** Configurations that the schema must reject: a wrong type, a value out of range, a misspelt name. */
  readonly refused?: readonly unknown[];
  /** Handles the connector's requests. Default: the HTTP client of the engine. */
  readonly http?: typeof globalThis.fetch;
  /** All indexable objects of the source. */
  readonly objects: readonly KnownObject[];
  /** A path where nothing exists. */
  readonly absent: string;
  /** Lists of paths that can only be removed together, such as the rows of a table and its schema. */
  readonly coupled?: readonly (readonly string[])[];
  /** Replaces an object's content by content of another length. */
  change?(path: string): Promise<void>;
  /** Removes an object and the objects `coupled` with it. */
  remove?(path: string): Promise<void>;
  /** For an object with records: changes one, adds one, and removes one. */
  changeRecords?(path: string): Promise<void>;
  /** The connector yields checkpoints. */
  readonly checkpoints?: true;
  /** Adds a message to the oldest thread of an object, and changes no other message. */
  addReply?(path: string): Promise<void>;
  /** Moves a folder with objects, which it does not change otherwise. */
  moveFolder?(): Promise<void>;
  /** Expires all cursors so far. */
  expireCursors?(): Promise<void>;
  /** Replaces a credential in the source and returns the new one by its path in `config` (`login.password`). */
  replaceCredential?(): Promise<Readonly<Record<string, string>>>;
  /** For a source with renewable tokens: ends all access, so that the next call has to renew it. */
  expireAccess?(): Promise<void>;
  /** Canonical URI of an empty source with the same configuration. */
  readonly emptyTarget?: string;
  /** A target or configuration of an unreachable source. */
  readonly unreachable?: { readonly target?: string; readonly config?: unknown };
  /** A credential in `unreachable.config` that must not appear in any message. */
  readonly secret?: string;
}

/**
 * A need of a case: an optional method of the connector, a capability, an optional member of the subject, or objects
 * with text.
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
  | 'explain'
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
  | 'checkpoints'
  | 'addReply'
  | 'moveFolder'
  | 'expireCursors'
  | 'replaceCredential'
  | 'expireAccess'
  | 'emptyTarget'
  | 'unreachable'
  | 'secret';
