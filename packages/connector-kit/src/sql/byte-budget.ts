import { TroveError } from '@trove/core';

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** Returns a size for people: `3.2 GiB`. */
export function bytesText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return `${Number((bytes / 1024 ** power).toFixed(1))} ${units[power]}`;
}

/** Limits the bytes that one sync reads from a source that bills them. */
export class ByteBudget {
  readonly #maxBytes: number;
  readonly #errorCode: string;
  #spent = 0;

  /** `scheme` begins the code of its errors. */
  constructor(maxBytes: number, scheme: string) {
    this.#maxBytes = maxBytes;
    this.#errorCode = `${scheme}.byte_limit`;
  }

  /** Begins a sync. */
  restart(): void {
    this.#spent = 0;
  }

  get remaining(): number {
    return Math.max(0, this.#maxBytes - this.#spent);
  }

  /** Returns the reason why no sync can read so many bytes, or null. */
  refusalOf(bytes: number | null): string | null {
    if (bytes === null || bytes <= this.#maxBytes) return null;
    return `reading it takes ${bytesText(bytes)}, and \`max_bytes\` allows ${bytesText(this.#maxBytes)} in one sync`;
  }

  /** Takes bytes out of the budget. Throws `not_supported` if it has fewer left. The next sync tries again. */
  take(name: string, bytes: number | null): void {
    const needed = bytes ?? 0;
    if (needed > this.remaining) {
      throw new TroveError(
        'not_supported',
        `${name} takes ${bytesText(needed)}, and this sync may read only ${bytesText(this.remaining)} more. The next sync tries again`,
        {
          pluginCode: this.#errorCode,
          suggestions: ['Raise `max_bytes`, or list the tables to include in `tables`.'],
        },
      );
    }
    this.#spent += needed;
  }
}
