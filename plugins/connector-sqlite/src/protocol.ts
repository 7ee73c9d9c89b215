import type { FileState } from './stamp.js';

export type Row = Readonly<Record<string, unknown>>;
export type Parameters = Readonly<Record<string, string | number | Buffer | null>>;

/** What the process of a source is asked, of one of its connections; `state` is asked of a file. */
export type Task =
  | { readonly task: 'state'; readonly path: string }
  | { readonly task: 'open'; readonly url: string }
  | { readonly task: 'all'; readonly sql: string; readonly parameters: Parameters }
  | { readonly task: 'interrupt' | 'close' };

export type Request = Task & { readonly id: number; readonly connection: number };

export type Answer =
  | { readonly id: number; readonly rows: Row[] }
  | { readonly id: number; readonly state: FileState }
  | {
      readonly id: number;
      readonly error: { readonly code: string | null; readonly message: string };
    };
