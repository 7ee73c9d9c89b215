import { parse, stringify } from 'smol-toml';

import { Failure } from '@trove/commands';
import { replaceFile } from './replace-file.js';
import { errorCode } from './system-errors.js';

const ACTIVE = /^[ \t]*active[ \t]*=.*$/m;

/** A profile to write. */
export interface NewProfile {
  readonly endpoint: string;
  readonly token?: string;
}

/** The text of client.toml with another active profile; everything else stays as it was written. */
export function withActive(text: string, name: string): string {
  const line = stringify({ active: name }).trim();
  const [head, tables] = beforeTables(text);
  return ACTIVE.test(head) ? head.replace(ACTIVE, () => line) + tables : `${line}\n${text}`;
}

/** The text with a profile added at its end. */
export function withProfile(text: string, name: string, profile: NewProfile): string {
  const table = stringify({ profiles: { [name]: profile } })
    .replace(/^\[profiles\]\n+/, '')
    .trim();
  const before = text.trimEnd();
  return `${before === '' ? '' : `${before}\n\n`}${table}\n`;
}

/** Top-level keys stand before the first table. */
function beforeTables(text: string): [head: string, tables: string] {
  const at = text.search(/^[ \t]*\[/m);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

/** Replaces the file at once, readable by its owner only, if what is written can be read again. */
export function writeProfiles(path: string, text: string): void {
  parse(text);
  try {
    replaceFile(path, text);
  } catch (error) {
    throw new Failure('write_failed', `cannot write ${path} (${errorCode(error)})`);
  }
}
