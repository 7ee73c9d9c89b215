import {
  defineConnector,
  type Connector,
  type ConnectorContext,
  type JsonSchema,
} from '@trove/core';
import type { Engine } from '@trove/engine';

import { World } from './engine.js';

export const entry = { path: 'a.txt', size: null, modifiedAt: null, fingerprint: null };

/** An engine with a valid connector, except for the given members, whose types are unchecked. */
export function using(
  members: object,
  work: (engine: Engine, world: World) => Promise<void>,
  configSchema: JsonSchema = { type: 'object' },
): Promise<void> {
  return usingContext(() => members, work, configSchema);
}

/** Like `using`, with members that depend on the context of the connector. */
export async function usingContext(
  members: (context: ConnectorContext<unknown>) => object,
  work: (engine: Engine, world: World) => Promise<void>,
  configSchema: JsonSchema = { type: 'object' },
): Promise<void> {
  const right: Connector = {
    async *list() {
      yield entry;
    },
    read: async () => ({ bytes: Buffer.from('text') }),
  };
  const plugin = defineConnector({
    keys: ['plain'],
    configSchema,
    create: (context): Connector => ({ ...right, ...members(context) }),
  });
  const world = new World();
  const engine = await world.open({ plugins: [plugin] });
  try {
    await work(engine, world);
  } finally {
    await engine.close();
  }
}

export const target = 'plain://x';

export const stream = (item: unknown) =>
  async function* () {
    yield item;
  };
