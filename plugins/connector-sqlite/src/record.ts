import type { JsonScalar, RecordKey, SourceRecord } from '@trove/core';

import type { Column } from './catalog.js';

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
const titleLength = 200;
const urlLength = 8000;
/** Between 2001 and 2128: as seconds, and as milliseconds. */
const seconds = [1e9, 5e9] as const;
const milliseconds = [1e12, 5e12] as const;

/** A row as a record. What people know a row by is guessed from the names of its columns. */
export function recordOf(
  key: RecordKey,
  columns: readonly Column[],
  values: readonly JsonScalar[],
): SourceRecord {
  const fields: Record<string, unknown> = {};
  const byName = new Map<string, JsonScalar>();
  for (const [at, { name, type }] of columns.entries()) {
    const value = values[at] ?? null;
    define(fields, name, isJson(type) ? parsed(value) : value);
    byName.set(name.toLowerCase(), value);
  }
  const first = <T>(names: readonly string[], read: (value: JsonScalar) => T | null): T | null => {
    for (const name of names) {
      const found = read(byName.get(name) ?? null);
      if (found !== null) return found;
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

/** Sets a member of any name, `__proto__` included. */
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

function isJson(type: string): boolean {
  return /^json/i.test(type);
}

function parsed(value: JsonScalar): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function textOf(value: JsonScalar): string | null {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || text.length > titleLength ? null : text;
}

function urlOf(value: JsonScalar): string | null {
  if (typeof value !== 'string' || value.length > urlLength) return null;
  return /^https?:\/\//i.test(value) && URL.canParse(value) ? value : null;
}

/** SQLite has no type for times: texts as in ISO 8601, in UTC unless they say otherwise, and numbers are common. */
function timeOf(value: JsonScalar): number | null {
  if (typeof value === 'number') {
    if (isWithin(value, seconds)) return Math.round(value * 1000);
    return isWithin(value, milliseconds) ? Math.round(value) : null;
  }
  if (typeof value !== 'string') return null;
  const [, day, time, zone] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/i.exec(
      value.trim(),
    ) ?? [];
  if (day === undefined) return null;
  const parsedTime = Date.parse(`${day}T${time ?? '00:00'}${zone ?? 'Z'}`);
  return Number.isNaN(parsedTime) ? null : parsedTime;
}

function isWithin(value: number, [from, to]: readonly [number, number]): boolean {
  return value >= from && value < to;
}
