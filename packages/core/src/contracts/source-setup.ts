/** The few questions with which people set up a source. Other settings keep their defaults. */
export interface SourceSetup {
  readonly address: AddressQuestion;
  /** In the order in which they are asked. */
  readonly questions: readonly (SetupChoice | SetupQuestion)[];
}

/** Asks for the part of the URI after `scheme://`. */
export interface AddressQuestion {
  /** `Repository (owner/name, or its web address)` */
  readonly ask: string;
  /** The proposed answer, if any name is possible. */
  readonly initial?: string;
  /** Understands an answer, also the address of a web page. Returns a sentence about a wrong answer. */
  read(text: string): SetupAddress | string;
}

export interface SetupAddress {
  /** The part of the URI after `scheme://`. */
  readonly address: string;
  /** Settings that follow from the answer, such as the address of a server of one's own. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** Asks for one setting at the top level of the configuration. */
export interface SetupQuestion {
  readonly setting: string;
  /** `Access token` */
  readonly ask: string;
  /** Where people find the answer, and the rights that a token needs. */
  readonly help?: string;
  /** The consequence of an empty answer, which is then allowed: `public repositories only`. */
  readonly ifEmpty?: string;
  /** The answer is a path, and the setting becomes a reference to the file. For secrets that are files. */
  readonly isFile?: boolean;
  /** Whether it is asked, given the settings so far. Default: always. */
  when?(config: Readonly<Record<string, unknown>>): boolean;
}

/** Lets people choose between groups of questions. */
export interface SetupChoice {
  readonly ask: string;
  readonly choices: readonly {
    readonly label: string;
    readonly hint?: string;
    readonly questions: readonly SetupQuestion[];
  }[];
}
