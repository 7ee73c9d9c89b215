import { TroveError } from '@trove/core';
import { retryAfterMs } from '@trove/core/provider';
import { rangeNotSatisfiable, XmlReader } from '@trove/connector-kit/storage';
import { AwsV4Signer } from 'aws4fetch';

import type { S3Access } from './access.js';
import { CurrentAccess, type AccessContext } from './current-access.js';
import { refusalError, type RefusedRequest, type S3Refusal } from './failures.js';
import { bucketUrlOf, type BucketLocation } from './bucket-location.js';

export interface BucketRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT';
  /** Key of an object. Without a key, the request is for the bucket. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Opens the body, again for each attempt. */
  readonly body?: () => ReadableStream;
  readonly signal: AbortSignal;
}

const maxMessageChars = 300;
const maxRefusalBytes = 64 * 1024;
const refusalStatuses = new Set([400, 401, 403]);

/** Sends signed requests to a bucket. Throws errors with remedies. */
export class Bucket {
  readonly name: string;
  readonly #context: AccessContext;
  readonly #access: CurrentAccess;
  /** Signing keys by day and region. */
  readonly #signingKeys = new Map<string, ArrayBuffer>();
  /** The actual region after a redirect. */
  #region: string | null = null;

  constructor({ bucket, isGoogle }: BucketLocation, context: AccessContext) {
    this.name = bucket;
    this.#context = context;
    this.#access = new CurrentAccess(context, isGoogle);
  }

  /** Returns a successful response, or one that says that an object has no bytes in the requested range. */
  async request(request: BucketRequest): Promise<Response> {
    let hasOtherRegion = false;
    let hasRetried = false;
    for (;;) {
      const access = await this.#currentAccess();
      const response = await this.#send(request, access);
      if (response.ok || response.status === rangeNotSatisfiable) return response;
      const refusal = await this.#refusalOf(response, request.signal);
      const region: string | null = hasOtherRegion ? null : regionOf(refusal, response);
      hasOtherRegion = region !== null && region !== access.region;
      if (hasOtherRegion) this.#region = region;
      else if (hasRetried || !(await this.#hasNewKey(access, refusal)))
        throw refusalError(refusal, this.#describeRequest(access, request.key));
      else hasRetried = true;
    }
  }

  async #hasNewKey(access: S3Access, { status }: S3Refusal): Promise<boolean> {
    return refusalStatuses.has(status) && (await this.#access.refresh(access));
  }

  /** Creates an error for an invalid response. */
  protocolError(problem: string, cause?: unknown): TroveError {
    return new TroveError(
      'connector_unhealthy',
      `The store of the bucket "${this.name}" does not answer like S3: ${problem}.`,
      { suggestions: ['Check `endpoint` in the settings of the source.'], cause },
    );
  }

  async #currentAccess(): Promise<S3Access> {
    const access = await this.#access.get();
    return this.#region === null ? access : { ...access, region: this.#region };
  }

  async #send(request: BucketRequest, access: S3Access): Promise<Response> {
    const { method, signal } = request;
    const url = this.#urlOf(request, access);
    const headers = await this.#sign(url, request, access);
    // Proxies change this header, so it is not part of the signature.
    headers.set('accept-encoding', 'identity');
    const sent =
      request.body === undefined ? {} : { body: request.body(), duplex: 'half' as const };
    return this.#context.http(url, { method, headers, redirect: 'manual', signal, ...sent });
  }

  #urlOf({ key, query = {} }: BucketRequest, access: S3Access): string {
    const address = bucketUrlOf(this.name, access, this.#context.config.virtual_hosted_style);
    const path = key === undefined ? '' : `/${key.split('/').map(escapeUri).join('/')}`;
    const parameters = Object.entries(query).map((pair) => pair.map(escapeUri).join('='));
    return parameters.length === 0 ? address + path : `${address}${path}?${parameters.join('&')}`;
  }

  async #sign(url: string, request: BucketRequest, access: S3Access): Promise<Headers> {
    const { credentials, region } = access;
    const { method } = request;
    const headers = new Headers(request.headers);
    if (credentials === null) return headers;
    const signer = new AwsV4Signer({
      ...credentials,
      url,
      method,
      headers,
      region,
      service: 's3',
      cache: this.#signingKeys,
    });
    return (await signer.sign()).headers;
  }

  async #refusalOf(response: Response, signal: AbortSignal): Promise<NamedRefusal> {
    const facts = new Map<string, string>();
    const reader = new XmlReader((path, text) => void facts.set(path, text));
    const decoder = new TextDecoder();
    let size = 0;
    try {
      for await (const piece of response.body ?? []) {
        size += piece.length;
        if (size > maxRefusalBytes) break;
        reader.write(decoder.decode(piece, { stream: true }));
      }
    } catch {
      // The body is not XML. The status is enough for a message.
      signal.throwIfAborted();
    }
    return {
      status: response.status,
      code: facts.get('Error/Code') ?? '',
      message: (facts.get('Error/Message') ?? '').slice(0, maxMessageChars),
      region: facts.get('Error/Region') ?? null,
      retryAfterMs: retryAfterMs(response.headers),
    };
  }

  #describeRequest({ endpoint, region, credentials }: S3Access, key?: string): RefusedRequest {
    const { host } = new URL(bucketUrlOf(this.name, { endpoint, region }, false));
    return { bucket: this.name, key: key ?? null, host, isAnonymous: credentials === null };
  }
}

interface NamedRefusal extends S3Refusal {
  readonly region: string | null;
}

/** Returns the region of the bucket if the store refuses because of another region. */
function regionOf({ status, code, region }: NamedRefusal, { headers }: Response): string | null {
  const mayHaveMoved =
    status === 301 || status === 307 || status === 400 || code === 'PermanentRedirect';
  const named = headers.get('x-amz-bucket-region') ?? region ?? '';
  // The region becomes part of a host name.
  return mayHaveMoved && /^[A-Za-z0-9-]{1,64}$/.test(named) ? named : null;
}

/** Escapes all characters except letters, digits and `-._~`, as signatures require. */
function escapeUri(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
