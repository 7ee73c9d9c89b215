/** Removes the secrets of one plugin. Plain JavaScript may pass a value that is not a string. */
export type Redact = (text: unknown) => string;

const minSecretChars = 4;
/** Longer texts are cut, because searching and storing them would be costly. */
const maxTextChars = 10_000;

/** Removes the user, password and secret parameters from a URL. Returns other texts unchanged. */
export function redactUrl(text: string): string {
  // URL parsers ignore leading white space and line feeds.
  const url = /^(\s*[a-z][a-z0-9+.-]*:\/\/)([^/?#]*@)?(.*)$/is.exec(text);
  if (url === null) return text;
  const [, scheme = '', user, rest = ''] = url;
  return `${scheme}${user === undefined ? '' : '***@'}${rest.replace(secretParameter, '$1***')}`;
}

/** The lookahead scans each name once, because an attacker may send a long text of such names. */
const secretParameter =
  /([?&;](?=[^=&;#?]*(?:pass|pwd|secret|token|key|sig|auth|credential))[^=&;#?]*=)[^&;#]+/gi;

/**
 * Returns the variants of secrets that could appear in a message: verbatim, encoded for URLs, JSON and Basic
 * authentication, the passwords of a URL, the lines of a key. Longest first, because a shorter one could split
 * a longer one.
 */
export function variantsOf(secrets: readonly string[]): string[] {
  const texts = secrets.flatMap((secret) => [secret, ...passwordsOf(secret), ...linesOf(secret)]);
  const variants = texts.flatMap((text) => [
    text,
    encodeURIComponent(text.toWellFormed()),
    JSON.stringify(text).slice(1, -1),
    ...(text.length < minSecretChars ? [] : base64Of(text)),
  ]);
  return [...new Set(variants)]
    .filter((variant) => variant.trim() !== '')
    .sort((a, b) => b.length - a.length);
}

function base64Of(text: string): string[] {
  const bytes = Buffer.from(text);
  return [bytes.toString('base64'), bytes.toString('base64url')];
}

export function createRedactor(secrets: readonly string[]): Redact {
  return (text) => redact(String(text), secrets);
}

/**
 * Removes secrets from a text and shortens a very long one. Short secrets are removed only where they are whole
 * words.
 */
export function redact(text: string, secrets: readonly string[]): string {
  if (text.length <= maxTextChars) return replaceSecrets(text, secrets);
  const clean = replaceSecrets(copyOf(text.slice(0, maxTextChars)), secrets);
  // The cut may have left the beginning of a secret.
  const longestSecret = Math.max(0, ...secrets.map(({ length }) => length));
  return `${clean.slice(0, Math.max(0, clean.length - longestSecret))}…`;
}

/** Copies a string, because a slice keeps the whole string in memory. */
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

/** Returns the passwords in a URL, or in a connection string such as `host=… password=…`. */
function passwordsOf(secret: string): string[] {
  const inText = [...secret.matchAll(/(?:password|pwd|secret|token|key|sig)\s*=\s*([^\s;&#]+)/gi)];
  const [, scheme = '', user] = /^\s*([a-z][a-z0-9+.-]*):\/\/([^/?#]*)@/is.exec(secret) ?? [];
  // The user of a web address may be a token. The user of a database is not a secret.
  const login = user?.includes(':') === true || /^http/i.test(scheme) ? user : undefined;
  const raw = [
    ...inText.map(([, value = '']) => value),
    ...(login === undefined ? [] : [login.slice(login.indexOf(':') + 1)]),
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

/** Returns the lines of PEM keys and of files with several secrets, because messages quote single lines. */
function linesOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  return lines.length === 1
    ? []
    : lines.filter((line) => line.length >= 8 && !line.startsWith('-----'));
}
