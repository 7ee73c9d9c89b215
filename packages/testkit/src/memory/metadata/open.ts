import { TroveError } from '@trove/core';
import type { MetadataStore } from '@trove/core/store';

import type { Metadata } from './data.js';
import { memoryEditions } from './generations.js';
import { memoryGraphs } from './graphs.js';
import { memoryJobs } from './jobs.js';
import { memoryLeases } from './leases.js';
import { memoryListings } from './listings.js';
import { memoryObjects } from './objects.js';
import { memoryRecords } from './records.js';
import { memorySources } from './sources.js';
import { memorySummaries } from './summaries.js';
import { memoryTasks } from './tasks.js';
import { memoryTraining } from './training.js';

/** A store for the data of one edition. */
export function openMetadata(data: Metadata): MetadataStore {
  let closed = false;
  /** The part, whose methods reject once the store is closed. */
  const whileOpen = <T extends object>(part: T): T =>
    new Proxy(part, {
      get: (target, name): unknown => (closed ? refuse : Reflect.get(target, name)),
    });
  const whole = whileOpen({
    id: async () => data.id,
    size: async () => sizeOf(data),
    compact: async () => undefined,
  });
  return {
    sources: whileOpen(memorySources(data)),
    jobs: whileOpen(memoryJobs(data)),
    listings: whileOpen(memoryListings(data)),
    tasks: whileOpen(memoryTasks(data)),
    leases: whileOpen(memoryLeases(data)),
    objects: whileOpen(memoryObjects(data)),
    records: whileOpen(memoryRecords(data)),
    summaries: whileOpen(memorySummaries(data)),
    graphs: whileOpen(memoryGraphs(data)),
    training: whileOpen(memoryTraining(data)),
    generations: whileOpen(memoryEditions(data)),
    id: () => whole.id(),
    size: () => whole.size(),
    compact: () => whole.compact(),
    close: async () => {
      closed = true;
    },
  };
}

function refuse(): Promise<never> {
  return Promise.reject(new TroveError('engine_closed', 'The store is closed.'));
}

/** Of what is known of objects, as text. */
function sizeOf({ objects }: Metadata): number {
  const all = Array.from(objects.values(), (ofConnector) => [...ofConnector.values()]);
  return JSON.stringify(all).length;
}
