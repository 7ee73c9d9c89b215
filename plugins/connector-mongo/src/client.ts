import { setTimeout as delay } from 'node:timers/promises';

import { tlsModeOf, unlessAborted } from '@trove/connector-kit';
import {
  MongoClient,
  type Db,
  type MongoClientOptions,
  type ServerHeartbeatFailedEvent,
} from 'mongodb';

import type { Config } from './config.js';
import type { Place } from './place.js';

const connectMs = 7000;
/** With what DNS takes. */
const mostMs = 8500;
/** How much later than the server's own limit an answer is given up. */
const graceMs = 10_000;
const mostConnections = 4;
/** Connections that nobody uses are closed after this time: a server has only so many. */
const idleMs = 10_000;
/** A member of a replica set that is further behind is not read from. */
const mostStalenessS = 120;

/** The connections of a source to its server: made when the first operation needs them, closed when none has for a while. */
export class SharedClient {
  readonly #place: Place;
  readonly #options: MongoClientOptions;
  #connecting: Promise<MongoClient> | null = null;
  #users = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(place: Place, config: Config) {
    this.#place = place;
    this.#options = optionsOf(place, config);
  }

  /** The database, until `release` is called. Throws what the driver throws. */
  async take(signal: AbortSignal): Promise<Db> {
    signal.throwIfAborted();
    clearTimeout(this.#idle);
    this.#users++;
    try {
      this.#connecting ??= this.#connect();
      const client = await unlessAborted(this.#connecting, signal);
      return client.db(this.#place.database);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  release(): void {
    this.#users--;
    if (this.#users === 0) this.#idle = setTimeout(() => void this.close(), idleMs).unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const connecting = this.#connecting;
    this.#connecting = null;
    await connecting?.then(
      (client) => client.close(),
      () => undefined,
    );
  }

  async #connect(): Promise<MongoClient> {
    try {
      return await connected(this.#place.url, this.#options);
    } catch (error) {
      this.#connecting = null;
      throw error;
    }
  }
}

async function connected(url: string, options: MongoClientOptions): Promise<MongoClient> {
  const client = new MongoClient(url, options);
  const given = new AbortController();
  try {
    const late = delay(mostMs, undefined, { signal: given.signal }).then(() => {
      throw new Error('it timed out');
    });
    return await Promise.race([client.connect(), noneAnswers(client), late]);
  } catch (error) {
    await client.close();
    throw error;
  } finally {
    given.abort();
  }
}

/** Rejects once each host has failed, and none has ever answered: the driver would try again and again. */
function noneAnswers(client: MongoClient): Promise<never> {
  return new Promise((_, reject) => {
    const failed = new Set<string>();
    const note = ({ connectionId, failure }: ServerHeartbeatFailedEvent): void => {
      failed.add(connectionId);
      if (failed.size >= client.options.hosts.length) reject(failure);
    };
    client.on('serverHeartbeatFailed', note);
    client.once('serverHeartbeatSucceeded', () => client.off('serverHeartbeatFailed', note));
  });
}

function optionsOf(place: Place, config: Config): MongoClientOptions {
  const { password = '', read_preference, read_concern, timeout_s } = config;
  return {
    ...(place.user === ''
      ? {}
      : { auth: { username: place.user, password }, authSource: config.auth_source }),
    ...tlsOf(place, config),
    ...(config.direct ? { directConnection: true } : {}),
    ...(read_concern === undefined ? {} : { readConcernLevel: read_concern }),
    readPreference: read_preference,
    ...(read_preference === 'primary' ? {} : { maxStalenessSeconds: mostStalenessS }),
    appName: 'trove',
    retryWrites: false,
    maxPoolSize: mostConnections,
    maxIdleTimeMS: idleMs,
    connectTimeoutMS: connectMs,
    serverSelectionTimeoutMS: connectMs,
    socketTimeoutMS: timeout_s * 1000 + graceMs,
  };
}

function tlsOf(place: Place, { tls, ca }: Config): MongoClientOptions {
  const mode = place.isSrv ? (tls ?? 'verify') : tlsModeOf(place, tls);
  if (mode === 'off') return { tls: false };
  const isLoose = mode === 'unverified';
  return {
    tls: true,
    ...(isLoose ? { tlsAllowInvalidCertificates: true, tlsAllowInvalidHostnames: true } : {}),
    ...(ca === undefined ? {} : { ca }),
  };
}
