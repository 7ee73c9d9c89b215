/** Identified by position: `trove cat PATH`. */
interface Positional<Kind extends string> {
  readonly type: 'positional';
  readonly description: string;
  /** The API parameter of this value. Default: the argument's name with underscores. */
  readonly parameter?: string;
  /** Default true. */
  readonly required?: boolean;
  /** The last argument may be repeated. */
  readonly repeats?: boolean;
  /** `a|b` lists all values. */
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
  /** The name of the value in the help. `a|b` lists all values. */
  readonly valueHint?: string;
  /** The option may be repeated. */
  readonly repeats?: boolean;
  readonly completes?: Kind | 'file';
}

/** An option without a value. Set `default` to true for flags that `--no-NAME` turns off. */
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

/** The arguments of a command, by name. `Kind` names what a shell can complete besides local files. */
export type ArgumentDefs<Kind extends string = string> = Readonly<
  Record<string, ArgumentDef<Kind>>
>;

/** Returns the option that a word names: `--top-k`, `-k`, or the last letter of `-il`. */
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
