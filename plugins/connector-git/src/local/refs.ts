import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { isCommitId } from '../commit-id.js';
import type { GitErrorFactory } from '../failures.js';
import type { Git } from '../git.js';
import { toRepositoryError } from './repository-error.js';
import type { RepositoryLayout } from './layout.js';
import { openRegular, readStart, statOf } from './regular-file.js';

/** Resolves the refs of a repository. */
export interface Refs {
  /** Returns the id of a ref, or the name itself if it is no ref. Returns null for a branch without commits. */
  resolve(name: string): Promise<string | null>;
  /** Returns at most `count` names of refs. */
  names(count: number, signal: AbortSignal): Promise<string[]>;
}

const maxRefBytes = 4096;
/** Git follows chains up to this length. */
const maxSymbolicRefs = 5;
const pieceBytes = 1024 * 1024;

/** Refs in files: one file per ref, or all in `packed-refs`. */
export class FileRefs implements Refs {
  readonly #layout: RepositoryLayout;
  readonly #packed: PackedRefs;
  readonly #error: GitErrorFactory;

  constructor(layout: RepositoryLayout, error: GitErrorFactory) {
    this.#layout = layout;
    this.#error = error;
    this.#packed = new PackedRefs(join(layout.commonDir, 'packed-refs'));
  }

  /** Throws `connector_unhealthy` if a ref is a pipe or a device. */
  async resolve(name: string): Promise<string | null> {
    try {
      return await this.#resolve(name);
    } catch (cause) {
      throw toRepositoryError(this.#error, cause);
    }
  }

  async #resolve(name: string): Promise<string | null> {
    // As in git, an id is never read as the name of a branch.
    if (isCommitId(name)) return name;
    const short = name === '@' ? 'HEAD' : name;
    for (const candidate of candidatesOf(short).filter(isRefName)) {
      const value = await this.#follow(candidate);
      if (value !== undefined) return value;
    }
    return name;
  }

  async names(count: number): Promise<string[]> {
    const names = new Set<string>();
    for (const kind of ['heads', 'tags', 'remotes'] as const) {
      const prefix = `refs/${kind}/`;
      for (const name of await findLooseNames(join(this.#layout.commonDir, prefix), count))
        names.add(name);
      for (const name of await this.#packed.namesBelow(prefix, count)) names.add(name);
    }
    return [...names].slice(0, count);
  }

  /** Returns the id of a ref; null for a branch without commits, and undefined for a missing ref. */
  async #follow(name: string): Promise<string | null | undefined> {
    let at = name;
    for (let depth = 0; depth <= maxSymbolicRefs; depth++) {
      const value = (await this.#readLoose(at)) ?? (await this.#packed.get(at));
      if (value === null) return depth === 0 ? undefined : null;
      const [, next] = /^ref:\s*(\S+)/.exec(value) ?? [];
      if (next === undefined) return value;
      if (!isRefName(next)) return null;
      at = next;
    }
    return null;
  }

  async #readLoose(name: string): Promise<string | null> {
    const { gitDir, commonDir } = this.#layout;
    const isOwn = !name.startsWith('refs/') || /^refs\/(?:bisect|worktree|rewritten)\//.test(name);
    const isOther = name.startsWith('worktrees/');
    const folder = isOwn && !isOther ? gitDir : commonDir;
    const path = join(folder, Buffer.from(name, 'latin1').toString('utf8'));
    const text = await readStart(path, maxRefBytes);
    if (text === null) return null;
    if (text.startsWith('ref:')) return text;
    return /^(?:[0-9a-f]{64}|[0-9a-f]{40})(?=\s|$)/.exec(text)?.[0] ?? null;
  }
}

/** Returns the full names that a short name may stand for, in git's order. They are Latin-1, like the files of git. */
function candidatesOf(name: string): string[] {
  const bytes = Buffer.from(name, 'utf8').toString('latin1');
  return ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/']
    .map((prefix) => prefix + bytes)
    .concat(`refs/remotes/${bytes}/HEAD`);
}

/** Returns whether git accepts the name of a ref. Other names must not become paths. */
function isRefName(name: string): boolean {
  const parts = name.split('/');
  return (
    !/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{/.test(name) &&
    /^(?:refs\/.|worktrees\/.|[A-Z_]+$)/.test(name) &&
    parts.every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
  );
}

/** Returns at most `count` paths of files below a folder. */
async function findLooseNames(folder: string, count: number): Promise<string[]> {
  const names: string[] = [];
  const visit = async (below: string): Promise<void> => {
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (names.length >= count) return;
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) await visit(name);
      else if (entry.isFile()) names.push(name);
    }
  };
  await visit('');
  return names;
}

/** The file `packed-refs`. It may have a million lines, so it is searched in pieces. */
class PackedRefs {
  readonly #path: string;
  /** Version of the file at the last search. */
  #version = '';
  readonly #cache = new Map<string, string | null>();

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns the id of a ref; null if the file does not contain it. */
  async get(name: string): Promise<string | null> {
    await this.#checkVersion();
    const cached = this.#cache.get(name);
    if (cached !== undefined) return cached;
    let id: string | null = null;
    for await (const lines of this.#lines()) {
      const end = lines.indexOf(` ${name}\n`);
      if (end === -1) continue;
      id = lines.slice(lines.lastIndexOf('\n', end) + 1, end);
      break;
    }
    this.#cache.set(name, id);
    return id;
  }

  /** Returns at most `count` names below a prefix, without the prefix. */
  async namesBelow(prefix: string, count: number): Promise<string[]> {
    const names: string[] = [];
    const pattern = new RegExp(`^[0-9a-f]+ ${prefix}(.+)$`, 'gm');
    for await (const lines of this.#lines()) {
      for (const [, name = ''] of lines.matchAll(pattern)) {
        names.push(Buffer.from(name, 'latin1').toString('utf8'));
        if (names.length >= count) return names;
      }
    }
    return names;
  }

  async #checkVersion(): Promise<void> {
    const { ino, size, mtimeMs } = (await statOf(this.#path)) ?? {};
    const version = `${ino} ${size} ${mtimeMs}`;
    if (version === this.#version) return;
    this.#version = version;
    this.#cache.clear();
  }

  /** Yields blocks of lines in Latin-1. */
  async *#lines(): AsyncGenerator<string> {
    const file = await openRegular(this.#path);
    if (file === null) return;
    try {
      const buffer = Buffer.alloc(pieceBytes);
      let rest = '';
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, pieceBytes, null);
        if (bytesRead === 0) break;
        const text = rest + buffer.toString('latin1', 0, bytesRead);
        const end = text.lastIndexOf('\n') + 1;
        yield text.slice(0, end);
        rest = text.slice(end);
      }
      if (rest !== '') yield `${rest}\n`;
    } finally {
      await file.close();
    }
  }
}

/** Refs that git resolves, in a repository with a configuration of Trove. */
export class GitRefs implements Refs {
  readonly #git: Git;
  readonly #args: readonly string[];

  /** `args` name the repository. */
  constructor(git: Git, args: readonly string[]) {
    this.#git = git;
    this.#args = args;
  }

  resolve(name: string): Promise<string> {
    return Promise.resolve(name);
  }

  async names(count: number, signal: AbortSignal): Promise<string[]> {
    const args = [...this.#args, 'for-each-ref', `--count=${count}`, '--format=%(refname:short)'];
    const names = await this.#git.text(args, { signal });
    return names.split('\n').filter((name) => name !== '');
  }
}
