import { TroveClient } from '@trove/client';

const ANSWER_MS = 2000;

/** Whether a Trove server answers there. */
export async function isHealthy(endpoint: string): Promise<boolean> {
  try {
    const client = new TroveClient({ baseUrl: endpoint, timeoutMs: ANSWER_MS });
    const { status } = await client.server.healthz();
    return status === 'ok';
  } catch {
    return false;
  }
}
