import type { MetadataStore, TransformationCache } from '@trove/core/store';
import { metadataStoreCases, transformationCacheCases } from '@trove/testkit';
import type { Test } from 'uvu';

import { openCache, openStore, Opened, type Backend } from './support.js';

/** Adds a test for each case of both suites. `withDatabase` passes each one a database without rows. */
export function addCases(
  test: Test,
  withDatabase: (work: (backend: Backend) => Promise<void>) => Promise<void>,
): void {
  for (const each of metadataStoreCases) {
    test(`${each.id}: ${each.title}`, () =>
      withDatabase(async (backend) => {
        const stores = new Opened<MetadataStore>();
        try {
          await each.run({
            open: (namespace, generation) => stores.add(openStore(backend, namespace, generation)),
          });
        } finally {
          await stores.close();
        }
      }));
  }
  for (const each of transformationCacheCases) {
    test(`${each.id}: ${each.title}`, () =>
      withDatabase(async (backend) => {
        const caches = new Opened<TransformationCache>();
        try {
          await each.run({ open: () => caches.add(openCache(backend)) });
        } finally {
          await caches.close();
        }
      }));
  }
}
