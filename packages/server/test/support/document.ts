export type Json = Readonly<Record<string, unknown>>;

/** A value that must be an object. */
export function record(value: unknown): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('not an object');
  }
  return value as Json;
}

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operation: Json;
}

export function operationsOf(document: Json): Operation[] {
  return Object.entries(record(document['paths'])).flatMap(([path, item]) =>
    Object.entries(record(item)).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: record(operation),
    })),
  );
}
