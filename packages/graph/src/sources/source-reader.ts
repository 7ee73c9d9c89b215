/** An object of a source as text, or why it has none. */
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
  /** Which objects are wanted, by their path below the target; default: all. */
  readonly matches?: ((path: string) => boolean) | undefined;
  /** How long one object may take, in milliseconds. */
  readonly maxMs: number;
  readonly signal: AbortSignal;
}

/** Reads the sources that the application knows: folders and files of this machine, and registered sources. */
export interface SourceReader {
  /**
   * The objects at or below a URI or an absolute path, documents converted to Markdown; what is ignored or too large is
   * left out. Throws `not_found`, `path_not_allowed` and whatever opening a source throws.
   */
  texts(target: string, options: ReaderOptions): AsyncIterable<ReaderText>;
}
