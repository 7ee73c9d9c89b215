import { PathPattern } from '@trove/text/glob';

/** The paths of a site that are neither requested nor indexed. */
export class Exclusion {
  readonly #patterns: readonly PathPattern[];

  constructor(patterns: readonly string[]) {
    this.#patterns = patterns.flatMap((pattern) => PathPattern.parse(pattern) ?? []);
  }

  /** Whether a pattern matches the address or one of its parent folders. */
  covers({ pathname, search }: URL): boolean {
    if (this.#patterns.length === 0) return false;
    const path = `${pathname.replace(/\/$/, '')}${search}`.replace(/^\//, '');
    const folders = path.split('/').map((_, at, names) => names.slice(0, at + 1).join('/'));
    return this.#patterns.some((pattern) =>
      folders.some((each) => pattern.matches(each, each.slice(each.lastIndexOf('/') + 1))),
    );
  }
}
