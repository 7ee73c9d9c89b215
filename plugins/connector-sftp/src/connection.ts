import { TroveError } from '@trove/core';
import { rejectOnAbort } from '@trove/connector-kit';
import type { Client, ConnectConfig, ServerHostKeyAlgorithm, SFTPWrapper } from 'ssh2';

import { connectionError, requestError } from './failures.js';
import { HostKeyCheck } from './host-key.js';
import { loadKnownKeys } from './known-hosts.js';
import type { SftpContext, SftpLocation } from './location.js';

const handshakeTimeoutMs = 20_000;
/** A connection without an answer to three of these counts as lost. */
const keepaliveMs = 15_000;

interface Session {
  readonly client: Client;
  readonly sftp: SFTPWrapper;
}

/** Passes a result to a callback, as ssh2 does. */
export type Done<T> = (error: Error | undefined | null, result: T) => void;

/**
 * One connection for all requests of a source. Connects at the first request, and again after a loss, but not after
 * `close`.
 */
export class SftpConnection {
  readonly location: SftpLocation;
  readonly #context: SftpContext;
  #session: Promise<Session> | null = null;
  #isClosed = false;

  constructor(location: SftpLocation, context: SftpContext) {
    this.location = location;
    this.#context = context;
  }

  /** Sends a request. `path` is the path in the source, for messages. Throws errors with remedies. */
  async request<T>(
    path: string,
    signal: AbortSignal,
    send: (sftp: SFTPWrapper, done: Done<T>) => void,
  ): Promise<T> {
    signal.throwIfAborted();
    const { sftp } = await rejectOnAbort(this.#connected(), signal);
    const answer = new Promise<T>((resolve, reject) => {
      try {
        send(sftp, (error, result) => (error ? reject(error) : resolve(result)));
      } catch (error) {
        reject(error);
      }
    });
    try {
      return await rejectOnAbort(answer, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw requestError(error, path, this.location);
    }
  }

  /** Requests fail afterwards. The end of an interrupted read would otherwise open a connection that nothing closes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const session = await this.#session?.catch(() => null);
    this.#session = null;
    session?.client.end();
  }

  #connected(): Promise<Session> {
    if (this.#isClosed) throw new TroveError('engine_closed', 'The source is closed.');
    if (this.#session !== null) return this.#session;
    const session = this.#connect();
    this.#session = session;
    const forget = (): void => this.#forget(session);
    session.then(({ client }) => client.once('close', forget).once('end', forget), forget);
    return session;
  }

  /** A lost session may report its end after a new one has begun. */
  #forget(session: Promise<Session>): void {
    if (this.#session === session) this.#session = null;
  }

  async #connect(): Promise<Session> {
    const { host, port } = this.location;
    const configured = this.#context.config.host_key;
    const known = configured === undefined ? await loadKnownKeys(host, port) : [];
    const check = new HostKeyCheck(host, configured, known);
    const options = await this.#options(check);
    // The library is large, and few servers need it.
    const { default: ssh2 } = await import('ssh2');
    const client = new ssh2.Client();
    try {
      const sftp = await openSession(
        client,
        options,
        await this.#context.credentials.get('password'),
      );
      return { client, sftp };
    } catch (error) {
      client.destroy();
      throw check.refusal ?? connectionError(error, this.location);
    }
  }

  /** The options with the current login, because its files may have been replaced. */
  async #options(check: HostKeyCheck): Promise<ConnectConfig> {
    const { credentials } = this.#context;
    const { host, port, user } = this.location;
    const privateKey = await credentials.get('private_key');
    const passphrase = await credentials.get('passphrase');
    const password = await credentials.get('password');
    if (privateKey === undefined && password === undefined) {
      throw new TroveError('credential_error', `There is no login for ${host}.`, {
        suggestions: [
          'Set `private_key` (as file:/home/ada/.ssh/id_ed25519) or `password` (as env:NAME).',
        ],
      });
    }
    const order = keyAlgorithms(check.types);
    return {
      host,
      port,
      username: user,
      readyTimeout: handshakeTimeoutMs,
      keepaliveInterval: keepaliveMs,
      tryKeyboard: password !== undefined,
      hostVerifier: (key: Buffer) => check.accepts(key),
      ...(privateKey === undefined ? {} : { privateKey }),
      ...(passphrase === undefined ? {} : { passphrase }),
      ...(password === undefined ? {} : { password }),
      ...(order.length === 0 ? {} : { algorithms: { serverHostKey: [...order] } }),
    };
  }
}

function openSession(
  client: Client,
  options: ConnectConfig,
  password: string | undefined,
): Promise<SFTPWrapper> {
  return new Promise((resolve, reject) => {
    // Some servers ask for the password in a dialogue.
    client.on('keyboard-interactive', (_name, _instructions, _language, prompts, answer) =>
      answer(prompts.map(({ echo }) => (echo === true ? '' : (password ?? '')))),
    );
    client.on('error', reject);
    // Small requests would otherwise wait for the acknowledgement of the one before.
    client.once('connect', () => client.setNoDelay(true));
    client.once('close', () => reject(new Error('the connection was closed')));
    client.once('ready', () =>
      client.sftp((error, sftp) => (error === undefined ? resolve(sftp) : reject(error))),
    );
    client.connect(options);
  });
}

/** Returns the algorithms for known types of keys. RSA keys have newer algorithms under other names. */
function keyAlgorithms(types: readonly string[]): readonly ServerHostKeyAlgorithm[] {
  const usable: readonly ServerHostKeyAlgorithm[] = [
    'ssh-ed25519',
    'ecdsa-sha2-nistp256',
    'ecdsa-sha2-nistp384',
    'ecdsa-sha2-nistp521',
    'rsa-sha2-512',
    'rsa-sha2-256',
  ];
  const isKnown = (algorithm: string): boolean =>
    types.includes(algorithm) || (algorithm.startsWith('rsa-') && types.includes('ssh-rsa'));
  const known = usable.filter(isKnown);
  return known.length === 0 ? [] : [...known, ...usable.filter((each) => !isKnown(each))];
}
