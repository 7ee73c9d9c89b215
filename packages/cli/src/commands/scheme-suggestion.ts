import { shellQuote } from '../paths/display.js';

/** What a single file is better added as, by the end of its name. */
const suggestedSchemes: Readonly<Record<string, readonly [scheme: string, what: string]>> = {
  mbox: ['mbox', 'its messages are found'],
  sqlite: ['sqlite', 'its rows are found'],
  sqlite3: ['sqlite', 'its rows are found'],
  db: ['sqlite', 'the rows of a SQLite database are found'],
};

/** Says how the parts of a file that was added by its path are found one by one; null if it has none that we know of. */
export function suggestScheme(uri: string): string | null {
  const [, place = '', end = ''] = /^file(:\/\/.*\.(\w+))$/.exec(uri) ?? [];
  const [scheme, what] = suggestedSchemes[end.toLowerCase()] ?? [];
  if (scheme === undefined) return null;
  return `One by one, ${what} as: trove add ${shellQuote(scheme + place)}`;
}
