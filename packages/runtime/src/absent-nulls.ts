import type { JsonSchema } from '@trove/core';

/**
 * Removes null from optional properties whose schema does not allow null, in place. Such a null counts as
 * absent.
 */
export function dropNulls(schema: JsonSchema, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const option of [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
    if (Array.isArray(value)) dropInItems(option, value);
    else dropInProperties(option, value);
  }
}

function dropInItems({ items }: JsonSchema, values: readonly unknown[]): void {
  if (items !== undefined) for (const value of values) dropNulls(items, value);
}

function dropInProperties({ properties = {}, required = [] }: JsonSchema, object: object): void {
  for (const [name, value] of Object.entries(object)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema === undefined) continue;
    if (value !== null) dropNulls(schema, value);
    else if (!required.includes(name) && !mayBeNull(schema)) Reflect.deleteProperty(object, name);
  }
}

function mayBeNull(schema: JsonSchema): boolean {
  const { type, enum: values, const: only, anyOf, oneOf } = schema;
  const options = anyOf ?? oneOf;
  if (options !== undefined) return options.some(mayBeNull);
  if (values !== undefined) return values.includes(null);
  if (only !== undefined) return only === null;
  return type === undefined || type === 'null' || (Array.isArray(type) && type.includes('null'));
}
