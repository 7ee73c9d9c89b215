import { randomBytes } from 'node:crypto';
import { ImapFlow } from 'imapflow';

import type { MailServer } from './mail-server.js';
import { waitUntil } from './waiting.js';

/** A user with mail, as seen by a mail program. */
export class MailAccount {
  readonly server: MailServer;
  readonly user = `u${randomBytes(6).toString('hex')}@example.org`;
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

  /** Returns the user's connection. Reconnects when the server has ended it. */
  async client(): Promise<ImapFlow> {
    const client = await (this.#client ??= this.#connect());
    if (client.usable) return client;
    this.#client = null;
    return this.client();
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

  /** Returns the UID of the message. */
  async append(folder: string, message: string, flags: string[] = []): Promise<number> {
    const appended = await (await this.client()).append(folder, message, flags);
    if (appended === false || appended.uid === undefined)
      throw new Error('the message was not appended');
    return appended.uid;
  }

  async within<T>(folder: string, work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const client = await this.client();
    const lock = await client.getMailboxLock(folder);
    try {
      return await work(client);
    } finally {
      lock.release();
      // Other clients see it when it is no longer selected.
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

  async move(folder: string, uid: number, to: string): Promise<void> {
    await this.within(folder, (client) => client.messageMove(String(uid), to, { uid: true }));
  }

  /** Retries while another client has the folder open. */
  async deleteFolder(folder: string): Promise<void> {
    await waitUntil(async () => {
      const client = await this.client();
      await client.mailboxDelete(folder).catch(() => undefined);
      return (await client.list()).every(({ path }) => path !== folder);
    }, 'the folder to be deleted');
  }

  async leave(): Promise<void> {
    const client = await this.#client?.catch(() => null);
    await client?.logout().catch(() => undefined);
  }
}
