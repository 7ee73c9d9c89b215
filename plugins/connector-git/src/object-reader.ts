import type { Git, GitProcess } from './git.js';

/** An object of a repository. */
export interface GitObject {
  readonly id: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** Empty unless the reader returns contents. */
  readonly bytes: Buffer;
}

interface PendingObject {
  resolve(object: GitObject | null): void;
  reject(error: unknown): void;
}

const idleMs = 60_000;

/**
 * Reads objects by name through one long-lived `git cat-file`, which answers requests in their order. The process starts
 * with the first request and ends after a minute without requests.
 */
export class ObjectReader {
  readonly #git: Git;
  readonly #args: readonly string[];
  readonly #signal: AbortSignal;
  readonly #withContents: boolean;
  readonly #pending: PendingObject[] = [];
  #process: GitProcess | null = null;
  #idle: NodeJS.Timeout | undefined;

  /** `repository` are the arguments that name the repository. */
  constructor(
    git: Git,
    repository: readonly string[],
    kind: 'info' | 'contents',
    signal: AbortSignal,
  ) {
    this.#git = git;
    this.#withContents = kind === 'contents';
    this.#args = [...repository, 'cat-file', this.#withContents ? '--batch' : '--batch-check'];
    this.#signal = signal;
  }

  /** Returns the object with a name, or null if it does not exist. The name must not contain a line break. */
  get(name: string): Promise<GitObject | null> {
    return new Promise((resolve, reject) => {
      clearTimeout(this.#idle);
      this.#process ??= this.#start();
      if (this.#pending.length === 0) this.#process.timeout.resume();
      this.#pending.push({ resolve, reject });
      this.#process.child.stdin.write(`${name}\n`);
    });
  }

  #start(): GitProcess {
    const gitProcess = this.#git.start(this.#args, { signal: this.#signal });
    void this.#receive(gitProcess);
    return gitProcess;
  }

  async #receive(gitProcess: GitProcess): Promise<void> {
    const parser = new ObjectParser(this.#withContents);
    let failure: unknown = new Error('git ended without an answer');
    try {
      for await (const piece of gitProcess.child.stdout) {
        gitProcess.timeout.resume();
        for (const object of parser.push(Buffer.from(piece)))
          this.#pending.shift()?.resolve(object);
        if (this.#pending.length === 0) this.#startIdleTimer(gitProcess);
      }
      await gitProcess.ended;
    } catch (error) {
      failure = error;
    }
    if (this.#process === gitProcess) this.#process = null;
    for (const request of this.#pending.splice(0)) request.reject(failure);
  }

  #startIdleTimer({ timeout }: GitProcess): void {
    timeout.pause();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      this.#process?.child.stdin.end();
      this.#process = null;
    }, idleMs).unref();
  }
}

/** Splits the output of `git cat-file` into objects. */
class ObjectParser {
  readonly #withContents: boolean;
  #pieces: Buffer[] = [];
  #heldBytes = 0;
  #header: GitObject | null = null;

  constructor(withContents: boolean) {
    this.#withContents = withContents;
  }

  *push(piece: Buffer): Generator<GitObject | null> {
    this.#pieces.push(piece);
    this.#heldBytes += piece.length;
    // The pieces of a large object are joined once, when it is complete.
    if (this.#header !== null && this.#heldBytes <= this.#header.size) return;
    let rest = Buffer.concat(this.#pieces);
    for (;;) {
      if (this.#header === null) {
        const end = rest.indexOf(0x0a);
        if (end === -1) break;
        const header = parseHeader(rest.toString('utf8', 0, end));
        rest = rest.subarray(end + 1);
        if (header === null || !this.#withContents) yield header;
        else this.#header = header;
      } else {
        const { size } = this.#header;
        if (rest.length <= size) break;
        yield { ...this.#header, bytes: rest.subarray(0, size) };
        rest = rest.subarray(size + 1);
        this.#header = null;
      }
    }
    this.#pieces = [rest];
    this.#heldBytes = rest.length;
  }
}

function parseHeader(line: string): GitObject | null {
  const [, id, type, size] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(line) ?? [];
  if (id === undefined || type === undefined) return null;
  return { id, type, size: Number(size), bytes: Buffer.alloc(0) };
}
