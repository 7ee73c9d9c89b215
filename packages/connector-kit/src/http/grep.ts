import { locatorKey, type GrepItem, type GrepRequest, type SourceRecord } from '@trove/core';

import { workOf } from './children.js';
import { pathOf } from './entries.js';
import { plannedStream, requestPage } from './pages.js';
import type { Plan } from './plan.js';
import { recordsOf } from './read-records.js';
import type { HttpSource, Run } from './source.js';
import type { Work } from './work.js';

/** Whether the service can search all records of a source, so the engine need not read any. */
export function canGrep({ streams, objects }: Plan): boolean {
  const all = [...streams.values()].map(({ description }) => description);
  const isSearched = all.every(
    ({ grep, key, sameAs, document }) =>
      document === undefined && (key === undefined || sameAs !== undefined || grep !== undefined),
  );
  return isSearched && objects.every(({ description }) => description.for === undefined);
}

/** Searches a literal text with the search of the service, object by object. */
export async function* grepRecords(
  source: HttpSource,
  { pattern, path, limit, limitPerObject }: GrepRequest,
  run: Run,
): AsyncGenerator<GrepItem, void, undefined> {
  let left = limit;
  for (const object of source.plan.objects) {
    const objectPath = pathOf(object.description.path, source.scope(run));
    const isWanted = path === '' || objectPath === path || objectPath.startsWith(`${path}/`);
    if (!isWanted || left <= 0) continue;
    let leftHere = Math.min(left, limitPerObject);
    const seen = new Set<string>();
    for await (const record of searchObject(source, object.streams, pattern, run)) {
      const content = matchOf(record, pattern);
      const key = locatorKey(record.key);
      if (content === undefined || seen.has(key)) continue;
      seen.add(key);
      yield { path: objectPath, key: record.key, content };
      left--;
      if (--leftHere <= 0) break;
    }
  }
}

async function* searchObject(
  source: HttpSource,
  names: readonly string[],
  pattern: string,
  run: Run,
): AsyncGenerator<SourceRecord, void, undefined> {
  const own: Run = {
    ...run,
    values: { ...run.values, pattern },
    partOf: ({ description }) => description.grep,
    isPart: true,
  };
  for (const name of names) {
    if (plannedStream(source, name).description.grep === undefined) continue;
    for (let work: Work | null = workOf(name, {}, undefined); work !== null;) {
      const page = await requestPage(source, work, own);
      for (const item of page.items) yield* await recordsOf(source, page, item, own);
      work = page.next;
    }
  }
}

/** Returns the line of a record that contains a text. A service may also find other forms of a word. */
function matchOf({ title, text, fields }: SourceRecord, pattern: string): string | undefined {
  const texts = [title, text, ...Object.values(fields)].filter((each) => typeof each === 'string');
  for (const each of texts) {
    const line = each.split(/\r?\n/).find((candidate) => candidate.includes(pattern));
    if (line !== undefined) return line;
  }
  return undefined;
}
