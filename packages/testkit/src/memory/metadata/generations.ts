import type { GenerationCatalog, GenerationRecord } from '@trove/core/store';

import { addMissing, cancelled, emptyMetadata, endJob, isLive, type Metadata } from './data.js';
import { memoryObjects } from './objects.js';
import { memorySources } from './sources.js';
import { memorySummaries } from './summaries.js';

export function memoryEditions(data: Metadata): GenerationCatalog {
  const { edition: own, siblings } = data;
  return {
    markUsed: async () => {
      if (own.state !== 'used') return null;
      own.usedAt = Date.now();
      addMissing(data);
      return recordOf(data);
    },
    listOthers: async () =>
      siblings
        .filter(({ edition }) => edition !== own && edition.state !== 'forgotten')
        .sort((one, other) => other.edition.usedAt - one.edition.usedAt)
        .map(recordOf),
    reader: async (number) => {
      const of = siblings.find(({ edition }) => edition.number === number) ?? emptyMetadata();
      return {
        sources: memorySources(of),
        objects: memoryObjects(of),
        summaries: memorySummaries(of),
      };
    },
    drop: async (number, unusedMs) => {
      const found = siblings.find(({ edition }) => edition.number === number);
      if (found === undefined || found === data || found.edition.state !== 'used') return false;
      if (found.edition.usedAt > Date.now() - unusedMs || own.state !== 'used') return false;
      drop(found, data);
      return true;
    },
    delete: async (number) => {
      const edition = siblings.find((each) => each.edition.number === number)?.edition;
      if (edition?.state === 'dropped') edition.state = 'forgotten';
    },
  };
}

function drop(dropped: Metadata, own: Metadata): void {
  dropped.edition.state = 'dropped';
  for (const [id, job] of dropped.jobs) {
    if (isLive(job)) endJob(job, cancelled);
    own.jobs.set(id, job);
  }
  dropped.jobs.clear();
  const { connectors, objects, records, summaries, again } = dropped;
  for (const known of [connectors, objects, records, summaries, again]) known.clear();
}

function recordOf({ edition }: Metadata): GenerationRecord {
  const { number, embedding, dimension, usedAt, state } = edition;
  const unusedMs = Math.max(0, Date.now() - usedAt);
  return { number, embedding, dimension, unusedMs, isDropped: state !== 'used' };
}
