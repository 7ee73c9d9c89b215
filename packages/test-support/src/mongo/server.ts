import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

import { Long, ObjectId, type Document } from 'bson';

import { freePort } from '@trove/test-support/free-port.js';
import { MongoDatabase, type StoredDocument } from './database.js';
import { Scram } from './scram.js';
import { onCommands, type MongoRequest } from './wire.js';

/** An error as the server reports it. */
export class MongoError extends Error {
  readonly code: number;
  readonly codeName: string;

  constructor(code: number, codeName: string, message: string = codeName) {
    super(message);
    this.code = code;
    this.codeName = codeName;
  }
}

export interface MongoOptions {
  /** Users by name. Without users, no login is required. */
  readonly users?: Readonly<Record<string, MongoUser>>;
  readonly tls?: TlsOptions;
  /** The maximum number of documents per batch, for servers that return fewer than requested. */
  readonly maxBatchDocuments?: number;
  /** Additional fields of the `hello` reply. */
  readonly hello?: Document;
  /** Whether drivers must poll the server state, as with some providers. Default: the server pushes it. */
  readonly isPolled?: boolean;
}

interface MongoUser {
  readonly password: string;
  /** The database where the user was created. Default `admin`. */
  readonly source?: string;
  /** The readable collections. Default: all. */
  readonly reads?: readonly string[];
}

interface MongoConnection {
  readonly socket: Socket;
  scram: Scram | null;
  user: string | null;
  /** Fires at the next push of the server state. */
  helloTimer: NodeJS.Timeout | undefined;
}

interface MongoCursor {
  readonly ns: string;
  left: readonly StoredDocument[];
}

const batchBytes = 16 * 1024 * 1024;
const withoutLogin = new Set([
  'hello',
  'ismaster',
  'ping',
  'saslStart',
  'saslContinue',
  'endSessions',
]);

/**
 * A fake MongoDB server over documents in memory. It implements what drivers need to read: logins, cursors, limits and
 * the error codes of the real server, which cannot be installed here. It has no indexes and runs in this thread.
 */
export class FakeMongoServer {
  /** The names of all received commands in order. */
  readonly commands: string[] = [];
  /** Runs before each command. A test may wait, throw a `MongoError` or kill connections. */
  onCommand: (command: Document) => void | Promise<void> = () => undefined;
  readonly #options: MongoOptions;
  readonly #data = new Map<string, MongoDatabase>();
  readonly #cursors = new Map<bigint, MongoCursor>();
  readonly #connections = new Set<MongoConnection>();
  #server: Server | null = null;
  #port = 0;
  /** A new id at each start. */
  #process = new ObjectId();
  #lastCursor = 0n;

  private constructor(options: MongoOptions) {
    this.#options = options;
  }

  static async start(options: MongoOptions = {}): Promise<FakeMongoServer> {
    const server = new FakeMongoServer(options);
    server.#port = await freePort();
    await server.start();
    return server;
  }

  get port(): number {
    return this.#port;
  }

  get connections(): number {
    return this.#connections.size;
  }

  database(name: string): MongoDatabase {
    const data = this.#data.get(name) ?? new MongoDatabase();
    this.#data.set(name, data);
    return data;
  }

  drop(database: string): void {
    this.#data.delete(database);
  }

