import {
  assertHttpDescription,
  createHttpConnector,
  HttpService,
  type HttpDescription,
} from '@trove/connector-kit/http';
import type { Connector, ConnectorContext } from '@trove/core';

import { configSchema, type FeishuConfig } from './config.js';
import { documentOf, folderOf, refusedDocument, wikiPageOf } from './links.js';
import { locatePage, type FeishuLocation } from './location.js';
import { serviceOf } from './service.js';
import { spacesPath, workspaceOf } from './workspace.js';

const keys = ['feishu', 'lark'];

/** Creates a connector for the chats and wikis of a tenant, or for the page of a link. */
export function createFeishuConnector(context: ConnectorContext<FeishuConfig>): Connector {
  const { config, target } = context;
  const location = locatePage(target);
  const service = serviceOf(location, config);
  const own = descriptionOf(location, config);
  const description: HttpDescription = {
    ...service,
    ...own,
    errors: [refusedDocument, ...(service.errors ?? [])],
  };
  assertHttpDescription(description);
  const connector = createHttpConnector(description, { keys, configSchema }, context);
  if (location.kind !== 'tenant' || config.include.length < 2) return connector;
  const wiki = new HttpService(
    { ...service, check: { get: spacesPath, query: { page_size: 1 } } },
    { keys, configSchema },
    context,
  );
  return {
    ...connector,
    // Chats and wikis need different permissions.
    check: async (options) => {
      const health = await connector.check?.(options);
      const ofWiki = await wiki.health(options.signal);
      return health === undefined || (health.ok && !ofWiki.ok) ? ofWiki : health;
    },
    close: async () => {
      wiki.close();
      await connector.close?.();
    },
  };
}

function descriptionOf(
  location: FeishuLocation,
  config: FeishuConfig,
): Pick<HttpDescription, 'check' | 'objects' | 'streams'> {
  switch (location.kind) {
    case 'tenant':
      return workspaceOf(location, config);
    case 'wiki':
      return wikiPageOf(location);
    case 'docx':
      return documentOf(location);
    case 'folder':
      return folderOf(location);
  }
}
