import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { formatUri, type Change, type Connector, type Entry, type GrepItem } from '@trove/core';
import { connectorContext } from '@trove/testkit';

import { collect } from '@trove/test-support/collect.js';
import { withFixture } from '@trove/test-support/with-fixture.js';
import plugins from '../src/index.js';
import type { GitContext } from '../src/context.js';

export const [plugin, remotePlugin] = plugins;

type Opened = Required<Omit<Connector, 'capabilities' | 'explain' | 'pathOf' | 'watch'>>;

/** A temporary folder with git repositories and their opened connectors. */
export class Repositories {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'trove git ')));
  readonly #opened: Opened[] = [];

  at(path: string): string {
    return path === '' ? this.path : join(this.path, path);
  }

  git(folder: string, ...args: readonly string[]): string {
    const env = {
      PATH: process.env['PATH'],
      HOME: this.path,
      GIT_CONFIG_GLOBAL: devNull,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Ada Lovelace',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
      GIT_COMMITTER_NAME: 'Ada Lovelace',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
      ...this.time,
    };
    return execFileSync('git', args, {
      cwd: this.at(folder),
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
      .toString()
      .trim();
  }

  /** Variables with the time of new commits. */
  time: Readonly<Record<string, string>> = {};

  init(folder: string, ...args: readonly string[]): void {
    mkdirSync(this.at(folder), { recursive: true });
    this.git(folder, 'init', '-q', '-b', 'main', ...args);
  }

  write(path: string, content: string | Uint8Array = `content of ${path}\n`): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), content);
  }

  /** Commits all files of the folder and returns the id. */
  commit(folder: string, message = 'a change', ...args: readonly string[]): string {
    this.git(folder, 'add', '-A');
    this.git(folder, 'commit', '-q', '-m', message, ...args);
    return this.git(folder, 'rev-parse', 'HEAD');
  }

  async open(
    folder: string,
    config: object = {},
    places: Partial<Pick<GitContext, 'deniedRoots' | 'allowedRoots'>> = {},
  ): Promise<Opened> {
    const connector = await plugin.create(
      connectorContext({
        config: { ref: 'HEAD', commits: 0, ignore: [], ...config },
        target: targetOf(this.at(folder)),
        ...places,
      }),
    );
    const { list, changes, read, records, browse, stat, grep, check, close } = connector;
    if (!changes || !read || !records || !browse || !stat || !grep || !check || !close) {
      throw new Error('The connector lacks a method.');
    }
    const opened = { list, changes, read, records, browse, stat, grep, check, close };
    this.#opened.push(opened);
    return opened;
  }

  async remove(): Promise<void> {
    for (const connector of this.#opened) await connector.close();
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Runs a test on its own folder, and always removes the folder. */
export const withRepositories = withFixture(() => new Repositories());

export function targetOf(path: string): string {
  return formatUri({ scheme: 'git+file', authority: 'local', path });
}

export function calm(): AbortSignal {
  return new AbortController().signal;
}

export function listed(connector: Pick<Connector, 'list'>): Promise<Entry[]> {
  return collect(connector.list({ signal: calm() }));
}

/** Returns the changes since a cursor, and the new cursor. */
export async function changed(
  { changes }: Opened,
  cursor: unknown,
): Promise<{ changes: Change[]; cursor: unknown }> {
  let next: unknown = null;
  const told = await collect(
    changes({ cursor, commit: (given) => void (next = given), signal: calm() }),
  );
  return { changes: told, cursor: next };
}

export async function textAt({ read }: Opened, path: string): Promise<string> {
  const { bytes } = await read(path, { signal: calm() });
  return bytes instanceof Uint8Array
    ? Buffer.from(bytes).toString()
    : Buffer.concat(await collect(bytes)).toString();
}

export function found(
  { grep }: Opened,
  pattern: string,
  path = '',
  except: readonly string[] = [],
): Promise<GrepItem[]> {
  const plain = {
    regex: false,
    ignoreCase: false,
    context: 0,
    globs: [],
    excludedMediaTypes: except,
    onlyMatching: false,
  };
  return collect(
    grep({
      ...plain,
      pattern,
      path,
      limit: 100,
      limitPerObject: 100,
      after: null,
      signal: calm(),
    }),
  );
}
