import type { FileState } from './file-state.js';

export type SqliteRow = Readonly<Record<string, unknown>>;
export type SqliteParameters = Readonly<Record<string, string | number | Buffer | null>>;

/** A task for one connection of the process. `state` needs no connection. */
export type SqliteTask =
  | { readonly task: 'state'; readonly path: string }
  | { readonly task: 'open'; readonly url: string }
  | { readonly task: 'all'; readonly sql: string; readonly parameters: SqliteParameters }
  | { readonly task: 'interrupt' | 'close' };

export type SqliteRequest = SqliteTask & { readonly id: number; readonly connection: number };

export type SqliteResponse =
  | { readonly id: number; readonly rows: SqliteRow[] }
  | { readonly id: number; readonly state: FileState }
  | {
      readonly id: number;
      readonly error: { readonly code: string | null; readonly message: string };
    };
