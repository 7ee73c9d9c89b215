import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from './listen.js';

/** A request to the store. */
export interface S3Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface FakeS3 {
  /** `http://127.0.0.1:PORT` */
  readonly endpoint: string;
  readonly requests: readonly S3Request[];
  /** Paths of the existing objects, `/bucket/key`. */
  paths(): string[];
  stop(): Promise<void>;
}

export interface FakeS3Options {
  /** Ignores `If-None-Match: *` like some stores and overwrites existing keys. */
  readonly ignoresConditions: boolean;
  /** Objects returned without their last byte, as if they were overwritten after being listed. */
  readonly truncated?: RegExp;
}

/** Starts an in-memory object store with the part of S3 that LanceDB uses. It accepts any signature. */
export async function startFakeS3(options: FakeS3Options): Promise<FakeS3> {
  const objects: Objects = new Map();
  const requests: S3Request[] = [];
  const server = await listen((request, response) => {
    const { method = '', url = '/', headers } = request;
    requests.push({ method, path: new URL(url, 'http://store').pathname, headers });
    answer(objects, options, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  return {
    endpoint: server.origin,
    requests,
    paths: () => [...objects.keys()].sort(),
    stop: () => server.stop(),
  };
}

type Objects = Map<string, Buffer>;

async function answer(
  objects: Objects,
  { ignoresConditions, truncated }: FakeS3Options,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://store');
  const path = decodeURIComponent(pathname);
  const body = await bytesOf(request);
  const isBucket = path.split('/').filter((part) => part !== '').length === 1;
  if (isBucket && request.method === 'POST') return removeSeveral(objects, path, body, response);
  if (isBucket) return list(objects, path, searchParams, response);
  if (request.method === 'PUT') {
    const isTaken = request.headers['if-none-match'] === '*' && objects.has(path);
    if (isTaken && !ignoresConditions) {
      response.writeHead(412).end('<Error><Code>PreconditionFailed</Code></Error>');
      return;
    }
    objects.set(path, body);
    response.writeHead(200, { etag: etagOf(body) }).end();
  } else if (request.method === 'DELETE') {
    objects.delete(path);
    response.writeHead(204).end();
  } else {
    const object = objects.get(path);
    const isTorn = request.method === 'GET' && truncated?.test(path) === true;
    read(isTorn ? object?.subarray(0, -1) : object, request, response);
  }
}

function read(
  object: Buffer | undefined,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
): void {
  if (object === undefined) {
    response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
    return;
  }
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
  const start = from === '' ? Math.max(0, object.length - Number(to)) : Number(from);
  const end = from === '' || to === '' ? object.length : Math.min(object.length, Number(to) + 1);
  const part = headers.range === undefined ? object : object.subarray(start, end);
  response.writeHead(headers.range === undefined ? 200 : 206, {
    'content-length': part.length,
    'content-range': `bytes ${start}-${start + part.length - 1}/${object.length}`,
    etag: etagOf(object),
    'last-modified': new Date().toUTCString(),
  });
  response.end(method === 'HEAD' ? undefined : part);
}

/** ListObjectsV2 in one page. */
function list(
  objects: Objects,
  bucket: string,
  query: URLSearchParams,
  response: ServerResponse,
): void {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const after = query.get('start-after') ?? '';
  const folders = new Set<string>();
  const found: string[] = [];
  for (const [path, bytes] of [...objects].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const key = path.slice(bucket.length + 1);
    if (!path.startsWith(`${bucket}/`) || !key.startsWith(prefix) || key <= after) continue;
    const rest = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    if (rest >= 0) folders.add(key.slice(0, rest + 1));
    else found.push(`<Contents>${xmlTag('Key', key)}${factsOf(bytes)}</Contents>`);
  }
  const prefixes = [...folders].map(
    (folder) => `<CommonPrefixes>${xmlTag('Prefix', folder)}</CommonPrefixes>`,
  );
  const rows = [...found, ...prefixes].join('');
  sendXml(response, `<ListBucketResult><IsTruncated>false</IsTruncated>${rows}</ListBucketResult>`);
}

function removeSeveral(
  objects: Objects,
  bucket: string,
  body: Buffer,
  response: ServerResponse,
): void {
  const keys = [...body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key);
  for (const key of keys) objects.delete(`${bucket}/${key}`);
  const deleted = keys.map((key) => `<Deleted>${xmlTag('Key', key)}</Deleted>`).join('');
  sendXml(response, `<DeleteResult>${deleted}</DeleteResult>`);
}

function sendXml(response: ServerResponse, xml: string): void {
  response.writeHead(200, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?>${xml}`);
}

function xmlTag(tag: string, text: string): string {
  return `<${tag}>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</${tag}>`;
}

function factsOf(bytes: Buffer): string {
  const at = new Date().toISOString();
  return `<Size>${bytes.length}</Size><LastModified>${at}</LastModified><ETag>${etagOf(bytes)}</ETag>`;
}

function etagOf(bytes: Buffer): string {
  return `"${bytes.length.toString(16)}"`;
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  await once(request, 'end');
  return Buffer.concat(pieces);
}
