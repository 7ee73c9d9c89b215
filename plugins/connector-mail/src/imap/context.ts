import type { ConnectorContext } from '@trove/core';

import type { Config } from './config.js';

export type Context = ConnectorContext<Config>;
