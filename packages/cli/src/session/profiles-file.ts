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

/** Removes the line that names the active profile. */
export function withoutActive(text: string): string {
  const [head, tables] = splitAtTables(text);
  return head.replace(activeLine, '').trimStart() + tables;
}

const tableLine = /^[ \t]*\[/;
const profileLine = /^[ \t]*\[[ \t]*profiles[ \t]*\.[ \t]*(?:"([^"]*)"|'([^']*)'|([\w-]+))[ \t]*\]/;

/** Removes a profile. Leaves the rest of the text unchanged. Throws a CommandError if it is not a table of its own. */
export function removeProfile(text: string, name: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => {
    const [, double, single, bare] = profileLine.exec(line) ?? [];
    return (double ?? single ?? bare) === name;
  });
  if (start === -1) {
    throw new CommandError('config_invalid', `client.toml has no table [profiles.${name}]`, [
      'Remove the profile from the file with an editor.',
    ]);
  }
  const next = lines.findIndex((line, at) => at > start && tableLine.test(line));
  const end = next === -1 ? lines.length : next;
  const rest = [...lines.slice(0, start), ...lines.slice(end)].join('\n').trimEnd();
  return rest === '' ? '' : `${rest}\n`;
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
