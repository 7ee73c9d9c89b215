import { PathPattern } from '@trove/core/glob';

/** Which paths of a site are left out and not asked for. */
export class Exclusion {
  readonly #patterns: readonly PathPattern[];

  constructor(patterns: readonly string[]) {
    this.#patterns = patterns.flatMap((pattern) => PathPattern.parse(pattern) ?? []);
  }

  /** Whether a pattern covers the address, or a folder that it is in. */
  covers({ pathname, search }: URL): boolean {
    if (this.#patterns.length === 0) return false;
    const path = `${pathname.replace(/\/$/, '')}${search}`.replace(/^\//, '');
    const folders = path.split('/').map((_, at, names) => names.slice(0, at + 1).join('/'));
    return this.#patterns.some((pattern) =>
      folders.some((each) => pattern.matches(each, each.slice(each.lastIndexOf('/') + 1))),
    );
  }
}
