import { TroveError, type BytesOptions, type Content } from '@trove/core';

import type { ServiceReply } from './client.js';
import type { ReadDescription, RequestDescription, Scope } from './description/index.js';
import { exportOf } from './entries.js';
import { textOf } from './json.js';
import type { Known } from './object-finder.js';
import { listingScope, itemScope, plannedStream } from './pages.js';
import { mergeRequests } from './request.js';
import type { HttpSource, Run } from './source.js';
import { evaluate } from './template.js';

/** Requests the content of a document. */
export async function readDocument(
  source: HttpSource,
  path: string,
  { stream: name, parents }: Known,
  { range }: Pick<BytesOptions, 'range'>,
  run: Run,
): Promise<Content> {
  const stream = plannedStream(source, name ?? '');
  const { read, document, errors } = stream.description;
  if (read === undefined || document === undefined) throw notFound(path);
  const item = parents[stream.name];
  const scope = itemScope(listingScope(source, stream, { parents }, run), item);
  const type =
    document.mediaType === undefined
      ? undefined
      : textOf(await evaluate(document.mediaType, item, scope));
  const exported = exportOf(read, type);
  if (exported?.skip !== undefined)
    throw new TroveError('not_supported', `${path} cannot be read: ${exported.skip}`);
  const mediaType =
    exported?.mediaType ??
    (read.mediaType === undefined
      ? undefined
      : textOf(await evaluate(read.mediaType, item, scope)));
  if (read.inItem === true) return textContent(path, read, item, scope, mediaType);
  const request = mergeRequests(read, exported);
  if (read.text !== undefined) {
    const reply = await source.send(request, scope, run, errors);
    if ('none' in reply) throw noContent(path, reply);
    return textContent(path, read, reply.answer.body, scope, mediaType);
  }
  const isRanged = range !== undefined && read.ranges === true && exported === undefined;
  const ranged = isRanged
    ? mergeRequests(request, {
        headers: {
          range: () => `bytes=${range.start}-${(range.end ?? 0) > 0 ? Number(range.end) - 1 : ''}`,
        },
      })
    : request;
  const { response, start } = await requestBytes(
    source,
    path,
    { request: ranged, read, scope },
    run,
  );
  if (isLoginPage(response, type)) {
    await response.body?.cancel();
    throw new TroveError(
      'connector_unhealthy',
      `The service answered with a web page for ${path}`,
      {
        pluginCode: `${source.key}.login_page`,
        suggestions: ['Check whether the credentials of the source are valid.'],
      },
    );
  }
  const stated = mediaType ?? response.headers.get('content-type') ?? null;
  return {
    bytes: response.body ?? new Uint8Array(0),
    mediaType: stated,
    ...(start === null ? {} : { start }),
  };
}

/** Whether a service redirected to a web page, because it refuses the login. `type`: the media type of the document. */
function isLoginPage({ redirected, headers }: Response, type: string | undefined): boolean {
  if (!redirected || type === undefined || /html/i.test(type)) return false;
  return headers.get('content-type')?.startsWith('text/html') === true;
}

async function textContent(
  path: string,
  { text = '.' }: ReadDescription,
  body: unknown,
  scope: Scope,
  mediaType: string | undefined,
): Promise<Content> {
  const found = textOf(await evaluate(text, body, scope));
  if (found === undefined) throw notFound(path, 'the answer has no text');
  return { bytes: Buffer.from(found), ...(mediaType === undefined ? {} : { mediaType }) };
}

/** Sends the request for bytes. `start` is the position of the first byte, or null for the whole document. */
async function requestBytes(
  source: HttpSource,
  path: string,
  {
    request,
    read,
    scope,
  }: {
    readonly request: RequestDescription;
    readonly read: ReadDescription;
    readonly scope: Scope;
  },
  run: Run,
): Promise<{ readonly response: Response; readonly start: number | null }> {
  const built = source.build({ ...request, headers: { accept: '*/*', ...request.headers } }, scope);
  assertAllowed(built.url, source, read.hosts ?? []);
  const reply = await source.client.sendForBytes(built, scope, run.signal, []);
  if ('none' in reply) throw noContent(path, reply);
  const { response } = reply;
  const [, first] = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '') ?? [];
  return { response, start: response.status === 206 && first !== undefined ? Number(first) : null };
}

/** Content may come from the service and from the hosts that the description names. */
function assertAllowed(url: URL, { client }: HttpSource, hosts: readonly string[]): void {
  if (url.origin === new URL(client.base).origin) return;
  const isAllowed = hosts.some((host) =>
    host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : url.hostname === host,
  );
  if (isAllowed && url.protocol === 'https:') return;
  throw new TroveError(
    'path_not_allowed',
    `The content is at ${url.host}, which \`read.hosts\` of the description does not allow`,
  );
}

function noContent(
  path: string,
  { none, say }: Exclude<ServiceReply, { answer: unknown }>,
): TroveError {
  return none === 'skip' ? new TroveError('not_supported', say) : notFound(path, say);
}

function notFound(path: string, reason?: string): TroveError {
  const why = reason === undefined ? '' : ` ${reason}`;
  return new TroveError('not_found', `The source has no document at ${path}.${why}`);
}
