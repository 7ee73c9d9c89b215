import { createWriteStream, openSync, readSync, closeSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { exportText } from '@trove/client';

import { localPathOf } from '../paths/large-target.js';
import type { Cli } from '../session/cli.js';

const sniffedBytes = 8192;

export interface OpenFile {
  readonly path: string;
  /** True if the file is a copy: the object is remote, or no text file. */
  readonly isCopy: boolean;
}

/** Returns the local text file of an object, or creates a read-only copy of its text. */
export async function fileToOpen(cli: Cli, target: string): Promise<OpenFile> {
  const own = cli.local ? localPathOf(target) : null;
  if (own !== null && isText(own)) return { path: own, isCopy: false };
  const text = exportText(cli.client.http, { path: target });
  const folder = await mkdtemp(join(tmpdir(), 'trove-open-'));
  const name = basename(decodeURIComponent(target.replace(/%(?![0-9a-f]{2})/gi, '%25')));
  const isMarkdown = own !== null && !/\.md$/i.test(name);
  const path = join(
    folder,
    `${name.replace(/[^\w. -]/g, '_') || 'object'}${isMarkdown ? '.md' : ''}`,
  );
  await pipeline(Readable.from(text), createWriteStream(path, { mode: 0o600 }));
  await chmod(path, 0o400);
  return { path, isCopy: true };
}

/** Tests if a local file exists and starts like text. */
function isText(path: string): boolean {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return false;
  }
  try {
    const start = Buffer.alloc(sniffedBytes);
    const length = readSync(file, start, 0, sniffedBytes, 0);
    return !start.subarray(0, length).includes(0) && !start.toString('latin1').startsWith('%PDF');
  } catch {
    return false;
  } finally {
    closeSync(file);
  }
}
