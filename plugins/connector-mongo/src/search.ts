import { Binary, Decimal128, ObjectId, UUID, type Document } from 'mongodb';

import { escapeRegExp } from './ids.js';
import {
  filterPathOf,
  formatPath,
  type InferredField,
  type InferredSchema,
} from './inferred-schema.js';

const numbers = ['int', 'long', 'double', 'decimal'];
const maxPathsNamed = 5;

/** Returns a filter for texts that contain this one, and for numbers, identifiers and dates that equal it. Null if none can match. */
export function searchFilterOf(schema: InferredSchema, text: string): Document | null {
  const exactValues = parseSearchValues(text);
  const conditions = [...groupTypesByPath(schema.fields)].flatMap(([path, types]) => {
    const pathConditions: Document[] = [];
    if (types.has('string')) pathConditions.push({ [path]: { $regex: escapeRegExp(text) } });
    const matching = exactValues.filter(({ of }) => of.some((type) => types.has(type)));
    if (matching.length > 0)
      pathConditions.push({ [path]: { $in: matching.map(({ value }) => value) } });
    return pathConditions;
  });
  return conditions.length === 0 ? null : { $or: conditions };
}

/** Names the parts of a collection that a search omits. Returns null if there are none. */
export function describeUnsearched(schema: InferredSchema): string | null {
  const inexpressible = schema.fields.filter(({ path }) => filterPathOf(path) === null);
  const names = inexpressible.slice(0, maxPathsNamed).map(({ path }) => formatPath(path));
  const more =
    inexpressible.length > names.length ? ` and ${inexpressible.length - names.length} more` : '';
  const parts = [
    ...(inexpressible.length === 0
      ? []
      : [`the fields ${names.join(', ')}${more}, whose names a query cannot express`]),
    ...(schema.isTruncated ? ['fields beyond the first 1,000'] : []),
  ];
  return parts.length === 0 ? null : parts.join(' and ');
}

/** Returns the types of each path that a filter can express. */
function groupTypesByPath(fields: readonly InferredField[]): Map<string, Set<string>> {
  const paths = new Map<string, Set<string>>();
  for (const { path, types } of fields) {
    const name = filterPathOf(path);
    if (name === null) continue;
    const all = paths.get(name) ?? new Set();
    for (const type of types.keys()) all.add(type);
    paths.set(name, all);
  }
  return paths;
}

/** Returns the values that are shown as exactly this text. */
function parseSearchValues(
  text: string,
): { readonly of: readonly string[]; readonly value: unknown }[] {
  if (/^[0-9a-f]{24}$/.test(text)) return [{ of: ['objectId'], value: new ObjectId(text) }];
  if (/^-?\d{1,34}(?:\.\d{1,15})?$/.test(text))
    return [
      { of: numbers, value: Number(text) },
      { of: numbers, value: Decimal128.fromString(text) },
    ];
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text))
    return [{ of: ['binData'], value: new UUID(text).toBinary() satisfies Binary }];
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text);
  const time = new Date(isTime ? text : NaN);
  return Number.isNaN(time.getTime()) ? [] : [{ of: ['date'], value: time }];
}
