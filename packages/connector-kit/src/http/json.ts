/** Returns the member of an object or of a list, also by a number. Undefined if there is none. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

/** Returns the value at a path such as `data.items`, `labels[].name` (a list) or `.` (the value itself). */
export function valueAt(value: unknown, path: string): unknown {
  if (path === '.' || path === '') return value;
  const [first = '', ...rest] = path.split('.');
  const takesList = first.endsWith('[]');
  const found = memberOf(value, takesList ? first.slice(0, -2) : first);
  if (!takesList) return rest.length === 0 ? found : valueAt(found, rest.join('.'));
  const items: readonly unknown[] = Array.isArray(found) ? found : [];
  if (rest.length === 0) return items;
  return items.map((item) => valueAt(item, rest.join('.'))).filter((item) => item !== undefined);
}

/** Returns a scalar as a text. Undefined for other values. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? String(value)
    : undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a condition of a description holds: true, a number other than zero, a text or list that is not empty, an object. */
export function isTruthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** Returns an object with some of the members of a value. */
export function pick(value: unknown, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const member = memberOf(value, name);
      return member === undefined ? [] : [[name, member]];
    }),
  );
}

/** Narrows a union with lists, which `Array.isArray` does not do for read-only ones. */
export function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}
