/** A place in a text. */
export interface Span {
  readonly at: number;
  readonly length: number;
}
