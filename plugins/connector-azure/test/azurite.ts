import { spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';

import { missingVendorClient, vendorClientPath } from '@trove/test-support/vendor-clients.js';
import { open, type Opened } from './source.js';

/** The account of every Azurite, and its published key. */
export const account = 'devstoreaccount1';
export const accountKey =
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';
const version = '2021-12-02';

/** The reason why `Azurite.start` cannot run, or null. */
export const noAzurite = missingVendorClient('azurite');

/** Azurite, the vendor's emulator of Blob Storage, with all data in memory. */
export class Azurite {
  readonly endpoint: string;
  readonly stop: () => Promise<void>;

  private constructor(endpoint: string, stop: () => Promise<void>) {
    this.endpoint = endpoint;
    this.stop = stop;
  }

  static async start(): Promise<Azurite> {
    const program = vendorClientPath('azurite', 'dist/src/blob/main.js');
    const options = ['--inMemoryPersistence', '--blobPort', '0', '--disableTelemetry'];
    const child = spawn(process.execPath, [program, ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    const stop = async (): Promise<void> => {
      child.kill();
      await exited;
    };
    for await (const line of createInterface({ input: child.stdout })) {
      const [, origin] = /listens on (http:\/\/127\.0\.0\.1:\d+)/.exec(line) ?? [];
      if (origin === undefined) continue;
      child.stdout.resume();
      return new Azurite(`${origin}/${account}`, stop);
    }
    throw new Error('Azurite did not start.');
  }

  async container(): Promise<TestContainer> {
    const container = new TestContainer(this, `test-${randomUUID()}`);
    await container.create();
    return container;
  }
}

/** A container that only one test uses. */
export class TestContainer {
  readonly name: string;
  readonly #azurite: Azurite;

  constructor(azurite: Azurite, name: string) {
    this.#azurite = azurite;
    this.name = name;
  }

  get target(): string {
    return `azure://${account}/${this.name}`;
  }

  get config(): { endpoint: string; account_key: string } {
    return { endpoint: this.#azurite.endpoint, account_key: accountKey };
  }

  open(config: object = this.config, path = ''): Opened {
    return open(this.target + path, { endpoint: this.#azurite.endpoint, ...config });
  }

  async create(): Promise<void> {
    await this.#send('PUT', '?restype=container', '');
  }

  async put(
    name: string,
    body: string | Uint8Array,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const path = `/${name.split('/').map(encodeURIComponent).join('/')}`;
    await this.#send('PUT', path, body, { 'x-ms-blob-type': 'BlockBlob', ...headers });
  }

  async remove(name: string): Promise<void> {
    await this.#send('DELETE', `/${name.split('/').map(encodeURIComponent).join('/')}`, '');
  }

  /** Returns a signature with rights such as `rl`. */
  sas(rights: string, expiry = '2100-01-01T00:00:00Z'): string {
    const resource = `/blob/${account}/${this.name}`;
    const fields = [
      rights,
      '',
      expiry,
      resource,
      '',
      '',
      '',
      version,
      'c',
      '',
      '',
      '',
      '',
      '',
      '',
      '',
    ];
    const sig = hmac(fields.join('\n'));
    const parameters = new URLSearchParams({ sp: rights, se: expiry, sv: version, sr: 'c', sig });
    return `?${parameters.toString()}`;
  }

  async #send(
    method: string,
    path: string,
    body: string | Uint8Array,
    more: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const url = new URL(`${this.#azurite.endpoint}/${this.name}${path}`);
    const bytes = Buffer.from(body);
    const headers: Record<string, string> = {
      ...more,
      'x-ms-date': new Date().toUTCString(),
      'x-ms-version': version,
    };
    const own = Object.entries(headers).filter(([name]) => name.startsWith('x-ms-'));
    const lines = own.map(([name, value]) => `${name}:${value}\n`).sort();
    const length = bytes.length === 0 ? '' : String(bytes.length);
    const type = headers['content-type'] ?? '';
    const query = [...url.searchParams].map(([name, value]) => `\n${name}:${value}`).join('');
    const text = `${method}\n\n\n${length}\n\n${type}\n\n\n\n\n\n\n${lines.join('')}/${account}${url.pathname}${query}`;
    headers['authorization'] = `SharedKey ${account}:${hmac(text)}`;
    const init = method === 'PUT' ? { body: bytes } : {};
    const response = await fetch(url, { method, headers, ...init });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  }
}

function hmac(text: string): string {
  return createHmac('sha256', Buffer.from(accountKey, 'base64')).update(text).digest('base64');
}
