/** Identified by position: `trove cat PATH`. */
interface Positional<Kind extends string> {
  readonly type: 'positional';
  readonly description: string;
  /** The parameter of an API that has the value. Default: the argument's name with underscores. */
  readonly parameter?: string;
  /** Default true. */
  readonly required?: boolean;
  /** The last one may be given several times. */
  readonly repeats?: boolean;
  /** `a|b` lists all there are. */
  readonly valueHint?: string;
  readonly completes?: Kind | 'file';
}

/** An option with a value: `-n, --lines N`. */
interface TextOption<Kind extends string> {
  readonly type: 'string';
  readonly description: string;
  /** As for a positional argument. */
  readonly parameter?: string;
  /** The one-letter form. */
  readonly alias?: string;
  /** What the help calls the value; `a|b` lists all there are. */
  readonly valueHint?: string;
  /** May be given several times. */
  readonly repeats?: boolean;
  readonly completes?: Kind | 'file';
}

/** An option without a value. If it is true unless `--no-NAME` is given, its `default` says so. */
interface Flag {
  readonly type: 'boolean';
  readonly description: string;
  /** As for a positional argument. */
  readonly parameter?: string;
  readonly alias?: string;
  readonly default?: boolean;
}

export type Option<Kind extends string = string> = TextOption<Kind> | Flag;
export type ArgumentDef<Kind extends string = string> = Positional<Kind> | Option<Kind>;

/** The arguments of a command, by name. `Kind` is what a shell can complete besides local files. */
export type ArgumentDefs<Kind extends string = string> = Readonly<
  Record<string, ArgumentDef<Kind>>
>;

/** The option that a word names: `--top-k`, `-k`, or the last letter of `-il`. */
export function optionNamed(word: string, defs: ArgumentDefs): Option | undefined {
  if (!word.startsWith('-')) return undefined;
  const options = Object.entries(defs).flatMap(([name, def]) =>
    def.type === 'positional' ? [] : [{ name, def }],
  );
  const isNamed = word.startsWith('--')
    ? ({ name }: (typeof options)[number]) => `--${name}` === word
    : ({ def }: (typeof options)[number]) => def.alias !== undefined && word.endsWith(def.alias);
  return options.find(isNamed)?.def;
}
