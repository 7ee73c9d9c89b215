import { randomBytes } from 'node:crypto';
import { connectorContext } from '@trove/testkit';
import type { Connector, GrepItem, GrepRequest } from '@trove/core';
import { ImapFlow } from 'imapflow';

import { imap as plugin } from '../src/index.js';
import { collect } from '../../../scripts/test-support/collect.js';
import type { MailServer } from '../../../scripts/test-support/mail-server.js';
import { calm } from './support.js';

export { plugin };

export interface Config {
  readonly password?: string;
  readonly folders?: string[];
  readonly attachments?: boolean;
  readonly tls?: 'verify' | 'unverified' | 'off';
  readonly ca?: string;
}

/** A user with mail, as their own mail program sees it, and connectors on it. */
export class Account {
  readonly server: MailServer;
  readonly user = `u${randomBytes(6).toString('hex')}@example.org`;
  readonly #open: Connector[] = [];
  #client: Promise<ImapFlow> | null = null;

  constructor(server: MailServer) {
    this.server = server;
  }

  get target(): string {
    return this.targetAt(this.server.port);
  }

  targetAt(port: number, scheme = 'imap', host = '127.0.0.1'): string {
    return `${scheme}://${this.user}@${host}:${port}`;
  }

  config(config: Config = {}) {
    return { folders: [], attachments: true, password: this.server.password, ...config };
  }

  connector(config: Config = {}, target = this.target): Connector {
    const created = plugin.create(connectorContext({ config: this.config(config), target }));
    if (created instanceof Promise) throw new Error('the connector is not there at once');
    this.#open.push(created);
    return created;
  }

  /** The user's own program. */
  client(): Promise<ImapFlow> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<ImapFlow> {
    const client = new ImapFlow({
      host: '127.0.0.1',
      port: this.server.port,
      secure: false,
      doSTARTTLS: false,
      auth: { user: this.user, pass: this.server.password },
      logger: false,
      disableAutoIdle: true,
    });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  async create(folder: string): Promise<void> {
    await (await this.client()).mailboxCreate(folder);
  }

  /** Its number. */
  async append(folder: string, message: string, flags: string[] = []): Promise<number> {
    const appended = await (await this.client()).append(folder, message, flags);
    if (appended === false || appended.uid === undefined) throw new Error('nothing was appended');
    return appended.uid;
  }

  async within<T>(folder: string, work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const client = await this.client();
    const lock = await client.getMailboxLock(folder);
    try {
      return await work(client);
    } finally {
      lock.release();
      // Others see it once it is no longer selected.
      await client.mailboxClose();
    }
  }

  flag(folder: string, uid: number, ...flags: string[]): Promise<boolean> {
    return this.within(folder, (client) =>
      client.messageFlagsAdd(String(uid), flags, { uid: true }),
    );
  }

  delete(folder: string, uid: number): Promise<boolean> {
    return this.within(folder, (client) => client.messageDelete(String(uid), { uid: true }));
  }

  async remove(): Promise<void> {
    for (const connector of this.#open) await connector.close?.();
    const client = await this.#client?.catch(() => null);
    await client?.logout().catch(() => undefined);
  }
}

export function found(
  connector: Connector,
  pattern: string,
  request: Partial<GrepRequest> = {},
): Promise<GrepItem[]> {
  const whole: GrepRequest = {
    pattern,
    regex: false,
    ignoreCase: false,
    context: 0,
    path: '',
    globs: [],
    except: [],
    onlyMatching: false,
    limit: 100,
    limitPerObject: 100,
    after: null,
    signal: calm(),
    ...request,
  };
  return collect(connector.grep?.(whole));
}
