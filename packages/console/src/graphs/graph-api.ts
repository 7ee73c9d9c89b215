import { GraphApi, HttpClient, type TroveClient } from '@trove/client';
import { base } from '../address.js';
import type { Session } from '../session.js';

const listPath = '/graphs';

/** Returns the API of graphs, whose routes may have a prefix. */
export async function openGraphApi({ client, token }: Session): Promise<GraphApi> {
  const prefix = await prefixOf(client);
  return new GraphApi(new HttpClient({ baseUrl: `${base}${prefix}`, token }));
}

async function prefixOf({ server }: TroveClient): Promise<string> {
  const { paths } = await server.getOpenApi();
  const names = typeof paths === 'object' && paths !== null ? Object.keys(paths) : [];
  const path = names.find((name) => name.endsWith(listPath)) ?? listPath;
  return path.slice(0, -listPath.length);
}
