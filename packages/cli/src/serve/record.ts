import { mkdirSync, rmSync, writeFileSync } from 'node:fs';

import { CommandError } from '@trove/commands';
import { errorCode, readFileIfAny } from '../session/system-errors.js';
import { serveFiles } from './files.js';
import { processIdentity } from './processes.js';

/** A server that `trove serve start` started. */
export interface ServerRecord {
  readonly pid: number;
  readonly bind: string;
  readonly endpoint: string;
  readonly config: string | undefined;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Distinguishes the process from a later one with the same id. */
  readonly identity: string;
}

/** Returns the last started server if it is still running. Removes the record of a dead server. */
export function readRecord(home: string): ServerRecord | undefined {
  const { pid: path } = serveFiles(home);
  const text = readFileIfAny(path);
  if (text === undefined) return undefined;
  const record = parse(text);
  if (record !== undefined && processIdentity(record.pid) === record.identity) return record;
  rmSync(path, { force: true });
  return undefined;
}

/** Writes the record: the process id on the first line, the rest as JSON on the second. */
export function writeRecord(home: string, record: ServerRecord): void {
  const { pid, ...rest } = record;
  writeFileSync(serveFiles(home).pid, `${pid}\n${JSON.stringify(rest)}\n`, { mode: 0o600 });
}

export function removeRecord(home: string): void {
  rmSync(serveFiles(home).pid, { force: true });
}

/** Creates the folder of the record and the log. Throws a CommandError if the home is not writable. */
export function prepareFolder(home: string): void {
  const { folder } = serveFiles(home);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new CommandError('home_unwritable', `cannot create ${folder} (${errorCode(error)})`, [
      'Make the folder writable, or choose another one with TROVE_HOME.',
    ]);
  }
}

function parse(text: string): ServerRecord | undefined {
  const [first = '', second = ''] = text.split('\n');
  try {
    const rest: unknown = JSON.parse(second);
    const record: unknown = typeof rest === 'object' ? { ...rest, pid: Number(first) } : undefined;
    return isRecord(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is ServerRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    Number.isInteger(value.pid) &&
    ['bind', 'endpoint', 'startedAt', 'identity'].every(
      (key) => typeof Reflect.get(value, key) === 'string',
    )
  );
}
