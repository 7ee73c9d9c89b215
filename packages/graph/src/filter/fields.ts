import type { JsonScalar } from '@trove/core';

type DocumentMetadata = Readonly<Record<string, unknown>>;

const maxDepth = 8;

/**
 * Returns a metadata field by name or path (`address.city`), with lists and objects as JSON. Returns undefined for a
 * missing field.
 */
export function fieldOf(metadata: DocumentMetadata, name: string): JsonScalar | undefined {
  if (Object.hasOwn(metadata, name)) return toScalar(metadata[name]);
  for (let dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) {
    const head = name.slice(0, dot);
    if (!Object.hasOwn(metadata, head)) continue;
    const inner: unknown = metadata[head];
    const found = isObject(inner) ? fieldOf(inner, name.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the metadata as fields of an index row. */
export function indexFields(metadata: DocumentMetadata): Record<string, JsonScalar> {
  const fields = leaves(metadata, '', 0);
  return Object.fromEntries(fields.map(({ name, value }) => [indexField(name), value]));
}

/** Returns the index field of a metadata field. The prefix avoids the index's own columns, such as `title`. */
export function indexField(name: string): string {
  return `metadata.${name}`;
}

/** Returns the names and paths that filters can use. */
export function fieldNames(metadata: DocumentMetadata): string[] {
  return leaves(metadata, '', 0).map(({ name }) => name);
}

function leaves(
  metadata: DocumentMetadata,
  prefix: string,
  depth: number,
): { name: string; value: JsonScalar }[] {
  return Object.entries(metadata).flatMap(([key, value]) => {
    const name = prefix + key;
    if (isObject(value) && depth < maxDepth) return leaves(value, `${name}.`, depth + 1);
    return { name, value: toScalar(value) };
  });
}

function toScalar(value: unknown): JsonScalar {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  return value === null || value === undefined ? null : JSON.stringify(value);
}

function isObject(value: unknown): value is DocumentMetadata {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
