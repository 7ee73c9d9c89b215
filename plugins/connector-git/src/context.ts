import type { ConnectorContext, Infer } from '@trove/core';

import type { configSchema } from './config.js';

export type Context = ConnectorContext<Infer<typeof configSchema>>;
