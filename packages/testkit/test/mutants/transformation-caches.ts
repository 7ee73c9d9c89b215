import { silentLogger, TroveError } from '@trove/core';
import type { TransformationCache } from '@trove/core';

import type { memoryTransformationCache } from '../../src/index.js';

export async function cacheFrom(
  plugin: ReturnType<typeof memoryTransformationCache>,
): Promise<TransformationCache> {
  return plugin.create({
    backend: 'memory',
    config: {},
    logger: silentLogger,
    signal: new AbortController().signal,
    fetch: globalThis.fetch,
    error: (...args: ConstructorParameters<typeof TroveError>) => new TroveError(...args),
  });
}
