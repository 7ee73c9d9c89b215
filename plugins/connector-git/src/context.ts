import type { ConnectorContext, Infer } from '@trove/core';

import type { configSchema } from './config.js';

export type GitContext = ConnectorContext<Infer<typeof configSchema>>;
