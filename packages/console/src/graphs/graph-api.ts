import { GraphApi, HttpClient, type TroveClient } from '@trove/client';
import { base } from '../address.js';
import type { Session } from '../session.js';

const listPath = '/graphs';
const opened = new WeakMap<TroveClient, Promise<GraphApi>>();

/** Returns the API of graphs, whose routes may have a prefix. */
export function openGraphApi(session: Session): Promise<GraphApi> {
  const known = opened.get(session.client) ?? open(session);
  opened.set(session.client, known);
  // A failed request is repeated by the next caller.
  known.catch(() => opened.delete(session.client));
  return known;
}

async function open({ client, token }: Session): Promise<GraphApi> {
  const prefix = await prefixOf(client);
  return new GraphApi(new HttpClient({ baseUrl: `${base}${prefix}`, token }));
}

async function prefixOf({ server }: TroveClient): Promise<string> {
  const { paths } = await server.getOpenApi();
  const names = typeof paths === 'object' && paths !== null ? Object.keys(paths) : [];
  const path = names.find((name) => name.endsWith(listPath)) ?? listPath;
  return path.slice(0, -listPath.length);
}
