import { HttpService, type HttpServiceDescription } from '@trove/connector-kit/http';
import {
  isTroveError,
  TroveError,
  type BytesOptions,
  type Connector,
  type ConnectorContext,
  type Content,
  type JsonSchema,
} from '@trove/core';

import type { Drive } from './delta.js';
import { isItem } from './drive-item.js';
import type { DriveList } from './drive-list.js';
import { driveChanges, driveEntries, type DriveSource } from './sync.js';

/** More paths are looked up when they are read. */
const maxKnownPaths = 100_000;

export interface DriveConnectorOptions {
  readonly scheme: string;
  readonly configSchema: JsonSchema;
  readonly description: HttpServiceDescription;
  listDrives(service: HttpService, signal: AbortSignal): Promise<DriveList>;
  /** The requests that list the drives, for people. */
  readonly driveRequests: readonly { readonly name: string; readonly path: string }[];
  readonly folder: string;
  readonly settings: string;
}

/** Creates a connector of the files in drives. */
export function createDriveConnector(
  options: DriveConnectorOptions,
  context: ConnectorContext<unknown>,
): Connector {
  const { scheme, configSchema, description, driveRequests, folder, settings } = options;
  const service = new HttpService(description, { keys: [scheme], configSchema }, context);
  const known = new Map<string, string>();
  const source: DriveSource = {
    service,
    settings,
    folder,
    listDrives: (signal) => options.listDrives(service, signal),
    cacheFolder: context.cacheFolder,
    remember: (path, identity) => {
      if (known.size >= maxKnownPaths) known.clear();
      known.set(path, identity);
    },
  };

  const locate = async (path: string, { identity, signal }: BytesOptions): Promise<Place> => {
    const found = identity ?? known.get(path);
    const { drives } = await drivesFor(options, service, found, signal);
    return found === undefined ? findItem(service, drives, path, signal) : placeOf(found, drives);
  };

  return {
    capabilities: { costlyListing: true },

    async *list(request) {
      await service.assertWorks(request.signal);
      yield* driveEntries(source, request);
    },

    async *changes(request) {
      await service.assertWorks(request.signal);
      yield* driveChanges(source, request);
    },

    async read(path, bytesOptions): Promise<Content> {
      const place = await locate(path, bytesOptions);
      return readFile(service, place, path, bytesOptions);
    },

    check: ({ signal }) => service.health(signal),

    async explain({ cursor, signal }) {
      const check = await service.explainCheck(signal);
      const delta = {
        name: 'changes',
        path: `${driveRequests.length === 0 ? '' : '/drives/{id}'}/root/delta`,
      };
      const requests = [...driveRequests, delta].map(({ name, path }) => ({
        name,
        request: `GET ${service.base}/v1.0${path}`,
        paged: true,
      }));
      return { incremental: cursor !== undefined, requests: [...check, ...requests] };
    },

    close: () => {
      service.close();
      return Promise.resolve();
    },
  };
}

/** An item and the path of its drive in the API. */
interface Place {
  readonly drive: string;
  readonly id: string;
}

/** The identity of an item in a source with several drives names its drive, so they need not be listed. */
function drivesFor(
  { listDrives }: DriveConnectorOptions,
  service: HttpService,
  identity: string | undefined,
  signal: AbortSignal,
): Promise<DriveList> {
  return identity?.includes('/') === true
    ? Promise.resolve({ drives: [], skipped: new Map() })
    : listDrives(service, signal);
}

function placeOf(identity: string, [only]: readonly Drive[]): Place {
  const slash = identity.indexOf('/');
  if (slash < 0) return { drive: only?.path ?? '', id: identity };
  const drive = `/drives/${encodeURIComponent(identity.slice(0, slash))}`;
  return { drive, id: identity.slice(slash + 1) };
}

/** Finds an item by its path. Throws `not_found` if there is none. */
async function findItem(
  service: HttpService,
  drives: readonly Drive[],
  path: string,
  signal: AbortSignal,
): Promise<Place> {
  const isName = (step: string): boolean => !/^\.{0,2}$/.test(step);
  for (const drive of path.split('/').every(isName) ? drives : []) {
    const prefix = drive.folder === '' ? '' : `${drive.folder}/`;
    if (!path.startsWith(prefix)) continue;
    const steps = path.slice(prefix.length).split('/').map(encodeURIComponent).join('/');
    const request = {
      get: () => `/v1.0${drive.path}/root:/${steps}`,
      query: { $select: 'id,file' },
    };
    const reply = await service.send(request, { signal });
    if ('none' in reply || !isItem(reply.answer.body)) continue;
    const { id, file } = reply.answer.body;
    if (file !== undefined) return { drive: drive.path, id };
  }
  throw notFound(path);
}

/** Requests the bytes of a file. The service redirects to an address that needs no login. */
async function readFile(
  service: HttpService,
  { drive, id }: Place,
  path: string,
  { range, signal }: BytesOptions,
): Promise<Content> {
  const last = range?.end === undefined ? '' : range.end - 1;
  const headers = range === undefined ? {} : { range: () => `bytes=${range.start}-${last}` };
  const request = {
    get: () => `/v1.0${drive}/items/${encodeURIComponent(id)}/content`,
    headers,
  };
  const reply = await service.sendForBytes(request, { signal }).catch((error: unknown) => {
    throw isTroveError(error) && error.code === 'not_found' ? notFound(path) : error;
  });
  if ('none' in reply) throw notFound(path);
  const { response } = reply;
  const [, first] = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '') ?? [];
  return {
    bytes: response.body ?? new Uint8Array(0),
    mediaType: response.headers.get('content-type'),
    ...(response.status === 206 && first !== undefined ? { start: Number(first) } : {}),
  };
}

function notFound(path: string): TroveError {
  return new TroveError('not_found', `The source has no document at ${path}.`);
}
