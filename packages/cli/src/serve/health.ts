import { TroveClient } from '@trove/client';

import { UsageError } from '@trove/commands';
import type { ListenAddress } from './bind.js';

const answerTimeoutMs = 2000;
/** Refusing a port needs no network. */
const refusalTimeoutMs = 100;

/** Tests if a Trove server answers at a URL. */
export async function isHealthy(endpoint: string): Promise<boolean> {
  try {
    const client = new TroveClient({ baseUrl: endpoint, timeoutMs: answerTimeoutMs });
    const { status } = await client.server.healthz();
    return status === 'ok';
  } catch {
    return false;
  }
}

/** Throws a UsageError for ports that `fetch` always refuses. */
export async function assertReachable({ bind, endpoint }: ListenAddress): Promise<void> {
  const reason = await fetch(endpoint, { signal: AbortSignal.timeout(refusalTimeoutMs) }).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.cause : null),
  );
  if (!(reason instanceof Error) || reason.message !== 'bad port') return;
  throw new UsageError(`a server at ${bind} would be unreachable: clients reject this port`, [
    'Use another port, such as 13619. This port is reserved for another protocol.',
  ]);
}
