import type { SummaryRecord } from '@trove/core/store';

/** Of a folder, at most so many parts are told to the model. */
const maxParts = 100;
const maxPartChars = 600;

/** What became of something in a folder. */
export interface FolderChild {
  readonly name: string;
  /** Null: nothing is written about it. */
  readonly text: string | null;
  /** Something was to be written about it, but could not be. */
  readonly isMissing: boolean;
}

interface PendingSummary {
  readonly done: Promise<Pick<FolderChild, 'text' | 'isMissing'>>;
}

/** A folder whose contents are being written about. */
export class OpenFolder {
  readonly path: string;
  readonly known: SummaryRecord | null;
  readonly #children: Promise<FolderChild>[] = [];
  #others = 0;

  /** `path` ends with a slash, but '' is the root; `known`: what was written about it before. */
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

  /** Resolves when everything in it is written. */
  async contents() {
    const children = await Promise.all(this.#children);
    const parts = children.flatMap(({ name, text }) =>
      text === null ? [] : [{ name, text: text.slice(0, maxPartChars) }],
    );
    const others = this.#others + children.length - parts.length;
    return { parts, others, isMissing: children.some(({ isMissing }) => isMissing) };
  }
}
