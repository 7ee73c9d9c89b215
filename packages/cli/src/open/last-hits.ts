import { join } from 'node:path';

import { CommandError } from '@trove/commands';
import { replaceFile } from '../session/file-replacement.js';
import { readFileIfAny } from '../session/system-errors.js';

/** A numbered hit of the last search. */
export interface RememberedHit {
  readonly source: string;
  /** 1-based; null for a record. */
  readonly line: number | null;
}

const file = (home: string): string => join(home, 'cli', 'last-search.json');

/** Stores the numbered hits. Ignores write failures. */
export function rememberHits(home: string, hits: readonly RememberedHit[]): void {
  try {
    replaceFile(file(home), JSON.stringify(hits));
  } catch {
    // A search works without this file.
  }
}

/** Returns the hit with this number of the last search on a terminal. Throws a CommandError if there is none. */
export function readHit(home: string, number: number): RememberedHit {
  const hits = parseHits(readFileIfAny(file(home)) ?? '');
  const hit = hits[number - 1];
  if (hit !== undefined) return hit;
  throw new CommandError(
    'not_found',
    hits.length === 0
      ? 'there are no numbered hits'
      : `the last search had only ${hits.length} hit${hits.length === 1 ? '' : 's'}`,
    ['Search on a terminal first: trove search "your question"'],
  );
}

function parseHits(text: string): RememberedHit[] {
  try {
    const hits: unknown = JSON.parse(text);
    return Array.isArray(hits) ? hits.flatMap((hit: unknown) => parseHit(hit) ?? []) : [];
  } catch {
    return [];
  }
}

function parseHit(value: unknown): RememberedHit | null {
  if (typeof value !== 'object' || value === null || !('source' in value)) return null;
  const { source } = value;
  const line = 'line' in value && typeof value.line === 'number' ? value.line : null;
  return typeof source === 'string' ? { source, line } : null;
}