  /** Starts again on the same port after a stop. The documents are kept. */
  async start(): Promise<void> {
    const { tls } = this.#options;
    this.#process = new ObjectId();
    const serve = (socket: Socket): void => this.#serve(socket);
    const server = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
    server.on('tlsClientError', () => undefined);
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', resolve);
    });
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve));
    this.kill();
    this.loseCursors();
    await closed;
  }

  /** Ends all connections and returns their number. */
  kill(): number {
    const all = [...this.#connections];
    for (const { socket } of all) socket.destroy();
    return all.length;
  }

  loseCursors(): void {
    this.#cursors.clear();
  }

  #serve(socket: Socket): void {
    const connection: MongoConnection = { socket, scram: null, user: null, helloTimer: undefined };
    this.#connections.add(connection);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(connection.helloTimer);
      this.#connections.delete(connection);
    });
    onCommands(socket, (asked) => void this.#answer(asked, connection));
  }

  async #answer(asked: MongoRequest, connection: MongoConnection): Promise<void> {
    const { command, answer } = asked;
    const [name = ''] = Object.keys(command);
    this.commands.push(name);
    if (name === 'hello' && 'topologyVersion' in command) return this.#tellLater(asked, connection);
    try {
      await this.#inTime(command);
      answer({ ...this.#run(name, command, connection), ok: 1 });
    } catch (error) {
      const refusal =
        error instanceof MongoError ? error : new MongoError(1, 'InternalError', String(error));
      const { code, codeName, message } = refusal;
      answer({ ok: 0, errmsg: message, code, codeName });
    }
  }

  /**
   * Sends the server state when its wait time has passed, and repeats that for clients that accept more replies. The
   * state never changes.
   */
  #tellLater(asked: MongoRequest, connection: MongoConnection): void {
    const { command, acceptsMore, answer } = asked;
    connection.helloTimer = setTimeout(() => {
      answer({ ...this.#hello(command, connection), ok: 1 }, acceptsMore);
      if (acceptsMore) this.#tellLater(asked, connection);
    }, Number(command['maxAwaitTimeMS']));
  }

  async #inTime(command: Document): Promise<void> {
    const { maxTimeMS } = command;
    const work = Promise.resolve(this.onCommand(command));
    if (typeof maxTimeMS !== 'number') return work;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const expired = new MongoError(50, 'MaxTimeMSExpired', 'operation exceeded time limit');
      timer = setTimeout(() => reject(expired), maxTimeMS).unref();
    });
    await Promise.race([work, late]).finally(() => clearTimeout(timer));
  }

  #run(name: string, command: Document, connection: MongoConnection): Document {
    if (this.#options.users !== undefined && connection.user === null && !withoutLogin.has(name))
      throw new MongoError(13, 'Unauthorized', `Command ${name} requires authentication`);
    const data = this.#data.get(command['$db']);
    switch (name) {
      case 'hello':
      case 'ismaster':
        return this.#hello(command, connection);
      case 'saslStart':
        return this.#saslStart(command, connection);
      case 'saslContinue':
        return this.#saslContinue(command, connection);
      case 'ping':
      case 'endSessions':
        return {};
      case 'listDatabases':
        return { databases: [...this.#data.keys()].map((each) => ({ name: each })) };
      case 'listCollections':
        return this.#listCollections(command, data, connection);
      case 'listIndexes':
        return this.#listIndexes(command, data, connection);
      case 'find':
        this.#allow(connection, command['find']);
        return this.#cursor(command, command['find'], data?.find(command) ?? [], 'firstBatch');
      case 'aggregate':
        this.#allow(connection, command['aggregate']);
        return this.#aggregate(command, data);
      case 'count':
        return { n: data?.count(command['count'], command['query']) ?? 0 };
      case 'getMore':
        return this.#getMore(command);
      case 'killCursors':
        return this.#killCursors(command);
      default:
        throw new MongoError(59, 'CommandNotFound', `no such command: '${name}'`);
    }
  }

  #hello(command: Document, connection: MongoConnection): Document {
    const { saslSupportedMechs, speculativeAuthenticate } = command;
    return {
      helloOk: true,
      isWritablePrimary: true,
      ismaster: true,
      maxBsonObjectSize: 16_777_216,
      maxMessageSizeBytes: 48_000_000,
      maxWriteBatchSize: 100_000,
      localTime: new Date(),
      logicalSessionTimeoutMinutes: 30,
      minWireVersion: 0,
      maxWireVersion: 21,
      ...(this.#options.isPolled === true
        ? {}
        : { topologyVersion: { processId: this.#process, counter: Long.ZERO } }),
      ...(saslSupportedMechs === undefined ? {} : { saslSupportedMechs: ['SCRAM-SHA-256'] }),
      ...(speculativeAuthenticate === undefined
        ? {}
        : { speculativeAuthenticate: this.#saslStart(speculativeAuthenticate, connection) }),
      ...this.#options.hello,
    };
  }

  #saslStart(command: Document, connection: MongoConnection): Document {
    const source: unknown = command['db'] ?? command['$db'];
    connection.scram = new Scram((name) => {
      const user = this.#options.users?.[name];
      return user !== undefined && (user.source ?? 'admin') === source ? user.password : undefined;
    });
    return connection.scram.start(command);
  }

  #saslContinue(command: Document, connection: MongoConnection): Document {
    const done = connection.scram?.go(command) ?? null;
    if (done === null) throw new MongoError(18, 'AuthenticationFailed', 'Authentication failed.');
    connection.user = done.user;
    return done.answer;
  }

  #allow({ user }: MongoConnection, collection: string): void {
    if (!this.#reads(user, collection))
      throw new MongoError(13, 'Unauthorized', `not authorized on ${collection}`);
  }

  #reads(user: string | null, collection: string): boolean {
    const reads = this.#options.users?.[user ?? '']?.reads;
    return reads === undefined || reads.includes(collection);
  }

  #listCollections(
    command: Document,
    data: MongoDatabase | undefined,
    { user }: MongoConnection,
  ): Document {
    const isWhole = this.#options.users?.[user ?? '']?.reads === undefined;
    const isOwn = command['nameOnly'] === true && command['authorizedCollections'] === true;
    if (!isWhole && !isOwn)
      throw new MongoError(13, 'Unauthorized', 'not authorized on the database');
    const firstBatch = [...(data?.collections ?? [])]
      .filter(([name]) => this.#reads(user, name))
      .map(([name, { type, options }]) => (isOwn ? { name, type } : { name, type, options }));
    return { cursor: { id: Long.ZERO, ns: `${command['$db']}.$cmd.listCollections`, firstBatch } };
  }

  #listIndexes(
    command: Document,
    data: MongoDatabase | undefined,
    connection: MongoConnection,
  ): Document {
    const name: string = command['listIndexes'];
    this.#allow(connection, name);
    const held = data?.collections.get(name);
    if (held === undefined)
      throw new MongoError(26, 'NamespaceNotFound', `ns does not exist: ${name}`);
    const own: Document[] = held.options['indexes'] ?? [];
    const firstBatch =
      held.type === 'timeseries' ? own : [{ v: 2, key: { _id: 1 }, name: '_id_' }, ...own];
    return { cursor: { id: Long.ZERO, ns: `${command['$db']}.${name}`, firstBatch } };
  }

  #aggregate(command: Document, data: MongoDatabase | undefined): Document {
    const { aggregate: name, pipeline, cursor } = command;
    const found = data?.aggregate(name, pipeline) ?? [];
    return this.#cursor({ ...command, ...cursor }, name, found, 'firstBatch');
  }

  #getMore(command: Document): Document {
    const id = cursorId(command['getMore']);
    const cursor = this.#cursors.get(id);
    if (cursor === undefined)
      throw new MongoError(43, 'CursorNotFound', `cursor id ${id} not found`);
    this.#cursors.delete(id);
    return this.#cursor(command, command['collection'], cursor.left, 'nextBatch');
  }

  #killCursors(command: Document): Document {
    const ids: unknown[] = command['cursors'];
    const killed = ids.filter((id) => this.#cursors.delete(cursorId(id)));
    return { cursorsKilled: killed };
  }

  /** Returns the first batch of documents and a cursor for the rest. */
  #cursor(
    command: Document,
    name: string,
    found: readonly StoredDocument[],
    batch: string,
  ): Document {
    const most = command['batchSize'] ?? (batch === 'firstBatch' ? 101 : Infinity);
    let bytes = 0;
    let count = 0;
    const { maxBatchDocuments = Infinity } = this.#options;
    for (const each of found.slice(0, Math.min(most, maxBatchDocuments))) {
      bytes += each.bytes;
      if (count > 0 && bytes > batchBytes) break;
      count++;
    }
    const ns = `${command['$db']}.${name}`;
    const left = found.slice(count);
    const id = left.length === 0 ? 0n : ++this.#lastCursor;
    if (left.length > 0) this.#cursors.set(id, { ns, left });
    const documents = found.slice(0, count).map(({ document }) => document);
    return { cursor: { id: Long.fromBigInt(id), ns, [batch]: documents } };
  }
}

function cursorId(id: unknown): bigint {
  return id instanceof Long ? id.toBigInt() : BigInt(Number(id));
}
