import { textsIn, type ConfigTable, type TextPlace } from './tables.js';

/** Members of `auth` that are names of secrets. */
const secretNames: ReadonlySet<string> = new Set(['bearer', 'refreshToken']);
/** Members of `auth` that contain a secret. */
const secretValues: ReadonlySet<string> = new Set(['password', 'value', 'secret', 'key']);
/** Members of `auth` whose own members have names of the service. */
const freeParts: ReadonlySet<string> = new Set(['claims', 'params', 'form', 'body']);
/** Headers, parameters and fields of a body that hold a secret in most services. */
const secretParts =
  /^(?:(?:proxy-)?authorization|cookie|private-token|x-(?:api-key|auth-token|access-token)|api[-_]?key|access[-_]?token|client[-_]?secret|password)$/i;
const requestParts: ReadonlySet<string> = new Set(['headers', 'query', 'form', 'body']);
const placeholder = /\{\+?secret\.([\w-]+)/g;

/**
 * Returns a sentence for each secret that is not in the table `secrets`, or is not referred to by its name. The sentences
 * contain no value, because it may be a secret.
 */
export function secretProblems(service: ConfigTable, known: readonly string[]): readonly string[] {
  const { auth, ...others } = service;
  return [
    ...[...textsIn(auth, ['auth'])].flatMap((each) => loginProblems(each, known)),
    ...[...textsIn(others)].flatMap(otherProblems),
    ...addressProblems(service['base']),
  ];
}

function loginProblems({ path, text }: TextPlace, known: readonly string[]): readonly string[] {
  const place = `\`${path.join('.')}\``;
  const last = path.at(-1) ?? '';
  const names = [...text.matchAll(placeholder)].map(([, name = '']) => name);
  if (secretNames.has(last))
    return known.includes(text)
      ? []
      : [`${place} must be the name of a secret in \`[secrets]\`${listOf(known)}`];
  const isFree = path.some((key) => freeParts.has(key));
  if (secretValues.has(last) && !isFree && names.length === 0)
    return [`${place} must contain a secret as \`{secret.NAME}\`. ${remedy}`];
  const missing = names.filter((name) => !known.includes(name));
  return missing.map(
    (name) => `${place} names the secret \`${name}\`, which \`[secrets]\` lacks. ${remedy}`,
  );
}

function otherProblems({ path, text }: TextPlace): readonly string[] {
  const place = `\`${path.join('.')}\``;
  if (/\{\+?secret\./.test(text)) return [`${place} contains a secret. Move it to \`auth\``];
  if (/\{\+?config[.}]/.test(text))
    return [
      `${place} contains \`{config…}\`, but the description has no settings. Write the value`,
    ];
  const isPart = path.some((key) => requestParts.has(key)) && isSecretPart(path.at(-1) ?? '');
  return isPart ? [`${place} holds a secret. Move it to \`auth\`. ${remedy}`] : [];
}

/** A URL with a user name or a password would appear in messages. */
function addressProblems(base: unknown): readonly string[] {
  if (typeof base !== 'string') return [];
  if (base.includes('{') || !/^https?:/i.test(base) || !URL.canParse(base))
    return ['`base` must be an address such as https://api.example.com/v1'];
  const { username, password } = new URL(base);
  return username === '' && password === ''
    ? []
    : [`\`base\` contains a user name or a password. Move them to \`auth.basic\`. ${remedy}`];
}

/** Whether a header, a parameter or a field of a body holds a secret in most services. */
export function isSecretPart(name: string): boolean {
  return secretParts.test(name);
}

const remedy = 'Write the secret as `NAME = "env:VARIABLE"` or `"file:/path"` in `[secrets]`';

function listOf(known: readonly string[]): string {
  return known.length === 0 ? `. ${remedy}` : `. It has: ${known.join(', ')}`;
}
