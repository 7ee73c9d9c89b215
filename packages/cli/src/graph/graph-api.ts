import { type ClientConfiguration, TroveApiError, TroveClient } from '@trove/client';

import type { Cli } from '../session/cli.js';

export type GraphApi = TroveClient['graph'];

const graphsPath = '/graphs';

/**
 * Calls the graph API at the root or below `[graph].base_path`. Calls `ask` again with the path from the OpenAPI
 * document if the root has no graph API.
 */
export async function callGraphApi<T>(
  cli: Cli,
  call: (graph: GraphApi) => Promise<T>,
  more: Pick<ClientConfiguration, 'fetch'> = {},
): Promise<T> {
  const apiAt = (path: string): GraphApi =>
    new TroveClient({ baseUrl: `${cli.endpoint}${path}`, token: cli.token?.value, ...more }).graph;
  try {
    return await call(apiAt(''));
  } catch (error) {
    const isElsewhere = error instanceof TroveApiError && error.status === 404;
    const path = isElsewhere ? await findBasePath(cli) : '';
    if (path === '') throw error;
    return call(apiAt(path));
  }
}

/** Returns the path above the graph routes, or an empty text if the server does not tell. */
async function findBasePath({ client }: Cli): Promise<string> {
  const { paths } = await client.server.getOpenApi().catch(() => ({ paths: null }));
  const known = Object.entries(paths ?? {}).find(([, methods]) => isListOfGraphs(methods));
  return known?.[0].slice(0, -graphsPath.length) ?? '';
}

function isListOfGraphs(methods: unknown): boolean {
  return member(member(methods, 'get'), 'operationId') === 'listGraphs';
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
