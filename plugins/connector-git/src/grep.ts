import type { GrepItem, GrepRequest } from '@trove/core';
import { decodeAs, sniff, withoutLineEnd, type SniffResult } from '@trove/text/encodings';
import { mediaTypeOf } from '@trove/text/media-types';

import { filesFolder } from './files.js';
import { parseGrepOutput } from './grep-output.js';
import type { Repository } from './repository.js';
import type { RepositoryRules } from './rules.js';

/** A larger file counts as text without classification. */
const maxSniffedBytes = 1024 * 1024;

const grepOptions: readonly string[] = [
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

/** Searches files for a literal text with `git grep`. */
export async function* grepFiles(
  repository: Repository,
  commit: string,
  path: string,
  rules: RepositoryRules,
  { pattern, excludedMediaTypes, limit, signal }: GrepRequest,
): AsyncGenerator<GrepItem> {
  // No line contains a line break, and git would read each line of the pattern as a pattern.
  if (pattern.includes('\n') || pattern === '') return;
  if (/[^\u0000-\u007f]/.test(pattern))
    yield { notice: 'Only UTF-8 files were searched, because the text has non-ASCII characters.' };
  const below = path === '' ? [] : [path];
  const args = repository.args('grep', ...grepOptions, '-e', pattern, commit, '--', ...below);
  const lines = parseGrepOutput(
    repository.git.bytes(args, { signal, acceptedCodes: [0, 1] }),
    commit.length + 1,
  );
  let left = limit;
  let binary = 0;
  let file = '';
  let classification: FileClassification = { sniffed: null, mediaType: null };
  for await (const { path: at, line, column, bytes } of lines) {
    if (left <= 0) break;
    if (rules.isLeftOut(at)) continue;
    if (file !== at) {
      file = at;
      classification = await classifyFile(repository, commit, at);
      if (
        classification.sniffed === null &&
        !excludedMediaTypes.includes(classification.mediaType ?? '')
      )
        binary++;
    }
    const { sniffed } = classification;
    if (sniffed === null) continue;
    if (bytes === null) {
      yield { notice: `Line ${line} of ${filesFolder}/${at} is too long and was not searched.` };
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
    yield { notice: `${files} binary, not searched, although the text occurs there.` };
  }
}

function decode(bytes: Buffer, sniffed: SniffResult): string {
  return decodeAs(bytes, { ...sniffed, bomLength: 0 });
}

interface FileClassification {
  /** Encoding of the file; null for a binary file. */
  readonly sniffed: SniffResult | null;
  readonly mediaType: string | null;
}

async function classifyFile(
  repository: Repository,
  commit: string,
  path: string,
): Promise<FileClassification> {
  if (path.includes('\n')) return plainText;
  const name = `${commit}:${path}`;
  const { size = 0 } = (await repository.objectInfo(name)) ?? {};
  if (size > maxSniffedBytes) return plainText;
  const { bytes = Buffer.alloc(0) } = (await repository.objectContents(name)) ?? {};
  const sniffed = sniff(bytes);
  // The content can identify a document with an unusual name.
  return { sniffed: sniffed.binary ? null : sniffed, mediaType: mediaTypeOf(path, bytes) };
}

const plainText: FileClassification = { sniffed: sniff(Buffer.from('text')), mediaType: null };
