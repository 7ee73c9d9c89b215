import type { Rights } from './rights.js';

/** What a caller may do and see. */
export interface Access {
  readonly rights: Rights;
  /** Canonical URIs of sources, folders and objects. These and everything below them are visible. Null: all. */
  readonly paths: readonly string[] | null;
}

/** A caller with a valid token. */
export interface Caller {
  /** For the log. */
  readonly name: string;
  readonly access: Access;
}

/** The access of an application that embeds the engine, and of the server's own token. */
export const fullAccess: Access = { rights: 'admin', paths: null };
