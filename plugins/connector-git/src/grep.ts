import type { GrepItem, GrepRequest } from '@trove/core';
import { decodeAs, sniff, withoutLineEnd, type Sniffed } from '@trove/text/encodings';
import { mediaTypeOf } from '@trove/text/media-types';

import { filesFolder } from './files.js';
import { foundLines } from './found-lines.js';
import type { Repository } from './repository.js';
import type { Rules } from './rules.js';

/** Of a file with a match, so much decides what it is. */
const largestSniffed = 1024 * 1024;

const how: readonly string[] = [
  '--fixed-strings',
  '--text',
  '--line-number',
  '--column',
  '--null',
  '--full-name',
  '--no-color',
  '--no-textconv',
  '--no-recurse-submodules',
];

/** Lines of files that hold a text literally, found by git. */
export async function* grepFiles(
  repository: Repository,
  commit: string,
  path: string,
  rules: Rules,
  { pattern, except, limit, signal }: GrepRequest,
): AsyncGenerator<GrepItem> {
  // No line holds a line break, and git would take each of its lines for a pattern.
  if (pattern.includes('\n') || pattern === '') return;
  if (/[^\u0000-\u007f]/.test(pattern))
    yield { notice: 'Only files in UTF-8 were searched for characters beyond ASCII.' };
  const below = path === '' ? [] : [path];
  const args = repository.args('grep', ...how, '-e', pattern, commit, '--', ...below);
  const found = foundLines(repository.git.bytes(args, { signal, fine: [0, 1] }), commit.length + 1);
  let left = limit;
  let binary = 0;
  let file = '';
  let what: WhatItIs = { sniffed: null, mediaType: null };
  for await (const { path: at, line, column, bytes } of found) {
    if (left <= 0) break;
    if (rules.leavesOut(at)) continue;
    if (file !== at) {
      file = at;
      what = await whatItIs(repository, commit, at);
      if (what.sniffed === null && !except.includes(what.mediaType ?? '')) binary++;
    }
    const { sniffed } = what;
    if (sniffed === null) continue;
    if (bytes === null) {
      yield { notice: `Line ${line} of ${filesFolder}/${at} is too long to be searched.` };
      continue;
    }
    const start = line === 1 ? sniffed.bomLength : 0;
    const text = decode(bytes.subarray(start), sniffed);
    const before = decode(bytes.subarray(start, Math.max(start, column - 1)), sniffed);
    left--;
    yield {
      path: `${filesFolder}/${at}`,
      lines: [line, line],
      content: withoutLineEnd(`${text}\n`),
      match: { lines: [line, line], column: before.length + 1 },
    };
  }
  if (binary > 0) {
    const files = binary === 1 ? '1 file' : `${binary} files`;
    yield { notice: `${files} binary, not searched, though the text occurs there.` };
  }
}

function decode(bytes: Buffer, sniffed: Sniffed): string {
  return decodeAs(bytes, { ...sniffed, bomLength: 0 });
}

interface WhatItIs {
  /** How a file is encoded, null when it is binary. */
  readonly sniffed: Sniffed | null;
  readonly mediaType: string | null;
}

async function whatItIs(repository: Repository, commit: string, path: string): Promise<WhatItIs> {
  if (path.includes('\n')) return plain;
  const name = `${commit}:${path}`;
  const { size = 0 } = (await repository.facts(name)) ?? {};
  if (size > largestSniffed) return plain;
  const { bytes = Buffer.alloc(0) } = (await repository.contents(name)) ?? {};
  const sniffed = sniff(bytes);
  // A document may be called anything.
  return { sniffed: sniffed.binary ? null : sniffed, mediaType: mediaTypeOf(path, bytes) };
}

const plain: WhatItIs = { sniffed: sniff(Buffer.from('text')), mediaType: null };
