import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { GitErrorFactory } from '../failures.js';
import type { Git } from '../git.js';
import { toRepositoryError } from './repository-error.js';
import type { RepositoryLayout } from './layout.js';
import { openRegular, readStart, statOf } from './regular-file.js';

/** What the branches, tags and other names of a repository are at. */
export interface Refs {
  /** What stands for a name: an id, or the name itself if that is no ref; null for a branch without commits. */
  resolve(name: string): Promise<string | null>;
  /** Some of the names. */
  names(count: number, signal: AbortSignal): Promise<string[]>;
}

const maxRefBytes = 4096;
/** Git follows no longer chains. */
const maxSymbolicRefs = 5;
const pieceBytes = 1024 * 1024;

/** Refs as files, a file each or all in `packed-refs`. */
export class FileRefs implements Refs {
  readonly #layout: RepositoryLayout;
  readonly #packed: PackedRefs;
  readonly #error: GitErrorFactory;

  constructor(layout: RepositoryLayout, error: GitErrorFactory) {
    this.#layout = layout;
    this.#error = error;
    this.#packed = new PackedRefs(join(layout.commonDir, 'packed-refs'));
  }

  /** Throws `connector_unhealthy` for a pipe in the place of a ref. */
  async resolve(name: string): Promise<string | null> {
    try {
      return await this.#resolve(name);
    } catch (cause) {
      throw toRepositoryError(this.#error, cause);
    }
  }

  async #resolve(name: string): Promise<string | null> {
    // As in git, an id is never the name of a branch.
    if (isId(name)) return name;
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

  /** The id at a ref, null if it leads to a branch without commits; undefined if there is no such ref. */
  async #follow(name: string): Promise<string | null | undefined> {
    let at = name;
    for (let depth = 0; depth <= maxSymbolicRefs; depth++) {
      const value = (await this.#loose(at)) ?? (await this.#packed.get(at));
      if (value === null) return depth === 0 ? undefined : null;
      const [, next] = /^ref:\s*(\S+)/.exec(value) ?? [];
      if (next === undefined) return value;
      if (!isRefName(next)) return null;
      at = next;
    }
    return null;
  }

  async #loose(name: string): Promise<string | null> {
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

function isId(name: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name);
}

/** What a name may be short for, in git's order; in Latin-1, as files of git are read. */
function candidatesOf(name: string): string[] {
  const bytes = Buffer.from(name, 'utf8').toString('latin1');
  return ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/']
    .map((prefix) => prefix + bytes)
    .concat(`refs/remotes/${bytes}/HEAD`);
}

/** Whether git would take it for the name of a ref; nothing else may become a path. */
function isRefName(name: string): boolean {
  const parts = name.split('/');
  return (
    !/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{/.test(name) &&
    /^(?:refs\/.|worktrees\/.|[A-Z_]+$)/.test(name) &&
    parts.every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
  );
}

/** Names of files below a folder, a few. */
async function findLooseNames(folder: string, count: number): Promise<string[]> {
  const names: string[] = [];
  const look = async (below: string): Promise<void> => {
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (names.length >= count) return;
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) await look(name);
      else if (entry.isFile()) names.push(name);
    }
  };
  await look('');
  return names;
}

/** The file of refs that have no file of their own. It may have a million lines, so it is searched in pieces. */
class PackedRefs {
  readonly #path: string;
  /** Of the file as it was when it was last searched. */
  #version = '';
  readonly #known = new Map<string, string | null>();

  constructor(path: string) {
    this.#path = path;
  }

  /** The id at a ref, null if it is not among them. */
  async get(name: string): Promise<string | null> {
    await this.#forgetOld();
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    let id: string | null = null;
    for await (const lines of this.#lines()) {
      const end = lines.indexOf(` ${name}\n`);
      if (end === -1) continue;
      id = lines.slice(lines.lastIndexOf('\n', end) + 1, end);
      break;
    }
    this.#known.set(name, id);
    return id;
  }

  /** Names below a prefix, without it, a few. */
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

  async #forgetOld(): Promise<void> {
    const { ino, size, mtimeMs } = (await statOf(this.#path)) ?? {};
    const version = `${ino} ${size} ${mtimeMs}`;
    if (version === this.#version) return;
    this.#version = version;
    this.#known.clear();
  }

  /** Some lines at a time, in Latin-1. */
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

/** Refs as git finds them, in a folder whose configuration is Trove's own. */
export class GitRefs implements Refs {
  readonly #git: Git;
  readonly #args: readonly string[];

  /** `args`: name the repository. */
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
