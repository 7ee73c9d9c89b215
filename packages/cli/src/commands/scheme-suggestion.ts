import { shellQuote } from '../paths/display.js';

/** Schemes that index the parts of a file, by file extension. */
const suggestedSchemes: Readonly<Record<string, readonly [scheme: string, what: string]>> = {
  mbox: ['mbox', 'its messages are found'],
  sqlite: ['sqlite', 'its rows are found'],
  sqlite3: ['sqlite', 'its rows are found'],
  db: ['sqlite', 'the rows of a SQLite database are found'],
};

/** Returns a hint for files whose parts another connector indexes one by one, or null. */
export function suggestScheme(uri: string): string | null {
  const [, place = '', end = ''] = /^file(:\/\/.*\.(\w+))$/.exec(uri) ?? [];
  const [scheme, what] = suggestedSchemes[end.toLowerCase()] ?? [];
  if (scheme === undefined) return null;
  return `One by one, ${what} as: trove add ${shellQuote(scheme + place)}`;
}
