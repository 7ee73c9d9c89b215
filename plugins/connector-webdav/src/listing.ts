import { protocolError, refusalError } from './failures.js';
import { listingOf, type DavListing } from './members.js';
import type { DavServer, DescribeOptions } from './server.js';

/**
 * Describes a path. Throws if the server refuses the path itself or describes nothing, because this would count as an empty
 * folder and everything in it as deleted.
 */
export async function describe(
  server: DavServer,
  path: string,
  options: DescribeOptions,
  signal: AbortSignal,
): Promise<DavListing> {
  const url = server.urlOf(path);
  const listing = listingOf(await server.describe(path, options, signal), url);
  const { self, members } = listing;
  if (self === null && members.length === 0) throw protocolError(url, 'it describes nothing');
  if (self !== null && self.failure !== null)
    throw refusalError({ status: self.failure, headers: new Headers() }, url, path);
  return listing;
}
