import {
  withoutCheckpoints,
  type ByteRange,
  type Checkpoint,
  type Connector,
  type ConnectorContext,
  type Content,
  type Entry,
  type LogFields,
  type Logger,
  type ObjectOptions,
} from '@trove/core';

import { expect } from '../expect.js';
import { configFor } from './config.js';
import { connectorContext, credentialsIn } from './context.js';
import type { ConnectorSubject } from './subject.js';

/** Time limit for each call of a case, in milliseconds. */
export const callTimeoutMs = 60_000;

/** Overrides of the subject. `config` is the configuration as users write it. */
export type OpenOptions = Partial<
  Pick<ConnectorContext<unknown>, 'target' | 'config' | 'logger' | 'state'>
>;

const credentialsOf = new WeakMap<ConnectorSubject, Map<string, string>>();

/** Returns the replaced credentials of a subject, which all its connectors share. */
export function renewedCredentials(subject: ConnectorSubject): Map<string, string> {
  const known = credentialsOf.get(subject) ?? new Map<string, string>();
  credentialsOf.set(subject, known);
  return known;
}

/** Creates the connector, passes it to `use`, and always closes it. */
export async function withConnector<T>(
  subject: ConnectorSubject,
  use: (connector: Connector) => Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  const ending = new AbortController();
  const config = configFor(subject.plugin, options.config ?? subject.config);
  const context = connectorContext({
    target: subject.target,
    signal: ending.signal,
    ...(subject.http === undefined ? {} : { http: subject.http }),
    ...(options.config === undefined
      ? { credentials: credentialsIn(config, renewedCredentials(subject)) }
      : {}),
    ...options,
    config,
  });
  const connector = await subject.plugin.create(context);
  try {
    return await use(connector);
  } finally {
    await connector.close?.();
    ending.abort();
  }
}

/** Returns a signal that never aborts. */
export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

/** Returns all items except checkpoints. */
export async function collect<T>(items: AsyncIterable<T>): Promise<Exclude<T, Checkpoint>[]> {
  const all: Exclude<T, Checkpoint>[] = [];
  for await (const item of withoutCheckpoints(items)) all.push(item);
  return all;
}

/** Returns the indexable entries of a full listing by path. */
export async function listing(connector: Connector): Promise<Map<string, Entry>> {
  const entries = await collect(connector.list({ signal: neverAborted() }));
  const indexed = entries.filter((entry) => entry.skip === undefined);
  return new Map(indexed.map((entry) => [entry.path, entry]));
}

/** Returns all bytes of an object, streamed or not. */
export async function bytesAt(
  connector: Connector,
  path: string,
  options: Pick<ObjectOptions, 'identity'> = {},
): Promise<Buffer> {
  expect(connector.read !== undefined, 'the connector has no `read`');
  return readAll(await connector.read(path, { ...options, signal: neverAborted() }));
}

/** Returns the content of a range and its start in the object. */
export async function rangeAt(
  connector: Connector,
  path: string,
  range: ByteRange,
): Promise<{ start: number; bytes: Buffer }> {
  expect(connector.read !== undefined, 'the connector has no `read`');
  const content = await connector.read(path, { signal: neverAborted(), range });
  return { start: content.start ?? 0, bytes: await readAll(content) };
}

/** Overwrites the transferred bytes of an object, as the owner may. */
export async function overwriteTransferred(connector: Connector, path: string): Promise<void> {
  const content = await connector.read?.(path, { signal: neverAborted() });
  if (content?.transferable !== true) return;
  const { bytes } = content;
  const pieces = bytes instanceof Uint8Array ? [bytes] : bytes;
  for await (const piece of pieces) piece.fill(piece[0] === 0 ? 1 : 0);
}

async function readAll({ bytes }: Content): Promise<Buffer> {
  if (bytes instanceof Uint8Array) return Buffer.from(bytes);
  const pieces = await collect(bytes);
  for (const piece of pieces) expect(piece instanceof Uint8Array, 'a piece is not a Uint8Array');
  return Buffer.concat(pieces);
}

/** Returns a logger that collects its output as text. */
export function recordingLogger(): Logger & { text(): string } {
  const lines: string[] = [];
  const keep = (message: string, fields?: LogFields): void => {
    lines.push(`${message} ${JSON.stringify(fields ?? {})}`);
  };
  return { debug: keep, info: keep, warn: keep, error: keep, text: () => lines.join('\n') };
}
