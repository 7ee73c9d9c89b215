import { defineConnector } from '@trove/core';

import { configSchema } from './config.js';
import { createGitConnector } from './connector.js';

/** Git repositories of this machine (`git+file://local/home/me/project`): the files at any ref, and the commits. */
export default defineConnector({
  keys: ['git+file'],
  defaultAuthority: 'local',
  capabilities: { grep: {} },
  configSchema,
  create: createGitConnector,
});
