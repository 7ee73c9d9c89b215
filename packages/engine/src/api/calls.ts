/** Options of a call. Aborting `signal` ends only this call, with the signal's reason. */
export interface CallOptions {
  readonly signal?: AbortSignal;
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
