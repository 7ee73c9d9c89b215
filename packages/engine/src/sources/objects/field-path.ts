/** A step of a field path: a member, and then elements of lists in it. */
interface PathStep {
  readonly name: string;
  /** Positions from 0. Null: every element. */
  readonly elements: readonly (number | null)[];
}

const pathSyntax = /^[^.[\]]+(\[\d{0,9}\])*(\.[^.[\]]+(\[\d{0,9}\])*)*$/;
const maxParsed = 1000;
const parsed = new Map<string, readonly PathStep[]>();

/** Whether a text is a valid field path, such as `a.b`, `a[].b` or `a[0].b`. */
export function isFieldPath(path: string): boolean {
  return pathSyntax.test(path);
}

/** Returns the value at a path. With `[]`, returns the values of all elements as a list. Undefined if there is none. */
export function valueAt(fields: Readonly<Record<string, unknown>>, path: string): unknown {
  // The name of a column may look like a path.
  if (Object.hasOwn(fields, path)) return fields[path];
  let values: unknown[] = [fields];
  let isList = false;
  for (const { name, elements } of stepsOf(path)) {
    values = values.flatMap((value) => toList(member(value, name)));
    for (const element of elements) {
      isList ||= element === null;
      values = values.flatMap((value) => {
        if (!Array.isArray(value)) return [];
        const list: readonly unknown[] = value;
        return element === null ? list : toList(list[element]);
      });
    }
  }
  return isList && values.length > 0 ? values : values[0];
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

/** Wraps a value in a list, because `flatMap` would flatten a list value. */
function toList(value: unknown): unknown[] {
  return value === undefined ? [] : [value];
}

function stepsOf(path: string): readonly PathStep[] {
  const known = parsed.get(path);
  if (known !== undefined) return known;
  if (parsed.size >= maxParsed) parsed.clear();
  const steps = path.split('.').map((part) => {
    const [name = '', ...elements] = part.split('[');
    const positions = elements.map((each) => (each === ']' ? null : Number.parseInt(each, 10)));
    return { name, elements: positions };
  });
  parsed.set(path, steps);
  return steps;
}
