import type { AskResponse } from './schemas.js';

/** Options of a call. Aborting `signal` ends only this call, with the signal's reason. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Name of the caller, for the log of changes of tokens. */
  readonly caller?: string;
}

/** A part of an answer that is known before the whole. The answer itself is the result of the call. */
export type AskEvent =
  | {
      /** The passages that are considered. Comes once. */
      readonly event: 'passages';
      readonly data: Pick<AskResponse, 'passages'>;
    }
  | {
      /** Further text of a language model. Its citations are verified. */
      readonly event: 'text';
      readonly data: { readonly text: string };
    }
  | {
      /** The language model starts again, so the text so far is void. */
      readonly event: 'restart';
      readonly data: Readonly<Record<string, never>>;
    };

/** Receives events in order. The model waits for the promise before it writes on. An error ends the call. */
export type OnAskEvent = (event: AskEvent) => void | Promise<void>;

export interface AskCallOptions extends CallOptions {
  readonly onEvent?: OnAskEvent;
}

/** The text of an object of any size, in pieces. The source stays open until the iterator ends or is closed. */
export interface Export {
  /** Canonical URI of the object. */
  readonly source: string;
  /** The source returned only part of the object. */
  readonly partial: boolean;
  readonly content: AsyncIterable<string>;
}

/** The text of an object, or the problem that prevented reading it. */
export type SourceText =
  | {
      /** Canonical URI of the object. */
      readonly source: string;
      readonly title: string | null;
      /** The text. Documents are converted to Markdown. */
      readonly text: string;
    }
  | {
      readonly source: string;
      readonly problem: { readonly code: string; readonly detail: string };
    };

export interface TextsOptions extends CallOptions {
  /** Selects objects by their path below the target. Default: all. */
  readonly filter?: ((path: string) => boolean) | undefined;
  /** Maximum time for one object in milliseconds, except for tables. Other objects continue. Default 600,000. */
  readonly timeoutMs?: number | undefined;
}
