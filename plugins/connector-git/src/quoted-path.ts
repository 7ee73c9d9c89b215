/** Decodes a path as git prints it. Git quotes paths with special or non-ASCII bytes, with escapes as in C. */
export function unquotePath(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  const bytes = name
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(parseInt(code, 8)) : (escapes[code] ?? code),
    );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
