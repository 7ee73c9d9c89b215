import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Converts what a person wrote for the server: URIs unchanged, paths made absolute. */
export function toTarget(text: string, cwd: string): string {
  if (SCHEME.test(text)) return text;
  if (text === '~' || text.startsWith('~/')) return join(homedir(), text.slice(1));
  return resolve(cwd, text);
}
