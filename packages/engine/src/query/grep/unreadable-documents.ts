import type { GrepItem } from '@trove/core';

/** Collects documents that cannot be converted, with one notice per reason. A folder of scans may contain many. */
export class UnreadableDocuments {
  readonly #byReason = new Map<string, string[]>();

  add(path: string, reason: string): void {
    const paths = this.#byReason.get(reason) ?? [];
    paths.push(path);
    this.#byReason.set(reason, paths);
  }

  *notices(): Generator<GrepItem> {
    for (const [reason, [first, ...others]] of this.#byReason) {
      const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
      yield { notice: `${first} was skipped: ${reason}${more}` };
    }
  }
}
