import { silentLogger } from '@trove/core';
import type { ByteRange, Connector, Content, Entry, LogFields, Logger } from '@trove/core';

import { expect } from '../expect.js';
import { connectorContext } from './context.js';
import type { ConnectorNeed, ConnectorSubject, KnownObject } from './subject.js';

/** Time limit for each call of a case, in milliseconds. */
export const CALL_MS = 60_000;

export interface OpenOptions {
  readonly target?: string;
  readonly config?: unknown;
  readonly logger?: Logger;
}

/** Creates the connector, passes it to `use`, and always closes it. */
export async function withConnector<T>(
  subject: ConnectorSubject,
  use: (connector: Connector) => Promise<T>,
  options: OpenOptions = {},
): Promise<T> {
  const ending = new AbortController();
  const context = connectorContext({
    config: options.config ?? subject.config ?? {},
    target: options.target ?? subject.target,
    logger: options.logger ?? silentLogger,
    signal: ending.signal,
    ...(subject.http === undefined ? {} : { http: subject.http }),
  });
  const connector = await subject.plugin.create(context);
  try {
    return await use(connector);
  } finally {
    await connector.close?.();
    ending.abort();
  }
}

/** A signal that never aborts. */
export function calm(): AbortSignal {
  return new AbortController().signal;
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The indexable entries of a full listing, by path. */
export async function listing(connector: Connector): Promise<Map<string, Entry>> {
  const entries = await collect(connector.list({ signal: calm() }));
  const indexed = entries.filter((entry) => entry.skip === undefined);
  return new Map(indexed.map((entry) => [entry.path, entry]));
}

/** All bytes of one object, streamed or not. */
export async function bytesAt(connector: Connector, path: string): Promise<Buffer> {
  expect(connector.read !== undefined, 'the connector has no `read`');
  return allOf(await connector.read(path, { signal: calm() }));
}

/** What it gives of a range, and which byte of the object that begins with. */
export async function rangeAt(
  connector: Connector,
  path: string,
  range: ByteRange,
): Promise<{ start: number; bytes: Buffer }> {
  expect(connector.read !== undefined, 'the connector has no `read`');
  const content = await connector.read(path, { signal: calm(), range });
  return { start: content.start ?? 0, bytes: await allOf(content) };
}

async function allOf({ bytes }: Content): Promise<Buffer> {
  if (bytes instanceof Uint8Array) return Buffer.from(bytes);
  const pieces = await collect(bytes);
  for (const piece of pieces) expect(piece instanceof Uint8Array, 'a piece is no Uint8Array');
  return Buffer.concat(pieces);
}

/** The known objects made of bytes. */
export function byteObjects({ objects }: ConnectorSubject): { path: string; bytes: Uint8Array }[] {
  return objects.filter((object) => 'bytes' in object);
}

export function recordObjects({
  objects,
}: ConnectorSubject): Extract<KnownObject, { records: unknown }>[] {
  return objects.filter((object) => 'records' in object);
}

/** The first of some items that a case cannot do without. */
export function first<T>(items: readonly T[], what: string): T {
  const [item] = items;
  if (item === undefined) throw new Error(`the subject has no ${what}`);
  return item;
}

/** A logger that collects everything as one text. */
export function keepingLogger(): Logger & { text(): string } {
  const lines: string[] = [];
  const keep = (message: string, fields?: LogFields): void => {
    lines.push(`${message} ${JSON.stringify(fields ?? {})}`);
  };
  return { debug: keep, info: keep, warn: keep, error: keep, text: () => lines.join('\n') };
}

/** The first of a case's needs that this subject or its connector lacks, or null. */
export function missingNeed(
  subject: ConnectorSubject,
  connector: Connector,
  needs: readonly ConnectorNeed[],
): string | null {
  for (const need of needs) {
    if (isOfPlugin(need) || isOfGrep(need)) {
      if (!isStated(subject, need)) return `the plugin's capabilities do not have \`${need}\``;
    } else if (isOfSubject(need)) {
      if (subject[need] === undefined) return `the subject has no \`${need}\``;
    } else if (connector[need] === undefined) return `the connector has no \`${need}\``;
  }
  return null;
}

type SubjectNeed = Extract<ConnectorNeed, keyof ConnectorSubject>;

/** What the plugin's capabilities state. */
type StatedNeed = 'since' | 'paths' | 'threads' | 'keysOnly';

type GrepNeed = Extract<ConnectorNeed, `grep.${string}`>;

function isOfPlugin(need: ConnectorNeed): need is StatedNeed {
  return need === 'since' || need === 'paths' || need === 'threads' || need === 'keysOnly';
}

function isOfGrep(need: ConnectorNeed): need is GrepNeed {
  return need.startsWith('grep.');
}

function isStated(
  { plugin: { capabilities } }: ConnectorSubject,
  need: StatedNeed | GrepNeed,
): boolean {
  if (isOfPlugin(need)) return capabilities?.[need] === true;
  return Object.entries(capabilities?.grep ?? {}).some(
    ([name, understood]) => need === `grep.${name}` && understood,
  );
}

function isOfSubject(need: Exclude<ConnectorNeed, StatedNeed | GrepNeed>): need is SubjectNeed {
  const ofSubject: readonly string[] = [
    'change',
    'remove',
    'changeRecords',
    'expireCursors',
    'emptyTarget',
    'unreachable',
    'secret',
  ];
  return ofSubject.includes(need);
}
