import { setTimeout as delay } from 'node:timers/promises';

import { readPassword, tlsModeOf, rejectOnAbort } from '@trove/connector-kit';
import type { ConnectorContext, Credentials } from '@trove/core';
import {
  MongoClient,
  type Db,
  type MongoClientOptions,
  type ServerHeartbeatFailedEvent,
} from 'mongodb';

import type { MongoConfig } from './config.js';
import { limitReceivedBytes } from './receive-limit.js';
import { MemberFilter } from './member-filter.js';
import { urlFormat, type MongoLocation } from './location.js';

type MongoClientContext = Pick<ConnectorContext<MongoConfig>, 'config' | 'credentials'>;

const connectTimeoutMs = 7000;
/** Includes the DNS lookup. */
const maxConnectMs = 8500;
/** The time after the server's own limit until the socket times out. */
const graceMs = 10_000;
const maxConnections = 4;
/** Idle connections are closed after this time, because servers limit their number. */
const idleTimeoutMs = 10_000;
/** Members of a replica set with a longer replication lag are not used. */
const maxStalenessS = 120;

limitReceivedBytes();

/** A client with one password. */
interface OpenClient {
  readonly password: string;
  readonly client: Promise<MongoClient>;
  users: number;
  idle: NodeJS.Timeout | undefined;
}

/** A database that stays usable until `release`. */
export interface AcquiredDatabase {
  readonly db: Db;
  release(): void;
}

/** The connections of a source. Connects for the first operation and closes when idle. */
export class SharedClient {
  readonly #place: MongoLocation;
  readonly #config: MongoConfig;
  readonly #credentials: Credentials;
  #opened: OpenClient | null = null;

  constructor(place: MongoLocation, { config, credentials }: MongoClientContext) {
    this.#place = place;
    this.#config = config;
    this.#credentials = credentials;
  }

  /** Throws errors of the driver. */
  async acquire(signal: AbortSignal): Promise<AcquiredDatabase> {
    signal.throwIfAborted();
    const { uri } = this.#config;
    const opened = this.#openedWith(await readPassword(this.#credentials, uri, urlFormat));
    clearTimeout(opened.idle);
    opened.users++;
    const release = (): void => this.#release(opened);
    try {
      const client = await rejectOnAbort(opened.client, signal);
      return { db: client.db(this.#place.database), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    if (opened !== null) await closeClient(opened);
  }

  /** Reconnects after a change of the password. Running operations finish on the old connections. */
  #openedWith(password: string): OpenClient {
    if (this.#opened?.password === password) return this.#opened;
    const former = this.#opened;
    const lost = (): void => {
      if (this.#opened === opened) this.#opened = null;
    };
    const options = optionsOf(this.#place, this.#config, password);
    const client = connectClient(this.#place.url, options, lost);
    const opened: OpenClient = { password, client, users: 0, idle: undefined };
    this.#opened = opened;
    client.catch(lost);
    if (former?.users === 0) void closeClient(former);
    return opened;
  }

  #release(opened: OpenClient): void {
    opened.users--;
    if (opened.users > 0) return;
    if (this.#opened === opened)
      opened.idle = setTimeout(() => void this.#leave(opened), idleTimeoutMs).unref();
    else void closeClient(opened);
  }

  #leave(opened: OpenClient): Promise<void> {
    if (this.#opened === opened) this.#opened = null;
    return closeClient(opened);
  }
}

function closeClient({ client, idle }: OpenClient): Promise<void> {
  clearTimeout(idle);
  return client.then(
    (each) => each.close(),
    () => undefined,
  );
}

/**
 * Calls `lost` when a connection breaks, and the next operation then uses a new client. The driver would keep the client,
 * but its heartbeat may wait forever on another broken connection.
 */
async function connectClient(
  url: string,
  options: MongoClientOptions,
  lost: () => void,
): Promise<MongoClient> {
  const members = new MemberFilter(() => client.options.hosts.flatMap(({ host }) => host ?? []));
  const client = new MongoClient(url, { ...options, lookup: members.lookup })
    .on('connectionPoolCleared', lost)
    .on('serverHeartbeatSucceeded', ({ reply }) => members.filter(reply));
  const given = new AbortController();
  try {
    const late = delay(maxConnectMs, undefined, { signal: given.signal }).then(() => {
      throw new Error('timed out');
    });
    return await Promise.race([client.connect(), rejectWhenUnreachable(client), late]);
  } catch (error) {
    await client.close();
    throw error;
  } finally {
    given.abort();
  }
}

/** Rejects when every host has failed and none has answered yet. The driver itself would keep retrying. */
function rejectWhenUnreachable(client: MongoClient): Promise<never> {
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

function optionsOf(
  place: MongoLocation,
  config: MongoConfig,
  password: string,
): MongoClientOptions {
  const { read_preference, read_concern, timeout_s } = config;
  return {
    ...(place.user === ''
      ? {}
      : { auth: { username: place.user, password }, authSource: place.authSource }),
    ...tlsOf(place, config),
    ...(place.isDirect ? { directConnection: true } : {}),
    ...(read_concern === undefined ? {} : { readConcernLevel: read_concern }),
    readPreference: read_preference,
    ...(read_preference === 'primary' ? {} : { maxStalenessSeconds: maxStalenessS }),
    appName: 'trove',
    retryWrites: false,
    maxPoolSize: maxConnections,
    maxIdleTimeMS: idleTimeoutMs,
    connectTimeoutMS: connectTimeoutMs,
    serverSelectionTimeoutMS: connectTimeoutMs,
    socketTimeoutMS: timeout_s * 1000 + graceMs,
  };
}

function tlsOf(place: MongoLocation, { tls, ca }: MongoConfig): MongoClientOptions {
  const wanted = tls ?? place.tls;
  const mode = place.isSrv ? (wanted ?? 'verify') : tlsModeOf(place, wanted);
  if (mode === 'off') return { tls: false };
  const isLoose = mode === 'unverified';
  return {
    tls: true,
    ...(isLoose ? { tlsAllowInvalidCertificates: true, tlsAllowInvalidHostnames: true } : {}),
    ...(ca === undefined ? {} : { ca }),
  };
}
