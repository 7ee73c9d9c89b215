import { parameters } from '@trove/client/parameters';

type ParameterTable = typeof parameters;
type OperationName = keyof ParameterTable;

/** The names of parameters that a request may omit. */
type Optional<O extends OperationName> = {
  [N in keyof ParameterTable[O]]: ParameterTable[O][N] extends { readonly required: false }
    ? N
    : never;
}[keyof ParameterTable[O]] &
  string;

/** An option of a command, with a value or without. */
type ParameterOption =
  | {
      readonly type: 'string';
      readonly description: string;
      readonly parameter?: string;
      readonly alias?: string;
      readonly valueHint?: string;
      readonly repeats?: boolean;
      readonly completes?: 'source';
    }
  | {
      readonly type: 'boolean';
      readonly description: string;
      readonly parameter?: string;
      readonly alias?: string;
      readonly default?: boolean;
    };

/** The differences between an option and its parameter. */
interface OptionOverride {
  /** Default: the parameter's name with hyphens. */
  readonly name?: string;
  readonly alias?: string;
  readonly valueHint?: string;
  readonly completes?: 'source';
  /** Default: the parameter's description. */
  readonly description?: string;
}

type OptionOverrides<O extends OperationName> = { readonly [N in Optional<O>]?: OptionOverride };

type Hyphenated<N extends string> = N extends `${infer A}_${infer B}` ? `${A}-${Hyphenated<B>}` : N;

type OptionName<N extends string, C> = N extends keyof C
  ? C[N] extends { readonly name: infer Name extends string }
    ? Name
    : Hyphenated<N>
  : Hyphenated<N>;

type Value<P> = P extends { readonly enum: readonly (infer E)[] }
  ? E
  : P extends { readonly type: 'boolean' }
    ? boolean
    : P extends { readonly type: 'integer' }
      ? number
      : P extends { readonly type: 'array' }
        ? string[]
        : string;

/** The values of a command line. */
interface ArgumentValues<N extends string> {
  text(name: N): string | undefined;
  texts(name: N): readonly string[];
  optionalFlag(name: N): boolean | undefined;
  integer(name: N): number | undefined;
  oneOf(name: N, choices: readonly string[]): string | undefined;
}

/** The options of a command for the parameters of an operation. */
interface Options<O extends OperationName, N extends Optional<O>, C> {
  readonly args: { readonly [K in N as OptionName<K, C>]: ParameterOption };
  /** Returns the parameters of a request. Throws a UsageError for an invalid value. */
  request(values: ArgumentValues<OptionName<N, C>>): {
    [K in N]?: Value<ParameterTable[O][K]> | undefined;
  };
}

/** A parameter of the generated table. */
interface Parameter {
  readonly type: string;
  readonly required: boolean;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly maximum?: number;
}

interface OptionRow extends OptionOverride {
  readonly parameter: Parameter;
  readonly key: string;
  readonly name: string;
}

/**
 * Creates options for the optional parameters of an operation, except those in `omit`. New parameters of the API become
 * options automatically.
 */
export function optionsOf<
  O extends OperationName,
  const X extends Optional<O> = never,
  const C extends OptionOverrides<O> = OptionOverrides<O>,
>(
  operation: O,
  options: { readonly omit?: readonly X[]; readonly change?: C },
): Options<O, Exclude<Optional<O>, X>, C>;
export function optionsOf(
  operation: OperationName,
  {
    omit = [],
    change = {},
  }: {
    readonly omit?: readonly string[];
    readonly change?: Readonly<Record<string, OptionOverride>>;
  },
) {
  const rows = Object.entries<Parameter>(parameters[operation]).flatMap(
    ([key, parameter]): OptionRow[] =>
      parameter.required || omit.includes(key)
        ? []
        : [{ name: key.replaceAll('_', '-'), ...change[key], key, parameter }],
  );
  return {
    args: Object.fromEntries(rows.map((row) => [row.name, optionOf(row)])),
    request: (values: ArgumentValues<string>) =>
      Object.fromEntries(rows.map((row) => [row.key, valueOf(row, values)])),
  };
}

function optionOf(row: OptionRow): ParameterOption {
  const { key, name, parameter, alias, valueHint, completes } = row;
  const common = {
    description: row.description ?? describe(parameter),
    ...(name === key.replaceAll('_', '-') ? {} : { parameter: key }),
    ...(alias === undefined ? {} : { alias }),
  };
  if (parameter.type === 'boolean') {
    const isOn = parameter.default === true;
    return { type: 'boolean', ...common, ...(isOn ? { default: true } : {}) };
  }
  const hint =
    valueHint ?? parameter.enum?.join('|') ?? (parameter.type === 'integer' ? 'N' : undefined);
  return {
    type: 'string',
    ...common,
    ...(hint === undefined ? {} : { valueHint: hint }),
    ...(parameter.type === 'array' ? { repeats: true } : {}),
    ...(completes === undefined ? {} : { completes }),
  };
}

/** Returns `Maximum number of hits (default 10, at most 1,000)`. */
function describe({ description = '', default: preset, maximum }: Parameter): string {
  const hasDefault =
    typeof preset === 'number' ? preset !== 0 : typeof preset === 'string' && preset !== '';
  const facts = [
    ...(hasDefault ? [`default ${String(preset)}`] : []),
    ...(maximum === undefined ? [] : [`at most ${maximum.toLocaleString('en')}`]),
  ];
  const text = description.replace(/\.$/, '');
  return facts.length === 0 ? text : `${text} (${facts.join(', ')})`;
}

/** Returns undefined for an option without a value, and for a default that the server has, too. */
function valueOf({ name, parameter }: OptionRow, values: ArgumentValues<string>): unknown {
  if (parameter.enum !== undefined) return values.oneOf(name, parameter.enum);
  if (parameter.type === 'integer') return values.integer(name);
  if (parameter.type === 'array') {
    const texts = values.texts(name);
    return texts.length === 0 ? undefined : texts;
  }
  if (parameter.type !== 'boolean') return values.text(name);
  const choice = values.optionalFlag(name);
  return choice === parameter.default ? undefined : choice;
}
