import { setTimeout as delay } from 'node:timers/promises';
import { Mutex } from '@trove/connector-kit';
import { ImapFlow, type MailboxObject } from 'imapflow';

import type { ImapContext } from './context.js';
import type { ImapConfig } from './config.js';
import { toImapError, isRefused } from './failures.js';
import { limitResponseSize } from './response-limit.js';
import type { Login, ImapSecret } from './login.js';
import { parseTarget, type ImapServer } from './target.js';

const connectTimeoutMs = 7000;
/** A server may keep sending data without ever finishing the login. */
const loginTimeoutMs = 30_000;

const socketTimeoutMs = 60_000;
const idleTimeoutMs = 20_000;
/** The delay between the last command and IDLE, because a sync sends many commands in a row. */
const listenDelayMs = 300;
/** How long an unsolicited server update counts as current. */
const maxUpdateAgeMs = 1000;
/** The time for the answer to an aborted command or a logout. */
const closeTimeoutMs = 2000;
/** A connection that ends earlier is short-lived. After two of them, the listener does not reconnect immediately. */
const minConnectionMs = 30_000;
/** Unsolicited server updates. */
const changeEvents = ['exists', 'expunge', 'flags'];

/** `missing`: the folder does not exist. `ended`: the server keeps closing the connection. */
export type ListenResult = 'changed' | 'nothing' | 'missing' | 'ended';

interface FolderListener {
  readonly path: string;
  readonly report: (news: ListenResult) => void;
}

/** The connection to a server. Connects on demand, runs one command at a time and closes when idle. */
export class ImapSession {
  readonly #server: ImapServer;
  readonly #config: ImapConfig;
  readonly #login: Login;
  /** Required because the client's locks allow another folder to be selected while one is held. */
  readonly #mutex = new Mutex();
  #client: Promise<ImapFlow> | null = null;
  #running = 0;
  #timer: NodeJS.Timeout | null = null;
  readonly #closing = new AbortController();
  #listener: FolderListener | null = null;
  /** The folder of the last IDLE with its number of messages. */
  #watchedFolder: { readonly path: string; count: number } | null = null;
  /** The time of the last update during IDLE. */
  #updatedAt = -Infinity;
  #connectedAt = -Infinity;
  /** Whether the last closed connection was short-lived. */
  #wasShortLived = false;

  /** `login` is shared by all connections of a source. */
  constructor({ target, config }: ImapContext, login: Login) {
    this.#server = parseTarget(target);
    this.#config = config;
    this.#login = login;
  }

  /** The name of the server in messages. */
  get name(): string {
    return `The mail server ${this.#server.host}:${this.#server.port}`;
  }

