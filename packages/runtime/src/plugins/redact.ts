/** Removes the secrets of one plugin from a text; plain JavaScript may pass something else than a string. */
export type Redact = (text: unknown) => string;

const minSecretChars = 4;
/** More of what a plugin says is never shown; a huge text would be searched, copied and kept. */
const maxTextChars = 10_000;

/** A URL without user, password and secret parameters; any other text unchanged. */
export function redactUrl(text: string): string {
  // Whoever reads a URL overlooks white space before it, and line feeds in it.
  const url = /^(\s*[a-z][a-z0-9+.-]*:\/\/)([^/?#]*@)?(.*)$/is.exec(text);
  if (url === null) return text;
  const [, scheme = '', user, rest = ''] = url;
  return `${scheme}${user === undefined ? '' : '***@'}${rest.replace(secretParameter, '$1***')}`;
}

/** Its name is searched once, from where it begins: anybody may send a long text of such names. */
const secretParameter =
  /([?&;](?=[^=&;#?]*(?:pass|pwd|secret|token|key|sig|auth|credential))[^=&;#?]*=)[^&;#]+/gi;

/**
 * The forms in which secrets could appear in a message: verbatim, encoded as in URLs, JSON and Basic credentials, the
 * passwords of a URL, the lines of a key. Longest first, so that a shorter one does not split a longer one.
 */
export function variantsOf(secrets: readonly string[]): string[] {
  const traces = secrets.flatMap((secret) => [secret, ...passwordsOf(secret), ...linesOf(secret)]);
  const written = traces.flatMap((trace) => [
    trace,
    encodeURIComponent(trace.toWellFormed()),
    JSON.stringify(trace).slice(1, -1),
    ...(trace.length < minSecretChars ? [] : encodedOf(trace)),
  ]);
  return [...new Set(written)]
    .filter((trace) => trace.trim() !== '')
    .sort((a, b) => b.length - a.length);
}

function encodedOf(trace: string): string[] {
  const bytes = Buffer.from(trace);
  return [bytes.toString('base64'), bytes.toString('base64url')];
}

export function createRedactor(secrets: readonly string[]): Redact {
  return (text) => redact(String(text), secrets);
}

/**
 * Removes secrets from a text, and cuts a very long one. Those too short to be distinctive are removed only where they
 * stand alone.
 */
export function redact(text: string, secrets: readonly string[]): string {
  if (text.length <= maxTextChars) return replaceSecrets(text, secrets);
  const clean = replaceSecrets(copyOf(text.slice(0, maxTextChars)), secrets);
  // The cut may have gone through a secret, whose beginning would then be shown.
  const longestSecret = Math.max(0, ...secrets.map(({ length }) => length));
  return `${clean.slice(0, Math.max(0, clean.length - longestSecret))}…`;
}

/** A part of a string keeps the whole in memory; its copy does not. */
function copyOf(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

function replaceSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (clean, secret) =>
      secret.length < minSecretChars
        ? clean.replaceAll(wholeWordPattern(secret), '***')
        : clean.replaceAll(secret, '***'),
    text,
  );
}

function wholeWordPattern(secret: string): RegExp {
  const literal = secret.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'gu');
}

/** The passwords in a URL, or in a connection string such as `host=… password=…`. */
function passwordsOf(secret: string): string[] {
  const inText = [...secret.matchAll(/(?:password|pwd|secret|token|key|sig)\s*=\s*([^\s;&#]+)/gi)];
  const [, scheme = '', user] = /^\s*([a-z][a-z0-9+.-]*):\/\/([^/?#]*)@/is.exec(secret) ?? [];
  // In web addresses the user may be a token; a database user is not a secret.
  const inUrl = user?.includes(':') === true || /^http/i.test(scheme) ? user : undefined;
  const raw = [
    ...inText.map(([, value = '']) => value),
    ...(inUrl === undefined ? [] : [inUrl.slice(inUrl.indexOf(':') + 1)]),
  ];
  return raw.flatMap((value) => [value, decoded(value)]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** PEM keys and files with several secrets are quoted line by line. */
function linesOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  return lines.length === 1
    ? []
    : lines.filter((line) => line.length >= 8 && !line.startsWith('-----'));
}
