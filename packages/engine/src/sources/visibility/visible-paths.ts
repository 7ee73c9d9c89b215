import { relativePath } from '@trove/core';
import { createToken } from '@trove/core/di';

/** The token of `VisiblePaths` in the container of a restricted caller. */
export const VisiblePathsToken = createToken<VisiblePaths>('engine.visible_paths');

/** The part of all sources that a caller may see. */
export class VisiblePaths {
  /** Canonical URIs, none inside another. */
  readonly uris: readonly string[];

  constructor(uris: readonly string[]) {
    const distinct = [...new Set(uris)];
    this.uris = distinct.filter(
      (uri) => !distinct.some((other) => other !== uri && isWithin(other, uri)),
    );
  }

  /** Whether a URI and everything below it is visible. */
  readonly contains = (uri: string): boolean => this.uris.some((root) => isWithin(root, uri));

  /** Returns the visible paths in a source: [''] for the whole source, and none for a hidden one. */
  partsOf(rootUri: string): string[] {
    if (this.contains(rootUri)) return [''];
    return this.uris.flatMap((uri) => relativePath(rootUri, uri) ?? []);
  }

  /** Returns the visible URIs at or below a URI. A visible URI itself is the only one. */
  below(uri: string): readonly string[] {
    return this.contains(uri) ? [uri] : this.uris.filter((visible) => isWithin(uri, visible));
  }
}

function isWithin(root: string, uri: string): boolean {
  return relativePath(root, uri) !== null;
}
