import { randomUUID } from 'node:crypto';
import type { Connector, Entry } from '@trove/core';
import { connectorContext } from '@trove/testkit';
import { AwsClient } from 'aws4fetch';

import { collect } from '@trove/test-support/collect.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import type { ObjectStore } from '@trove/test-support/object-store.js';
import plugin from '../src/index.js';

export { plugin };

type Opened = Required<Pick<Connector, 'list' | 'read' | 'browse' | 'stat' | 'check'>>;

/** Default settings of a source. */
export const defaults = { anonymous: false, ignore: [] };

export function open(target: string, config: object, http = connectorHttp()): Opened {
  const connector = plugin.create(
    connectorContext({ config: { ...defaults, ...config }, target, http }),
  );
  if (connector instanceof Promise) throw new Error('It is made at once.');
  const { list, read, browse, stat, check } = connector;
  if (!read || !browse || !stat || !check) throw new Error('The connector lacks a method.');
  return { list, read, browse, stat, check };
}

/** Creates a bucket with one object `a.md` and a policy for all users. */
export async function bucketWithPolicy(
  { endpoint, accessKeyId, secretAccessKey }: ObjectStore,
  effect: 'Allow' | 'Deny',
  actions: readonly string[],
): Promise<string> {
  const client = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region: 'here' });
  const bucket = `policy-${randomUUID()}`;
  const resources = [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`];
  const statement = { Effect: effect, Principal: '*', Action: actions, Resource: resources };
  const bodies = [
    ['', ''],
    ['/a.md', 'open'],
    ['?policy', JSON.stringify({ Version: '2012-10-17', Statement: [statement] })],
  ];
  for (const [what, body = ''] of bodies) {
    const answer = await client.fetch(`${endpoint}/${bucket}${what}`, { method: 'PUT', body });
    if (!answer.ok) throw new Error(await answer.text());
  }
  return bucket;
}

/** A folder of the store's bucket that only one test uses. */
export class Corner {
  readonly #store: ObjectStore;
  readonly #client: AwsClient;
  readonly folder = randomUUID();

  constructor(store: ObjectStore) {
    this.#store = store;
    const { accessKeyId, secretAccessKey } = store;
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region: 'here' });
  }

  get target(): string {
    return `s3://${this.#store.bucket}/${this.folder}`;
  }

  get config(): { endpoint: string; access_key_id: string; secret_access_key: string } {
    const { endpoint, accessKeyId, secretAccessKey } = this.#store;
    return { endpoint, access_key_id: accessKeyId, secret_access_key: secretAccessKey };
  }

  open(config: object = {}): Opened {
    return open(this.target, { ...this.config, ...config });
  }

  async put(
    key: string,
    body: string | Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<void> {
    await this.#send('PUT', key, { body: Buffer.from(body), headers });
  }

  async remove(key: string): Promise<void> {
    await this.#send('DELETE', key);
  }

  async #send(method: string, key: string, init: RequestInit = {}): Promise<void> {
    const { endpoint, bucket } = this.#store;
    const path = `${this.folder}/${key}`.split('/').map(encodeURIComponent).join('/');
    const answer = await this.#client.fetch(`${endpoint}/${bucket}/${path}`, { ...init, method });
    if (!answer.ok) throw new Error(`${method} ${key}: ${await answer.text()}`);
  }
}

export function calm(): AbortSignal {
  return new AbortController().signal;
}

export async function listed({ list }: Pick<Connector, 'list'>, since?: string): Promise<Entry[]> {
  const entries = await collect(
    list({ signal: calm(), ...(since === undefined ? {} : { since }) }),
  );
  return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
}

export async function textAt({ read }: Pick<Opened, 'read'>, path: string): Promise<string> {
  const { bytes } = await read(path, { signal: calm() });
  const pieces = bytes instanceof Uint8Array ? [bytes] : await collect(bytes);
  return Buffer.concat(pieces).toString();
}
