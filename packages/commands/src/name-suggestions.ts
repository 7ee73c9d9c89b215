/** What people know from other programs, and what they mean here. */
export interface NameSuggestions {
  /** Commands such as `trove index`, and the command to suggest instead. */
  readonly commands: ReadonlyMap<string, string>;
  /** Long options without their dashes, and what to write instead. */
  readonly options: ReadonlyMap<string, string>;
  /** Names of one option elsewhere. The first of `ours` that a command has is suggested. */
  readonly synonyms: readonly {
    readonly names: ReadonlySet<string>;
    readonly ours: readonly string[];
  }[];
}
