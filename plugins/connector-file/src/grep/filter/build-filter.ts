import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

import { openRoot, type FileSource } from '../../source/root.js';
import { YieldTimer } from '../../threads/yield-timer.js';
import { Walk } from '../../walk/walk.js';
import { isPlainText } from '../byte-search.js';
import { FileReader } from '../file-reader.js';
import { stampOf } from './candidates.js';
import { encodeFilter, FilterTable, type SignedFile } from './filter-table.js';
import { loadFilter } from './load-filter.js';
import { signatureOf } from './signature.js';

/** The files beyond this much memory are searched without a filter. */
const maxSignatureBytes = 256 * 1024 ** 2;
const noText = new Uint8Array();

const reader = new FileReader();

export interface BuildFilterTask extends FileSource {
  /** The filter file. Its folder is created. */
  readonly file: string;
  /** A time in milliseconds. Files that changed later are left out, because they may change again at the same time. */
  readonly settledBefore: number;
}

/** Writes the filter of a source. Reads only files that have changed since the last one was written. */
export function* buildFilter({
  file,
  settledBefore,
  ...source
}: BuildFilterTask): Generator<never[], void> {
  const memory = loadFilter(file);
  const known = memory === null ? null : FilterTable.open(memory);
  const timer = new YieldTimer();
  const signed: SignedFile[] = [];
  let bytes = 0;
  for (const item of new Walk(openRoot(source), { ignore: source.ignore })) {
    if (bytes > maxSignatureBytes) break;
    const entry = 'skip' in item ? null : signedFile(item.realPath, settledBefore, known);
    if (entry !== null) {
      signed.push(entry);
      bytes += entry.signature.length;
    }
    if (timer.isDue()) yield [];
  }
  replaceFile(file, encodeFilter(signed));
}

/** Null for a file that cannot be read or may still change. */
function signedFile(
  realPath: string,
  settledBefore: number,
  known: FilterTable | null,
): SignedFile | null {
  const stamp = stampOf(realPath);
  if (stamp === null || Math.max(stamp.ctimeMs, stamp.mtimeMs) >= settledBefore) return null;
  const { size, mtimeMs, ctimeMs, ino, dev } = stamp;
  const index = known?.find(stamp) ?? null;
  const signature =
    index === null || known === null ? readSignature(realPath) : known.signature(index);
  return signature === null ? null : { size, mtimeMs, ctimeMs, ino, dev, signature };
}

function readSignature(realPath: string): Uint8Array | null {
  const found = reader.search(realPath, (bytes) =>
    isPlainText(bytes) ? signatureOf(bytes) : noText,
  );
  if (found === 'large') return noText;
  return found === null || found === 'unreadable' ? null : found;
}

/** Writes all parts beside the file, then replaces it. The check sum fails if two processes do so at the same time. */
function replaceFile(file: string, parts: readonly Uint8Array[]): void {
  const next = `${file}.next`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    const opened = openSync(next, 'w', 0o600);
    try {
      for (const part of parts) writeWhole(opened, part);
    } finally {
      closeSync(opened);
    }
    renameSync(next, file);
  } finally {
    rmSync(next, { force: true });
  }
}

function writeWhole(opened: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(opened, bytes, at);
}
