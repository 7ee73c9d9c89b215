import type { MetadataStore, ObjectRecord } from '@trove/core/store';

import { objectsOf, type Metadata, type StoredJob } from '../../../src/memory/metadata/data.js';
import type { Mutants, WrongMethods } from './support.js';

/** Where it does not forget what it recognises, or what it takes for the same. */
interface Flaw {
  readonly onWriting?: true;
  readonly onStale?: true;
  readonly isAll?: true;
  readonly isRough?: true;
}

export const repeatedListingMutants: Mutants = {
  'gone-beside-what-is-known': (good, data) => recognising(good, data, { isAll: true }),
  'changed-since-it-was-listed': (good, data) => recognising(good, data, { onWriting: true }),
  'odd-paths-are-told-apart': (good, data) => recognising(good, data, { isRough: true }),
  'stale-since-it-was-listed': (good, data) => recognising(good, data, { onStale: true }),
};

/** Recognises parts of full listings that differed in nothing; not forgetting them at one occasion. */
function recognising(good: MetadataStore, data: Metadata, flaw: Flaw): WrongMethods {
  const known = new Set<string>();
  const met = new Map<string, Set<string>>();
  const connectorOf = (id: string): string => data.jobs.get(id)?.connectorId ?? '';
  return {
    listings: {
      compare: async (id, worker, revisions) => {
        const all = flaw.isRough === true ? String([...revisions]) : JSON.stringify([...revisions]);
        const part = `${connectorOf(id)} ${all.toWellFormed()}`;
        const parts = met.get(id) ?? new Set();
        met.set(id, parts);
        const job = data.jobs.get(id);
        if (known.has(part) && job?.tasks.size === 0) {
          for (const object of objectsOf(data, job.connectorId).values()) {
            if (revisions.has(object.path)) count(job, object);
            if (revisions.has(object.path) || flaw.isAll === true) job.met.add(object.id);
          }
          parts.add(part);
          return { changed: [], added: [] };
        }
        const found = await good.listings.compare(id, worker, revisions);
        if (found?.changed.length === 0 && found.added.length === 0) parts.add(part);
        return found;
      },
      finish: async (id, worker, end) => {
        const ended = await good.listings.finish(id, worker, end);
        const isSame = data.jobs.get(id)?.tasks.size === 0;
        if (end.complete && isSame) for (const part of met.get(id) ?? []) known.add(part);
        return ended;
      },
    },
    tasks: {
      complete: (worker, results) => {
        if (flaw.onWriting !== true) known.clear();
        return good.tasks.complete(worker, results);
      },
    },
    objects: {
      invalidate: (connectorId, ids) => {
        if (flaw.onStale !== true) {
          known.clear();
          met.clear();
        }
        return good.objects.invalidate(connectorId, ids);
      },
    },
  };
}

function count(job: StoredJob, { searchStatus }: ObjectRecord): void {
  job.total += 1;
  job[searchStatus === 'not_indexed' ? 'leftOut' : 'unchanged'] += 1;
}
