import { defineConnector } from '@trove/core';

import { configSchema } from './config.js';
import { createGitConnector } from './connector.js';
import { remoteConfigSchema } from './remote/config.js';
import { RemoteStates } from './remote/states.js';
import { LocalStates } from './states.js';

/** Connector for local git repositories (`git+file://local/home/me/project`): the files at any ref, and the commits. */
const local = defineConnector({
  keys: ['git+file'],
  defaultAuthority: 'local',
  capabilities: { grep: {} },
  configSchema,
  create: (context) => createGitConnector(new LocalStates(context), context.config),
});

/** Connector for remote git repositories (`git+https://git.example.org/team/project.git`). Each sync updates a local copy. */
const remote = defineConnector({
  keys: ['git+http', 'git+https'],
  capabilities: { grep: {} },
  configSchema: remoteConfigSchema,
  create: (context) => createGitConnector(new RemoteStates(context), context.config),
});

export default [local, remote] as const;
