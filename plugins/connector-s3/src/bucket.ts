import { TroveError, type ConnectorContext } from '@trove/core';
import { retryAfterMs } from '@trove/core/provider';
import { AwsV4Signer } from 'aws4fetch';

import type { S3Access } from './access.js';
import type { S3Config } from './config.js';
import { CurrentAccess } from './current-access.js';
import { refusalError, type RefusedRequest, type S3Refusal } from './failures.js';
import { rangeNotSatisfiable } from './status.js';
import { bucketUrlOf, type BucketLocation } from './bucket-location.js';
import { XmlReader } from './xml.js';

export interface BucketRequest {
  readonly method: 'GET' | 'HEAD';
  /** Of an object; without one, the bucket is asked. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

type BucketContext = Pick<ConnectorContext<S3Config>, 'config' | 'credentials' | 'http'>;

const maxMessageChars = 300;
const maxRefusalBytes = 64 * 1024;
const refusalStatuses = new Set([400, 401, 403]);

/** A bucket, asked by signed requests. What goes wrong is thrown in words that say what to do. */
export class Bucket {
  readonly name: string;
  readonly #context: BucketContext;
  readonly #access: CurrentAccess;
  /** Keys that signatures are made with, by day and region. */
  readonly #signingKeys = new Map<string, ArrayBuffer>();
  /** Where the bucket turned out to be. */
  #region: string | null = null;

  constructor({ bucket, isGoogle: isGoogles }: BucketLocation, context: BucketContext) {
    this.name = bucket;
    this.#context = context;
    this.#access = new CurrentAccess(context, isGoogles);
  }

  /** Resolves to an answer that is a success, or says that an object has no bytes in the range that was asked for. */
  async request(request: BucketRequest): Promise<Response> {
    let isElsewhere = false;
    let isReplaced = false;
    for (;;) {
      const access = await this.#current();
      const response = await this.#send(request, access);
      if (response.ok || response.status === rangeNotSatisfiable) return response;
      const refusal = await this.#refusalOf(response, request.signal);
      const region: string | null = isElsewhere ? null : regionOf(refusal, response);
      isElsewhere = region !== null && region !== access.region;
      if (isElsewhere) this.#region = region;
      else if (isReplaced || !(await this.#hasNewKey(access, refusal)))
        throw refusalError(refusal, this.#asked(access, request.key));
      else isReplaced = true;
    }
  }

  async #hasNewKey(access: S3Access, { status }: S3Refusal): Promise<boolean> {
    return refusalStatuses.has(status) && (await this.#access.refresh(access));
  }

  /** An error about an answer that makes no sense. */
  protocolError(what: string, cause?: unknown): TroveError {
    return new TroveError(
      'connector_unhealthy',
      `The store of the bucket "${this.name}" does not answer as S3 does: ${what}.`,
      { suggestions: ['Check `endpoint` in the settings of the source.'], cause },
    );
  }

  async #current(): Promise<S3Access> {
    const access = await this.#access.get();
    return this.#region === null ? access : { ...access, region: this.#region };
  }

  async #send(request: BucketRequest, access: S3Access): Promise<Response> {
    const { method, signal } = request;
    const url = this.#urlOf(request, access);
    const headers = await this.#signed(url, request, access);
    // Proxies change this one, so it is not part of the signature.
    headers.set('accept-encoding', 'identity');
    return this.#context.http(url, { method, headers, redirect: 'manual', signal });
  }

  #urlOf({ key, query = {} }: BucketRequest, access: S3Access): string {
    const address = bucketUrlOf(this.name, access, this.#context.config.virtual_hosted_style);
    const path = key === undefined ? '' : `/${key.split('/').map(escapeUri).join('/')}`;
    const terms = Object.entries(query).map((pair) => pair.map(escapeUri).join('='));
    return terms.length === 0 ? address + path : `${address}${path}?${terms.join('&')}`;
  }

  async #signed(url: string, request: BucketRequest, access: S3Access): Promise<Headers> {
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
      // It is no XML: the status says what there is to say.
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

  #asked({ endpoint, region, credentials }: S3Access, key?: string): RefusedRequest {
    const { host } = new URL(bucketUrlOf(this.name, { endpoint, region }, false));
    return { bucket: this.name, key: key ?? null, host, isAnonymous: credentials === null };
  }
}

interface NamedRefusal extends S3Refusal {
  readonly region: string | null;
}

/** The region that the bucket is in, when the store refuses because it is another one. */
function regionOf({ status, code, region }: NamedRefusal, { headers }: Response): string | null {
  const isElsewhere =
    status === 301 || status === 307 || status === 400 || code === 'PermanentRedirect';
  const named = headers.get('x-amz-bucket-region') ?? region ?? '';
  // It becomes part of a host's name.
  return isElsewhere && /^[A-Za-z0-9-]{1,64}$/.test(named) ? named : null;
}

/** As the signature has it: everything but letters, digits and `-._~`. */
function escapeUri(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
