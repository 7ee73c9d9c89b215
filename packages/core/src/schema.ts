/** The subset of JSON Schema (2020-12) for configurations, requests and responses. */
export interface JsonSchema {
  readonly type?: JsonTypeName | readonly JsonTypeName[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Marks a secret. Displayed configurations show `***`. */
  readonly writeOnly?: boolean;
}

export type JsonTypeName =
  | 'string'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'null'
  | 'array'
  | 'object';

export type JsonScalar = string | number | boolean | null;

/** The value of a filterable field: one value or a list without nulls. */
export type FieldValue = JsonScalar | readonly Exclude<JsonScalar, null>[];

type TypeByName<S> = {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
  array: S extends { readonly items: infer I } ? Infer<I>[] : unknown[];
  object: InferObject<S>;
};

type InferObject<S> = S extends { readonly properties: infer P }
  ? Simplify<
      { [K in keyof P as K extends PresentKeys<S, P> ? K : never]: Infer<P[K]> } & {
        [K in keyof P as K extends PresentKeys<S, P> ? never : K]?: Infer<P[K]>;
      }
    >
  : S extends { readonly additionalProperties: infer A extends JsonSchema }
    ? Record<string, Infer<A>>
    : Record<string, unknown>;

/** The properties that exist after validation: required ones and those with a default. */
type PresentKeys<S, P> =
  | (S extends { readonly required: readonly (infer R)[] } ? R : never)
  | { [K in keyof P]: P[K] extends { readonly default: unknown } ? K : never }[keyof P];

type Simplify<T> = { [K in keyof T]: T[K] } & {};

/** The type of the values that a schema accepts, with defaults filled in. Declare the schema `as const`. */
export type Infer<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly oneOf: readonly (infer O)[] }
      ? Infer<O>
      : S extends { readonly anyOf: readonly (infer O)[] }
        ? Infer<O>
        : S extends { readonly type: readonly (infer N extends JsonTypeName)[] }
          ? TypeByName<S>[N]
          : S extends { readonly type: infer N extends JsonTypeName }
            ? TypeByName<S>[N]
            : unknown;
