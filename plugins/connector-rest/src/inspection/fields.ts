import { isTable, type ConfigTable } from '../tables.js';

/** A value that items of a list have. */
export interface FoundField {
  /** `user.name`, `labels[].name`. */
  readonly path: string;
  /** The values that are present. Those of a list are its elements. */
  readonly values: readonly (string | number | boolean)[];
  /** The number of items that have a value. */
  readonly count: number;
  readonly isList: boolean;
}

const maxItems = 50;
const maxDepth = 3;
/** Members of objects in lists that name them. */
const elementNames = ['name', 'title', 'label', 'login', 'key'];

/** Returns the scalars of the items by their paths, in the order of the first occurrence. */
export function fieldsOf(items: readonly ConfigTable[]): readonly FoundField[] {
  const found = new Map<
    string,
    { values: FoundField['values'][number][]; count: number; isList: boolean }
  >();
  for (const item of items.slice(0, maxItems)) {
    for (const { path, values, isList } of valuesOf(item, [])) {
      const field = found.get(path) ?? { values: [], count: 0, isList };
      field.values.push(...values);
      if (values.length > 0) field.count++;
      found.set(path, field);
    }
  }
  return [...found].map(([path, field]) => ({ path, ...field }));
}

function* valuesOf(
  value: unknown,
  path: readonly string[],
): Generator<Pick<FoundField, 'path' | 'values' | 'isList'>> {
  if (isScalar(value)) yield { path: path.join('.'), values: [value], isList: false };
  else if (Array.isArray(value)) yield* listValues(value, path);
  else if (isTable(value) && path.length < maxDepth)
    for (const [name, member] of Object.entries(value))
      if (!/[.[\]]/.test(name)) yield* valuesOf(member, [...path, name]);
}

function* listValues(
  list: readonly unknown[],
  path: readonly string[],
): Generator<Pick<FoundField, 'path' | 'values' | 'isList'>> {
  if (list.every(isScalar)) {
    yield { path: path.join('.'), values: list.filter(isScalar), isList: true };
    return;
  }
  const elements = list.filter(isTable);
  const name = elementNames.find((each) => elements.every((element) => isScalar(element[each])));
  if (name === undefined) return;
  const values = elements.map((element) => element[name]).filter(isScalar);
  yield { path: `${path.join('.')}[].${name}`, values, isList: true };
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
