import type { ConnectorContext } from '@trove/core';

import type { ImapConfig } from './config.js';

export type ImapContext = ConnectorContext<ImapConfig>;
