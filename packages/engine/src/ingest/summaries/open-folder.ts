import type { SummaryRecord } from '@trove/core/store';

/** The prompt of a folder describes at most this many parts. */
const maxParts = 100;
const maxPartChars = 600;

/** The result for one item of a folder. */
export interface FolderChild {
  readonly name: string;
  /** Null if it has no summary. */
  readonly text: string | null;
  /** Whether its summary could not be written. */
  readonly isMissing: boolean;
}

interface PendingSummary {
  readonly done: Promise<Pick<FolderChild, 'text' | 'isMissing'>>;
}

/** A folder whose items are being summarized. */
export class OpenFolder {
  readonly path: string;
  readonly known: SummaryRecord | null;
  readonly #children: Promise<FolderChild>[] = [];
  #others = 0;

  /** `path` ends with a slash; '' is the root. `known`: the previous summary. */
  constructor(path: string, known: SummaryRecord | null) {
    this.path = path;
    this.known = known;
  }

  add(path: string, { done }: PendingSummary): void {
    if (this.#children.length >= maxParts) {
      this.#others++;
      return;
    }
    const name = path.slice(this.path.length);
    const child = done.then((outcome) => ({ name, ...outcome }));
    child.catch(() => undefined);
    this.#children.push(child);
  }

  /** Resolves when all items are summarized. */
  async contents() {
    const children = await Promise.all(this.#children);
    const parts = children.flatMap(({ name, text }) =>
      text === null ? [] : [{ name, text: text.slice(0, maxPartChars) }],
    );
    const others = this.#others + children.length - parts.length;
    return { parts, others, isMissing: children.some(({ isMissing }) => isMissing) };
  }
}
