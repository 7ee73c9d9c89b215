/** Takes the secrets of one plugin out of a text; plain JavaScript may hand over what is none. */
export type Redact = (text: unknown) => string;

const shortest = 4;

/** A URL without the user and password, and the secret parameters, that it may carry; any other text as it is. */
export function withoutCredentials(text: string): string {
  const url = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*@)?(.*)$/is.exec(text);
  if (url === null) return text;
  const [, scheme = '', user, rest = ''] = url;
  return `${scheme}${user === undefined ? '' : '***@'}${rest.replace(secretParameter, '$1***')}`;
}

const secretParameter =
  /([?&;][^=&;#]*(?:pass|pwd|secret|token|key|sig|auth|credential)[^=&;#]*=)[^&;#]+/gi;

/**
 * The texts by which secrets could show up in a message: each as it is, as URLs, JSON and Basic credentials write it, the
 * passwords of a URL, the lines of a key. Longest first, so that none is cut in two by a shorter one.
 */
export function tracesOf(secrets: readonly string[]): string[] {
  const traces = secrets.flatMap((secret) => [secret, ...passwordsOf(secret), ...linesOf(secret)]);
  const written = traces.flatMap((trace) => [
    trace,
    encodeURIComponent(trace.toWellFormed()),
    JSON.stringify(trace).slice(1, -1),
    ...(trace.length < shortest ? [] : encodedOf(trace)),
  ]);
  return [...new Set(written)]
    .filter((trace) => trace.trim() !== '')
    .sort((a, b) => b.length - a.length);
}

function encodedOf(trace: string): string[] {
  const bytes = Buffer.from(trace);
  return [bytes.toString('base64'), bytes.toString('base64url')];
}

export function redactor(secrets: readonly string[]): Redact {
  return (text) => redact(String(text), secrets);
}

/** Takes secrets out of a text. Those too short to be told from other words are taken out where they stand alone. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (clean, secret) =>
      secret.length < shortest
        ? clean.replaceAll(standingAlone(secret), '***')
        : clean.replaceAll(secret, '***'),
    text,
  );
}

function standingAlone(secret: string): RegExp {
  const literal = secret.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'gu');
}

/** The passwords in a URL, or in a connection text such as `host=… password=…`. */
function passwordsOf(secret: string): string[] {
  const inText = [...secret.matchAll(/(?:password|pwd|secret|token|key|sig)\s*=\s*([^\s;&#]+)/gi)];
  const [, scheme = '', user] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)@/is.exec(secret) ?? [];
  // A token may stand for the user of a web address; the user of a database is no secret.
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

/** Keys in PEM, and files of several secrets, are quoted line by line. */
function linesOf(secret: string): string[] {
  const lines = secret.split(/\r?\n/).map((line) => line.trim());
  return lines.length === 1
    ? []
    : lines.filter((line) => line.length >= 8 && !line.startsWith('-----'));
}
