import { shellQuote } from '../paths/display.js';

/** Schemes that index the parts of a file, by file extension. */
const suggestedSchemes: Readonly<Record<string, readonly [scheme: string, items: string]>> = {
  mbox: ['mbox', 'messages'],
  sqlite: ['sqlite', 'rows'],
  sqlite3: ['sqlite', 'rows'],
  db: ['sqlite', 'the rows of a SQLite database'],
};

/** Returns a hint for files whose parts another connector indexes one by one, or null. */
export function suggestScheme(uri: string): string | null {
  const [, place = '', end = ''] = /^file(:\/\/.*\.(\w+))$/.exec(uri) ?? [];
  const [scheme, items] = suggestedSchemes[end.toLowerCase()] ?? [];
  if (scheme === undefined) return null;
  return `To find ${items} one by one: trove add ${shellQuote(scheme + place)}`;
}