  /** Runs `work` with a connected client. Throws `connector_unhealthy`. */
  async withClient<T>(signal: AbortSignal, work: (client: ImapFlow) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    this.#running++;
    if (this.#timer !== null) clearTimeout(this.#timer);
    try {
      const existing = this.#client;
      const client = await this.#ensureConnected();
      return await runCommand(client, signal, work).catch(async (error: unknown) => {
        signal.throwIfAborted();
        // Servers close idle connections, and connections with a deleted folder.
        if (client.usable || existing === null) throw error;
        return runCommand(await this.#ensureConnected(), signal, work);
      });
    } catch (error) {
      signal.throwIfAborted();
      throw toImapError(error, this.name);
    } finally {
      this.#running--;
      if (this.#running === 0) this.#scheduleIdle();
    }
  }

  /** Schedules IDLE or the closing of the connection. */
  #scheduleIdle(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer =
      this.#listener === null
        ? setTimeout(() => void this.#disconnect(), idleTimeoutMs)
        : setTimeout(() => void this.#resumeListening(), listenDelayMs);
    this.#timer.unref();
  }

  /** Asks the server for updates of the selected folder, unless IDLE has just delivered some. */
  async refresh(client: ImapFlow): Promise<void> {
    if (performance.now() - this.#updatedAt > maxUpdateAgeMs) await client.noop();
  }

  /** Like `withClient`, with exclusive use of a selected folder. Returns null if the folder does not exist. */
  async withFolder<T>(
    path: string,
    signal: AbortSignal,
    work: (client: ImapFlow) => Promise<T>,
  ): Promise<T | null> {
    return this.#mutex.run(signal, () => this.#withFolder(path, signal, work));
  }

  async #withFolder<T>(
    path: string,
    signal: AbortSignal,
    work: (client: ImapFlow) => Promise<T>,
  ): Promise<T | null> {
    return this.withClient(signal, async (client) => {
      const lock = await client.getMailboxLock(path, { readOnly: true }).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      });
      if (lock === null) return null;
      try {
        signal.throwIfAborted();
        return await work(client);
      } finally {
        lock.release();
      }
    });
  }

  /** Waits for a change in a folder, for at most `ms`. Only one call at a time. Commands interrupt IDLE and it resumes afterwards. */
  async waitForChange(path: string, ms: number, signal: AbortSignal): Promise<ListenResult> {
    const done = new AbortController();
    const timeout = delay<ListenResult>(ms, 'nothing', {
      signal: AbortSignal.any([signal, done.signal]),
    });
    const change = new Promise<ListenResult>((resolve) => {
      this.#listener = { path, report: resolve };
    });
    // A listener keeps the connection open.
    if (this.#timer !== null) clearTimeout(this.#timer);
    const outcome = Promise.race([change, timeout]);
    outcome.catch(() => undefined);
    try {
      const exists = this.#running > 0 || (await this.#listen(path, signal));
      return exists ? await outcome : 'missing';
    } finally {
      this.#listener = null;
      done.abort();
      if (this.#running === 0) this.#scheduleIdle();
    }
  }

  /** Starts IDLE. Returns whether the folder exists. */
  async #listen(path: string, signal: AbortSignal): Promise<boolean> {
    const client = await this.#client?.catch(() => null);
    if (client?.usable === true && client.idling && folderOf(client)?.path === path) return true;
    const exists = await this.withFolder(path, signal, async (selected) => {
      const count = folderOf(selected)?.exists ?? 0;
      // The server sends no updates of a folder while another one is selected.
      if (this.#watchedFolder?.path === path && this.#watchedFolder.count !== count)
        this.#listener?.report('changed');
      this.#watchedFolder = { path, count };
      // IDLE ends with the next command.
      selected.idle().catch(() => undefined);
      return true;
    });
    const isQuiet = this.#running === 0 && this.#listener !== null;
    if (isQuiet && this.#timer !== null) clearTimeout(this.#timer);
    return exists ?? false;
  }

  async #resumeListening(): Promise<void> {
    const listener = this.#listener;
    if (listener === null) return;
    const { signal } = this.#closing;
    const exists = await this.#listen(listener.path, signal).catch(() => false);
    // The caller checks the folder again and finds the cause.
    if (!exists) listener.report('changed');
  }

  #handleClose(): void {
    const isShortLived = performance.now() - this.#connectedAt < minConnectionMs;
    this.#listener?.report(isShortLived && this.#wasShortLived ? 'ended' : 'changed');
    this.#wasShortLived = isShortLived;
  }

  #handleUpdate(client: ImapFlow): void {
    const folder = folderOf(client);
    if (folder !== null && folder.path === this.#watchedFolder?.path)
      this.#watchedFolder.count = folder.exists;
    if (client.idling) this.#updatedAt = performance.now();
    this.#listener?.report('changed');
  }

  async close(): Promise<void> {
    this.#closing.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#disconnect();
  }

  #ensureConnected(): Promise<ImapFlow> {
    const connection = (this.#client ??= this.#connect());
    return connection.then(
      (client) => {
        if (client.usable) return client;
        if (this.#client === connection) this.#client = null;
        return this.#ensureConnected();
      },
      (error: unknown) => {
        if (this.#client === connection) this.#client = null;
        throw error;
      },
    );
  }

  async #connect(): Promise<ImapFlow> {
    if (this.#closing.signal.aborted) throw new Error('The source is closed.');
    try {
      return await this.#connectWith(await this.#login.secret());
    } catch (error) {
      if (!isRefused(error) || !this.#login.invalidate()) throw error;
      return this.#connectWith(await this.#login.secret());
    }
  }

  async #connectWith(secret: ImapSecret): Promise<ImapFlow> {
    const { host, port, user, isEncrypted, isLocal } = this.#server;
    const { tls, ca } = this.#config;
    const mode = tls ?? (isLocal && !isEncrypted ? 'off' : 'verify');
    const client = new ImapFlow({
      host,
      port,
      secure: isEncrypted,
      ...(isEncrypted ? {} : { doSTARTTLS: mode !== 'off' }),
      auth: { user, ...secret },
      tls: { rejectUnauthorized: mode === 'verify', ...(ca === undefined ? {} : { ca }) },
      clientInfo: { name: 'Trove' },
      logger: false,
      disableAutoIdle: true,
      connectionTimeout: connectTimeoutMs,
      greetingTimeout: connectTimeoutMs,
      socketTimeout: socketTimeoutMs,
    });
    // Pending commands already receive the error. An unhandled `error` event would end the process.
    client.on('error', () => undefined);
    // Every pending command listens to `close`.
    client.setMaxListeners(Infinity);
    for (const event of changeEvents) client.addListener(event, () => this.#handleUpdate(client));
    client.on('close', () => this.#handleClose());
    limitResponseSize(client);
    this.#connectedAt = performance.now();
    const timeout = setTimeout(() => client.close(), loginTimeoutMs);
    try {
      await client.connect();
    } catch (error) {
      client.close();
      throw error;
    } finally {
      clearTimeout(timeout);
    }
    return client;
  }

  async #disconnect(): Promise<void> {
    const connection = this.#client;
    this.#client = null;
    const client = await connection?.catch(() => null);
    if (client === null || client === undefined) return;
    const logout = client.logout().catch(() => undefined);
    await Promise.race([logout, delay(closeTimeoutMs, undefined, { ref: false })]);
    client.close();
  }
}

/**
 * Runs a command. After an abort, the connection closes if the answer does not arrive, because IMAP cannot cancel a command.
 * The client may lose a command whose answer arrives while the connection closes, so this rejects soon after the close.
 */
async function runCommand<T>(
  client: ImapFlow,
  signal: AbortSignal,
  work: (client: ImapFlow) => Promise<T>,
): Promise<T> {
  const timers: NodeJS.Timeout[] = [];
  const closeLater = (): void =>
    void timers.push(setTimeout(() => client.close(), closeTimeoutMs).unref());
  let rejectLater = (): void => undefined;
  const answerLost = new Promise<never>((_resolve, reject) => {
    rejectLater = () => void timers.push(setTimeout(reject, closeTimeoutMs, lostAnswerError()));
  });
  signal.addEventListener('abort', closeLater, { once: true });
  client.addListener('close', rejectLater);
  try {
    return await Promise.race([work(client), answerLost]);
  } finally {
    signal.removeEventListener('abort', closeLater);
    client.removeListener('close', rejectLater);
    for (const timer of timers) clearTimeout(timer);
  }
}

function lostAnswerError(): Error {
  return Object.assign(new Error('the answer was lost with its connection'), {
    code: 'NoConnection',
  });
}

function folderOf({ mailbox }: ImapFlow): MailboxObject | null {
  return mailbox === false ? null : mailbox;
}

function isMissing(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    (('mailboxMissing' in error && error.mailboxMissing === true) ||
      ('serverResponseCode' in error && error.serverResponseCode === 'NONEXISTENT'))
  );
}
