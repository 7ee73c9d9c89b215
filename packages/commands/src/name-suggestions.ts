/** Names that people know from other programs, and what to suggest instead. */
export interface NameSuggestions {
  /** Commands such as `trove index`, and the command to suggest instead. */
  readonly commands: ReadonlyMap<string, string>;
  /** Long options without their dashes, and what to write instead. */
  readonly options: ReadonlyMap<string, string>;
  /** Names that other programs use for one option. The first of `ownNames` that the command has is suggested. */
  readonly synonyms: readonly {
    readonly names: ReadonlySet<string>;
    readonly ownNames: readonly string[];
  }[];
}
