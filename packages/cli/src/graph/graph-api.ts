import { type ClientConfiguration, TroveApiError, TroveClient } from '@trove/client';

import type { Cli } from '../session/cli.js';

export type GraphApi = TroveClient['graph'];

const graphsPath = '/graphs';

/**
 * Asks the graph API where the server has it: at its root or, with `[graph].base_path`, below a path, which its description
 * tells. `ask` is called again if nothing is found at the root.
 */
export async function callGraphApi<T>(
  cli: Cli,
  ask: (graph: GraphApi) => Promise<T>,
  more: Pick<ClientConfiguration, 'fetch'> = {},
): Promise<T> {
  const below = (path: string): GraphApi =>
    new TroveClient({ baseUrl: `${cli.endpoint}${path}`, token: cli.token?.value, ...more }).graph;
  try {
    return await ask(below(''));
  } catch (error) {
    const isElsewhere = error instanceof TroveApiError && error.status === 404;
    const path = isElsewhere ? await findBasePath(cli) : '';
    if (path === '') throw error;
    return ask(below(path));
  }
}

/** The path above the routes of graphs; empty, too, if the server does not say. */
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
