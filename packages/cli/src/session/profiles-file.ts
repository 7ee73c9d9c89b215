import { parse, stringify } from 'smol-toml';

import { CommandError } from '@trove/commands';
import { replaceFile } from './file-replacement.js';
import { errorCode } from './system-errors.js';

const activeLine = /^[ \t]*active[ \t]*=.*$/m;

/** A profile to write. */
export interface NewProfile {
  readonly endpoint: string;
  readonly token?: string;
}

/** The text of client.toml with another active profile; everything else stays as it was written. */
export function setActive(text: string, name: string): string {
  const line = stringify({ active: name }).trim();
  const [head, tables] = splitAtTables(text);
  return activeLine.test(head) ? head.replace(activeLine, () => line) + tables : `${line}\n${text}`;
}

/** The text with a profile added at its end. */
export function addProfile(text: string, name: string, profile: NewProfile): string {
  const table = stringify({ profiles: { [name]: profile } })
    .replace(/^\[profiles\]\n+/, '')
    .trim();
  const before = text.trimEnd();
  return `${before === '' ? '' : `${before}\n\n`}${table}\n`;
}

/** Top-level keys stand before the first table. */
function splitAtTables(text: string): [head: string, tables: string] {
  const at = text.search(/^[ \t]*\[/m);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

/** Replaces the file at once, readable by its owner only, if what is written can be read again. */
export function writeProfiles(path: string, text: string): void {
  parse(text);
  try {
    replaceFile(path, text);
  } catch (error) {
    throw new CommandError('write_failed', `cannot write ${path} (${errorCode(error)})`);
  }
}
