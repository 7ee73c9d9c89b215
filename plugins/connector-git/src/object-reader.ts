import type { Git, GitProcess } from './git.js';

/** An object of a repository. */
export interface GitObject {
  readonly id: string;
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** Empty unless contents were asked for. */
  readonly bytes: Buffer;
}

interface PendingObject {
  resolve(object: GitObject | null): void;
  reject(error: unknown): void;
}

const idleMs = 60_000;

/**
 * One long-lived `git cat-file`, which is asked for objects by name, several at a time, and answers in that order. It
 * starts when first needed, and ends after a minute without questions.
 */
export class ObjectReader {
  readonly #git: Git;
  readonly #args: readonly string[];
  readonly #signal: AbortSignal;
  readonly #withContents: boolean;
  readonly #questions: PendingObject[] = [];
  #running: GitProcess | null = null;
  #idle: NodeJS.Timeout | undefined;

  /** `repository`: arguments that name it. */
  constructor(
    git: Git,
    repository: readonly string[],
    what: 'facts' | 'contents',
    signal: AbortSignal,
  ) {
    this.#git = git;
    this.#withContents = what === 'contents';
    this.#args = [...repository, 'cat-file', this.#withContents ? '--batch' : '--batch-check'];
    this.#signal = signal;
  }

  /** The object with a name that holds no line break, or null when there is none. */
  get(name: string): Promise<GitObject | null> {
    return new Promise((answer, fail) => {
      clearTimeout(this.#idle);
      this.#running ??= this.#start();
      if (this.#questions.length === 0) this.#running.timeout.resume();
      this.#questions.push({ resolve: answer, reject: fail });
      this.#running.child.stdin.write(`${name}\n`);
    });
  }

  #start(): GitProcess {
    const running = this.#git.start(this.#args, { signal: this.#signal });
    void this.#take(running);
    return running;
  }

  async #take(running: GitProcess): Promise<void> {
    const parser = new ObjectParser(this.#withContents);
    let failure: unknown = new Error('git ended before it had answered');
    try {
      for await (const piece of running.child.stdout) {
        running.timeout.resume();
        for (const object of parser.push(Buffer.from(piece)))
          this.#questions.shift()?.resolve(object);
        if (this.#questions.length === 0) this.#rest(running);
      }
      await running.ended;
    } catch (error) {
      failure = error;
    }
    if (this.#running === running) this.#running = null;
    for (const question of this.#questions.splice(0)) question.reject(failure);
  }

  #rest({ timeout: silence }: GitProcess): void {
    silence.pause();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      this.#running?.child.stdin.end();
      this.#running = null;
    }, idleMs).unref();
  }
}

/** Cuts what `git cat-file` prints into objects. */
class ObjectParser {
  readonly #withContents: boolean;
  #pieces: Buffer[] = [];
  #held = 0;
  #header: GitObject | null = null;

  constructor(withContents: boolean) {
    this.#withContents = withContents;
  }

  *push(piece: Buffer): Generator<GitObject | null> {
    this.#pieces.push(piece);
    this.#held += piece.length;
    // The pieces of a large object are joined once, when it is whole.
    if (this.#header !== null && this.#held <= this.#header.size) return;
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
    this.#held = rest.length;
  }
}

function parseHeader(line: string): GitObject | null {
  const [, id, type, size] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(line) ?? [];
  if (id === undefined || type === undefined) return null;
  return { id, type, size: Number(size), bytes: Buffer.alloc(0) };
}
