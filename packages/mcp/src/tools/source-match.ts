import { ToolError } from '../tool-error.js';

const maxCandidates = 10;

/** The sources that a text names. */
export interface SourceMatch<S> {
  readonly sources: readonly S[];
  /** Whether the text is the URI of a source or of an object in it. Otherwise it is a part of their URIs. */
  readonly isExact: boolean;
}

/**
 * Finds the sources that a text names: those that contain it as a URI, else those with a folder or file of this name in their URI, else
 * those with the text anywhere in their URI. Ignores case, except in a complete URI.
 */
export function matchSources<S extends { readonly root_uri: string }>(
  sources: readonly S[],
  text: string,
): SourceMatch<S> {
  const holders = sources.filter(({ root_uri: uri }) => isInside(text, uri));
  if (holders.length > 0) return { sources: holders, isExact: true };
  const name = text.trim().toLowerCase();
  const named = sources.filter(({ root_uri: uri }) => namesIn(uri).includes(name));
  const similar = sources.filter(({ root_uri: uri }) => readable(uri).includes(name));
  return { sources: named.length > 0 ? named : similar, isExact: false };
}

/** Returns the error for a text that names no source. `candidates` are sources that it may mean. */
export function noSuchSource(
  text: string,
  candidates: readonly { readonly root_uri: string }[] = [],
): ToolError {
  const named = candidates.slice(0, maxCandidates);
  const uris = named.map(({ root_uri: uri }) => uri).join(', ');
  return new ToolError('not_found', `source: ${text} is not a source`, [
    uris === ''
      ? 'Call `list` without arguments to see all sources.'
      : `Pass the URI of a source, such as ${uris}`,
  ]);
}

function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);
}

function namesIn(uri: string): string[] {
  return readable(uri).split(/[/:]+/);
}

/** Returns a URI without percent-encoding, in lower case. */
function readable(uri: string): string {
  try {
    return decodeURIComponent(uri).toLowerCase();
  } catch {
    return uri.toLowerCase();
  }
}
