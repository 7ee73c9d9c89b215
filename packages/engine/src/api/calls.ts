/** A signal for this call: aborting it ends the call with the signal's reason; the engine continues. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/**
 * An object's text in pieces, for objects of any size. Iterate to the end or close the iterator: until then it holds
 * the source open.
 */
export interface Export {
  /** Canonical URI of the object. */
  readonly source: string;
  /** The source returned less than the whole object. */
  readonly partial: boolean;
  readonly content: AsyncIterable<string>;
}

/** The text of an object, or why there is none. */
export type SourceText =
  | {
      /** Canonical URI of the object. */
      readonly source: string;
      readonly title: string | null;
      /** Documents are converted to Markdown. */
      readonly text: string;
    }
  | {
      readonly source: string;
      readonly problem: { readonly code: string; readonly detail: string };
    };

export interface TextsOptions extends CallOptions {
  /** Which objects are wanted, by their path below the target; default: all. */
  readonly filter?: ((path: string) => boolean) | undefined;
  /** How long one object may take, in milliseconds, beside tables; the others go on. Default 600,000. */
  readonly timeoutMs?: number | undefined;
}
