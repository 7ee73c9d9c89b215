import { TroveClient } from '@trove/client';

import { UsageError } from '@trove/commands';
import type { ListenAddress } from './bind.js';

const answerTimeoutMs = 2000;
/** Refusing takes no network. */
const refusalTimeoutMs = 100;

/** Whether a Trove server answers there. */
export async function isHealthy(endpoint: string): Promise<boolean> {
  try {
    const client = new TroveClient({ baseUrl: endpoint, timeoutMs: answerTimeoutMs });
    const { status } = await client.server.healthz();
    return status === 'ok';
  } catch {
    return false;
  }
}

/** Throws a UsageError for a port that `fetch` refuses whoever listens there, so that no command would reach it. */
export async function assertReachable({ bind, endpoint }: ListenAddress): Promise<void> {
  const reason = await fetch(endpoint, { signal: AbortSignal.timeout(refusalTimeoutMs) }).then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.cause : null),
  );
  if (!(reason instanceof Error) || reason.message !== 'bad port') return;
  throw new UsageError(`a server at ${bind} could not be reached: clients refuse this port`, [
    'Take another port, such as 13619; this one is reserved for another protocol.',
  ]);
}
