/** Identified by position: `trove cat PATH`. */
interface Positional {
  readonly type: 'positional';
  readonly description: string;
  /** Default true. */
  readonly required?: boolean;
  /** The last one may be given several times. */
  readonly repeats?: boolean;
  /** `a|b` lists all there are. */
  readonly valueHint?: string;
  readonly completes?: Completes;
}

/** What a shell offers for a value: objects and folders of sources, local files, or names from elsewhere. */
export type Completes = 'object' | 'source' | 'file' | 'profile' | 'job';

/** An option with a value: `-n, --lines N`. */
interface TextOption {
  readonly type: 'string';
  readonly description: string;
  /** The one-letter form. */
  readonly alias?: string;
  /** What the help calls the value; `a|b` lists all there are. */
  readonly valueHint?: string;
  /** May be given several times. */
  readonly repeats?: boolean;
  readonly completes?: Completes;
}

/** An option without a value. If it is true unless `--no-NAME` is given, its `default` says so. */
interface Flag {
  readonly type: 'boolean';
  readonly description: string;
  readonly alias?: string;
  readonly default?: boolean;
}

export type Option = TextOption | Flag;
export type ArgumentDef = Positional | Option;

/** The arguments of a command, by name. */
export type ArgumentDefs = Readonly<Record<string, ArgumentDef>>;
