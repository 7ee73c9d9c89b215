/** A table of TOML or an object of JSON. */
export type ConfigTable = Readonly<Record<string, unknown>>;

export function isTable(value: unknown): value is ConfigTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text in a configuration, and the keys that lead to it. */
export interface TextPlace {
  readonly path: readonly string[];
  readonly text: string;
}

/** Yields all texts in tables and lists. */
export function* textsIn(value: unknown, path: readonly string[] = []): Generator<TextPlace> {
  if (typeof value === 'string') yield { path, text: value };
  else if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value)) yield* textsIn(member, [...path, key]);
}
