import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { serveFiles } from './files.js';

const tailBytes = 1_000_000;
const followMs = 200;

/** Opens the log for early output of the server, which rotates it later. */
export function openLog(home: string): number {
  const { log } = serveFiles(home);
  return openSync(log, 'a', 0o600);
}

export function logSize(home: string): number {
  const { log } = serveFiles(home);
  return existsSync(log) ? statSync(log).size : 0;
}

/** Returns the last lines of the log after offset `from`. */
export function tailLog(home: string, lines: number, from = 0): string {
  const { log } = serveFiles(home);
  if (!existsSync(log)) return '';
  const end = statSync(log).size;
  const text = readRange(log, Math.max(from, end - tailBytes), end);
  const all = text.replace(/\n$/, '').split('\n');
  const shown = text === '' ? [] : all.slice(Math.max(0, all.length - lines));
  return shown.map((line) => `${line}\n`).join('');
}

/** Yields text that is appended to the log, across rotations. */
export async function* followLog(home: string): AsyncGenerator<string> {
  const { log } = serveFiles(home);
  let position = logSize(home);
  for (;;) {
    const end = logSize(home);
    if (end < position) position = 0;
    if (end > position) {
      yield readRange(log, position, end);
      position = end;
    }
    await sleep(followMs);
  }
}

function readRange(path: string, from: number, to: number): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(Math.max(0, Math.min(to, fstatSync(file).size) - from));
    readSync(file, bytes, 0, bytes.length, from);
    return bytes.toString('utf8');
  } finally {
    closeSync(file);
  }
}
