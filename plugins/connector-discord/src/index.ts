import { defineHttpConnector } from '@trove/connector-kit/http';
import { defineConnector, type Connector, type ConnectorContext } from '@trove/core';

import { configSchema, type DiscordSettings } from './config.js';
import { describe, service } from './description.js';
import { grepGuild, search } from './search.js';
import { setup } from './setup.js';

const base = { keys: ['discord'], configSchema, ...service };

/** Connector for a Discord server (`discord://GUILD`). Channels, threads and forum posts are message streams. */
export default defineConnector({
  keys: ['discord'],
  capabilities: { threads: true, costlyListing: true },
  configSchema,
  setup,
  create: openGuild,
});

/** The search of the service spans all objects, so it is a connector of its own with the same login. */
async function openGuild(context: ConnectorContext<DiscordSettings>): Promise<Connector> {
  let listings = 0;
  const lists = describe(context.config, () => listings);
  const described = await defineHttpConnector({ ...base, ...lists }).create(context);
  const searching = await defineHttpConnector({ ...base, ...search }).create(context);
  const { list, changes } = described;
  const hits = searching.grep?.bind(searching);
  return {
    ...described,
    list(options) {
      listings++;
      return list(options);
    },
    ...(changes === undefined
      ? {}
      : {
          changes(request) {
            listings++;
            return changes(request);
          },
        }),
    ...(hits === undefined ? {} : { grep: (request) => grepGuild(hits, request) }),
    async close() {
      await described.close?.();
      await searching.close?.();
    },
  };
}
