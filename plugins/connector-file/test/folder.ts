import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  formatUri,
  type BrowseEntry,
  type Connector,
  type Entry,
  type GrepItem,
  type GrepRequest,
} from '@trove/core';
import { connectorContext } from '@trove/testkit';

// Worker threads cannot start from TypeScript, so tests use the built plugin.
import plugin from '../dist/index.js';
import { collect } from '@trove/test-support/collect.js';
import { withFixture } from '@trove/test-support/with-fixture.js';

export { plugin };

type Opened = Required<
  Pick<Connector, 'list' | 'read' | 'browse' | 'stat' | 'grep' | 'check' | 'close'>
>;

/** A temporary folder with its opened connectors. */
export class Folder {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'trove file ')));
  readonly #opened: Opened[] = [];

  at(path: string): string {
    return path === '' ? this.path : join(this.path, path);
  }

  write(path: string, content: string | Uint8Array = `content of ${path}\n`): void {
    this.mkdir(dirname(path));
    writeFileSync(this.at(path), content);
  }

  mkdir(path: string): void {
    mkdirSync(this.at(path), { recursive: true });
  }

  /** Nests folders with a file in each. Works step by step, because the full path would be too long. */
  nest(name: string, depth: number): void {
    const cwd = process.cwd();
    process.chdir(this.path);
    try {
      for (let left = depth; left > 0; left--) {
        mkdirSync(name);
        process.chdir(name);
        writeFileSync('f.md', 'needle\n');
      }
    } finally {
      process.chdir(cwd);
    }
  }

  /** Removes a tree that is too deep for Node. */
  removeDeep(name: string): void {
    execFileSync('rm', ['-rf', this.at(name)]);
  }

  pipe(path: string): void {
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', this.at(path)]);
  }

  /** Opens the connector on this folder or a path in it. */
  async open(path = '', ignore: string[] = [], deniedRoots: string[] = []): Promise<Opened> {
    const connector = await plugin.create(
      connectorContext({
        config: { ignore },
        target: targetOf(this.at(path)),
        deniedRoots: deniedRoots.map((each) => this.at(each)),
      }),
    );
    const { list, read, browse, stat, grep, check, close } = connector;
    if (!read || !browse || !stat || !grep || !check || !close) {
      throw new Error('The connector lacks a method.');
    }
    const opened = { list, read, browse, stat, grep, check, close };
    this.#opened.push(opened);
    return opened;
  }

  async remove(): Promise<void> {
    for (const connector of this.#opened) await connector.close();
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Runs a test on its own folder, and always removes the folder. */
export const inFolder = withFixture(() => new Folder());

export function targetOf(path: string): string {
  return formatUri({ scheme: 'file', authority: 'local', path });
}

export function calm(): AbortSignal {
  return new AbortController().signal;
}

/** The entries of a listing by path. */
export async function listed(connector: Connector): Promise<Map<string, Entry>> {
  const entries = await collect(connector.list({ signal: calm() }));
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  if (byPath.size !== entries.length) throw new Error('A path was listed twice.');
  return byPath;
}

/** Returns the sorted paths without a skip reason. */
export async function indexed(connector: Connector): Promise<string[]> {
  const entries = await listed(connector);
  return [...entries.values()].flatMap(({ path, skip }) => (skip === undefined ? path : [])).sort();
}

export async function textOf(connector: Connector, path: string): Promise<string> {
  return (await bytesOf(connector, path)).toString('utf8');
}

export async function bytesOf(connector: Connector, path: string): Promise<Buffer> {
  const content = await connector.read?.(path, { signal: calm() });
  if (content === undefined) throw new Error('The connector cannot read.');
  if (content.bytes instanceof Uint8Array) return Buffer.from(content.bytes);
  return Buffer.concat(await collect(content.bytes));
}

export async function level(connector: Opened, path: string): Promise<Map<string, BrowseEntry>> {
  const entries = await collect(connector.browse(path, { signal: calm() }));
  return new Map(entries.map((entry) => [entry.name, entry]));
}

/** Browses a path and returns the reason why it is left out; '' for none. */
export async function reasonOf(connector: Opened, path: string): Promise<string> {
  const slash = path.lastIndexOf('/');
  const siblings = await level(connector, path.slice(0, Math.max(0, slash)));
  const entry = siblings.get(path.slice(slash + 1));
  if (entry === undefined) throw new Error(`There is no ${path}.`);
  return entry.skip ?? '';
}

/** The options of a search for text in the whole source. */
export const everything = {
  regex: false,
  ignoreCase: false,
  context: 0,
  path: '',
  globs: [],
  excludedMediaTypes: [],
  onlyMatching: false,
  limit: 1000,
  limitPerObject: 1e6,
  after: null,
} as const;

export function search(
  connector: Opened,
  pattern: string,
  request: Partial<GrepRequest> = {},
): Promise<GrepItem[]> {
  return collect(connector.grep({ ...everything, pattern, signal: calm(), ...request }));
}

/** Formats matches as `path:line:content`, and notices as plain text. */
export function shown(items: readonly GrepItem[]): string[] {
  return items.map((item) => {
    if ('notice' in item) return item.notice;
    return `${item.path}:${'lines' in item ? item.lines[0] : 'record'}:${item.content}`;
  });
}
