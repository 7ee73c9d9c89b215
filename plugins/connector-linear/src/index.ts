import { defineHttpConnector } from '@trove/connector-kit/http';

import { configSchema } from './config.js';
import { errors } from './errors.js';
import { identify } from './items.js';
import * as queries from './queries.js';
import { setup } from './setup.js';
import { documentStreams, issueStreams, projectStreams } from './streams.js';

/** Keys of OAuth tokens have another form. */
const apiKey = /^lin_api_/;

/** Connector for a Linear workspace (`linear://acme`): issues, projects and documents. */
export default defineHttpConnector({
  keys: ['linear'],
  configSchema,
  setup,
  base: '{config.base_url}',
  // The service refuses an API key with `Bearer`.
  auth: async (_scope, secret) => {
    const token = (await secret('token')) ?? '';
    return { headers: { authorization: () => (apiKey.test(token) ? token : `Bearer ${token}`) } };
  },
  errors,
  limits: {
    // A limit that is reached states when it ends. Others state the end of their hour.
    waitFrom: [
      'header.retry-after',
      'header.x-ratelimit-requests-reset',
      'header.x-ratelimit-complexity-reset',
      'header.x-ratelimit-endpoint-requests-reset',
    ],
  },
  check: { graphql: { query: queries.login }, say: identify },
  lookups: {
    labels: {
      graphql: { query: queries.labels, variables: { first: 250 } },
      page: { by: 'connection', from: 'data.issueLabels' },
      items: 'data.issueLabels.nodes',
      key: 'id',
      value: 'name',
    },
  },
  // The service does not report records that were deleted for good.
  objects: {
    issues: { path: 'issues', kind: 'message_stream', title: 'Issues', countEvery: '1d' },
    projects: { path: 'projects', kind: 'message_stream', title: 'Projects', countEvery: '1d' },
  },
  streams: { ...issueStreams, ...projectStreams, ...documentStreams },
});
