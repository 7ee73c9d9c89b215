import { patternError, type PatternReader } from './reader.js';

/** Property names that JavaScript lacks. */
const keys: Readonly<Record<string, string>> = {
  gc: 'General_Category',
  generalcategory: 'General_Category',
  sc: 'Script',
  script: 'Script',
  scx: 'Script_Extensions',
  scriptextensions: 'Script_Extensions',
};

/** Parses the property after `\p`: `L`, `{Greek}`, `{script=Han}`, `{gc!=Lu}`. */
export function propertySet(reader: PatternReader, negated: boolean, start: number): string {
  const named = reader.take('{')
    ? reader.takeMatch(/^[\^\w\s\-=:!.]*\}/).slice(0, -1)
    : reader.next();
  const [, key, operator, value] = /^(?:([\w\s-]+?)\s*(!=|=|:))?\s*([\w\s.-]*)$/.exec(named) ?? [];
  const source =
    value === undefined || value.trim() === '' ? null : findProperty(key, value.trim());
  if (source === null)
    throw patternError(`\`${reader.since(start)}\` is not a known Unicode property`);
  const not = negated !== (operator === '!=');
  return `[${not ? '^' : ''}${source}]`;
}

/** Returns the property in JavaScript's spelling. Null if unknown. */
function findProperty(key: string | undefined, value: string): string | null {
  const property = key === undefined ? null : keys[normalizeKey(key)];
  if (property === undefined) return null;
  const prefixes = property === null ? ['', 'Script='] : [`${property}=`];
  for (const prefix of prefixes) {
    for (const name of spellings(value)) {
      const source = `\\p{${prefix}${name}}`;
      if (isValid(source)) return source;
    }
  }
  return null;
}

/** Returns possible spellings: `old italic` is `Old_Italic`, `lu` is `Lu`, `ascii` is `ASCII`. */
function spellings(value: string): string[] {
  const words = value.split(/[\s_-]+/);
  const capitalised = words.map(
    (word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase(),
  );
  return [value, capitalised.join('_'), value.toUpperCase(), value.toLowerCase()];
}

function isValid(source: string): boolean {
  try {
    return new RegExp(source, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function normalizeKey(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}
