import { assertHttpDescription, createHttpConnector, HttpService } from '@trove/connector-kit/http';
import { defineConnector, type ExplainedRequest, type SyncExplanation } from '@trove/core';

import { asanaChanges } from './changes.js';
import { configSchema, keys } from './config.js';
import { readCursor } from './cursor.js';
import { description, service } from './service.js';
import { setup } from './setup.js';

assertHttpDescription(description);

/** Connector for an Asana workspace (`asana://1234567890`): tasks with comments, projects and status updates. */
export default defineConnector({
  keys,
  configSchema,
  setup,
  create: (context) => {
    const listing = createHttpConnector(description, { keys, configSchema }, context);
    const requests = new HttpService(service, { keys, configSchema }, context);
    return {
      ...listing,
      changes: (request) => asanaChanges({ listing, service: requests }, request),
      explain: async ({ cursor, signal }) => {
        const known = readCursor(cursor);
        const explained = await listing.explain?.({ cursor: known?.listing, signal });
        return withEvents(explained ?? { incremental: false, requests: [] }, requests.base);
      },
      close: async () => {
        requests.close();
        await listing.close?.();
      },
    };
  },
});

/** Adds the events of projects to the requests of a sync. */
function withEvents({ incremental, requests }: SyncExplanation, base: string): SyncExplanation {
  const events: ExplainedRequest = {
    name: 'events',
    request: `GET ${base}/events?resource={gid}${incremental ? '&sync={sync}' : ''}`,
    repeats: 'for each of projects',
    ...(incremental ? { paged: true } : {}),
  };
  const at = requests.findIndex(({ name }) => name === 'projects') + 1;
  return { incremental, requests: [...requests.slice(0, at), events, ...requests.slice(at)] };
}
