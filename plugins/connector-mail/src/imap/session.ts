import { setTimeout as delay } from 'node:timers/promises';
import { Turns } from '@trove/connector-kit';
import type { ConnectorContext } from '@trove/core';
import { ImapFlow } from 'imapflow';

import type { Config } from './config.js';
import { failure, isRefused } from './failures.js';
import type { Login, Secret } from './login.js';
import { placeOf, type Place } from './place.js';

export type Context = ConnectorContext<Config>;

const connectMs = 7000;
/** A server that says nothing for so long, or that is asked nothing, is left. */
const silentMs = 60_000;
const idleMs = 20_000;
/** What a server tells of by itself, or that it tells nothing any more. */
const newsEvents = ['exists', 'expunge', 'flags', 'close'];

/** The connection to a server: made when it is needed, one command at a time, closed when nobody needs it. */
export class Session {
  readonly #place: Place;
  readonly #config: Config;
  readonly #login: Login;
  /** The client's own locks let others select another folder while one is held. */
  readonly #turns = new Turns();
  #client: Promise<ImapFlow> | null = null;
  #working = 0;
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  /** `login`: shared by all connections of a source. */
  constructor({ target, config }: Context, login: Login) {
    this.#place = placeOf(target);
    this.#config = config;
    this.#login = login;
  }

  /** For messages. */
  get name(): string {
    return `The mail server ${this.#place.host}:${this.#place.port}`;
  }

  /** Throws `connector_unhealthy`, which says what to do. */
  async use<T>(signal: AbortSignal, work: (client: ImapFlow) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    this.#working++;
    if (this.#timer !== null) clearTimeout(this.#timer);
    try {
      const known = this.#client;
      const client = await this.#connected();
      return await work(client).catch(async (error: unknown) => {
        signal.throwIfAborted();
        // Servers leave who is idle, or has selected a folder that is deleted.
        if (client.usable || known === null) throw error;
        return work(await this.#connected());
      });
    } catch (error) {
      signal.throwIfAborted();
      throw failure(error, this.name);
    } finally {
      this.#working--;
      if (this.#working === 0) this.#timer = setTimeout(() => void this.#leave(), idleMs).unref();
    }
  }

  /** The same with a folder selected, which nobody else changes meanwhile. Null when there is no such folder. */
  async inFolder<T>(
    path: string,
    signal: AbortSignal,
    work: (client: ImapFlow) => Promise<T>,
  ): Promise<T | null> {
    return this.#turns.take(signal, () => this.#useFolder(path, signal, work));
  }

  async #useFolder<T>(
    path: string,
    signal: AbortSignal,
    work: (client: ImapFlow) => Promise<T>,
  ): Promise<T | null> {
    return this.use(signal, async (client) => {
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

  /** Listens to a folder until something changes in it (true) or for so long (false); null when there is no such folder. */
  async news(path: string, ms: number, signal: AbortSignal): Promise<boolean | null> {
    return this.inFolder(path, signal, async (client) => {
      const over = new AbortController();
      let tell = (): void => undefined;
      const heard = new Promise<boolean>((resolve) => (tell = () => resolve(true)));
      for (const event of newsEvents) client.addListener(event, tell);
      const late = delay(ms, false, { signal: AbortSignal.any([signal, over.signal]) });
      // It ends with the next command.
      client.idle().catch(() => undefined);
      try {
        return await Promise.race([heard, late]);
      } finally {
        over.abort();
        for (const event of newsEvents) client.removeListener(event, tell);
        if (client.usable && !signal.aborted) await client.noop();
      }
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#leave();
  }

  #connected(): Promise<ImapFlow> {
    const connecting = (this.#client ??= this.#connect());
    return connecting.then(
      (client) => {
        if (client.usable) return client;
        if (this.#client === connecting) this.#client = null;
        return this.#connected();
      },
      (error: unknown) => {
        if (this.#client === connecting) this.#client = null;
        throw error;
      },
    );
  }

  async #connect(): Promise<ImapFlow> {
    if (this.#isClosed) throw new Error('The source is closed.');
    try {
      return await this.#connectWith(await this.#login.secret());
    } catch (error) {
      if (!isRefused(error) || !this.#login.refused()) throw error;
      return this.#connectWith(await this.#login.secret());
    }
  }

  async #connectWith(secret: Secret): Promise<ImapFlow> {
    const { host, port, user, isEncrypted, isLocal } = this.#place;
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
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      socketTimeout: silentMs,
    });
    // Whoever waits for an answer is told; without a listener, the process would end.
    client.on('error', () => undefined);
    try {
      await client.connect();
    } catch (error) {
      client.close();
      throw error;
    }
    return client;
  }

  async #leave(): Promise<void> {
    const leaving = this.#client;
    this.#client = null;
    const client = await leaving?.catch(() => null);
    if (client === null || client === undefined) return;
    await client.logout().catch(() => undefined);
    client.close();
  }
}

function isMissing(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    (('mailboxMissing' in error && error.mailboxMissing === true) ||
      ('serverResponseCode' in error && error.serverResponseCode === 'NONEXISTENT'))
  );
}
