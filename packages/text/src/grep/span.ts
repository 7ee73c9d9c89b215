/** A range of a text. */
export interface MatchSpan {
  readonly at: number;
  readonly length: number;
}
