/** The text of an object, or why it has none. */
export type ReaderText =
  | {
      /** Canonical URI. */
      readonly source: string;
      readonly title: string | null;
      readonly text: string;
    }
  | {
      readonly source: string;
      readonly problem: { readonly code: string; readonly detail: string };
    };

export interface ReaderOptions {
  /** Selects objects by their path below the target. Default: all. */
  readonly filter?: ((path: string) => boolean) | undefined;
  /** Time limit for one object, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Reads local files and folders, and registered sources. */
export interface SourceReader {
  /**
   * Yields the objects at or below a URI or an absolute path, with documents as Markdown. Skips ignored and too large
   * objects. Throws `not_found`, `path_not_allowed` and the errors of opening a source.
   */
  texts(target: string, options: ReaderOptions): AsyncIterable<ReaderText>;
}
