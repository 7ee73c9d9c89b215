import type { RecordKey, SourceRecord } from '@trove/core';

import { timeOf } from './times.js';

const titles = ['title', 'name', 'subject', 'full_name', 'display_name'];
const authors = ['author', 'author_name', 'created_by'];
const urls = ['url', 'link', 'permalink', 'html_url'];
const times = [
  'updated_at',
  'updatedat',
  'modified_at',
  'modifiedat',
  'last_modified',
  'updated',
  'modified',
  'changed_at',
  'created_at',
  'createdat',
  'published_at',
  'created',
  'timestamp',
];
const maxTitleChars = 200;
const maxUrlChars = 8000;

/** Creates a record from named JSON values. Guesses title, author, URL and time from the names. */
export function recordOf(
  key: RecordKey,
  values: Iterable<readonly [name: string, value: unknown]>,
): SourceRecord {
  const fields: Record<string, unknown> = {};
  const byName = new Map<string, unknown>();
  for (const [name, value] of values) {
    define(fields, name, value);
    byName.set(name.toLowerCase(), value);
  }
  const first = <T>(names: readonly string[], read: (value: unknown) => T | null): T | null => {
    for (const name of names) {
      const parsed = read(byName.get(name));
      if (parsed !== null) return parsed;
    }
    return null;
  };
  const title = first(titles, textOf);
  const author = first(authors, textOf);
  const url = first(urls, urlOf);
  const at = first(times, timeOf);
  return {
    key,
    fields,
    ...(title === null ? {} : { title }),
    ...(author === null ? {} : { author }),
    ...(url === null ? {} : { url }),
    ...(at === null ? {} : { at }),
  };
}

/** Sets a member with any name, including `__proto__`. */
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function textOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || text.length > maxTitleChars ? null : text;
}

function urlOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > maxUrlChars) return null;
  return /^https?:\/\//i.test(value) && URL.canParse(value) ? value : null;
}
