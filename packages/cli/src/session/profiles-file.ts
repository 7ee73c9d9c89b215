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

/** Changes the active profile. Leaves the rest of the text unchanged. */
export function setActive(text: string, name: string): string {
  const line = stringify({ active: name }).trim();
  const [head, tables] = splitAtTables(text);
  return activeLine.test(head) ? head.replace(activeLine, () => line) + tables : `${line}\n${text}`;
}

/** Appends a profile to the text. */
export function addProfile(text: string, name: string, profile: NewProfile): string {
  const table = stringify({ profiles: { [name]: profile } })
    .replace(/^\[profiles\]\n+/, '')
    .trim();
  const before = text.trimEnd();
  return `${before === '' ? '' : `${before}\n\n`}${table}\n`;
}

/** Splits a text before its first table, because top-level keys stand there. */
function splitAtTables(text: string): [head: string, tables: string] {
  const at = text.search(/^[ \t]*\[/m);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

/** Replaces the file atomically, readable only by its owner. Checks that the text is valid TOML first. */
export function writeProfiles(path: string, text: string): void {
  parse(text);
  try {
    replaceFile(path, text);
  } catch (error) {
    throw new CommandError('write_failed', `cannot write ${path} (${errorCode(error)})`, [
      'Make its folder writable, or choose another one with TROVE_HOME.',
    ]);
  }
}
