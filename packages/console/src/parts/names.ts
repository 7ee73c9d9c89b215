const localRoot = 'file://local';

/** Control characters, and characters that change the direction of the text around them. */
const hidden = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Replaces characters that hide or reorder parts of a name. */
export function shownName(name: string): string {
  return name.replaceAll(hidden, '\ufffd');
}

/** Formats a URI for people. Files of the server become paths. */
export function shownUri(uri: string): string {
  const isLocal = uri === localRoot || uri.startsWith(`${localRoot}/`);
  const path = isLocal ? uri.slice(localRoot.length) || '/' : uri;
  return shownName(decoded(path));
}

/** Returns the last segment of a URI for people. */
export function lastSegment(uri: string): string {
  const segments = shownUri(uri).split('/').filter(Boolean);
  return segments.at(-1) ?? shownUri(uri);
}

/** Returns the address of a link to a web page or a mail address, or null for other schemes. */
export function safeLink(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  return ['http:', 'https:', 'mailto:'].includes(new URL(url).protocol) ? url : null;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
