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
  readonly #location: MongoLocation;
  readonly #config: MongoConfig;
  readonly #credentials: Credentials;
  #current: OpenClient | null = null;

  constructor(location: MongoLocation, { config, credentials }: MongoClientContext) {
    this.#location = location;
    this.#config = config;
    this.#credentials = credentials;
  }

  /** Throws errors of the driver. */
  async acquire(signal: AbortSignal): Promise<AcquiredDatabase> {
    signal.throwIfAborted();
    const { uri } = this.#config;
    const opened = this.#openWith(await readPassword(this.#credentials, uri, urlFormat));
    clearTimeout(opened.idle);
    opened.users++;
    const release = (): void => this.#release(opened);
    try {
      const client = await rejectOnAbort(opened.client, signal);
      return { db: client.db(this.#location.database), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async close(): Promise<void> {
    const opened = this.#current;
    this.#current = null;
    if (opened !== null) await closeClient(opened);
  }

  /** Reconnects after a change of the password. Running operations finish on the old connections. */
  #openWith(password: string): OpenClient {
    if (this.#current?.password === password) return this.#current;
    const previous = this.#current;
    const lost = (): void => {
      if (this.#current === opened) this.#current = null;
    };
    const options = optionsOf(this.#location, this.#config, password);
    const client = connectClient(this.#location.url, options, lost);
    const opened: OpenClient = { password, client, users: 0, idle: undefined };
    this.#current = opened;
    client.catch(lost);
    if (previous?.users === 0) void closeClient(previous);
    return opened;
  }

  #release(opened: OpenClient): void {
    opened.users--;
    if (opened.users > 0) return;
    if (this.#current === opened)
      opened.idle = setTimeout(() => void this.#closeIdle(opened), idleTimeoutMs).unref();
    else void closeClient(opened);
  }

  #closeIdle(opened: OpenClient): Promise<void> {
    if (this.#current === opened) this.#current = null;
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
  const cancelled = new AbortController();
  try {
    const timeout = delay(maxConnectMs, undefined, { signal: cancelled.signal }).then(() => {
      throw new Error('timed out');
    });
    return await Promise.race([client.connect(), rejectWhenUnreachable(client), timeout]);
  } catch (error) {
    await client.close();
    throw error;
  } finally {
    cancelled.abort();
  }
}

/** Rejects when every host has failed and none has answered yet. The driver itself would keep retrying. */
function rejectWhenUnreachable(client: MongoClient): Promise<never> {
  return new Promise((_, reject) => {
    const failed = new Set<string>();
    const recordFailure = ({ connectionId, failure }: ServerHeartbeatFailedEvent): void => {
      failed.add(connectionId);
      if (failed.size >= client.options.hosts.length) reject(failure);
    };
    client.on('serverHeartbeatFailed', recordFailure);
    client.once('serverHeartbeatSucceeded', () =>
      client.off('serverHeartbeatFailed', recordFailure),
    );
  });
}

function optionsOf(
  location: MongoLocation,
  config: MongoConfig,
  password: string,
): MongoClientOptions {
  const { read_preference, read_concern, timeout_s } = config;
  return {
    ...(location.user === ''
      ? {}
      : { auth: { username: location.user, password }, authSource: location.authSource }),
    ...tlsOf(location, config),
    ...(location.isDirect ? { directConnection: true } : {}),
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

function tlsOf(location: MongoLocation, { tls, ca }: MongoConfig): MongoClientOptions {
  const configured = tls ?? location.tls;
  const mode = location.isSrv ? (configured ?? 'verify') : tlsModeOf(location, configured);
  if (mode === 'off') return { tls: false };
  const isUnverified = mode === 'unverified';
  return {
    tls: true,
    ...(isUnverified ? { tlsAllowInvalidCertificates: true, tlsAllowInvalidHostnames: true } : {}),
    ...(ca === undefined ? {} : { ca }),
  };
}
